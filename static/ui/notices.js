// What Python wants seen beside the result: a slower path, a relayed link, a throttled tab. Never silent, never loud.

import { h, setHidden } from "./dom.js";
import { icon } from "./icon.js";

export class Notices {
  constructor(ctx, kind = "warn") {
    this.ctx = ctx;
    this.kind = kind;
    this.shown = "";
    this.list = h("ul", { class: `notices notices-${kind}`, hidden: true });
    this.element = h("div", { class: "live", role: "status" }, this.list);
  }

  /** `notices`: [{id, args}] or plain texts. */
  update(notices) {
    const texts = (notices ?? []).map((notice) => this.ctx.translator.message(notice));
    const shown = texts.join("\n");
    if (shown === this.shown) return;
    this.shown = shown;
    this.list.replaceChildren(...texts.map((text) => h("li", {}, icon(this.kind), h("span", {}, text))));
    setHidden(this.list, !texts.length);
  }
}
