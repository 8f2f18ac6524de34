// What a result stands on: program, partition, seed, tier, engine, addresses, and the run's own URL.

import { Address } from "./address.js";
import { h, setHidden, setText } from "./dom.js";

export class Pinned {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.texts = Object.fromEntries(["partition", "seed", "tier", "engine", "device"].map((n) => [n, h("dd", {}, "–")]));
    this.addresses = Object.fromEntries(["program", "job", "result"].map((n) => [n, new Address(ctx, t(`pinned-${n}`))]));
    this.url = new Address(ctx, t("pinned-url"), { whole: true });
    this.link = h("a", { class: "link", hidden: true }, t("action-open-record"));
    this.hint = h("p", { class: "note" }, t("pinned-url-later"));
    this.program = h("pre", { class: "program", tabindex: 0, "aria-label": t("pinned-text") });
    this.text = h("details", { class: "disclosure", hidden: true }, h("summary", {}, t("pinned-text")), this.program);
    const row = (name, content) => h("div", {}, h("dt", {}, t(`pinned-${name}`)), content);
    const address = (name) => row(name, h("dd", {}, this.addresses[name].element));
    const plain = (name) => (this.rows[name] = row(name, this.texts[name]));
    this.rows = {};
    this.element = h("section", { class: "panel pinned", "aria-labelledby": "pinned-title" },
      h("h2", { id: "pinned-title" }, t("pinned-title")),
      h("dl", { class: "facts stacked" }, address("program"), plain("partition"), plain("seed"), plain("tier"),
        plain("engine"), plain("device"), address("job"), address("result"),
        row("url", h("dd", {}, this.url.element, this.hint, this.link))),
      this.text);
  }

  /** `facts`: {program, partition, shards, draws_per_shard, seed, tier, engine, device, job, result, url, text}. */
  update(facts) {
    const { t } = this.ctx;
    const { shards, draws_per_shard: each } = facts;
    setText(this.texts.partition, shards
      ? t(each ? "pinned-partition-value" : "pinned-partition-shards", { name: facts.partition ?? "by_seed", shards, each }) : "–");
    setText(this.texts.seed, facts.seed === undefined || facts.seed === null ? "–" : String(facts.seed));
    setText(this.texts.tier, facts.tier ? `${facts.tier}: ${t(`tier-${facts.tier}`)}` : "–");
    setText(this.texts.engine, facts.engine || "–");
    setText(this.texts.device, facts.device || "–");
    setHidden(this.rows.device, facts.device === undefined);
    for (const name of ["program", "job", "result"]) this.addresses[name].update(facts[name] ?? null);
    const url = facts.url ? new URL(facts.url, document.baseURI).href : null;
    this.url.update(url);
    setHidden(this.hint, Boolean(url));
    setHidden(this.link, !url || new URL(url).hash === location.hash);
    if (url) this.link.setAttribute("href", new URL(url).hash);
    setHidden(this.text, !facts.text);
    if (facts.text) setText(this.program, facts.text);
  }
}
