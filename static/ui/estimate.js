// The result as a metrologist writes it, and its error bar beside the linearised one.

import { h, s, setText } from "./dom.js";

/** Air left and right of the widest interval, as a share of the span. */
const MARGIN = 0.08;

export class Estimate {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.value = h("p", { class: "estimate-value", id: "estimate-value" }, "–");
    this.interval = h("p", { class: "estimate-interval" }, "–");
    this.caption = h("p", { class: "note" }, t("estimate-caption"));
    this.bars = new ErrorBars(ctx);
    this.facts = ["mean", "ends", "draws"].map((name) => {
      const dd = h("dd", {}, "–");
      return { name, dd, row: h("div", {}, h("dt", {}, t(`estimate-${name}`)), dd) };
    });
    this.element = h("section", { class: "panel estimate", "aria-labelledby": "estimate-title" },
      h("h2", { id: "estimate-title" }, t("estimate-title")),
      this.value, this.caption, this.interval, this.bars.element,
      h("dl", { class: "facts" }, this.facts.map(({ row }) => row)));
  }

  /** `run`: a run or record view, or null before anything is drawn; `unit` of the result. */
  update(run, unit) {
    const { t, measure } = this.ctx;
    const known = Number.isFinite(run?.mean) && run.draws !== 0;
    const coverage = this.ctx.coverage(run?.coverage);
    setText(this.value, known ? measure.estimate(run.mean, run.std, unit).text : "–");
    this.value.classList.toggle("unknown", !known);
    setText(this.interval, this.#interval(known ? run : null, unit, coverage));
    this.bars.update(known ? run : null, unit);
    const values = {
      mean: known && run.standard_error > 0 ? measure.estimate(run.mean, run.standard_error, unit).text : "–",
      ends: known && run.interval_error > 0
        ? t("plus-minus", { value: measure.significant(run.interval_error, 2) + measure.unit(unit) }) : "–",
      draws: known ? measure.integer(run.draws) : "–",
    };
    for (const { name, dd } of this.facts) setText(dd, values[name]);
  }

  #interval(run, unit, coverage) {
    const { t, measure, translator } = this.ctx;
    if (run?.interval) return t("estimate-interval", { coverage, interval: measure.interval(run.interval, run.std, unit) });
    if (run?.interval_refusal) return translator.message(run.interval_refusal);
    return t("estimate-interval", { coverage, interval: "–" });
  }
}

/** Two rows on one axis: mean ± u thick, the interval thin with end marks; the linearised one dashed. */
class ErrorBars {
  constructor(ctx) {
    this.ctx = ctx;
    this.rows = ["sampled", "linearised"].map((name) => {
      const parts = {
        whisker: s("line", { class: "whisker", y1: 12, y2: 12 }),
        low: s("line", { class: "whisker end", y1: 6, y2: 18 }),
        high: s("line", { class: "whisker end", y1: 6, y2: 18 }),
        body: s("line", { class: "body", y1: 12, y2: 12 }),
        mean: s("circle", { r: 4, cy: 12 }),
      };
      const drawing = s("svg", { class: `errorbar errorbar-${name}`, height: 24, width: "100%", "aria-hidden": "true" });
      drawing.append(...Object.values(parts));
      drawing.classList.add("unknown");
      return { name, parts, drawing };
    });
    this.element = h("div", { class: "errorbars" },
      this.rows.map(({ name, drawing }) => [h("span", { class: "note" }, ctx.t(`key-${name}-short`)), drawing]));
  }

  update(run, unit) {
    const shown = { sampled: run, linearised: run?.linearised };
    const ends = Object.values(shown).filter(Boolean)
      .flatMap((r) => [r.mean - r.std, r.mean + r.std, ...(r.interval ?? [])]).filter(Number.isFinite);
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const span = (high - low) * (1 + 2 * MARGIN) || 1;
    const place = (x) => `${(100 * (x - low + (high - low) * MARGIN)) / span}%`;
    for (const { name, parts, drawing } of this.rows) {
      const r = shown[name];
      const known = r && Number.isFinite(r.mean) && ends.length > 1;
      drawing.classList.toggle("unknown", !known);
      drawing.classList.toggle("no-interval", !r?.interval);
      if (!known) continue;
      span2(parts.body, place(r.mean - r.std), place(r.mean + r.std));
      parts.mean.setAttribute("cx", place(r.mean));
      if (!r.interval) continue;
      const [a, b] = r.interval.map(place);
      span2(parts.whisker, a, b);
      span2(parts.low, a, a);
      span2(parts.high, b, b);
    }
  }
}

function span2(line, x1, x2) {
  line.setAttribute("x1", x1);
  line.setAttribute("x2", x2);
}
