// Before the start: what the pilot found, and what the wished standard error costs on this device.

import { h, setText } from "./dom.js";
import { duration } from "./measure.js";
import { Notices } from "./notices.js";

const STEPS = ["linearised", "sigma", "wished", "needed", "shards", "time"];

export class Plan {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.summary = h("p", { class: "plan-summary" });
    this.values = {};
    this.hints = {};
    this.warnings = new Notices(ctx, "warn");
    this.element = h("section", { class: "plan", "aria-labelledby": "plan-title" },
      h("h2", { id: "plan-title" }, t("plan-title")), this.summary,
      h("ol", { class: "steps" }, STEPS.map((name) => h("li", {},
        h("span", { class: "step-name" }, t(`plan-${name}`)),
        (this.values[name] = h("strong", { class: "step-value" }, "–")),
        (this.hints[name] = h("span", { class: "note" }))))),
      this.warnings.element);
  }

  update(plan, { waiting = "plan-pilot" } = {}) {
    const { t, measure } = this.ctx;
    this.element.classList.toggle("skeleton", !plan);
    this.warnings.update(plan?.warnings);
    if (!plan) {
      setText(this.summary, t(waiting));
      for (const name of STEPS) setText(this.values[name], "–");
      for (const name of STEPS) setText(this.hints[name], "\u00a0");
      return;
    }
    const unit = measure.unit(plan.unit);
    const { id, args } = duration(plan.seconds);
    setText(this.summary, t("plan-summary", { draws: plan.draws, shards: plan.shards, each: plan.draws_per_shard }));
    const { mean, std, interval } = plan.linearised ?? {};
    const texts = {
      linearised: [measure.estimate(mean, std, plan.unit).text, t("plan-linearised-hint", {
        coverage: this.ctx.coverage(plan.coverage), interval: measure.interval(interval, std, plan.unit) })],
      sigma: [measure.significant(plan.sigma, 3) + unit, t("plan-sigma-hint")],
      wished: [measure.significant(plan.wished, 2) + unit, t("plan-wished-hint")],
      needed: [measure.integer(plan.draws_needed), t("plan-needed-hint")],
      shards: [t("plan-shards-value", { needed: plan.shards_needed }), t("plan-shards-hint", { shards: plan.shards, each: plan.draws_per_shard })],
      time: [t("about", { time: t(id, args) }), t("rate", { rate: measure.prefixed(plan.rate) })],
    };
    for (const name of STEPS) {
      setText(this.values[name], texts[name][0]);
      setText(this.hints[name], texts[name][1]);
    }
  }
}
