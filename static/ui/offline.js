// A new version of the page, taken only when the person says so; and whether the page opens without a network.

import { h, setHidden } from "./dom.js";
import { icon } from "./icon.js";

export class UpdateNotice {
  constructor(ctx) {
    this.ctx = ctx;
    this.notice = h("div", { class: "update", hidden: true });
    this.element = h("div", { class: "live", role: "status" }, this.notice);
    this.stop = ctx.views.on("offline", () => this.update());
    this.update();
  }

  /** The view "offline": {state, reason} of sw-client.js. */
  update() {
    const { t, views, session } = this.ctx;
    const state = views.get("offline")?.state;
    const act = { update: () => session.applyUpdate(), replaced: () => location.reload() }[state];
    setHidden(this.notice, !act);
    if (!act) return;
    this.notice.replaceChildren(icon("info"), h("p", {}, t(`offline-${state}`)),
      h("button", { type: "button", class: "button", onclick: act }, t("action-reload")));
  }

  destroy() {
    this.stop();
  }
}
