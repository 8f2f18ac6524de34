// One shard computed again here, and the two results side by side.

import { Address } from "./address.js";
import { deviceName } from "./badge.js";
import { h, setAttribute, setHidden, setText } from "./dom.js";
import { icon } from "./icon.js";

/** The shard offered first; the last one where a job has fewer. */
const OFFERED = 317;

export class Replay {
  constructor(ctx, fault) {
    this.ctx = ctx;
    const { t } = ctx;
    this.shards = 0;
    this.number = h("input", { type: "number", id: "replay-shard", min: 0, value: OFFERED, inputmode: "numeric", required: true });
    this.label = h("span", {}, t("action-replay"));
    this.button = h("button", { type: "submit", class: "button primary" }, icon("replay"), this.label);
    this.form = h("form", { class: "field-row", onsubmit: (event) => { event.preventDefault(); this.#replay(fault); } },
      h("label", { for: "replay-shard" }, t("replay-shard")), this.number, this.button);
    this.verdict = h("p", { class: "replay-verdict" });
    this.ours = new Address(ctx, t("replay-ours"));
    this.theirs = new Address(ctx, t("replay-theirs"));
    this.device = h("dd", {}, "–");
    this.findings = h("ul", { class: "findings" });
    this.result = h("div", { class: "replay-result", role: "status" }, this.verdict);
    this.details = h("div", { hidden: true }, h("dl", { class: "facts" },
      h("div", {}, h("dt", {}, t("replay-ours")), h("dd", {}, this.ours.element)),
      h("div", {}, h("dt", {}, t("replay-theirs")), h("dd", {}, this.theirs.element)),
      h("div", {}, h("dt", {}, t("replay-device")), this.device)), this.findings);
    this.element = h("section", { class: "panel replay", "aria-labelledby": "replay-title" },
      h("h2", { id: "replay-title" }, t("replay-title")), h("p", {}, t("replay-about")), this.form, this.result, this.details);
  }

  /** `shards` of the record; at the first call the offered shard is fitted to it. */
  limit(shards) {
    if (shards === this.shards) return;
    this.shards = shards;
    setAttribute(this.number, "max", Math.max(0, shards - 1));
    if (Number(this.number.value) >= shards) this.number.value = Math.max(0, shards - 1);
  }

  /** `replay`: {shard, device, address, expected, same_bits, within, findings}. */
  update(replay) {
    const { t, translator } = this.ctx;
    setHidden(this.details, !replay);
    if (!replay) return this.verdict.replaceChildren();
    const [shape, tone, id] = replay.same_bits ? ["done", "good", "replay-same"]
      : replay.within ? ["done", "good", "replay-within"] : ["failed", "bad", "replay-differs"];
    this.verdict.replaceChildren(icon(shape), h("span", {}, t(id, { shard: replay.shard })));
    setAttribute(this.verdict, "data-tone", tone);
    this.ours.update(replay.address);
    this.theirs.update(replay.expected);
    setText(this.device, t(deviceName(replay.device)));
    const partly = replay.bins_compared === false && !replay.same_bits ? [t("replay-moments")] : [];
    const findings = [...(replay.findings ?? []), ...partly];
    this.findings.replaceChildren(...findings.map((finding) => h("li", {}, translator.message(finding))));
    return null;
  }

  async #replay(fault) {
    const shard = Math.min(Math.max(0, Math.round(Number(this.number.value) || 0)), Math.max(0, this.shards - 1));
    this.number.value = shard;
    this.button.disabled = true;
    setText(this.label, this.ctx.t("action-replaying"));
    await this.ctx.session.ask("replay", { shard }, fault);
    this.button.disabled = false;
    setText(this.label, this.ctx.t("action-replay"));
  }
}
