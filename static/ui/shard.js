// The history of one shard: leased by whom, under which epoch, committed, drawn, and the verdict.

import { Address } from "./address.js";
import { h, setHidden, setText } from "./dom.js";
import { icon } from "./icon.js";

export class ShardHistory {
  /** `onClose` when the sheet is closed, `onSelect(shard)` when a number is typed. */
  constructor(ctx, { onClose, onSelect }) {
    this.ctx = ctx;
    this.number = h("input", { type: "number", min: 0, value: 0, id: "shard-number", inputmode: "numeric",
      onchange: () => onSelect(Math.max(0, Math.round(Number(this.number.value) || 0))) });
    this.list = h("ol", { class: "history" });
    this.none = h("p", { class: "note" }, ctx.t("shard-hint"));
    this.element = h("section", { class: "panel inspector", "aria-labelledby": "shard-title",
      onkeydown: (event) => event.key === "Escape" && onClose() },
      h("div", { class: "panel-head" }, h("h2", { id: "shard-title" }, ctx.t("shard-title")),
        h("button", { type: "button", class: "button quiet sheet-close", "aria-label": ctx.t("action-close"), onclick: onClose }, icon("close"))),
      h("div", { class: "field" }, h("label", { for: "shard-number" }, ctx.t("shard-number")), this.number),
      this.none, this.list);
  }

  /** `shard`: {shard, history: [{event, peer_no, epoch, address, at_s, findings}]}; or a number, not known yet. */
  update(shard) {
    const number = typeof shard === "number" ? shard : shard?.shard;
    const shown = JSON.stringify(shard);
    if (number === undefined || shown === this.shown) return; // told again and again: what has the focus stays
    this.shown = shown;
    if (document.activeElement !== this.number) this.number.value = number;
    const history = shard.history ?? [];
    setHidden(this.none, history.length > 0);
    if (typeof shard !== "number") setText(this.none, this.ctx.t("shard-untouched"));
    this.list.replaceChildren(...history.map((entry) => this.#entry(entry)));
  }

  #entry({ event, peer_no: peer, epoch, address, at_s: at, findings }) {
    const { t, translator, measure } = this.ctx;
    const known = translator.has(`event-${event}`);
    const hash = address ? new Address(this.ctx, t("shard-address")) : null;
    hash?.update(address);
    return h("li", { dataset: { event } },
      h("strong", {}, known ? t(`event-${event}`, { device: peer ?? 0 }) : event),
      h("span", { class: "note" }, [
        Number.isFinite(epoch) ? t("shard-epoch", { epoch: String(epoch) }) : null,
        Number.isFinite(at) ? t("shard-at", { seconds: measure.fixed(at, 1) }) : null,
      ].filter(Boolean).join(" · ")),
      hash?.element ?? null,
      ...(findings ?? []).map((finding) => h("p", { class: "note" }, translator.message(finding))));
  }
}
