// The tab's durable store over IndexedDB, in the worker. It holds no policy: blobs by address and references by
// name; what they mean is decided in Python (scellis/content/browser.py).
//
// Why IndexedDB and not the origin's private file system: what a run keeps is many small values (2.5 kB a shard,
// some hundred bytes an event) that must land together or not at all, from several tabs at once. That is a
// transactional database; files pay where single values are large.
import { openDB } from "idb";

import { claim, claimed, turn } from "./locks.js";

const SCHEMA = 1;

// A database that stays blocked behind another tab's upgrade must not hold the page up.
const OPEN_TIMEOUT_MS = 5000;

/** The database's name: two deployments on one origin, and two schemas, never share one. */
const nameFor = (basePath) => `scellis:${basePath}:${SCHEMA}`;

/**
 * Open the store of the deployment at `basePath`. Rejects where the browser keeps nothing (private windows,
 * storage switched off); the caller then says "not saved" and goes on in memory.
 */
export async function openStore(basePath) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("the browser did not open its database")), OPEN_TIMEOUT_MS);
  });
  const opening = openDB(nameFor(basePath), SCHEMA, {
    upgrade(db) {
      db.createObjectStore("blobs");
      db.createObjectStore("refs");
    },
  });
  try {
    return new TabStore(await Promise.race([opening, late]), nameFor(basePath));
  } finally {
    clearTimeout(timer);
  }
}

const durable = { durability: "strict" };

class TabStore {
  #db;
  #name;

  /** `name` is the deployment's: what is held carries it. */
  constructor(db, name) {
    this.#db = db;
    this.#name = name;
  }

  /** The bytes at `address` as an ArrayBuffer, or undefined. */
  get(address) {
    return this.#db.get("blobs", address);
  }

  async put(address, data) {
    const change = this.#db.transaction("blobs", "readwrite", durable);
    change.store.put(data, address);
    await change.done;
  }

  delete(address) {
    return this.#db.delete("blobs", address);
  }

  getRef(name) {
    return this.#db.get("refs", name);
  }

  async setRef(name, data) {
    const change = this.#db.transaction("refs", "readwrite", durable);
    change.store.put(data, name);
    await change.done;
  }

  deleteRef(name) {
    return this.#db.delete("refs", name);
  }

  /** The names of references that start with `prefix`. */
  refs(prefix) {
    return this.#db.getAllKeys("refs", IDBKeyRange.bound(prefix, `${prefix}\uffff`));
  }

  /** See locks.js. */
  claim(name) {
    return claim(`${this.#name}:${name}`);
  }

  turn(name) {
    return turn(`${this.#name}:${name}`);
  }

  /** The names that start with `prefix` and are held. */
  async claimed(prefix) {
    const held = await claimed(`${this.#name}:${prefix}`);
    return held.map((name) => name.slice(this.#name.length + 1));
  }

  /** How many bytes the browser still lets this site keep; undefined where it does not say. */
  async freeBytes() {
    const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
    return quota === undefined ? undefined : Math.max(0, quota - (usage ?? 0));
  }
}

/** Whether the browser keeps the store under pressure. */
export async function persisted() {
  return (await navigator.storage?.persisted?.()) ?? false;
}

/** Ask it to; true where it agrees. */
export async function persist() {
  return (await navigator.storage?.persist?.()) ?? false;
}
