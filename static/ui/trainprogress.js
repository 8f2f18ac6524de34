// How far a training is: the step over all steps, what of it a checkpoint keeps, rate and time left.

import { h, setAttribute, setText } from "./dom.js";
import { duration } from "./measure.js";

const PARTS = ["step", "epoch", "rate", "kept", "resumed", "skipped", "left"];

export class TrainProgress {
  constructor(ctx) {
    this.ctx = ctx;
    this.done = h("div", { class: "bar-computed" });
    this.kept = h("div", { class: "bar-accepted" });
    this.bar = h("div", { class: "bar", role: "progressbar", "aria-label": ctx.t("training-progress"),
      "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": 0 }, this.done, this.kept);
    this.parts = Object.fromEntries(PARTS.map((name) => [name, h("span", { class: name === "left" ? "progress-left" : null })]));
    this.element = h("div", { class: "progress train-progress" }, this.bar,
      h("p", { class: "progress-line" }, Object.values(this.parts)));
  }

  /** `training` or null while it is being opened, which waits until Python is `ready`. */
  update(training, ready) {
    const share = (n) => (training?.total ? Math.min(100, (100 * (n ?? 0)) / training.total) : 0);
    this.done.style.inlineSize = `${share(training?.step)}%`;
    this.kept.style.inlineSize = `${share(training?.kept)}%`;
    setAttribute(this.bar, "aria-valuenow", Math.round(share(training?.step)));
    const texts = training ? this.#texts(training) : { step: this.ctx.t(ready ? "training-opening" : "training-python") };
    setAttribute(this.bar, "aria-valuetext", texts.step);
    for (const name of PARTS) setText(this.parts[name], texts[name] ?? "");
  }

  #texts(training) {
    const { t, measure } = this.ctx;
    const { step, total, epochs, steps_per_epoch: each, kept, resumed, skipped, rate } = training;
    return {
      step: t("training-step", { step, total }),
      epoch: each ? t("training-epoch", { epoch: Math.min(epochs, Math.floor(step / each) + 1), epochs }) : "",
      rate: rate > 0 ? t("training-rate", { rate: measure.prefixed(rate) }) : "",
      kept: kept ? t("training-kept", { step: kept }) : "",
      resumed: resumed ? t("training-resumed", { step: resumed }) : "",
      skipped: skipped ? t("training-skipped", { skipped }) : "",
      left: this.#left(training),
    };
  }

  #left({ state, left_s: seconds }) {
    if (state !== "running" || !Number.isFinite(seconds)) return "";
    const { id, args } = duration(seconds);
    return this.ctx.t("progress-left", { time: this.ctx.t(id, args) });
  }
}
