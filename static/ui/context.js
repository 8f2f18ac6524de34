// What every part of the page may use: words and numbers in the reader's language, view models, and Python.

import { Measure } from "./measure.js";
import { remember } from "./opened.js";

/** "gauge_block" -> "gauge-block": ids of examples as the catalogues write them. */
const catalogued = (id) => String(id).replaceAll("_", "-");

export class Context {
  /** `drafts`: what was typed into the editors, and is not lost with their screens. */
  constructor(translator, views, session, drafts = { program: "", training: null }) {
    this.translator = translator;
    this.language = translator.language;
    this.measure = new Measure(translator.language);
    this.views = views;
    this.session = session;
    this.drafts = drafts;
    this.announce = () => {};
    this.t = (id, args) => translator.text(id, args);
  }

  /** A share as a percentage: two digits below ten per cent, or `decimals` of them. */
  percent(share, decimals = null) {
    const value = 100 * share;
    const size = Math.abs(value);
    const places = decimals ?? (size >= 10 || size === 0 ? 0 : size >= 1 ? 1 : 2);
    return this.t("percent", { value: this.measure.fixed(value, places) });
  }

  /** A coverage probability, never rounded up to all: 0.9545 -> "95.45 %". */
  coverage(share) {
    const value = new Intl.NumberFormat(this.language, { maximumFractionDigits: 3 }).format(100 * (share ?? 0.99));
    return this.t("percent", { value });
  }

  /** A moment in the reader's manner, `at_ms` since 1970. */
  moment(at_ms) {
    return new Intl.DateTimeFormat(this.language, { dateStyle: "medium", timeStyle: "short" }).format(at_ms);
  }

  example(id) {
    return (this.views.get("examples") ?? []).find((example) => example.id === id) ?? null;
  }

  exampleTitle(id, fallback = "") {
    const named = `example-${catalogued(id)}`;
    if (id && this.translator.has(named)) return this.t(named);
    return this.example(id)?.title || fallback || this.t("example-own");
  }

  exampleAbout(id, fallback = "") {
    const named = `example-${catalogued(id)}-about`;
    if (id && this.translator.has(named)) return this.t(named);
    return this.example(id)?.about ?? fallback;
  }

  openExample(id) {
    this.#opening({ id });
    return this.session.ask("open_example", { id });
  }

  /** A program of one's own; it is shown only once Python could read it. */
  async openText(sml, fault) {
    const opened = await this.session.ask("open_text", { sml }, fault, () => this.openText(sml, fault));
    if (opened !== null) location.hash = "#/run";
  }

  trainingTitle(id, fallback = "") {
    const named = `training-${catalogued(id)}`;
    return id && this.translator.has(named) ? this.t(named) : fallback || String(id);
  }

  trainingAbout(id, fallback = "") {
    const named = `training-${catalogued(id)}-about`;
    return id && this.translator.has(named) ? this.t(named) : fallback;
  }

  openTraining(id) {
    this.views.set("training", null);
    location.hash = "#/train";
    return this.reopenTraining({ id });
  }

  /** Opens `given`, {id} or {sml}, and says so until Python has. */
  async reopenTraining(given, fault = this.session.faults) {
    this.views.set("training-opening", given);
    const opened = await this.#askTraining(given, fault, () => this.reopenTraining(given, fault));
    this.views.set("training-opening", null);
    if (opened === null) remember(null);
    return opened;
  }

  /** A record of one's own; what is open stays until Python could read it. */
  openTrainingText(sml, fault) {
    return this.#askTraining({ sml }, fault, () => this.openTrainingText(sml, fault));
  }

  async resume(run, fault) {
    const resumed = await this.session.ask("resume", { address: run.address }, fault, () => this.resume(run, fault));
    if (resumed !== null) location.hash = "#/run";
  }

  /** Opens a pool for the program that is open; the screen says so from the press on. */
  async createPool(fault) {
    this.views.set("pool", { state: "opening" });
    const opened = await this.session.ask("pool_create", {}, fault, () => this.createPool(fault));
    if (opened === null) this.views.set("pool", null);
  }

  /** Joins the pool that an invitation names, shown as `createPool` is. */
  async joinPool(link, fault) {
    this.views.set("pool", { state: "joining" });
    const joined = await this.session.ask("pool_join", { link }, fault, () => this.joinPool(link, fault));
    if (joined === null) this.views.set("pool", null);
  }

  /** Opens a training of the list, and goes on with one that has not ended. */
  async resumeTraining(row) {
    this.views.set("training", null);
    this.views.set("training-opening", { id: row.example, title: row.title });
    location.hash = "#/train";
    const resumed = await this.session.ask("resume_training", { record: row.address }, this.session.faults, () => this.resumeTraining(row));
    this.views.set("training-opening", null);
    const { example, sml } = this.views.get("training") ?? {};
    remember(resumed === null ? null : example ? { id: example } : { sml });
  }

  async #askTraining(given, fault, retry) {
    const opened = await this.session.ask(given.id ? "open_training" : "open_training_text", given, fault, retry);
    if (opened !== null) remember(given);
    return opened;
  }

  #opening(opening) {
    for (const name of ["plan", "run", "pool", "shard"]) this.views.set(name, null);
    this.views.set("opening", opening);
    location.hash = "#/run";
  }
}
