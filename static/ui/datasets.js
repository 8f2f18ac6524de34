// The datasets that a record can name, and how one's own come here: by a drop, a chooser or a URL.

import { DatasetText } from "./datasettext.js";
import { busy, h, setAttribute, setText } from "./dom.js";
import { Fault } from "./fault.js";
import { chosenFiles, droppedFiles } from "./givenfiles.js";

export class Datasets {
  /** `onRecord(sml)` is given a record that a person asked for. */
  constructor(ctx, onRecord) {
    this.ctx = ctx;
    this.onRecord = onRecord;
    const { t } = ctx;
    this.fault = new Fault(ctx);
    this.text = new DatasetText(ctx, (id) => setText(this.said, t("datasets-kept", { id })));
    this.said = h("p", { class: "note", role: "status" });
    const chooser = (properties) => h("input", { type: "file", hidden: true, ...properties,
      onchange: ({ target }) => { this.#give(chosenFiles(target)); target.value = ""; } });
    this.files = chooser({ multiple: true });
    this.folder = chooser({ webkitdirectory: true });
    const choose = (input, label) => h("button", { type: "button", class: "button", onclick: () => input.click() }, t(label));
    this.choosers = [choose(this.files, "action-choose-files"), choose(this.folder, "action-choose-folder")];
    this.url = h("input", { type: "url", id: "dataset-url", required: true, placeholder: "https://…", autocomplete: "off", spellcheck: "false" });
    this.fetch = h("button", { type: "submit", class: "button", onclick: busy(() => this.#fetch()) }, t("action-fetch"));
    this.form = h("form", { class: "field-row", onsubmit: (event) => event.preventDefault() },
      h("label", { for: "dataset-url" }, t("datasets-url")), this.url, this.fetch);
    this.list = h("ul", { class: "dataset-list" });
    this.element = h("section", { class: "panel datasets", "aria-labelledby": "datasets-title" },
      h("h2", { id: "datasets-title" }, t("datasets-title")),
      h("div", { class: "drop" }, h("p", {}, t("datasets-drop")), h("div", { class: "actions" }, this.choosers), this.files, this.folder),
      this.text.dialog, this.form, this.fault.element, this.said, this.list, h("p", { class: "note" }, t("datasets-about")));
  }

  /** Takes drops on all of `screen`. */
  listen(screen) {
    const files = (event) => event.dataTransfer?.types.includes("Files");
    const over = (event, on) => {
      if (!files(event)) return;
      event.preventDefault();
      setAttribute(this.element, "data-over", on || null);
    };
    screen.addEventListener("dragover", (event) => over(event, true));
    screen.addEventListener("dragleave", (event) => over(event, false));
    screen.addEventListener("drop", (event) => {
      over(event, false);
      if (files(event) && this.ready) droppedFiles(event.dataTransfer).then((given) => this.#give(given));
    });
  }

  /** `known`: of the view "datasets", or nothing yet; `ready`: whether Python can take any. */
  update(known, ready) {
    this.ready = ready;
    for (const button of [...this.choosers, this.fetch]) button.disabled = !ready;
    const shown = JSON.stringify(known ?? []);
    if (shown === this.shown) return;
    this.shown = shown;
    this.list.replaceChildren(...(known ?? []).map((dataset) => this.#row(dataset)));
  }

  #row({ id, own, arrays, origin }) {
    const { t } = this.ctx;
    const from = origin ? t("datasets-from", { host: origin }) : t(own ? "datasets-own" : "datasets-page");
    return h("li", {},
      h("div", {}, h("strong", { class: "code" }, id), h("p", { class: "note" }, `${from} · `, h("span", { class: "code" }, arrays.join(", ")))),
      h("div", { class: "actions" },
        h("button", { type: "button", class: "button", "aria-label": `${t("action-write-record")}: ${id}`, onclick: busy(() => this.#record(id)) },
          t("action-write-record")),
        h("button", { type: "button", class: "button quiet", "aria-label": `${t("action-dataset-text")}: ${id}`, onclick: busy(() => this.#text(id)) },
          t("action-dataset-text")),
        own && h("button", { type: "button", class: "button quiet", "aria-label": `${t("action-forget")}: ${id}`, onclick: busy(() => this.#forget(id)) },
          t("action-forget"))));
  }

  #give(given) {
    if (!given.length) return null;
    const files = given.map(({ path, file }, place) => ({ token: String(place), path, size: file.size }));
    return this.#bring("data_add", { files }, () => this.ctx.session.giveFiles(given.map(({ file }, place) => [String(place), file])));
  }

  #fetch() {
    if (!this.form.reportValidity()) return null;
    return this.#bring("data_url", { url: this.url.value.trim() });
  }

  async #bring(method, params, before = () => {}) {
    const { t, session } = this.ctx;
    setText(this.said, t("datasets-reading"));
    before();
    const id = await session.ask(method, params, this.fault, () => this.#bring(method, params, before));
    setText(this.said, id === null ? "" : t("datasets-kept", { id }));
  }

  async #record(id) {
    const sml = await this.ctx.session.ask("data_record", { id }, this.fault, () => this.#record(id));
    if (sml !== null) this.onRecord(sml);
  }

  async #text(id) {
    const sml = await this.ctx.session.ask("data_text", { id }, this.fault, () => this.#text(id));
    if (sml !== null) this.text.show(id, sml);
  }

  async #forget(id) {
    if ((await this.ctx.session.ask("data_forget", { id }, this.fault)) !== null) setText(this.said, this.ctx.t("datasets-forgotten", { id }));
  }
}
