// One large button whose face follows the state of a view. It answers the press at once and Python when it can.

import { h, setAttribute } from "./dom.js";
import { icon } from "./icon.js";

export class StateButton {
  /**
   * `view` names the view whose `state` is followed. `faces`: in each state [message, shape, call or null], at least
   * for "ready"; `underway`: the state shown between the press and Python's first word, by call; `idle`: states in
   * which there is nothing to press for. `params(call, model)` gives the call's parameters. `fault` shows what went
   * wrong; `onPress` is told when the state shown changes before the view does.
   */
  constructor(ctx, { view, faces, underway, idle, params = () => ({}) }, fault, onPress = () => {}) {
    this.ctx = ctx;
    this.kind = { view, faces, underway, idle, params };
    this.fault = fault;
    this.onPress = onPress;
    this.underway = null;
    this.pressedIn = null;
    this.face = null;
    this.element = h("button", { type: "button", class: "button primary wide", onclick: () => this.#press() });
    // Views of the old state still on their way do not take the press back.
    this.stop = ctx.views.on(view, (model) => { if (model?.state !== this.pressedIn) this.underway = null; });
  }

  /** The view's state, or what the press will make of it. */
  get state() {
    return this.underway ?? this.#model?.state ?? "ready";
  }

  /** Whether there is nothing to press for. */
  get idle() {
    return this.kind.idle.includes(this.state);
  }

  update(usable) {
    const [label, shape, call] = this.#face;
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

  get #model() {
    return this.ctx.views.get(this.kind.view);
  }

  get #face() {
    return this.kind.faces[this.state] ?? this.kind.faces.ready;
  }

  async #press() {
    const call = this.#face[2];
    if (!call) return;
    const model = this.#model;
    this.pressedIn = model?.state;
    this.underway = this.kind.underway[call];
    this.onPress();
    await this.ctx.session.ask(call, this.kind.params(call, model), this.fault, () => this.#press());
    this.underway = null;
    this.onPress();
  }
}
