// The latest view model of each name, and who wants to know of the next.

export class Views {
  #models = new Map();
  #listeners = new Map();

  get(name) {
    return this.#models.get(name) ?? null;
  }

  set(name, model) {
    this.#models.set(name, model);
    for (const listener of this.#listeners.get(name) ?? []) listener(model);
  }

  /** Calls `listener` with each model of `name` from now on; returns the way to stop. */
  on(name, listener) {
    if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
    this.#listeners.get(name).add(listener);
    return () => this.#listeners.get(name).delete(listener);
  }
}
