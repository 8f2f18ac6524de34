// The interpreter's files: fetched from beside the page, each accepted by its hash alone.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

import { FaultError } from "./fault.js";
import { Precache } from "./precache.js";

const MIME = { wasm: "application/wasm", json: "application/json", mjs: "text/javascript", js: "text/javascript" };

/**
 * Fetches, checks and hands out the files that runtime/lock.json names.
 *
 * `base` is the URL of runtime/, `lock` the parsed lock file, `scope` the page's base URL. `onBytes(done, total)`
 * is told of every chunk. With `fillCache`, what was downloaded is left where the service worker will find it.
 */
export class RuntimeFiles {
  #network = globalThis.fetch.bind(globalThis); // the plain one, also while guardFetch is at work
  #byName;
  #precache;
  #onBytes;
  #fillCache;
  #pending = new Map();
  #done = 0;

  #fail;

  /**
   * Rejects with the first FaultError. Whoever waits for the interpreter waits for this too: Pyodide and micropip
   * report a file that did not come in words of their own, or not at all.
   */
  failure = new Promise((_, reject) => (this.#fail = reject));

  constructor(base, lock, { scope, onBytes, fillCache }) {
    this.base = base;
    this.lock = lock;
    this.#byName = new Map(lock.files.map((file) => [file.name, file]));
    this.#precache = new Precache(scope);
    this.#onBytes = onBytes;
    this.#fillCache = fillCache;
    this.totalBytes = lock.files.reduce((sum, file) => sum + file.size, 0);
  }

  url(name) {
    return new URL(name, this.base).href;
  }

  /** Start every download at once; `take` then waits for its own. A failure is kept for whoever takes the file. */
  prefetch() {
    for (const name of this.#byName.keys()) this.#start(name);
  }

  /** The checked bytes of one file, as a Uint8Array that is the caller's. Throws a FaultError that names the file. */
  async take(name) {
    const bytes = await this.#start(name);
    this.#pending.delete(name);
    return bytes;
  }

  /**
   * Run `work` with a fetch that answers requests for runtime files from the checked bytes: whatever Pyodide
   * loads by itself passes the same gate. Everything else goes to the network as before.
   */
  async guardFetch(work) {
    const plain = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input, this.base).href;
      const name = url.startsWith(this.base) ? url.slice(this.base.length) : "";
      if (!this.#byName.has(name)) return this.#network(input, init);
      return respond(name, await this.take(name));
    };
    try {
      return await work();
    } finally {
      globalThis.fetch = plain;
    }
  }

  #start(name) {
    let bytes = this.#pending.get(name);
    if (!bytes) {
      bytes = this.#fetch(this.#byName.get(name));
      bytes.catch(this.#fail);
      this.#pending.set(name, bytes);
    }
    return bytes;
  }

  async #fetch(file) {
    const url = this.url(file.name);
    let bytes = await this.#download(file, url, "default");
    if (!(await matches(file, bytes))) {
      // A stale or damaged copy in a cache on the way: ask the server itself, once.
      this.#count(-bytes.length);
      await this.#precache.forget(url, file.sha256);
      bytes = await this.#download(file, url, "reload");
      if (!(await matches(file, bytes))) {
        throw new FaultError(
          "SCL-BOOT-DAMAGED",
          `The file runtime/${file.name} is not the one that this version of the page was built with.`,
          "Reload the page. If that does not help, its server must be set up again with scripts/build.",
          { name: file.name },
        );
      }
    }
    if (this.#fillCache) await this.#precache.keep(url, file.sha256, respond(file.name, bytes));
    return bytes;
  }

  async #download(file, url, cache) {
    try {
      const response = await this.#network(url, { cache, credentials: "same-origin" });
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      return await this.#read(response.body.getReader(), file.size);
    } catch (error) {
      throw new FaultError(
        "SCL-BOOT-FETCH",
        `The file runtime/${file.name} could not be loaded: ${error.message}.`,
        "Check the connection and reload the page.",
        { name: file.name },
      );
    }
  }

  async #read(reader, size) {
    const bytes = new Uint8Array(size);
    let filled = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes.subarray(0, filled);
      if (filled + value.length > size) {
        // Longer than the lock says is wrong already: no need to read on.
        await reader.cancel();
        return new Uint8Array(0);
      }
      bytes.set(value, filled);
      filled += value.length;
      this.#count(value.length);
    }
  }

  #count(bytes) {
    this.#done += bytes;
    this.#onBytes(this.#done, this.totalBytes);
  }
}

function respond(name, bytes) {
  const type = MIME[name.split(".").pop()] ?? "application/octet-stream";
  return new Response(bytes, { headers: { "Content-Type": type } });
}

async function matches(file, bytes) {
  return bytes.length === file.size && (await digest(bytes)) === file.sha256;
}

// Pages from http://192.168.… have no WebCrypto; there the same sum is made in JavaScript.
async function digest(bytes) {
  const sum = globalThis.crypto?.subtle ? await crypto.subtle.digest("SHA-256", bytes) : sha256(bytes);
  return bytesToHex(new Uint8Array(sum));
}
