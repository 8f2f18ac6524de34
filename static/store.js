// The tab's durable store, in the worker: IndexedDB for references and small blobs, files for large ones. It holds no
// policy: blobs by address and references by name; what they mean is decided in Python (scellis/content/browser.py).
//
// What a run keeps is many small values (2.5 kB a shard, some hundred bytes an event) that must land together or not at
// all, from several tabs at once: that is a transactional database. The arrays of a checkpoint are large, and each is
// whole or not there by its address: those are files. docs/bench/training.md has the figures.

import { openDB } from "idb";

import { claim, claimed, turn } from "./locks.js";
import { openFiles } from "./opfs.js";

const SCHEMA = 1;

/** From this size on a blob is a file. */
const FILE_BYTES = 65_536;

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
    const name = nameFor(basePath);
    return new TabStore(name, await Promise.race([opening, late]), ...(await openedFiles(name)));
  } finally {
    clearTimeout(timer);
  }
}

/** The files and why there are none: some browsers refuse them, in private windows above all. */
async function openedFiles(name) {
  try {
    return [await openFiles(name), ""];
  } catch (error) {
    return [null, `no files: ${error.name}`];
  }
}

const durable = { durability: "strict" };

/** What the browser refuses with, as a plain Error: Python takes no other class, and would wait for ever. */
async function plainly(asked) {
  try {
    return await asked;
  } catch (error) {
    throw new Error(`${error?.name ?? "AbortError"}: ${error?.message ?? "the browser gave up"}`);
  }
}

const fileName = (address) => address.slice(address.indexOf(":") + 1);

/** Blobs as values of the database, by the same verbs as files. */
class Values {
  #db;

  constructor(db) {
    this.#db = db;
  }

  get(name) {
    return this.#db.get("blobs", name);
  }

  async put(name, data) {
    const change = this.#db.transaction("blobs", "readwrite", durable);
    await Promise.all([change.store.put(data, name), change.done]);
  }

  delete(name) {
    return this.#db.delete("blobs", name);
  }
}

class TabStore {
  #name;
  #db;

  /** `name` is the deployment's: what is held carries it. Without `files` all blobs lie in the database, as `reason` says. */
  constructor(name, db, files, reason) {
    this.#name = name;
    this.#db = db;
    this.values = new Values(db);
    this.files = files;
    this.kind = files ? "opfs" : "idb";
    this.reason = reason;
  }

  /** The bytes at `address` as an ArrayBuffer, or undefined. Large ones of earlier versions lie in the database, too. */
  get(address) {
    return plainly(this.#found(address));
  }

  async #found(address) {
    return (await this.values.get(address)) ?? this.files?.get(fileName(address));
  }

  put(address, data) {
    const large = this.files && data.byteLength >= FILE_BYTES;
    return plainly(large ? this.files.put(fileName(address), data) : this.values.put(address, data));
  }

  delete(address) {
    return plainly(Promise.all([this.values.delete(address), this.files?.delete(fileName(address))]));
  }

  getRef(name) {
    return plainly(this.#db.get("refs", name));
  }

  setRef(name, data) {
    const change = this.#db.transaction("refs", "readwrite", durable);
    return plainly(Promise.all([change.store.put(data, name), change.done]));
  }

  deleteRef(name) {
    return plainly(this.#db.delete("refs", name));
  }

  /** The names of references that start with `prefix`. */
  refs(prefix) {
    return plainly(this.#db.getAllKeys("refs", IDBKeyRange.bound(prefix, `${prefix}\uffff`)));
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
