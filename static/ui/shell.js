// The frame of the page: name and boot line above, the rail, and the screen that the address asks for.

import { BootLine } from "./boot.js";
import { h, setAttribute, setText } from "./dom.js";
import { Fault } from "./fault.js";
import { icon, mark } from "./icon.js";
import { LimitsScreen } from "./limits.js";
import { themeChanged } from "./palette.js";
import { UpdateNotice } from "./offline.js";
import { PoolScreen } from "./pool.js";
import { LANGUAGES, setTheme, theme, THEMES } from "./preferences.js";
import { RecordScreen } from "./record.js";
import { parse, SCREENS } from "./route.js";
import { RunScreen } from "./run.js";
import { RunsScreen } from "./runs.js";
import { StartScreen } from "./start.js";
import { TrainScreen } from "./train.js";

const MAKERS = { start: StartScreen, run: RunScreen, train: TrainScreen, pool: PoolScreen, runs: RunsScreen, record: RecordScreen,
  limits: LimitsScreen };

export class Shell {
  /** `onLanguage(code)` when another language is chosen; the whole shell is then made anew. */
  constructor(ctx, onLanguage) {
    this.ctx = ctx;
    const { t, views } = ctx;
    this.screen = null;
    this.fault = new Fault(ctx);
    this.update = new UpdateNotice(ctx);
    this.boot = new BootLine(ctx);
    this.links = SCREENS.map((name) => h("a", { class: "rail-link", href: `#/${name}`, dataset: { screen: name } },
      icon(name), h("span", {}, t(`rail-${name}`))));
    this.outlet = h("main", { class: "main", id: "main" });
    this.live = h("div", { class: "visually-hidden", role: "status" });
    this.element = h("div", { class: "app", id: "app" },
      h("a", { class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); this.#heading()?.focus(); } }, t("skip")),
      h("header", { class: "top" },
        h("a", { class: "brand", href: "#/start", "aria-label": t("brand-label") }, mark(), h("span", {}, "Scellis")),
        this.boot.element,
        h("div", { class: "top-tools" }, this.#language(onLanguage), this.#theme())),
      h("nav", { class: "rail", "aria-label": t("rail-label") }, h("div", { class: "rail-links" }, this.links)),
      this.outlet, this.live);
    this.stops = [views.on("boot", (boot) => this.boot.update(boot)), views.on("run", (run) => this.#spoken(run)),
      views.on("training", (training) => this.#trained(training))];
    this.boot.update(views.get("boot") ?? { stage: "start", percent: 0 });
  }

  /** Shows the screen that `hash` asks for; `moved` puts the focus on its heading. */
  show(hash, moved) {
    const { screen } = parse(hash);
    if (this.name !== screen) {
      this.screen?.destroy();
      this.name = screen;
      this.screen = new MAKERS[screen](this.ctx);
      this.outlet.replaceChildren(this.fault.element, this.update.element, this.screen.element);
      for (const link of this.links) setAttribute(link, "aria-current", link.dataset.screen === screen ? "page" : null);
      document.title = `${this.ctx.t(`rail-${screen}`)} · Scellis`;
      scrollTo(0, 0);
    }
    if (moved) this.#heading()?.focus({ preventScroll: true });
  }

  announce(text) {
    setText(this.live, text);
  }

  destroy() {
    this.screen?.destroy();
    this.update.destroy();
    for (const stop of this.stops) stop();
  }

  #heading() {
    return this.outlet.querySelector("h1");
  }

  #language(onLanguage) {
    const { t, language } = this.ctx;
    const select = h("select", { id: "language", class: "select", "aria-label": t("language-label"), onchange: () => onLanguage(select.value) },
      Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, lang: code }, name)));
    select.value = language;
    return select;
  }

  #theme() {
    const { t } = this.ctx;
    const button = h("button", { type: "button", class: "button quiet icon-only" });
    const show = () => {
      const words = t("theme-label", { theme: t(`theme-${theme()}`) });
      button.replaceChildren(icon(theme()));
      setAttribute(button, "aria-label", words);
      setAttribute(button, "title", words);
    };
    button.addEventListener("click", () => {
      setTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]);
      themeChanged();
      show();
    });
    show();
    return button;
  }

  /** The end of a run is spoken wherever the person is; its course is not. */
  #spoken(run) {
    const state = run?.state;
    if (state === this.state) return;
    const first = this.state === undefined;
    this.state = state;
    if (first || !["done", "failed", "interrupted"].includes(state)) return;
    const { t, measure, views } = this.ctx;
    const estimate = Number.isFinite(run.mean) ? measure.estimate(run.mean, run.std, views.get("plan")?.unit).text : "";
    this.announce(t(`announce-${state}`, { estimate }));
  }

  /** So is the end of a training. */
  #trained(training) {
    const state = training?.state;
    const before = this.training;
    this.training = state;
    if (state === before || before === undefined || !["done", "early_stop", "fault"].includes(state)) return;
    this.announce(this.ctx.t(`announce-training-${state.replace("_", "-")}`));
  }
}
