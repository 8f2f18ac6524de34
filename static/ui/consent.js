// Consent on a joined device: nothing is computed before it, it is asked once, and it says what it is for.

import { busy, h, setText } from "./dom.js";
import { icon } from "./icon.js";

const POINTS = ["nothing", "uses", "inputs", "stop"];

export class Consent {
  constructor(ctx, fault) {
    this.ctx = ctx;
    const { t } = ctx;
    this.title = h("h2", { id: "consent-title", tabindex: -1 }, t("consent-title"));
    this.what = h("p", {});
    const answer = (given) => busy(() => ctx.session.ask("consent", { given }, fault));
    this.element = h("section", { class: "panel consent", "aria-labelledby": "consent-title" },
      this.title, this.what, h("ul", { class: "points" }, POINTS.map((point) => h("li", {}, icon("info"), h("span", {}, t(`consent-${point}`))))),
      h("div", { class: "actions" },
        h("button", { type: "button", class: "button primary", onclick: answer(true) }, icon("check"), t("consent-give")),
        h("button", { type: "button", class: "button", onclick: answer(false) }, t("consent-refuse"))));
  }

  update(pool) {
    const { title, draws } = pool ?? {};
    setText(this.what, this.ctx.t(title ? "consent-what" : "consent-what-unknown", { title, draws, shards: pool?.board?.shards }));
  }
}
