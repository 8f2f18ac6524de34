// The devices of a pool: whose pattern is whose, how fast, and how many shards.

import { deviceName } from "./badge.js";
import { cellSign } from "./cell.js";
import { h } from "./dom.js";
import { icon } from "./icon.js";
import { onTheme, palette } from "./palette.js";

export class Peers {
  constructor(ctx) {
    this.ctx = ctx;
    this.shown = "";
    this.list = h("ul", { class: "peerlist" });
    this.element = h("section", { class: "panel", "aria-labelledby": "peers-title" },
      h("h2", { id: "peers-title" }, ctx.t("peers-title")), this.list);
    this.forget = onTheme(() => this.#fill());
  }

  /** `cells` of the board, in runs [count, state, device], tell what each device has in hand. */
  update(peers, cells = []) {
    const leased = {};
    for (const [count, state, no] of cells) if (state === "leased" || state === "stale") leased[no] = (leased[no] ?? 0) + count;
    const shown = JSON.stringify((peers ?? []).map((peer) => ({ ...peer, leased: leased[peer.no] ?? 0 })));
    if (shown === this.shown) return;
    this.shown = shown;
    this.#fill();
  }

  destroy() {
    this.forget();
  }

  #fill() {
    const colours = palette();
    this.list.replaceChildren(...JSON.parse(this.shown || "[]").map((peer) => this.#row(peer, colours)));
  }

  #row(peer, colours) {
    const { t, measure } = this.ctx;
    const [shape, word, tone] = this.#state(peer);
    const number = t("peer-name", { number: peer.no });
    const path = t(deviceName(peer.kind));
    return h("li", { class: peer.live ? null : "away" }, cellSign("leased", peer.no, colours),
      h("span", {}, h("strong", {}, peer.label || number), peer.you ? h("span", { class: "note inline" }, ` ${t("peer-you")}`) : null),
      h("span", { class: "badge", "data-tone": tone || null }, icon(shape), h("span", {}, t(word))),
      h("span", { class: "note" }, [peer.label ? number : null, path, peer.rate > 0 ? t("rate-short", { rate: measure.prefixed(peer.rate) }) : null,
        t("peer-shards", { shards: peer.shards ?? 0 }), peer.leased ? t("peer-leased", { leased: peer.leased }) : null].filter(Boolean).join(" · ")));
  }

  #state(peer) {
    if (peer.aside) return ["failed", "peer-aside", "bad"];
    if (!peer.consent) return ["ready", "peer-waiting", ""];
    if (!peer.live) return ["stale", "peer-silent", "warn"];
    return ["running", "peer-live", "good"];
  }
}
