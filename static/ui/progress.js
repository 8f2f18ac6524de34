// How far a run is: shards accepted over shards computed, rate and time left, in a strip that keeps its height.

import { h, setAttribute, setText } from "./dom.js";
import { duration } from "./measure.js";

export class Progress {
  constructor(ctx) {
    this.ctx = ctx;
    this.computed = h("div", { class: "bar-computed" });
    this.accepted = h("div", { class: "bar-accepted" });
    this.bar = h("div", { class: "bar", role: "progressbar", "aria-label": ctx.t("progress-label"),
      "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": 0 }, this.computed, this.accepted);
    this.done = h("span", {});
    this.rate = h("span", {});
    this.left = h("span", { class: "progress-left" });
    this.element = h("div", { class: "progress" }, this.bar,
      h("p", { class: "progress-line" }, this.done, this.rate, this.left));
  }

  /** `run` or null; `plan` gives the totals before the start. */
  update(run, plan) {
    const { t, measure } = this.ctx;
    const shards = run?.shards ?? plan?.shards ?? 0;
    const computed = run?.computed ?? 0;
    const accepted = run?.accepted ?? 0;
    const share = (n) => (shards ? Math.min(100, (100 * n) / shards) : 0);
    this.computed.style.inlineSize = `${share(computed)}%`;
    this.accepted.style.inlineSize = `${share(accepted)}%`;
    setAttribute(this.bar, "aria-valuenow", Math.round(share(accepted)));
    const said = shards ? t("progress-done", { computed, accepted, shards }) : "";
    setAttribute(this.bar, "aria-valuetext", said || null);
    setText(this.done, said);
    const rate = run?.rate ?? plan?.rate;
    setText(this.rate, rate > 0 ? t("rate", { rate: measure.prefixed(rate) }) : "");
    setText(this.left, this.#left(run, plan));
  }

  #left(run, plan) {
    const span = (seconds, id) => {
      const { id: unit, args } = duration(seconds);
      return this.ctx.t(id, { time: this.ctx.t(unit, args) });
    };
    if (!run || run.state === "ready") return Number.isFinite(plan?.seconds) ? span(plan.seconds, "progress-expected") : "";
    if (run.state === "running" || run.state === "verifying") {
      return Number.isFinite(run.seconds_left) ? span(run.seconds_left, "progress-left") : "";
    }
    return this.ctx.t(run.state === "done" ? "progress-complete" : `progress-${run.state}`);
  }
}
