// Small pictures below the loss: learning rate, each metric, gradient norm, loss scale. One scale of steps for all.

import { axis, Chart } from "./chart.js";
import { h, setText } from "./dom.js";
import { measured, measureName } from "./figures.js";

/** Those that a record may leave out are shown once they come. */
const CURVES = ["lr", "gradient_norm", "loss_scale"];

export class Multiples {
  constructor(ctx) {
    this.ctx = ctx;
    this.shown = new Map();
    this.grid = h("div", { class: "multiples-grid" });
    this.element = h("section", { class: "panel multiples", "aria-label": ctx.t("multiples-title") }, this.grid);
    this.update(null);
  }

  /** `training` or null while it is being opened. */
  update(training) {
    const curves = this.#curves(training);
    for (const [name, { chart, element }] of this.shown) {
      if (curves.has(name)) continue;
      chart.destroy();
      element.remove();
      this.shown.delete(name);
    }
    for (const [name, { label, points, write }] of curves) {
      if (!this.shown.has(name)) this.#add(name);
      this.shown.get(name).update(label, points, write, training?.total ?? 0);
    }
  }

  destroy() {
    for (const { chart } of this.shown.values()) chart.destroy();
  }

  /** By name: {label, points, write}. A rate and one metric always have their places, so that nothing moves. */
  #curves(training) {
    const { ctx } = this;
    const { t, measure } = ctx;
    const measures = training?.measures ?? [];
    const names = [...new Set(measures.flatMap(({ values }) => Object.keys(values)))].filter((name) => name !== "loss");
    const found = new Map([["lr", { label: t("multiple-lr"), points: training?.lr ?? [], write: (x) => measure.significant(x, 3) }]]);
    for (const name of names.length ? names : ["metric"]) {
      found.set(names.length ? `measure ${name}` : "measure", {
        label: names.length ? measureName(ctx, name) : t("figure-metric"),
        points: measures.map(({ step, values }) => [step, values[name]]), write: (x) => measured(ctx, name, x), each: true });
    }
    for (const name of CURVES.slice(1)) {
      if (training?.[name]) found.set(name, { label: t(`multiple-${name.replace("_", "-")}`), points: training[name],
        write: (x) => (name === "loss_scale" ? measure.integer(x) : measure.significant(x, 3)) });
    }
    return found;
  }

  #add(name) {
    const multiple = new Multiple(this.ctx, name.startsWith("measure"));
    this.shown.set(name, multiple);
    // Metrics stand behind the learning rate, curves of single steps behind them.
    const after = [...this.shown.keys()].filter((other) => rank(other) <= rank(name) && other !== name).at(-1);
    if (after) this.shown.get(after).element.after(multiple.element);
    else this.grid.prepend(multiple.element);
  }
}

const rank = (name) => (name.startsWith("measure") ? 0.5 : CURVES.indexOf(name));

/** One picture with its name and its latest value. */
class Multiple {
  constructor(ctx, each) {
    this.ctx = ctx;
    this.each = each; // one point an epoch: the points are shown
    this.total = 0;
    this.label = h("h3", {});
    this.value = h("strong", {}, "–");
    this.chart = new Chart("multiple", (colours) => this.#options(colours));
    this.element = h("figure", { class: "multiple" }, h("figcaption", {}, this.label, this.value), this.chart.element);
  }

  update(label, points, write, total) {
    this.total = total;
    const known = points.filter(([, value]) => Number.isFinite(value));
    setText(this.label, label);
    setText(this.value, known.length ? write(known.at(-1)[1]) : "–");
    if (!known.length) return this.chart.clear();
    this.chart.set([known.map(([step]) => step), known.map(([, value]) => value)]);
    return this.chart.describe(this.ctx.t("multiple-description", { name: label, value: this.value.textContent, step: known.at(-1)[0] }));
  }

  #options(colours) {
    const { measure } = this.ctx;
    const colour = this.each ? colours.second : colours.accent;
    return {
      padding: [8, 12, 0, 0],
      scales: { x: { time: false, range: (u, low, high) => [0, Math.max(high, this.total, 1)] } },
      axes: [
        axis(colours, { size: 24, space: 56, values: (u, ticks) => measure.counts(ticks) }),
        axis(colours, { size: 52, space: 28, values: (u, ticks) => measure.ticks(ticks) }),
      ],
      series: [{}, this.each
        ? { stroke: colour, width: 2, dash: [7, 4], points: { show: true, size: 6, width: 2, stroke: colour, fill: colours.raised } }
        : { stroke: colour, width: 1.5, points: { show: (u) => u.data[0].length < 3, fill: colour } }],
    };
  }
}
