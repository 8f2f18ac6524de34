// This device in one line: what computes, what it lacks, and where results are kept.

import { DeviceBadge } from "./badge.js";
import { h, setHidden, setText } from "./dom.js";

export class DeviceLine {
  constructor(ctx) {
    this.ctx = ctx;
    this.badge = new DeviceBadge(ctx);
    this.text = h("span", {});
    this.reason = h("p", { class: "note", hidden: true });
    this.element = h("section", { class: "panel device-line", "aria-labelledby": "device-title" },
      h("h2", { id: "device-title" }, ctx.t("device-title")), this.badge.element, this.text, this.reason);
    this.stops = ["device", "offline"].map((name) => ctx.views.on(name, () => this.update()));
    this.update();
  }

  update() {
    const { t, views, translator } = this.ctx;
    const device = views.get("device");
    this.badge.update(device);
    setHidden(this.reason, !device?.reason);
    setText(this.reason, translator.message(device?.reason));
    if (!device) return setText(this.text, t("device-waiting"));
    const { state } = views.get("offline") ?? {};
    const kept = ["update", "replaced"].includes(state) ? "ready" : state; // what is new has a notice of its own
    const parts = [device.adapter,
      device.lacks?.length ? t("device-lacks", { features: device.lacks.join(", ") }) : null,
      t(`storage-${device.storage}`), device.storage_reason, device.storage !== "memory" && device.persisted === false ? t("storage-not-persisted") : null,
      kept ? t(`offline-${kept}`) : null];
    return setText(this.text, parts.filter(Boolean).join(" · "));
  }

  destroy() {
    for (const stop of this.stops) stop();
  }
}
