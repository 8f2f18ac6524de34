// Sampled against linearised in figures, with the verdict of JCGM 101, clause 8, in one sentence.

import { h, setAttribute, setText } from "./dom.js";
import { compare, outside } from "./linearised.js";

const ROWS = ["mean", "std", "interval", "outside"];
const COLUMNS = ["sampled", "linearised"];

/** How far the linearised u may differ before the sentence names it: the last of two digits. */
const WORTH_NAMING = 0.02;

export class Comparison {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.cells = {};
    this.heads = {};
    const rows = ROWS.map((row) => h("tr", {}, (this.heads[row] = h("th", { scope: "row" }, t(`comparison-${row}`))),
      COLUMNS.map((column) => (this.cells[`${row}-${column}`] = h("td", {}, "–")))));
    this.verdict = h("p", { class: "verdict" });
    this.element = h("section", { class: "comparison", "aria-labelledby": "comparison-title" },
      h("h2", { id: "comparison-title" }, t("comparison-title")),
      this.verdict,
      h("div", { class: "table-frame" }, h("table", { class: "table" },
        h("thead", {}, h("tr", {}, h("td", {}), COLUMNS.map((c) => h("th", { scope: "col" }, t(`key-${c}-short`))))),
        h("tbody", {}, rows))));
  }

  update(run, unit) {
    const { t, measure } = this.ctx;
    const linearised = run?.linearised;
    const measured = unit && unit !== "1";
    for (const row of ["mean", "std", "interval"]) {
      setText(this.heads[row], measured ? t("axis-quantity", { name: t(`comparison-${row}`), unit }) : t(`comparison-${row}`));
    }
    const known = run && Number.isFinite(run.mean) && run.std > 0;
    for (const [column, r] of [["sampled", known ? run : null], ["linearised", linearised]]) {
      const u = run?.std > 0 ? run.std : r?.std;
      this.#set(`mean-${column}`, r && measure.cut(r.mean, u));
      this.#set(`std-${column}`, r && measure.significant(r.std, 2));
      this.#set(`interval-${column}`, r?.interval && measure.interval(r.interval, u));
      const shares = outside(run?.histogram, r?.interval);
      this.#set(`outside-${column}`, shares && t("comparison-shares", {
        below: this.ctx.percent(shares.below), above: this.ctx.percent(shares.above) }));
    }
    const found = known ? compare(run, linearised) : null;
    setText(this.verdict, this.#verdict(found, unit));
    setAttribute(this.verdict, "data-tone", found ? (found.validated ? "good" : "warn") : null);
  }

  #set(name, text) {
    setText(this.cells[name], text || "–");
  }

  #verdict(found, unit) {
    const { t, measure } = this.ctx;
    if (!found) return t("verdict-waiting");
    const length = (x) => measure.significant(x, 2) + measure.unit(unit);
    const figures = { low: length(found.low), high: length(found.high), tolerance: measure.significant(found.tolerance, 1) + measure.unit(unit) };
    if (found.validated) return t("verdict-validated", figures);
    const sentences = [t("verdict-not-validated", figures)];
    if (Math.abs(found.std) > WORTH_NAMING) {
      sentences.push(t(found.std < 0 ? "verdict-u-small" : "verdict-u-large", { share: this.ctx.percent(Math.abs(found.std), 0) }));
    }
    if (Math.abs(found.mean) > WORTH_NAMING) {
      sentences.push(t(found.mean > 0 ? "verdict-mean-above" : "verdict-mean-below",
        { share: this.ctx.percent(Math.abs(found.mean), 0) }));
    }
    return sentences.join(" ");
  }
}
