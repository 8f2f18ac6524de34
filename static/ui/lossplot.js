// The one large plot of a training: its loss at each step, and the loss of what it was not trained on, each epoch.

import { axis, Chart, plotFont } from "./chart.js";
import { h, setText } from "./dom.js";
import { measured, measureName } from "./figures.js";
import { fade } from "./palette.js";

export class LossPlot {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.model = null;
    this.chart = new Chart("loss", (colours) => this.#options(colours));
    const figure = (name, sign) => {
      const value = h("dd", {}, "–");
      const label = h("span", {}, t(`figure-${name}`));
      return { value, label, row: h("div", {}, h("dt", {}, sign && h("span", { class: `swatch swatch-${sign}`, "aria-hidden": "true" }), label), value) };
    };
    this.figures = { training: figure("training", "training"), validation: figure("validation", "validation"), metric: figure("metric"), best: figure("best") };
    this.element = h("section", { class: "panel loss", "aria-labelledby": "loss-title" },
      h("h2", { id: "loss-title" }, t("loss-title")),
      h("dl", { class: "figures" }, Object.values(this.figures).map(({ row }) => row)), this.chart.element);
  }

  /** `training` or null while it is being opened. */
  update(training) {
    this.model = training;
    const curve = training?.curve ?? [];
    const measures = training?.measures ?? [];
    this.#say(training, curve.at(-1)?.[1], measures.at(-1)?.values ?? {});
    if (!curve.length && !measures.length) return this.chart.clear();
    const trained = new Map(curve);
    const validated = new Map(measures.map(({ step, values }) => [step, values.loss]));
    const steps = [...new Set([...trained.keys(), ...validated.keys()])].sort((a, b) => a - b);
    const column = (values) => steps.map((step) => (Number.isFinite(values.get(step)) ? values.get(step) : null));
    return this.chart.set([steps, column(trained), column(validated)]);
  }

  destroy() {
    this.chart.destroy();
  }

  #say(training, loss, values) {
    const { ctx } = this;
    const metric = Object.keys(values).find((name) => name !== "loss");
    const { training: trained, validation, metric: other, best } = this.figures;
    setText(trained.value, measured(ctx, "loss", loss));
    setText(validation.value, measured(ctx, "loss", values.loss));
    setText(other.label, metric ? measureName(ctx, metric) : ctx.t("figure-metric"));
    setText(other.value, metric ? measured(ctx, metric, values[metric]) : "–");
    setText(best.value, training?.best_epoch ? ctx.measure.integer(training.best_epoch) : "–");
    this.chart.describe(Number.isFinite(loss) ? ctx.t("loss-description", {
      step: training.step, training: trained.value.textContent, validation: validation.value.textContent }) : null);
  }

  #options(colours) {
    const { t, measure } = this.ctx;
    const few = (u) => u.data[0].length < 3;
    return {
      padding: [20, 16, 0, 0],
      scales: { x: { time: false, range: (u, low, high) => [0, Math.max(high, this.model?.total ?? 0, 1)] } },
      axes: [
        axis(colours, { label: t("axis-step"), labelSize: 20, size: 32, space: 64, values: (u, ticks) => measure.counts(ticks) }),
        axis(colours, { label: t("axis-loss"), labelSize: 20, size: 52, space: 40, values: (u, ticks) => measure.ticks(ticks) }),
      ],
      series: [
        {},
        { stroke: colours.accent, width: 1.5, spanGaps: true, points: { show: few, fill: colours.accent } },
        { stroke: colours.second, width: 2, dash: [7, 4], spanGaps: true,
          points: { show: true, size: 7, width: 2, stroke: colours.second, fill: colours.raised } },
      ],
      hooks: { drawAxes: [(u) => this.#marks(u, colours)] },
    };
  }

  /** Where the training went on, and its best epoch: an upright line each, with its word. */
  #marks(u, colours) {
    const { resumed, best_epoch: best, steps_per_epoch: each } = this.model ?? {};
    const { t } = this.ctx;
    if (resumed) mark(u, resumed, t("mark-resumed"), [2, 3], colours);
    if (best) mark(u, best * each, t("mark-best"), [6, 4], colours);
  }
}

function mark(u, step, word, dash, colours) {
  const ratio = devicePixelRatio;
  const pen = u.ctx;
  const { left, top, width, height } = u.bbox;
  const x = Math.round(u.valToPos(step, "x", true));
  pen.save();
  pen.strokeStyle = fade(colours.muted, 0.9);
  pen.lineWidth = ratio;
  pen.setLineDash(dash.map((d) => d * ratio));
  pen.beginPath();
  pen.moveTo(x, top);
  pen.lineTo(x, top + height);
  pen.stroke();
  pen.font = plotFont().replace("12px", `${12 * ratio}px`);
  pen.textBaseline = "bottom";
  pen.textAlign = "center";
  pen.fillStyle = colours.muted;
  const half = pen.measureText(word).width / 2;
  pen.fillText(word, Math.min(Math.max(x, left + half), left + width - half), top - 3 * ratio);
  pen.restore();
}
