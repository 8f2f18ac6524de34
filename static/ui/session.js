// The page's end of the bridge to Python: calls that wait for the interpreter, and what it says of itself.

import { goesOn, trains } from "./live.js";

/** Stages of the boot in which calls are answered at once. */
const READY = "ready";

export class Session {
  #client = null;
  #faults = null;
  #queue = [];

  /** `views` receives the view models. The boot is itself a view, "boot": {stage, percent, ready, fatal}. */
  constructor(views) {
    this.views = views;
    views.set("boot", { stage: "start", percent: 0, ready: false, fatal: null });
  }

  /** Starts Python by `connect` from boot.js. */
  start(connect) {
    this.#client = connect({
      onBoot: (boot) => this.#booted(boot),
      onView: (name, model) => this.views.set(name, model),
      onFatal: (error) => this.#fatal(error),
      onOffline: (state) => this.views.set("offline", state),
    });
    return this.#client;
  }

  get faults() {
    return this.#faults;
  }

  /** Where failures are shown from now on; one that has ended Python is shown there again. */
  set faults(fault) {
    this.#faults = fault;
    this.#showFatal();
  }

  get ready() {
    return this.views.get("boot").ready;
  }

  /** The answer of Python's `method`; waits for the interpreter. Rejects with {code, message_id, message, args}. */
  call(method, params = {}) {
    if (this.ready) return this.#client.call(method, params);
    if (this.views.get("boot").fatal) return Promise.reject(this.views.get("boot").fatal);
    return new Promise((resolve, reject) => this.#queue.push({ method, params, resolve, reject }));
  }

  /**
   * As `call`, but a failure is shown where `fault` says, and the answer is null. The button there tries again by
   * `retry`: whoever does more with the answer than to wait for it names the whole of what is to be done.
   */
  async ask(method, params = {}, fault = this.faults, retry = () => this.ask(method, params, fault)) {
    if (this.views.get("boot").fatal) return null; // it is shown, with the way out
    fault.clear();
    try {
      return (await this.call(method, params)) ?? true;
    } catch (error) {
      // The death of the interpreter is shown already, with the larger cure.
      const died = error.args && "restarting" in error.args;
      if (!died) fault.show(error, { retry });
      return null;
    }
  }

  /** Hands files over, [[token, File], …]: handles on the disk, which Python reads when a call names their tokens. */
  giveFiles(files) {
    this.#client.post({ type: "files", files });
  }

  applyUpdate() {
    this.#client.applyUpdate();
  }

  /** A fresh interpreter; what was interrupted is in the store and can be resumed. */
  restart() {
    this.views.set("boot", { stage: "start", percent: 0, ready: false, fatal: null });
    this.faults.clear();
    this.#client.restart();
  }

  #booted({ stage, percent }) {
    const ready = stage === READY;
    this.views.set("boot", { stage, percent, ready, fatal: null });
    if (!ready) return;
    for (const { method, params, resolve, reject } of this.#queue.splice(0)) {
      this.#client.call(method, params).then(resolve, reject);
    }
  }

  /** `error.args.restarting`: a new interpreter is on its way already, and nobody need press anything. */
  #fatal(error) {
    for (const { reject } of this.#queue.splice(0)) reject(error);
    const restarting = Boolean(error.args?.restarting);
    const run = this.views.get("run");
    // What is kept of the run is kept in the store: it can be resumed.
    if (goesOn(run)) this.views.set("run", { ...run, state: "interrupted" });
    const training = this.views.get("training");
    if (training && trains(training)) this.views.set("training", { ...training, state: "paused" });
    if (this.views.get("pool")) this.views.set("pool", { ...this.views.get("pool"), state: "none" });
    this.views.set("boot", { ...this.views.get("boot"), ready: false, fatal: restarting ? null : error });
    if (restarting) this.faults.show(error);
    else this.#showFatal();
  }

  #showFatal() {
    const { fatal } = this.views.get("boot");
    if (fatal) this.faults.show(fatal, { restart: () => this.restart() });
  }
}
