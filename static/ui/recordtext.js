// The record of a training as text: it can be changed and opened, and a fault in it is shown at its line.

import { busy, h, setAttribute, setHidden } from "./dom.js";
import { Fault } from "./fault.js";
import { TRAININGS } from "./trainings.js";

/** Lines left in sight above the one at fault. */
const ABOVE = 3;

export class RecordText {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.fault = new LineFault(ctx, (line) => this.#select(line));
    this.given = null;
    this.text = h("textarea", { id: "record-text", rows: 24, spellcheck: "false", autocomplete: "off", autocapitalize: "off",
      placeholder: t("record-placeholder"), oninput: () => (this.ctx.drafts.training = { over: this.given, text: this.text.value }) });
    this.open = h("button", { type: "button", class: "button", onclick: busy(() => this.#open()) }, t("action-open-text"));
    this.examples = TRAININGS.map((id) => h("button", { type: "button", class: "segment", dataset: { id }, onclick: () => ctx.openTraining(id) },
      ctx.trainingTitle(id)));
    this.choice = h("div", { class: "choices", role: "group", "aria-label": t("trainings-label") }, this.examples);
    this.element = h("section", { class: "panel record-text", "aria-labelledby": "record-text-title" },
      h("h2", { id: "record-text-title" }, t("record-text-title")),
      h("p", { class: "note" }, t("record-text-about")),
      this.choice,
      this.fault.element,
      h("label", { for: "record-text", class: "visually-hidden" }, t("record-text-label")), this.text,
      h("div", { class: "actions" }, this.open));
  }

  /** `training` or null while it is not there yet; `open` where one will be. What was typed over its record stays. */
  update(training, open) {
    const sml = training?.sml ?? "";
    setHidden(this.choice, !open); // as long as none is, the screen shows them as cards
    for (const button of this.examples) setAttribute(button, "aria-pressed", String(button.dataset.id === training?.example));
    this.text.rows = open ? 24 : 10;
    if (sml === this.given) return;
    this.given = sml;
    this.fault.clear(); // it was of a text that is gone
    const { over, text } = this.ctx.drafts.training ?? {};
    this.text.value = over === sml ? text : sml;
  }

  /** A record that was written for a person: they look at it, and open it. */
  put(sml) {
    this.text.value = sml;
    this.ctx.drafts.training = { over: this.given, text: sml };
    this.fault.clear();
    this.text.focus();
  }

  async #open() {
    if (!this.text.value.trim()) return this.text.focus();
    return this.ctx.openTrainingText(this.text.value, this.fault);
  }

  /** Puts the cursor where the fault is: that is what has to be changed. */
  #select(line) {
    const lines = this.text.value.split("\n");
    if (!(line >= 1 && line <= lines.length)) return;
    const start = lines.slice(0, line - 1).reduce((sum, before) => sum + before.length + 1, 0);
    this.text.focus({ preventScroll: true });
    this.text.setSelectionRange(start, start + lines[line - 1].length);
    const height = parseFloat(getComputedStyle(this.text).lineHeight);
    this.text.scrollTop = Math.max(0, (line - 1 - ABOVE) * height);
  }
}

/** A fault that also tells its line, where it is one of the text: other languages have lines too. */
class LineFault extends Fault {
  constructor(ctx, onLine) {
    super(ctx);
    this.onLine = onLine;
  }

  show(error, actions) {
    super.show(error, actions);
    if (error.code === "SCL-SML-TEXT" && Number.isInteger(error.args?.line)) this.onLine(error.args.line);
  }
}
