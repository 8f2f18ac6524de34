// The estimate settling and its standard error falling as σ/√N, over the draws so far.

import { axis, Chart, decades } from "./chart.js";
import { h } from "./dom.js";
import { fade } from "./palette.js";

/** Every tick has its number; uPlot would leave out all but the decades. */
const all = (u, ticks) => ticks;

export class Trace {
  constructor(ctx) {
    this.ctx = ctx;
    this.total = 0;
    this.settling = new Chart("trace", (colours) => this.#settling(colours));
    this.falling = new Chart("trace", (colours) => this.#falling(colours));
    this.element = h("section", { class: "panel trace", "aria-labelledby": "trace-title" },
      h("h2", { id: "trace-title" }, ctx.t("trace-title")),
      h("h3", {}, ctx.t("trace-mean")), this.settling.element,
      h("h3", {}, ctx.t("trace-error")), this.falling.element);
  }

  /** Empty frames hold the place until there is something to draw. */
  reset() {
    this.settling.clear();
    this.falling.clear();
  }

  /**
   * `trace`: {draws, mean, standard_error} columns; `wished` the standard error asked for, or null; `total` the
   * draws of the whole run: the axis has its final length from the start, and the line walks along it.
   */
  update(trace, wished, unit, total = 0) {
    if (!trace?.draws?.length) return;
    this.total = total;
    const { draws, mean, standard_error: error } = trace;
    this.settling.set([draws, mean.map((m, i) => m + error[i]), mean.map((m, i) => m - error[i]), mean]);
    // The wished value is a goal: its line goes on to the end of the run.
    const ahead = total > draws.at(-1) ? [...draws, total] : draws;
    this.falling.set([ahead, ahead.map((_, i) => (error[i] > 0 ? error[i] : null)), ahead.map(() => wished ?? null)]);
    const { t, measure } = this.ctx;
    const last = error.at(-1);
    this.settling.describe(t("trace-mean-description", { estimate: measure.estimate(mean.at(-1), last, unit).text }));
    this.falling.describe(t("trace-error-description", {
      error: measure.significant(last, 2) + measure.unit(unit), draws: measure.integer(draws.at(-1)),
    }));
  }

  destroy() {
    this.settling.destroy();
    this.falling.destroy();
  }

  #settling(colours) {
    const { measure } = this.ctx;
    const edge = { stroke: fade(colours.accent, 0.35), width: 1, points: { show: false } };
    return {
      padding: [8, 24, 0, 0],
      scales: { x: { time: false, range: (u, low, high) => [0, Math.max(high, this.total)] } },
      axes: [
        axis(colours, { size: 26, space: 64, values: (u, ticks) => measure.counts(ticks) }),
        axis(colours, { size: 68, space: 32, values: (u, ticks) => measure.ticks(ticks) }),
      ],
      bands: [{ series: [1, 2], fill: fade(colours.accent, 0.16) }],
      series: [{}, edge, edge, { stroke: colours.accent, width: 2, points: { show: (u) => u.data[0].length < 3, fill: colours.accent } }],
    };
  }

  #falling(colours) {
    const { measure } = this.ctx;
    return {
      padding: [8, 24, 0, 0],
      scales: {
        x: { time: false, distr: 3, range: (u, low, high) => [low, Math.max(high, this.total, low * 2)] },
        y: { distr: 3, range: (u, low, high) => [low / 1.3, high * 1.3] },
      },
      axes: [
        axis(colours, { size: 26, splits: decades, filter: all, values: (u, ticks) => measure.counts(ticks) }),
        axis(colours, { size: 68, splits: decades, filter: all, values: (u, ticks) => ticks.map((y) => measure.significant(y, 1)) }),
      ],
      series: [
        {},
        { stroke: colours.accent, width: 2, points: { show: (u) => u.data[0].length < 3, fill: colours.accent } },
        { stroke: colours.muted, width: 1, dash: [4, 4], points: { show: false } },
      ],
    };
  }
}
