// The trainings that one can open, each a card with what it learns and a button.

import { h, s, setAttribute } from "./dom.js";
import { icon } from "./icon.js";
import { TRAININGS } from "./trainings.js";

/** A loss that falls: a picture of the shape, not a plot. */
const SHAPE = "M2 3C8 24 16 30 34 32S62 34 74 34";

/** The cards of `ids` as a list. */
export function trainingCards(ctx, ids = TRAININGS) {
  return h("ul", { class: "cards" }, ids.map((id) => {
    const button = h("button", { type: "button", class: "button primary", onclick: () => ctx.openTraining(id) },
      h("span", {}, ctx.t("action-open")), icon("go"));
    setAttribute(button, "aria-describedby", `card-${id}`);
    return h("li", { class: "card" },
      s("svg", { class: "shape", viewBox: "0 0 76 36", "aria-hidden": "true" },
        s("path", { d: `${SHAPE}V35H2z`, class: "shape-area" }), s("path", { d: SHAPE })),
      h("div", { class: "card-text" }, h("h3", { id: `card-${id}` }, ctx.trainingTitle(id)),
        h("p", { class: "card-about" }, ctx.trainingAbout(id))), button);
  }));
}
