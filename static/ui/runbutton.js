// The one large button of a run: Run, Stop, Resume. It answers the press at once and Python when it can.

import { h, setAttribute } from "./dom.js";
import { icon } from "./icon.js";

/** In each state: message, shape, and the call, if there is one. */
const FACES = {
  ready: ["action-run", "play", "run"],
  running: ["action-stop", "stop", "stop"],
  verifying: ["action-stop", "stop", "stop"],
  stopping: ["action-stopping", "stop", null],
  starting: ["action-starting", "play", null],
  interrupted: ["action-resume", "play", "resume"],
  failed: ["action-resume", "play", "resume"],
  done: ["action-run", "play", null],
  watching: ["action-run", "play", null],
};
/** What is shown between the press and Python's first word. */
const UNDERWAY = { run: "starting", resume: "starting", stop: "stopping" };

export class RunButton {
  /** `fault` shows what went wrong; `onPress` is told when the state shown changes before the view does. */
  constructor(ctx, fault, onPress = () => {}) {
    this.ctx = ctx;
    this.fault = fault;
    this.onPress = onPress;
    this.underway = null;
    this.pressedIn = null;
    this.face = null;
    this.element = h("button", { type: "button", class: "button primary wide", onclick: () => this.#press() });
    // Views of the old state still on their way do not take the press back.
    this.stop = ctx.views.on("run", (run) => { if (run?.state !== this.pressedIn) this.underway = null; });
  }

  /** The run's state, or what the press will make of it. */
  get state() {
    return this.underway ?? this.ctx.views.get("run")?.state ?? "ready";
  }

  /** Whether there is nothing to press for: the run is over, or goes on without this device. */
  get idle() {
    return ["done", "watching"].includes(this.state);
  }

  update(usable) {
    const [label, shape, call] = FACES[this.state] ?? FACES.ready;
    if (label !== this.face) {
      this.face = label;
      this.element.replaceChildren(icon(shape), h("span", {}, this.ctx.t(label)));
    }
    this.element.disabled = !usable;
    setAttribute(this.element, "aria-disabled", usable && !call); // it keeps the focus while there is nothing to press for
  }

  destroy() {
    this.stop();
  }

  async #press() {
    const run = this.ctx.views.get("run");
    const call = FACES[this.state]?.[2];
    if (!call) return;
    this.pressedIn = run?.state;
    this.underway = UNDERWAY[call];
    this.onPress();
    const params = call === "resume" ? { address: run.job_address } : {};
    await this.ctx.session.ask(call, params, this.fault, () => this.#press());
    this.underway = null;
    this.onPress();
  }
}
