// Between Python in this worker and the page. JSON text crosses into Python, never live objects: a proxy that
// was never made cannot leak. Bytes cross beside the JSON, and their buffers are transferred.

import { fetchData } from "../fetching.js";
import * as gpu from "../gpu.js";
import * as keys from "../keys.js";
import * as socket from "../socket.js";
import { openStore, persisted } from "../store.js";

/**
 * What `scellis.app.browser.start(bridge)` is given.
 *
 * | member                    | what it is                                                                |
 * | ------------------------- | ------------------------------------------------------------------------- |
 * | view(name, json)          | show a view model                                                         |
 * | send(type, json, bytes)   | a message to the page: {type, ...json, bytes}; a Uint8Array is transferred |
 * | listen(type, callback)    | callback(json, bytes) for each message of that type; null stops it          |
 * | gpu                       | the functions of static/gpu.js                                            |
 * | keys                      | the functions of static/keys.js                                           |
 * | socket                    | the functions of static/socket.js                                         |
 * | openStore()               | this deployment's store (static/store.js); rejects where none is kept      |
 * | persisted()               | whether the browser keeps the store under pressure                        |
 * | persist()                 | ask the browser to keep the store; true where it agrees                     |
 * | takeFile(token)           | the bytes of a file that the page handed over, once                        |
 * | fetchData(url, limit)     | the function of static/fetching.js                                        |
 * | origin                    | the page's own origin, as other hosts see it                               |
 * | scope                     | URL of the page's folder: every stored name carries it                    |
 * | build                     | identity of this build of the site                                        |
 * | runtime                   | sha256 of the interpreter's own wasm                                      |
 */
export class Bridge {
  #listeners = new Map();
  #files = new Map(); // token → File: a handle on the disk, no bytes yet

  constructor({ scope, build, runtime }) {
    this.scope = scope;
    this.origin = new URL(scope).origin;
    this.build = build;
    this.runtime = runtime;
    this.gpu = gpu;
    this.keys = keys;
    this.socket = socket;
    this.fetchData = fetchData;
  }

  openStore = () => openStore(new URL(this.scope).pathname);

  /** Only the page can ask: workers have no such function. */
  persist = () => new Promise((resolve) => {
    this.listen("persisted", (json) => resolve(JSON.parse(json).persisted));
    this.send("persist", "{}");
  });

  persisted = persisted;

  view = (name, json) => postMessage({ type: "view", name, model: JSON.parse(json) });

  send = (type, json, bytes = undefined) => {
    postMessage({ ...JSON.parse(json), type, bytes }, bytes ? [bytes.buffer] : []);
  };

  listen = (type, callback) => {
    if (callback) this.#listeners.set(type, callback);
    else this.#listeners.delete(type);
  };

  takeFile = async (token) => {
    const file = this.#files.get(token);
    this.#files.delete(token);
    return new Uint8Array(await file.arrayBuffer());
  };

  /** Keep what a person gave, [[token, File], …], in the place of what they gave before. */
  keepFiles(files) {
    this.#files = new Map(files);
  }

  /** Hand a message of the page to Python's listener; false when nobody listens for its type. */
  deliver({ type, bytes, ...rest }) {
    const listener = this.#listeners.get(type);
    listener?.(JSON.stringify(rest), bytes);
    return Boolean(listener);
  }
}
