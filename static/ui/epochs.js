// The table of epochs, the newest first, in a frame of fixed height: it grows, and nothing below it moves.

import { h, setHidden } from "./dom.js";
import { measured, measureName } from "./figures.js";

export class Epochs {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.shown = "";
    this.head = h("tr", {});
    this.body = h("tbody", {});
    this.empty = h("p", { class: "note" }, t("epochs-empty"));
    this.table = h("table", { class: "table", hidden: true }, h("thead", {}, this.head), this.body);
    this.element = h("section", { class: "panel epochs", "aria-labelledby": "epochs-title" },
      h("h2", { id: "epochs-title" }, t("epochs-title")),
      h("div", { class: "epochs-frame", tabindex: 0, role: "group", "aria-labelledby": "epochs-title" }, this.empty, this.table));
  }

  /** `training` or null while it is being opened. */
  update(training) {
    const { measures = [], best_epoch: best = null } = training ?? {};
    const shown = JSON.stringify([measures, best]);
    if (shown === this.shown) return;
    this.shown = shown;
    setHidden(this.empty, measures.length > 0);
    setHidden(this.table, !measures.length);
    const { ctx } = this;
    const names = [...new Set(measures.flatMap(({ values }) => Object.keys(values)))];
    this.head.replaceChildren(h("th", { scope: "col" }, ctx.t("epochs-epoch")),
      ...names.map((name) => h("th", { scope: "col" }, measureName(ctx, name))));
    this.body.replaceChildren(...[...measures].reverse().map(({ epoch, values }) =>
      h("tr", { class: epoch === best ? "best" : null },
        h("th", { scope: "row" }, ctx.measure.integer(epoch), epoch === best && [" ", h("span", { class: "best-word" }, ctx.t("epochs-best"))]),
        names.map((name) => h("td", {}, measured(ctx, name, values[name]))))));
  }
}
