// The slim line that says how far Python is. It has its place from the first paint and leaves it empty when done.

import { h, setAttribute, setText } from "./dom.js";

export class BootLine {
  constructor(ctx) {
    this.ctx = ctx;
    this.bar = h("progress", { class: "boot-bar", max: 100, value: 0, "aria-label": ctx.t("boot-label") });
    this.text = h("span", { class: "boot-text" });
    this.element = h("div", { class: "boot" }, this.text, this.bar);
  }

  update({ stage, percent, ready, fatal }) {
    const { t, translator } = this.ctx;
    const done = ready || fatal;
    setAttribute(this.element, "data-state", fatal ? "failed" : ready ? "ready" : "loading");
    this.bar.value = done ? 100 : Math.round(percent ?? 0);
    setAttribute(this.bar, "aria-hidden", done ? "true" : null);
    const named = `boot-${stage}`;
    if (fatal) setText(this.text, t("boot-failed"));
    else if (ready) setText(this.text, t("boot-ready"));
    else setText(this.text, t("boot-python", { percent: this.ctx.percent((percent ?? 0) / 100, 0) }));
    setAttribute(this.text, "title", !done && translator.has(named) ? t(named) : null);
  }
}
