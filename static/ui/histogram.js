// The distribution as sampled, the linearised bell over it, both intervals, and the tail that the bell misses.

import uPlot from "uplot";
import { axis, Chart, decades, plotFont } from "./chart.js";
import { h, setAttribute, setText } from "./dom.js";
import { bell, outside, stepped } from "./linearised.js";
import { superscript } from "./measure.js";
import { fade, hatch } from "./palette.js";

/** Room above the curve for the two interval brackets, as a share of its height. */
const HEADROOM = 1.28;
/** Decades that the logarithmic view shows below the peak. */
const DECADES = 6;

export class Histogram {
  constructor(ctx) {
    this.ctx = ctx;
    this.logarithmic = false;
    this.model = null;
    this.chart = new Chart("histogram", (colours) => this.#options(colours));
    this.outside = h("p", { class: "note reserve-1" });
    this.element = h("figure", { class: "histogram" },
      h("div", { class: "panel-head" },
        h("h2", {}, ctx.t("histogram-title")), this.#scaleSwitch()),
      this.chart.element, this.#key(), this.outside);
  }

  /** `run`: the run or record view (mean, std, interval, coverage, histogram, linearised); `name` of the output. */
  update(run, unit, name = "") {
    const histogram = run?.histogram;
    if (!histogram?.counts?.length || !(histogram.high > histogram.low)) return;
    this.model = run;
    this.unit = unit;
    this.name = name;
    const { xs, density } = stepped(histogram);
    const linearised = run.linearised;
    const curve = linearised?.std > 0 ? bell(linearised, xs) : xs.map(() => null);
    const tail = density.map((d, i) => (linearised?.interval && this.#outside(xs[i], linearised) ? d : null));
    const lifted = (ys) => (this.logarithmic ? ys.map((y) => (y > 0 ? y : null)) : ys);
    this.chart.set([xs, lifted(density), lifted(tail), lifted(curve)]);
    this.#say(run);
  }

  destroy() {
    this.chart.destroy();
  }

  #outside(x, linearised) {
    return x < linearised.interval[0] || x >= linearised.interval[1];
  }

  #say(run) {
    const { t, measure } = this.ctx;
    const missed = outside(run.histogram, run.linearised?.interval);
    const described = missed && run.std > 0
      ? t("histogram-description", {
        estimate: measure.estimate(run.mean, run.std, this.unit).text,
        interval: measure.interval(run.interval, run.std, this.unit),
        linearised: measure.interval(run.linearised.interval, run.std, this.unit),
        below: this.ctx.percent(missed.below), above: this.ctx.percent(missed.above),
      })
      : t("histogram-title");
    this.chart.describe(described);
    const { underflow = 0, overflow = 0 } = run.histogram;
    setText(this.outside, underflow || overflow ? t("histogram-outside", { underflow, overflow }) : "");
  }

  #scaleSwitch() {
    const { t } = this.ctx;
    const buttons = [false, true].map((logarithmic) => h("button", {
      type: "button", class: "segment", "aria-pressed": String(logarithmic === this.logarithmic),
      onclick: () => {
        this.logarithmic = logarithmic;
        buttons.forEach((button, i) => setAttribute(button, "aria-pressed", String(Boolean(i) === logarithmic)));
        this.chart.plot?.destroy();
        this.chart.plot = null;
        if (this.model) this.update(this.model, this.unit, this.name);
      },
    }, t(logarithmic ? "scale-logarithmic" : "scale-linear")));
    return h("div", { class: "segments", role: "group", "aria-label": t("scale-label") }, buttons);
  }

  #key() {
    const { t } = this.ctx;
    return h("ul", { class: "key" },
      ["sampled", "linearised", "missed"].map((name) =>
        h("li", {}, h("span", { class: `swatch swatch-${name}`, "aria-hidden": "true" }), t(`key-${name}`))));
  }

  #options(colours) {
    const { t, measure } = this.ctx;
    const measured = Boolean(this.unit) && this.unit !== "1";
    const name = this.name || t("axis-result");
    const steps = uPlot.paths.stepped({ align: 1 }); // each bin from its left edge to the next
    return {
      padding: [8, 12, 0, 0],
      scales: { x: { time: false }, y: this.logarithmic
        ? { distr: 3, range: (u, min, max) => [max / 10 ** DECADES, max * 100] }
        : { range: (u, min, max) => [0, (max || 1) * HEADROOM] } },
      axes: [
        axis(colours, {
          label: t(measured ? "axis-quantity" : "axis-quantity-one", { name, unit: this.unit }),
          labelSize: 20, size: 32, space: 48, values: (u, ticks) => measure.ticks(ticks),
        }),
        axis(colours, {
          label: t(measured ? "axis-density" : "axis-density-one", { unit: measured && measure.inverse(this.unit) }),
          labelSize: 20, size: 60, ...(this.logarithmic
            ? { splits: decades, filter: (u, ticks) => ticks, values: (u, ticks) => ticks.map((y) => `10${superscript(Math.round(Math.log10(y)))}`) }
            : { values: (u, ticks) => measure.ticks(ticks) }),
        }),
      ],
      series: [
        {},
        { stroke: colours.accent, width: 1.5, fill: fade(colours.accent, 0.16), paths: steps, points: { show: false } },
        { width: 0, fill: (u) => hatch(u.ctx, colours.bad), paths: steps, points: { show: false } },
        { stroke: colours.second, width: 2, dash: [7, 4], points: { show: false } },
      ],
      hooks: { draw: [(u) => this.#brackets(u, colours)] },
    };
  }

  /** The two intervals above the curve, with lines down to the axis. */
  #brackets(u, colours) {
    const { interval, linearised, coverage } = this.model;
    const label = this.ctx.coverage(coverage);
    const rows = [[interval, colours.accent, [], this.ctx.t("bracket-sampled", { coverage: label })],
      [linearised?.interval, colours.second, [7, 4], this.ctx.t("bracket-linearised", { coverage: label })]];
    rows.forEach(([ends, colour, dash, text], row) => ends && bracket(u, ends, colour, dash, text, row, colours));
  }
}

function bracket(u, ends, colour, dash, text, row, colours) {
  const ratio = devicePixelRatio;
  const pen = u.ctx;
  const [left, right] = ends.map((end) => Math.round(u.valToPos(end, "x", true)));
  const y = u.bbox.top + (14 + row * 22) * ratio;
  pen.save();
  pen.beginPath();
  pen.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  pen.clip();
  pen.strokeStyle = colour;
  pen.lineWidth = 2 * ratio;
  pen.setLineDash(dash.map((d) => d * ratio));
  line(pen, left, y, right, y);
  pen.lineWidth = ratio;
  for (const x of [left, right]) line(pen, x, y - 4 * ratio, x, u.bbox.top + u.bbox.height);
  pen.font = plotFont().replace("12px", `${12 * ratio}px`);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const half = pen.measureText(text).width / 2 + 6 * ratio;
  const middle = Math.min(Math.max((left + right) / 2, u.bbox.left + half), u.bbox.left + u.bbox.width - half);
  pen.fillStyle = colours.raised;
  pen.fillRect(middle - half, y - 8 * ratio, 2 * half, 16 * ratio);
  pen.fillStyle = colour;
  pen.fillText(text, middle, y);
  pen.restore();
}

function line(pen, x0, y0, x1, y1) {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}
