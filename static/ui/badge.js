// States and devices as a word with a shape.

import { h, setAttribute, setText } from "./dom.js";
import { icon } from "./icon.js";

/** What a run's state means for the eye: the colour repeats what word and shape say. */
const TONES = { ready: "", watching: "", running: "accent", stopping: "warn", interrupted: "warn", verifying: "accent", done: "good", failed: "bad" };

export class Badge {
  constructor() {
    this.word = h("span", {});
    this.element = h("span", { class: "badge" }, this.word);
    this.shape = null;
  }

  /** `shape` names an icon, `tone` a colour of meaning or "". */
  set(shape, word, tone = "", title = null) {
    if (shape !== this.shape) {
      this.element.replaceChildren(icon(shape), this.word);
      this.shape = shape;
    }
    setText(this.word, word);
    setAttribute(this.element, "data-tone", tone || null);
    setAttribute(this.element, "title", title);
  }
}

/** The state of a run: ready, running, … done, failed. */
export class StateBadge extends Badge {
  constructor(ctx) {
    super();
    this.ctx = ctx;
  }

  update(state) {
    this.set(Object.hasOwn(TONES, state) ? state : "info", this.ctx.t(`state-${state}`), TONES[state] ?? "");
  }
}

const DEVICES = { webgpu: "device-webgpu", native: "device-native", oracle: "device-cpu" };

/** The message that names a kind of device. */
export function deviceName(kind) {
  return DEVICES[kind] ?? "device-unknown";
}

/** Which path computes: WebGPU, or the CPU path, named so that nobody takes one for the other. */
export class DeviceBadge extends Badge {
  constructor(ctx) {
    super();
    this.ctx = ctx;
  }

  update(device) {
    if (!device) return this.set("gpu", this.ctx.t("device-unknown"));
    const slow = device.kind === "oracle";
    const why = device.reason ? this.ctx.translator.message(device.reason) : device.adapter;
    return this.set(slow ? "cpu" : "gpu", this.ctx.t(deviceName(device.kind)), slow ? "warn" : "", why);
  }
}
