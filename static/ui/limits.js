// The honest page: what this cannot do, and what to make of what it says.

import { h } from "./dom.js";

const SECTIONS = {
  method: ["sampled", "histogram", "linearised", "correlation"],
  numbers: ["f32", "tiers", "cpu"],
  pooling: ["inputs", "assurance", "suits", "relay", "https"],
  tab: ["hidden", "storage", "device"],
  missing: ["training", "crowd"],
};

export class LimitsScreen {
  constructor(ctx) {
    const { t } = ctx;
    this.element = h("div", { class: "screen limits" },
      h("div", { class: "screen-head" }, h("div", { class: "screen-name" },
        h("h1", { tabindex: -1 }, t("limits-title")), h("p", { class: "lead" }, t("limits-lead")))),
      h("div", { class: "limits-sections" }, Object.entries(SECTIONS).map(([section, points]) =>
        h("section", { class: "panel", "aria-labelledby": `limits-${section}` },
          h("h2", { id: `limits-${section}` }, t(`limits-${section}`)),
          h("ul", {}, points.map((point) => h("li", {}, t(`limits-${section}-${point}`))))))));
  }

  destroy() {}
}
