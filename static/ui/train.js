// The train screen: the loss and how it falls, small pictures below, the epochs, what is pinned, and the record itself.

import { Anew } from "./anew.js";
import { Badge, DeviceBadge } from "./badge.js";
import { h, setAttribute, setHidden, setText } from "./dom.js";
import { Datasets } from "./datasets.js";
import { Epochs } from "./epochs.js";
import { Fault } from "./fault.js";
import { perFrame } from "./frame.js";
import { LossPlot } from "./lossplot.js";
import { Multiples } from "./multiples.js";
import { Notices } from "./notices.js";
import { remembered } from "./opened.js";
import { RecordText } from "./recordtext.js";
import { TrainButton } from "./trainbutton.js";
import { trainingCards } from "./traincards.js";
import { TrainMemory } from "./trainmemory.js";
import { TrainPinned } from "./trainpinned.js";
import { TrainProgress } from "./trainprogress.js";
import { trainingNotices, trainingState } from "./trainstate.js";

export class TrainScreen {
  constructor(ctx) {
    this.ctx = ctx;
    const { t } = ctx;
    this.title = h("h1", { tabindex: -1 }, t("train-title"));
    this.about = h("p", { class: "lead" });
    this.state = new Badge();
    this.device = new DeviceBadge(ctx);
    this.tier = new Badge();
    this.fault = new Fault(ctx);
    this.primary = new TrainButton(ctx, this.fault, () => this.update());
    this.anew = new Anew(ctx, this.fault);
    this.notices = new Notices(ctx);
    this.progress = new TrainProgress(ctx);
    this.pinned = new TrainPinned(ctx);
    this.memory = new TrainMemory(ctx, this.fault);
    this.parts = [new LossPlot(ctx), new Multiples(ctx), new Epochs(ctx)];
    this.record = new RecordText(ctx);
    this.datasets = new Datasets(ctx, (sml) => this.record.put(sml));
    this.beside = h("div", { class: "stack" }, this.pinned.element, this.memory.element);
    this.strip = h("div", { class: "run-work" }, this.progress.element, this.notices.element);
    this.cards = h("section", { class: "panel door", "aria-labelledby": "trainings-title" },
      h("h2", { id: "trainings-title" }, t("trainings-label")), h("p", {}, t("train-empty")), trainingCards(ctx));
    this.element = h("div", { class: "screen train" },
      h("div", { class: "screen-head" },
        h("div", { class: "screen-name" }, this.title, this.about,
          h("div", { class: "badges" }, this.state.element, this.device.element, this.tier.element)),
        h("div", { class: "actions" }, this.primary.element, this.anew.button)),
      this.fault.element, this.anew.dialog, this.strip, this.cards,
      this.grid = h("div", { class: "train-grid" }, this.parts.map(({ element }) => element), this.beside, this.datasets.element, this.record.element));
    this.datasets.listen(this.element);
    this.redraw = perFrame(() => this.update());
    this.stops = ["training", "training-opening", "trainings", "datasets", "device", "boot"].map((name) => ctx.views.on(name, this.redraw));
    if (!this.#open && remembered()) ctx.reopenTraining(remembered()); // a reload closed it
    this.update();
  }

  update() {
    const { views, t } = this.ctx;
    const [training, opening, device] = ["training", "training-opening", "device"].map((name) => views.get(name));
    const open = this.#open;
    setHidden(this.cards, open);
    setAttribute(this.grid, "data-open", String(open));
    for (const { element } of [...this.parts, { element: this.strip }, { element: this.beside }, this.primary, this.state, this.tier]) setHidden(element, !open);
    const id = training ? training.example : opening?.id;
    setText(this.title, open ? this.ctx.trainingTitle(id, training?.model ?? opening?.title ?? t("train-title")) : t("train-title"));
    setText(this.about, open ? this.ctx.trainingAbout(id, training?.about) : t("train-lead"));
    this.state.set(...trainingState(t, training ? this.primary.state : "compiling"));
    this.device.update(device);
    const tier = training?.determinism_tier;
    this.tier.set("record", t("train-tier", { tier: tier ?? "–" }), "", tier ? t(`tier-${tier}`) : null);
    this.primary.update(Boolean(training) && !opening && views.get("boot").ready);
    setHidden(this.primary.element, !open || this.primary.idle);
    this.anew.update(training);
    this.progress.update(training, views.get("boot").ready);
    this.notices.update(trainingNotices(training, device, this.ctx.measure));
    for (const part of [...this.parts, this.pinned, this.memory]) part.update(training);
    this.datasets.update(views.get("datasets")?.known, views.get("boot").ready);
    this.record.update(training, open);
    if (training?.record !== this.shown) this.fault.clear(); // it was of another training
    this.shown = training?.record;
  }

  destroy() {
    for (const stop of this.stops) stop();
    this.redraw.cancel();
    this.primary.destroy();
    for (const part of this.parts) part.destroy?.();
  }

  get #open() {
    return Boolean(this.ctx.views.get("training") || this.ctx.views.get("training-opening"));
  }
}
