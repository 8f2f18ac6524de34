// What a training takes of the device's memory: the share, the kinds, and what would save some, a press each.

import { Badge } from "./badge.js";
import { busy, h, setAttribute, setHidden, setText } from "./dom.js";

/** Shape and tone of each verdict. */
const VERDICTS = { green: ["done", "good"], yellow: ["info", "warn"], red: ["failed", "bad"] };
const KINDS = ["parameters", "master", "optimizer", "gradients", "activations", "batch", "workspace", "validation", "reading"];

export class TrainMemory {
  /** `fault` shows what went wrong. */
  constructor(ctx, fault) {
    this.ctx = ctx;
    this.fault = fault;
    const { t } = ctx;
    this.verdict = new Badge();
    this.summary = h("p", {});
    this.filled = h("div", { class: "bar-accepted" });
    this.bar = h("div", { class: "bar", role: "meter", "aria-label": t("memory-title"), "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": 0 },
      this.filled);
    this.kinds = Object.fromEntries(KINDS.map((kind) => [kind, h("dd", {}, "–")]));
    this.rows = Object.fromEntries(KINDS.map((kind) => [kind, h("div", {}, h("dt", {}, t(`memory-${kind}`)), this.kinds[kind])]));
    this.number = h("input", { type: "number", id: "memory-held", min: 0, step: "any", inputmode: "decimal" });
    this.form = h("form", { class: "field-row", onsubmit: (event) => event.preventDefault() },
      h("label", { for: "memory-held" }, t("memory-held")), this.number,
      h("button", { type: "submit", class: "button", onclick: busy(() => this.#ask()) }, t("action-memory")));
    this.list = h("ul", { class: "remedies" });
    this.none = h("p", { class: "note" }, t("memory-none"));
    this.element = h("section", { class: "panel train-memory", "aria-labelledby": "memory-title" },
      h("div", { class: "panel-head" }, h("h2", { id: "memory-title" }, t("memory-title")), this.verdict.element),
      this.summary, this.bar, h("dl", { class: "facts memory-kinds" }, Object.values(this.rows)),
      this.form, h("div", { role: "status" }, this.list, this.none), h("p", { class: "note" }, t("memory-pooling")));
  }

  /** `training` or null; without a plan (the CPU path has none) there is nothing to show. */
  update(training) {
    const memory = training?.memory;
    setHidden(this.element, !memory);
    if (!memory) return;
    const { t } = this.ctx;
    const { bytes, kinds, capacity, verdict, hopeless, remedies } = memory;
    const [shape, tone] = VERDICTS[verdict];
    setAttribute(this.element, "data-verdict", verdict);
    this.verdict.set(shape, t(hopeless ? "memory-hopeless" : `memory-${verdict}`), tone);
    const text = t("memory-summary", { needed: this.ctx.measure.bytes(bytes), held: this.ctx.measure.bytes(capacity.bytes),
      least: capacity.at_least ? "yes" : "no", source: t(`memory-${capacity.source}`) });
    setText(this.summary, text);
    const share = Math.min(100, (100 * bytes) / capacity.bytes);
    this.filled.style.inlineSize = `${share}%`;
    setAttribute(this.bar, "aria-valuenow", Math.round(share));
    setAttribute(this.bar, "aria-valuetext", text);
    for (const kind of KINDS) {
      setHidden(this.rows[kind], !kinds[kind]);
      setText(this.kinds[kind], this.ctx.measure.bytes(kinds[kind]));
    }
    this.#offer(remedies);
  }

  #offer(remedies) {
    const shown = JSON.stringify(remedies);
    setHidden(this.none, !remedies || remedies.length > 0);
    if (shown === this.shown) return;
    this.shown = shown;
    const { t } = this.ctx;
    this.list.replaceChildren(...(remedies ?? []).map(({ name, fields, saves }) => h("li", {},
      h("p", {}, h("strong", {}, t("memory-saves", { size: this.ctx.measure.bytes(saves) })), " ", t(`remedy-${name}`), " ", h("code", {}, fields)),
      h("button", { type: "button", class: "button", "aria-label": `${t("action-remedy")}: ${fields}`, onclick: busy(() => this.#take(name)) },
        t("action-remedy")))));
  }

  #ask() {
    const held = this.number.valueAsNumber;
    if (!this.form.reportValidity()) return null;
    return this.ctx.session.ask("train_memory", { gigabytes: Number.isFinite(held) ? held : null }, this.fault);
  }

  #take(name) {
    return this.ctx.session.ask("train_remedy", { name }, this.fault);
  }
}
