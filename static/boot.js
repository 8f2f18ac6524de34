// The page's end of the worker: starts it, watches it, replaces it when it has died, and carries calls.

import { fault } from "./runtime/fault.js";
import { keepOffline } from "./sw-client.js";

/** A boot that says nothing for this long is taken as hung. Compiling 9 MB of wasm on a slow phone takes ~20 s. */
const BOOT_SILENCE_MS = 60_000;

/** Replacements without a press of a button: a page that dies on every start must not spin. */
const AUTOMATIC_RESTARTS = 2;

/**
 * Start Python and return the page's handle on it.
 *
 * `onBoot({stage, percent})`: progress, the last stage is "ready". `onView(name, model)`: a view model.
 * `onFatal(fault)`: the worker has died or could not start; `fault.args.restarting` says that a new one is
 * already on its way. `onOffline({state, …})`: see sw-client.js.
 */
export function connect({ onBoot, onView, onFatal, onOffline = () => {} }) {
  const link = new WorkerLink(new URL("./", document.baseURI).href, { onBoot, onView, onFatal });
  document.addEventListener("securitypolicyviolation", (event) => link.blocked(event));
  link.start();
  const offline = keepOffline(link.settled, onOffline);
  return {
    /** Python's answer to `method`. Rejects with {code, message_id, message, remedy, args}. */
    call: (method, params = {}, transfer = []) => link.call(method, params, transfer),
    /** A message {type, …} for whoever listens in Python; buffers in `transfer` move, they are not copied. */
    post: (message, transfer = []) => link.post(message, transfer),
    /** `handler(message)` for each message of `type` that Python sends; null stops it. */
    listen: (type, handler) => link.listen(type, handler),
    /** A fresh interpreter. */
    restart: () => link.restart(),
    /** Take the waiting update now: this tab reloads, others are told. */
    applyUpdate: () => offline.applyUpdate(),
  };
}

class WorkerLink {
  #scope;
  #on;
  #worker = null;
  #ready = false;
  #stage = "start";
  #watchdog = 0;
  #restartsLeft = AUTOMATIC_RESTARTS;
  #lastId = 0;
  #waiting = new Map(); // id → {resolve, reject} of calls without an answer
  #listeners = new Map();
  #settle;

  /** Resolves once the first boot has ended, well or badly: from then on the network is free. */
  settled = new Promise((resolve) => (this.#settle = resolve));

  constructor(scope, handlers) {
    this.#scope = scope;
    this.#on = handlers;
  }

  start() {
    this.#ready = false;
    const worker = new Worker(new URL("static/worker.js", this.#scope), { type: "module", name: "scellis" });
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => this.#scriptError(event);
    const controlled = Boolean(navigator.serviceWorker?.controller);
    worker.postMessage({ type: "start", scope: this.#scope, controlled, build: SCELLIS_BUILD });
    this.#booting("start", 0);
  }

  restart() {
    this.#restartsLeft = AUTOMATIC_RESTARTS;
    this.#stop(fault("SCL-BOOT-RESTARTED", "Python was started again.", ""));
    this.start();
  }

  call(method, params, transfer) {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve, reject });
      this.post({ type: "call", id, method, params }, transfer);
    });
  }

  post(message, transfer) {
    this.#worker?.postMessage(message, transfer);
  }

  listen(type, handler) {
    if (handler) this.#listeners.set(type, handler);
    else this.#listeners.delete(type);
  }

  blocked({ effectiveDirective, blockedURI }) {
    const text = `The page's security policy (${effectiveDirective}) blocked ${blockedURI || "inline code"}.`;
    if (this.#ready) {
      console.warn(text);
      return;
    }
    const remedy = "The server's Content-Security-Policy must allow script-src 'self' 'wasm-unsafe-eval'.";
    this.#died(fault("SCL-BOOT-CSP", text, remedy, { directive: effectiveDirective, blocked: blockedURI }));
  }

  #receive(data) {
    switch (data.type) {
      case "boot":
        return this.#booting(data.stage, data.percent);
      case "reply":
        return this.#answered(data);
      case "view":
        return this.#on.onView(data.name, data.model);
      case "fatal":
        return this.#died(data.fault);
      default:
        return this.#listeners.get(data.type)?.(data);
    }
  }

  #booting(stage, percent) {
    this.#stage = stage;
    clearTimeout(this.#watchdog);
    if (stage === "ready") {
      this.#ready = true;
      this.#settle();
    } else {
      this.#watchdog = setTimeout(() => this.#hung(), BOOT_SILENCE_MS);
    }
    this.#on.onBoot({ stage, percent });
  }

  #answered({ id, result, error }) {
    const call = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) call?.reject(error);
    else call?.resolve(result);
  }

  #scriptError(event) {
    // After the boot an error in one message is reported where it arose; the worker lives on.
    if (this.#ready) return;
    const reason = event.message || "its script could not be loaded";
    this.#died(
      fault("SCL-BOOT-WORKER", `The worker did not start: ${reason}.`, "Reload the page, or use a newer browser.", {
        reason,
      }),
    );
  }

  #hung() {
    const seconds = BOOT_SILENCE_MS / 1000;
    this.#died(
      fault(
        "SCL-BOOT-SILENT",
        `Python did not start: nothing was heard for ${seconds} s at the step "${this.#stage}".`,
        "Start it again; if it hangs again, reload the page.",
        { seconds, stage: this.#stage },
      ),
    );
  }

  #died(reason) {
    if (!this.#worker) return;
    // One that never became ready would most likely die of the same cause again: a person decides.
    const restarting = this.#ready && this.#restartsLeft > 0;
    const told = { ...reason, args: { ...reason.args, restarting } };
    this.#stop(told);
    this.#on.onFatal(told);
    this.#settle();
    if (restarting) {
      this.#restartsLeft -= 1;
      this.start();
    }
  }

  #stop(reason) {
    clearTimeout(this.#watchdog);
    this.#worker?.terminate();
    this.#worker = null;
    this.#ready = false;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}
