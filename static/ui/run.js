// The run screen: left the estimate and how it settles, centre the plan and then the distribution, right what is pinned.

import { DeviceBadge, deviceName, StateBadge } from "./badge.js";
import { Comparison } from "./comparison.js";
import { h, setAttribute, setHidden, setText } from "./dom.js";
import { Estimate } from "./estimate.js";
import { Fault } from "./fault.js";
import { perFrame } from "./frame.js";
import { Histogram } from "./histogram.js";
import { icon } from "./icon.js";
import { Notices } from "./notices.js";
import { Pinned } from "./pinned.js";
import { Plan } from "./plan.js";
import { Progress } from "./progress.js";
import { RunButton } from "./runbutton.js";
import { RunList } from "./runs.js";
import { Trace } from "./trace.js";

export class RunScreen {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.title = h("h1", { tabindex: -1 }, t("run-title"));
    this.about = h("p", { class: "lead" });
    this.state = new StateBadge(ctx);
    this.device = new DeviceBadge(ctx);
    this.record = h("a", { class: "button primary", hidden: true }, icon("record"), t("action-open-record"));
    this.pooling = h("a", { class: "button", href: "#/pool" }, icon("pool"), h("span", {}, t("action-pool")));
    this.fault = new Fault(ctx);
    this.primary = new RunButton(ctx, this.fault, () => this.update());
    this.notices = new Notices(ctx);
    this.progress = new Progress(ctx);
    this.parts = { estimate: new Estimate(ctx), trace: new Trace(ctx), plan: new Plan(ctx),
      histogram: new Histogram(ctx), comparison: new Comparison(ctx), pinned: new Pinned(ctx) };
    const { estimate, trace, plan, histogram, comparison, pinned } = this.parts;
    this.drawn = h("div", { class: "drawn", hidden: true }, histogram.element, comparison.element);
    this.work = h("div", { class: "run-work" }, this.progress.element, this.notices.element,
      (this.grid = h("div", { class: "run-grid" }, estimate.element,
        h("div", { class: "panel centre" }, plan.element, this.drawn), trace.element, pinned.element)));
    this.empty = h("div", { class: "empty panel" }, h("p", {}, t("run-empty")),
      h("button", { type: "button", class: "button primary", onclick: () => ctx.openExample("gauge_block") }, icon("open"),
        t("action-open-example", { title: ctx.exampleTitle("gauge_block") })));
    // A reload closes the run that was open: here it can be gone on with.
    this.recent = new RunList(ctx, { limit: 3 });
    this.earlier = h("section", { class: "panel", "aria-labelledby": "run-recent" },
      h("h2", { id: "run-recent" }, t("recent-title")), this.recent.element);
    this.element = h("div", { class: "screen run" },
      h("div", { class: "screen-head" },
        h("div", { class: "screen-name" }, this.title, this.about,
          h("div", { class: "badges" }, this.state.element, this.device.element)),
        h("div", { class: "actions" }, this.primary.element, this.record, this.pooling)),
      this.fault.element, this.empty, this.earlier, this.work);
    this.redraw = perFrame(() => this.update());
    this.stops = ["plan", "run", "pool", "device", "examples", "opening", "boot", "storage"].map((name) => ctx.views.on(name, this.redraw));
    this.update();
  }

  update() {
    const { views, t } = this.ctx;
    const [plan, run, opening] = ["plan", "run", "opening"].map((name) => views.get(name));
    const open = Boolean(plan || run || opening);
    setHidden(this.empty, open);
    setHidden(this.earlier, open || !views.get("storage")?.recent?.length);
    setHidden(this.work, !open);
    const id = (plan ?? run)?.example ?? (plan || run ? null : opening?.id);
    setText(this.title, open ? this.ctx.exampleTitle(id, plan?.title ?? run?.title) : t("run-title"));
    setText(this.about, open ? this.ctx.exampleAbout(id) : "");
    const { state } = this.primary;
    setHidden(this.state.element, !open);
    this.state.update(state === "starting" ? "ready" : state);
    this.device.update(views.get("device"));
    const usable = Boolean(plan || run);
    this.primary.update(usable);
    setHidden(this.primary.element, this.primary.idle);
    setHidden(this.record, state !== "done" || !run?.url);
    if (run?.url) setAttribute(this.record, "href", new URL(run.url, document.baseURI).hash);
    setHidden(this.pooling, !usable || state === "done");
    setText(this.pooling.lastChild, t(views.get("pool")?.board ? "action-show-pool" : "action-pool"));
    const drawn = Boolean(run?.draws > 0);
    setHidden(this.parts.plan.element, drawn);
    setHidden(this.drawn, !drawn);
    setAttribute(this.grid, "data-stage", drawn ? "run" : "plan");
    this.progress.update(run, plan);
    const unsaved = views.get("device")?.storage === "memory";
    this.notices.update([...(unsaved ? ["notice-not-saved"] : []), ...(run?.notices ?? [])]);
    this.#fill(plan, run, drawn);
  }

  destroy() {
    for (const stop of this.stops) stop();
    this.redraw.cancel();
    this.primary.destroy();
    this.recent.destroy();
    for (const part of ["trace", "histogram"]) this.parts[part].destroy();
  }

  #fill(plan, run, drawn) {
    const { views } = this.ctx;
    const { estimate, trace, histogram, comparison, pinned } = this.parts;
    const pinnings = plan ?? run; // a device that joined another's pool has no plan
    const unit = pinnings?.unit ?? "";
    this.parts.plan.update(plan, { waiting: views.get("boot").ready ? "plan-pilot" : "plan-python" });
    const result = drawn ? run : null;
    estimate.update(result, unit);
    if (drawn) {
      histogram.update(result, unit, run.output);
      comparison.update(result, unit);
      trace.update(run.trace, run.wished, unit, run.shards * run.draws_per_shard);
    } else trace.reset();
    const device = views.get("device");
    pinned.update({
      ...pinnings, program: pinnings?.program_address, job: pinnings?.job_address,
      device: device && [this.ctx.t(deviceName(device.kind)), device.adapter].filter(Boolean).join(" · "),
      result: run?.address, url: run?.url, text: plan?.sml ?? run?.program_text,
    });
  }
}
