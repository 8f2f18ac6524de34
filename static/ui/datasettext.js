// A dataset's text, to be looked at and changed: what was drafted from files alone may be wrong.

import { busy, h, setText } from "./dom.js";
import { Fault } from "./fault.js";

export class DatasetText {
  /** `onKept(id)` is told of the version that a changed text became. */
  constructor(ctx, onKept) {
    this.ctx = ctx;
    this.onKept = onKept;
    const { t } = ctx;
    this.id = null;
    this.fault = new Fault(ctx);
    this.title = h("h2", { id: "dataset-text-title" });
    this.text = h("textarea", { id: "dataset-text", rows: 16, spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    this.dialog = h("dialog", { class: "dialog dataset-text", "aria-labelledby": "dataset-text-title" },
      this.title, h("p", { class: "note" }, t("dataset-text-about")), this.fault.element,
      h("label", { for: "dataset-text", class: "visually-hidden" }, t("dataset-text-label")), this.text,
      h("div", { class: "actions" },
        h("button", { type: "button", class: "button primary", onclick: busy(() => this.#keep()) }, t("action-keep-text")),
        h("button", { type: "button", class: "button", onclick: () => this.dialog.close() }, t("action-cancel"))));
  }

  show(id, sml) {
    this.id = id;
    setText(this.title, id);
    this.text.value = sml;
    this.fault.clear();
    this.dialog.showModal();
    this.text.focus();
  }

  async #keep() {
    const kept = await this.ctx.session.ask("data_change", { id: this.id, sml: this.text.value }, this.fault, () => this.#keep());
    if (kept === null) return;
    this.dialog.close();
    this.onKept(kept);
  }
}
