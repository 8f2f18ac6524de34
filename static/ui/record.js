// A finished run, opened from its URL: the result, what it stands on, how it was checked, and one shard replayed.

import { Comparison } from "./comparison.js";
import { h, setHidden, setText } from "./dom.js";
import { Estimate } from "./estimate.js";
import { Fault } from "./fault.js";
import { Histogram } from "./histogram.js";
import { icon } from "./icon.js";
import { Notices } from "./notices.js";
import { Pinned } from "./pinned.js";
import { Replay } from "./replay.js";

export class RecordScreen {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.fault = new Fault(ctx);
    this.title = h("h1", { tabindex: -1 }, t("record-title"));
    this.lead = h("p", { class: "lead" }, t("record-lead"));
    this.notices = new Notices(ctx);
    this.estimate = new Estimate(ctx);
    this.histogram = new Histogram(ctx);
    this.comparison = new Comparison(ctx);
    this.pinned = new Pinned(ctx);
    this.replay = new Replay(ctx, this.fault);
    this.counts = {};
    this.checks = h("section", { class: "panel checks", "aria-labelledby": "checks-title" },
      h("h2", { id: "checks-title" }, t("checks-title")),
      h("ul", { class: "counts" }, ["re-executed", "batch-checked"].map((name) => h("li", {}, icon("done"),
        (this.counts[name] = h("strong", { class: "number" }, "–")), h("span", {}, t(`cell-${name}`)),
        h("span", { class: "note" }, t(`checks-${name}-about`))))));
    this.grid = h("div", { class: "run-grid record-grid" }, this.estimate.element,
      h("div", { class: "panel centre" }, this.histogram.element, this.comparison.element),
      this.replay.element, h("div", { class: "stack" }, this.pinned.element, this.checks));
    this.waiting = h("div", { class: "panel empty" }, h("p", {}, t("record-waiting")));
    this.element = h("div", { class: "screen record" },
      h("div", { class: "screen-head" }, h("div", { class: "screen-name" }, this.title, this.lead)),
      this.fault.element, this.notices.element, this.waiting, this.grid);
    this.stops = ["record", "examples"].map((name) => ctx.views.on(name, () => this.update()));
    this.stops.push(ctx.views.on("replay", (replay) => this.replay.update(replay)));
    this.replay.update(ctx.views.get("replay"));
    this.update();
  }

  update() {
    const { views, t } = this.ctx;
    const found = views.get("record");
    const record = found?.unreadable ? null : found;
    setHidden(this.grid, !record);
    setHidden(this.waiting, Boolean(found));
    if (!record) return setText(this.title, t("record-title"));
    const { unit } = record;
    setText(this.title, this.ctx.exampleTitle(null, record.title));
    this.notices.update(record.engine_matches ? [] : [{ id: "record-engine-differs", args: { engine: record.engine } }]);
    this.estimate.update(record, unit);
    setHidden(this.comparison.element, !record.linearised);
    this.histogram.update(record, unit, record.output);
    this.comparison.update(record, unit);
    for (const [name, node] of Object.entries(this.counts)) setText(node, this.ctx.measure.integer(record.verdicts[name]));
    this.replay.limit(record.shards);
    this.pinned.update({ ...record, program: record.program_address, job: record.job_address,
      result: record.address, url: location.hash, text: record.program_text });
    return null;
  }

  destroy() {
    for (const stop of this.stops) stop();
    this.histogram.destroy();
  }
}
