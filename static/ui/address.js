// A content address or a link: short to read, whole to copy.

import { h, setAttribute, setText } from "./dom.js";
import { icon } from "./icon.js";

/** How long the button says that the text was copied. */
const SAID_MS = 1600;

/** "sha256:9c1e…07" for a whole address, "sha256:9c1e53f0…" for the beginning of one; other texts as they are. */
export function shortened(address) {
  const match = /^(sha256:)([0-9a-f]{4})[0-9a-f]{8,}([0-9a-f]{2})$/.exec(address ?? "");
  if (match) return `${match[1]}${match[2]}…${match[3]}`;
  return /^sha256:[0-9a-f]{1,62}$/.test(address ?? "") ? `${address}…` : (address ?? "");
}

/** A link's beginning; a run's URL has thousands of characters. */
const clipped = (link) => (link.length > 200 ? `${link.slice(0, 199)}…` : link);

/** Puts `text` on the clipboard, or selects `node` where the clipboard is refused (frames, old browsers). */
async function copy(text, node) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const shown = node.textContent;
    node.textContent = text;
    getSelection().selectAllChildren(node);
    const copied = document.execCommand("copy");
    if (copied) node.textContent = shown; // else the whole text stays selected, to be copied by hand
    return copied;
  }
}

export class Address {
  /** `name` says what is copied: "result address". `whole` shows all of it, for links. */
  constructor(ctx, name, { whole = false } = {}) {
    this.ctx = ctx;
    this.name = name;
    this.whole = whole;
    this.text = null;
    this.code = h("code", { class: whole ? "address-text whole" : "address-text" }, "–");
    this.button = h("button", { type: "button", class: "button quiet small copy gone", disabled: true,
      "aria-label": ctx.t("action-copy", { name }), title: ctx.t("action-copy", { name }),
      onclick: () => this.#copy() }, icon("copy"));
    this.element = h("span", { class: "address" }, this.code, this.button);
  }

  update(text) {
    if (text === this.text) return;
    this.text = text;
    setText(this.code, text ? (this.whole ? clipped(text) : shortened(text)) : "–");
    setAttribute(this.code, "title", this.whole ? null : text);
    this.button.disabled = !text;
    this.button.classList.toggle("gone", !text);
  }

  async #copy() {
    if (!(await copy(this.text, this.code))) return;
    this.button.replaceChildren(icon("check"));
    this.ctx.announce(this.ctx.t("copied", { name: this.name }));
    setTimeout(() => this.button.replaceChildren(icon("copy")), SAID_MS);
  }
}
