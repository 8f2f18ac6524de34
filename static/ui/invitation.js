// The way into a pool: a link to send and a code to photograph. Who has it may ask to join; each device agrees itself.

import { encodeQR } from "qr";
import { Address } from "./address.js";
import { h, s, setHidden } from "./dom.js";
import { icon } from "./icon.js";

/** White modules round the code, as ISO/IEC 18004 asks for. */
const QUIET_ZONE = 4;

/** The code's dark modules as one path. */
function path(modules) {
  return modules.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")).join("")).join("");
}

export class Invitation {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.link = new Address(ctx, t("invitation-link"), { whole: true });
    this.code = h("div", { class: "qr" });
    this.large = h("p", { class: "note", hidden: true }, t("invitation-no-code"));
    const here = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
    this.local = h("p", { class: "note", hidden: !here }, t("invitation-local"));
    this.share = h("button", { type: "button", class: "button", hidden: !navigator.share,
      onclick: () => navigator.share({ title: "Scellis", url: this.link.text }).catch(() => {}) },
      icon("share"), h("span", {}, t("action-share")));
    this.element = h("section", { class: "panel invitation", "aria-labelledby": "invitation-title" },
      h("h2", { id: "invitation-title" }, t("invitation-title")), h("p", {}, t("invitation-about")),
      this.local, this.code, this.large, this.link.element, this.share, h("p", { class: "note" }, t("pool-inputs-sentence")));
  }

  update(link) {
    const url = link ? new URL(link, document.baseURI).href : null;
    if (url === this.link.text) return;
    this.link.update(url);
    this.code.replaceChildren();
    setHidden(this.large, true);
    if (!url) return;
    try {
      const modules = encodeQR(url, "raw", { border: QUIET_ZONE, ecc: "low" });
      const size = modules.length;
      this.code.append(s("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": this.ctx.t("invitation-code"),
        "shape-rendering": "crispEdges" }, s("rect", { width: size, height: size, class: "qr-paper" }),
        s("path", { d: path(modules), class: "qr-ink" })));
    } catch {
      setHidden(this.large, false); // longer than a code can hold: the link remains
    }
  }
}
