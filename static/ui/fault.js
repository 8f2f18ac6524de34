// What went wrong, where, and the one thing to do, with a button when something can be done.

import { h, setHidden } from "./dom.js";
import { icon } from "./icon.js";

/** Families in which the same call may succeed later; elsewhere what was given must change first. */
const PASSING = /^SCL-(GPU|ORACLE|STORE|APP-FAULT|POOL-(AWAY|CHANNEL|FULL|LOST|NONE|REPLACED|STORE))/;

export class Fault {
  constructor(ctx) {
    this.ctx = ctx;
    this.element = h("div", { class: "fault", role: "alert", hidden: true });
  }

  /**
   * `error`: {code, message_id, message, remedy, args}. `actions`: {retry} and {restart} are functions; the button
   * offers the restart where there is one, for it is the larger cure.
   */
  show(error, { retry = null, restart = null } = {}) {
    const { t, translator } = this.ctx;
    // A catalogue may quote Python's own sentence, which knows the place, inside a translated one.
    const args = { message: error.message ?? "", ...error.args };
    const id = translator.known(error.message_id);
    const message = id ? t(id, args) : error.message || t("error-unknown");
    const said = (attribute) => (id ? translator.attribute(id, attribute, args) : null);
    const remedy = error.args?.restarting ? t("boot-restarting") : said("remedy") || error.remedy || "";
    const act = restart ?? (PASSING.test(error.code ?? "") ? retry : null);
    this.element.replaceChildren(
      icon("failed"),
      h("div", { class: "fault-text" },
        h("p", { class: "fault-message" }, message),
        remedy ? h("p", {}, remedy) : null,
        error.code ? h("p", { class: "code" }, error.code) : null),
      h("div", { class: "fault-actions" },
        act && h("button", { type: "button", class: "button", onclick: () => act() },
          t(restart ? "action-restart" : "action-retry")),
        h("button", { type: "button", class: "button quiet", "aria-label": t("action-dismiss"),
          onclick: () => this.clear() }, icon("close"))));
    setHidden(this.element, false);
    this.element.scrollIntoView({ block: "nearest" }); // the button that was pressed may be far below
  }

  clear() {
    setHidden(this.element, true);
    this.element.replaceChildren();
  }
}
