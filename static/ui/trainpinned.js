// What a training stands on: its record, the data and their licence, seed, tier and size.

import { Address } from "./address.js";
import { h, setText } from "./dom.js";

const TEXTS = ["model", "parameters", "dataset", "licence", "seed", "tier"];
const ADDRESSES = ["record", "data"];
const ORDER = ["record", "model", "parameters", "dataset", "data", "licence", "seed", "tier"];

export class TrainPinned {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.texts = Object.fromEntries(TEXTS.map((name) => [name, h("dd", {}, "–")]));
    this.addresses = Object.fromEntries(ADDRESSES.map((name) => [name, new Address(ctx, t(`train-pinned-${name}`))]));
    this.about = h("p", { class: "note" });
    this.element = h("section", { class: "panel pinned train-pinned", "aria-labelledby": "pinned-title" },
      h("h2", { id: "pinned-title" }, t("pinned-title")),
      h("dl", { class: "facts stacked" }, ORDER.map((name) => h("div", {}, h("dt", {}, t(`train-pinned-${name}`)),
        this.texts[name] ?? h("dd", {}, this.addresses[name].element)))),
      this.about);
  }

  /** `training` or null while it is being opened. */
  update(training) {
    const { t, measure } = this.ctx;
    const { dataset, determinism_tier: tier } = training ?? {};
    const texts = {
      model: training?.model, dataset: dataset?.id, licence: dataset?.licence, seed: training?.seed,
      parameters: training?.parameters ? measure.integer(training.parameters) : null,
      tier: tier && `${tier}: ${t(`tier-${tier}`)}`,
    };
    for (const name of TEXTS) setText(this.texts[name], texts[name] || "–");
    this.addresses.record.update(training?.record ?? null);
    this.addresses.data.update(dataset?.address ?? null);
    setText(this.about, dataset?.about ?? "");
  }
}
