// WebGPU in Node: Dawn, from the npm package `webgpu` or, where an archive was carried, from beside this file.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** What navigator.gpu is in a browser. Held for good: Dawn crashes when it is collected while a device lives. */
export function dawn(options = []) {
  const carried = new URL("./dawn.node", import.meta.url);
  const { create, globals } = require(existsSync(carried) ? carried.pathname : "webgpu");
  Object.assign(globalThis, globals);
  globalThis.dawnInstance ??= create(["backend=vulkan", ...options]);
  return globalThis.dawnInstance;
}
