// Runs kept in this browser, interrupted ones first, each with the one thing to do.

import { Badge, StateBadge } from "./badge.js";
import { shortened } from "./address.js";
import { busy, h, setHidden } from "./dom.js";
import { Fault } from "./fault.js";
import { icon } from "./icon.js";
import { goesOn } from "./live.js";
import { trainingState } from "./trainstate.js";

const rank = (run) => (run.state === "interrupted" ? 0 : 1);

/** A run that the store calls running, but that this tab does not compute, was cut off: it is interrupted. */
function settled(run, live) {
  const here = goesOn(live) && live.job_address === run.job_address;
  return run.state === "running" && !here ? { ...run, state: "interrupted" } : run;
}
const time = (run) => (typeof run.updated === "number" ? run.updated * 1000 : Date.parse(run.updated));

export class RunList {
  constructor(ctx, { limit = Infinity, className = "" } = {}) {
    this.ctx = ctx;
    this.limit = limit;
    this.shown = "";
    this.fault = new Fault(ctx);
    this.list = h("ul", { class: `runlist ${className}` });
    this.empty = h("p", { class: "note" }, ctx.t("recent-empty"));
    this.element = h("div", {}, this.fault.element, this.empty, this.list);
    this.stops = ["storage", "run"].map((name) => ctx.views.on(name, () => this.update()));
    this.update();
  }

  update() {
    const live = this.ctx.views.get("run");
    const recent = (this.ctx.views.get("storage")?.recent ?? []).map((run) => settled(run, live))
      .sort((a, b) => rank(a) - rank(b) || time(b) - time(a)).slice(0, this.limit);
    const shown = JSON.stringify(recent);
    if (shown === this.shown) return;
    this.shown = shown;
    this.list.replaceChildren(...recent.map((run) => this.#item(run)));
    setHidden(this.empty, recent.length > 0);
  }

  destroy() {
    for (const stop of this.stops) stop();
  }

  #item(run) {
    return run.kind === "training" ? this.#training(run) : this.#run(run);
  }

  #training(row) {
    const { ctx } = this;
    const state = new Badge();
    state.set(...trainingState(ctx.t, row.state));
    const waits = ["interrupted", "paused", "fault"].includes(row.state);
    return h("li", { class: "runlist-item" },
      h("div", { class: "runlist-name" }, h("strong", {}, ctx.trainingTitle(row.example, row.title)),
        h("span", { class: "note" }, ctx.t("training-kept", { step: row.step }), " · ", h("code", { title: row.address }, shortened(row.address)))),
      state.element,
      h("time", { class: "note", datetime: new Date(time(row)).toISOString() }, ctx.moment(time(row))),
      h("button", { type: "button", class: row.state === "interrupted" ? "button primary" : "button", onclick: busy(() => ctx.resumeTraining(row)) },
        icon(waits ? "play" : "open"), ctx.t(waits ? "action-resume" : "action-open")));
  }

  #run(run) {
    const { ctx } = this;
    const state = new StateBadge(ctx);
    state.update(run.state);
    const when = time(run);
    const resumes = run.state === "interrupted";
    return h("li", { class: "runlist-item" },
      h("div", { class: "runlist-name" }, h("strong", {}, ctx.exampleTitle(run.example, run.title)),
        h("code", { class: "note", title: run.job_address }, shortened(run.job_address ?? run.address))),
      state.element,
      h("time", { class: "note", datetime: Number.isFinite(when) ? new Date(when).toISOString() : null },
        Number.isFinite(when) ? ctx.moment(when) : ""),
      run.url && !resumes
        ? h("a", { class: "button", href: new URL(run.url, document.baseURI).hash }, icon("record"), ctx.t("action-open-record"))
        : h("button", { type: "button", class: resumes ? "button primary" : "button", onclick: busy(() => ctx.resume(run, this.fault)) },
          icon(resumes ? "play" : "open"), ctx.t(resumes ? "action-resume" : "action-open")));
  }
}

export class RunsScreen {
  constructor(ctx) {
    this.list = new RunList(ctx);
    this.element = h("div", { class: "screen runs" },
      h("div", { class: "screen-head" }, h("div", { class: "screen-name" },
        h("h1", { tabindex: -1 }, ctx.t("runs-title")), h("p", { class: "lead" }, ctx.t("runs-lead")))),
      h("section", { class: "panel" }, this.list.element));
  }

  destroy() {
    this.list.destroy();
  }
}
