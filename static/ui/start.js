// The first screen: what can be done here, on what device, and what was done before.

import { DeviceLine } from "./device.js";
import { busy, h, s, setAttribute, setText } from "./dom.js";
import { Fault } from "./fault.js";
import { icon } from "./icon.js";
import { RunList } from "./runs.js";
import { trainingCards } from "./traincards.js";
import { TRAININGS } from "./trainings.js";

/** The examples that come with the page; Python's texts replace the catalogue's when they arrive. */
const EXAMPLES = ["gauge_block", "saturating"];
/** Skew of each little curve: a picture of the shape, not a plot. */
const SHAPES = {
  gauge_block: "M2 34C16 34 18 33 25 20S33 4 38 4s7 3 13 16 9 14 23 14",
  saturating: "M2 34C8 34 10 30 14 16S20 4 24 4c6 0 7 9 12 15S54 32 74 33",
};
/** A program longer than this is no SML file: it is refused before it is read. */
const MAX_TEXT_BYTES = 262_144;

export class StartScreen {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.fault = new Fault(ctx);
    this.device = new DeviceLine(ctx);
    this.recent = new RunList(ctx, { limit: 5, className: "compact" });
    this.cards = EXAMPLES.map((id) => this.#card(id));
    this.element = h("div", { class: "screen start" },
      h("div", { class: "screen-head" }, h("div", { class: "screen-name" },
        h("h1", { tabindex: -1 }, t("start-title")), h("p", { class: "lead" }, t("start-lead")))),
      this.fault.element,
      h("div", { class: "doors" },
        h("section", { class: "panel door", "aria-labelledby": "door-simulate" },
          h("h2", { id: "door-simulate" }, icon("run"), t("door-simulate")), h("p", {}, t("door-simulate-about")),
          h("ul", { class: "cards" }, this.cards.map(({ element }) => element)), this.#own()),
        h("section", { class: "panel door narrow", "aria-labelledby": "door-train" },
          h("h2", { id: "door-train" }, icon("train"), t("door-train")), h("p", {}, t("door-train-about")),
          trainingCards(ctx, TRAININGS.slice(0, 1)), h("a", { href: "#/train" }, t("action-more-trainings"))),
        h("section", { class: "panel door", "aria-labelledby": "door-pool" },
          h("h2", { id: "door-pool" }, icon("pool"), t("door-pool")), h("p", {}, t("door-pool-about")),
          h("a", { class: "button", href: "#/pool" }, t("action-pool")))),
      this.device.element,
      h("section", { class: "panel", "aria-labelledby": "recent-title" },
        h("h2", { id: "recent-title" }, t("recent-title")), this.recent.element));
    this.stops = [ctx.views.on("examples", () => this.update())];
    this.update();
  }

  update() {
    for (const { id, title, about, unit } of this.cards) {
      setText(title, this.ctx.exampleTitle(id));
      setText(about, this.ctx.exampleAbout(id));
      const known = this.ctx.example(id)?.unit;
      setText(unit, known && known !== "1" ? this.ctx.t("example-unit", { unit: known }) : this.ctx.t(`example-${id.replace("_", "-")}-kind`));
    }
  }

  destroy() {
    for (const stop of this.stops) stop();
    this.recent.destroy();
    this.device.destroy();
  }

  #card(id) {
    const { t } = this.ctx;
    const title = h("span", { class: "card-title" });
    const about = h("p", { class: "card-about" });
    const unit = h("p", { class: "note" });
    const picture = s("svg", { class: "shape", viewBox: "0 0 76 36", "aria-hidden": "true" },
      s("path", { d: `${SHAPES[id]}V35H2z`, class: "shape-area" }), s("path", { d: SHAPES[id] }));
    const button = h("button", { type: "button", class: "button primary", onclick: () => this.ctx.openExample(id) },
      h("span", {}, t("action-open")), icon("go"));
    setAttribute(button, "aria-describedby", `card-${id}`);
    const element = h("li", { class: "card" }, picture,
      h("div", { class: "card-text" }, h("h3", { id: `card-${id}` }, title), about, unit), button);
    return { id, element, title, about, unit };
  }

  #own() {
    const { t } = this.ctx;
    const text = h("textarea", { id: "own-text", rows: 8, spellcheck: "false", autocomplete: "off", autocapitalize: "off",
      placeholder: t("own-placeholder"), oninput: () => (this.ctx.drafts.program = text.value) });
    text.value = this.ctx.drafts.program;
    const file = h("input", { id: "own-file", type: "file", accept: ".sml,.yaml,.yml,text/plain", class: "visually-hidden",
      onchange: async () => {
        const [chosen] = file.files;
        if (!chosen) return;
        if (chosen.size > MAX_TEXT_BYTES) this.fault.show({ message_id: "error-file-large", args: { name: chosen.name } });
        else this.ctx.drafts.program = text.value = await chosen.text();
        file.value = "";
      } });
    return h("details", { class: "disclosure", open: Boolean(text.value) }, h("summary", {}, t("own-title")),
      h("div", { class: "own" }, h("label", { for: "own-text" }, t("own-label")), text,
        h("div", { class: "actions" },
          h("button", { type: "button", class: "button", onclick: busy(() => this.#openText(text)) }, t("action-open")),
          file, h("label", { for: "own-file", class: "button quiet file" }, icon("open"), t("action-choose-file")))));
  }

  async #openText(text) {
    const sml = text.value.trim();
    if (!sml) return text.focus();
    return this.ctx.openText(text.value, this.fault);
  }
}
