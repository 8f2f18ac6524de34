// Begin anew: forgets the checkpoints of a training, and asks before it does.

import { busy, h, setHidden, setText } from "./dom.js";
import { icon } from "./icon.js";

export class Anew {
  /** `fault` shows what went wrong. */
  constructor(ctx, fault) {
    this.ctx = ctx;
    const { t } = ctx;
    this.button = h("button", { type: "button", class: "button", onclick: () => this.#ask() }, icon("replay"), h("span", {}, t("action-anew")));
    this.what = h("p", { id: "anew-what" });
    this.dialog = h("dialog", { class: "dialog", "aria-labelledby": "anew-title", "aria-describedby": "anew-what" },
      h("h2", { id: "anew-title" }, t("anew-title")), this.what,
      h("div", { class: "actions" },
        h("button", { type: "button", class: "button primary", onclick: busy(() => this.#begin(fault)) }, t("action-anew")),
        (this.keep = h("button", { type: "button", class: "button", onclick: () => this.dialog.close() }, t("action-keep")))));
  }

  /** `training` or null; there is something to forget once a step is done. */
  update(training) {
    const steps = Math.max(training?.step ?? 0, training?.kept ?? 0);
    setHidden(this.button, !steps);
    setText(this.what, this.ctx.t("anew-what", { steps }));
  }

  #ask() {
    this.dialog.showModal();
    this.keep.focus(); // a press too many forgets nothing
  }

  #begin(fault) {
    this.dialog.close();
    return this.ctx.session.ask("train_restart", {}, fault);
  }
}
