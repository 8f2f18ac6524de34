// The pool screen: invite or join, agree, and see who holds which shard.

import { Badge } from "./badge.js";
import { Board } from "./board.js";
import { Consent } from "./consent.js";
import { busy, h, setAttribute, setHidden, setText } from "./dom.js";
import { Fault } from "./fault.js";
import { perFrame } from "./frame.js";
import { icon } from "./icon.js";
import { Invitation } from "./invitation.js";
import { Notices } from "./notices.js";
import { Peers } from "./peers.js";
import { Progress } from "./progress.js";
import { RunButton } from "./runbutton.js";
import { ShardHistory } from "./shard.js";

const LOOKS = {
  none: ["pool", ""], opening: ["running", "accent"], open: ["pool", "good"], joining: ["running", "accent"],
  "waiting-consent": ["info", "warn"], watching: ["info", ""], joined: ["done", "good"], lost: ["warn", "bad"], sealed: ["done", "good"],
  left: ["interrupted", "warn"],
};
const inside = (state) => ["open", "watching", "joined", "lost", "sealed", "left"].includes(state);

export class PoolScreen {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.fault = new Fault(ctx);
    this.notices = new Notices(ctx);
    this.badge = new Badge();
    this.lead = h("p", { class: "lead" });
    this.run = new RunButton(ctx, this.fault, () => this.update());
    this.agree = h("button", { type: "button", class: "button primary",
      onclick: busy(() => ctx.session.ask("consent", { given: true }, this.fault)) }, icon("check"), t("consent-give"));
    this.withdraw = h("button", { type: "button", class: "button",
      onclick: busy(() => ctx.session.ask("consent", { given: false }, this.fault)) }, t("consent-refuse"));
    this.result = h("a", { class: "button", href: "#/run" }, icon("run"), t("action-show-result"));
    this.progress = new Progress(ctx);
    this.consent = new Consent(ctx, this.fault);
    this.invitation = new Invitation(ctx);
    this.peers = new Peers(ctx);
    this.board = new Board(ctx, (shard) => this.#select(shard));
    this.history = new ShardHistory(ctx, { onClose: () => this.#close(), onSelect: (shard) => this.board.select(shard) });
    this.outside = this.#doors();
    this.left = h("aside", { class: "pool-side" }, this.invitation.element, this.peers.element);
    this.within = h("div", { class: "pool-grid" },
      h("section", { class: "panel pool-board", "aria-labelledby": "board-title" },
        h("h2", { id: "board-title" }, t("board-title")), this.board.element),
      this.left, this.history.element);
    this.element = h("div", { class: "screen pool" },
      h("div", { class: "screen-head" },
        h("div", { class: "screen-name" }, h("h1", { tabindex: -1 }, t("pool-title")), this.lead,
          h("div", { class: "badges" }, this.badge.element)),
        h("div", { class: "actions" }, this.run.element, this.agree, this.withdraw, this.result)),
      this.fault.element, this.notices.element, this.consent.element, this.outside, this.progress.element, this.within);
    this.redraw = perFrame(() => this.update());
    this.stops = ["pool", "run", "plan", "device"].map((name) => ctx.views.on(name, this.redraw));
    this.stops.push(ctx.views.on("shard", (shard) => this.history.update(shard)));
    this.update();
  }

  update() {
    const { views, t } = this.ctx;
    const pool = { state: "none", ...views.get("pool") };
    const [plan, run] = [views.get("plan"), views.get("run")];
    // Who has left still sees the board as it was.
    const state = pool.state === "none" && pool.board ? "left" : pool.state;
    const [shape, tone] = LOOKS[state] ?? LOOKS.none;
    this.badge.set(shape, t(`pool-state-${state}`), tone);
    setText(this.lead, t(state === "open" && run?.state !== "ready" ? "pool-lead-running" : `pool-lead-${state}`));
    this.notices.update(pool.notices);
    setHidden(this.consent.element, state !== "waiting-consent");
    this.consent.update(pool);
    setHidden(this.outside, state !== "none" && state !== "opening" && state !== "joining");
    this.create.disabled = state !== "none" || !(plan || run);
    this.join.disabled = state !== "none";
    setText(this.opened, plan || run
      ? t("pool-shares", { title: this.ctx.exampleTitle((plan ?? run)?.example, (plan ?? run)?.title) }) : t("pool-needs-run"));
    setHidden(this.example, Boolean(plan || run));
    setHidden(this.within, !inside(state));
    setHidden(this.progress.element, !inside(state));
    this.progress.update(run, plan);
    setHidden(this.run.element, !inside(state) || !run || this.run.idle);
    setHidden(this.agree, state !== "watching");
    setHidden(this.withdraw, state !== "joined");
    this.run.update(Boolean(plan || run));
    setHidden(this.result, !inside(state) || !run?.draws);
    setHidden(this.invitation.element, !pool.link);
    this.invitation.update(pool.link);
    this.peers.update(pool.peers, pool.board?.cells);
    if (pool.board) this.board.update(pool.board, pool.peers?.filter((peer) => peer.consent).length ?? 0);
  }

  destroy() {
    for (const stop of this.stops) stop();
    this.redraw.cancel();
    for (const part of [this.run, this.board, this.peers]) part.destroy();
  }

  #doors() {
    const { t } = this.ctx;
    this.opened = h("p", { class: "note" });
    this.create = h("button", { type: "button", class: "button primary",
      onclick: () => this.ctx.createPool(this.fault) }, icon("pool"), h("span", {}, t("action-pool")));
    this.example = h("button", { type: "button", class: "button", onclick: () => this.ctx.openExample("gauge_block") },
      icon("open"), t("action-open-example", { title: this.ctx.exampleTitle("gauge_block") }));
    const link = h("input", { type: "text", id: "pool-link", autocomplete: "off", spellcheck: "false", inputmode: "url",
      placeholder: t("pool-link-placeholder") });
    this.join = h("button", { type: "submit", class: "button" }, t("action-join"));
    const form = h("form", { class: "field-row", onsubmit: (event) => {
      event.preventDefault();
      if (link.value.trim()) this.ctx.joinPool(link.value.trim(), this.fault);
      else link.focus();
    } }, link, this.join);
    return h("div", { class: "doors even" },
      h("section", { class: "panel door", "aria-labelledby": "pool-create" },
        h("h2", { id: "pool-create" }, t("pool-create-title")), h("p", {}, t("pool-create-about")), this.opened,
        h("div", { class: "actions" }, this.create, this.example)),
      h("section", { class: "panel door", "aria-labelledby": "pool-join" },
        h("h2", { id: "pool-join" }, t("pool-join-title")), h("p", {}, t("pool-join-about")),
        h("label", { for: "pool-link" }, t("pool-link-label")), form),
      h("p", { class: "note door-note" }, `${t("pool-inputs-sentence")} ${t("pool-will-show")}`));
  }

  #select(shard) {
    setAttribute(this.history.element, "data-open", "");
    this.history.update(shard);
    this.ctx.session.ask("select_shard", { shard }, this.fault);
  }

  /** On a phone the history is a sheet over the board; closing it gives the board back. */
  #close() {
    setAttribute(this.history.element, "data-open", null);
    this.board.canvas.focus();
  }
}
