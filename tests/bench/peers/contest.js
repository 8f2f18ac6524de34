// What run.py asks of a library, in the library's own worker: open, prepare a case, start and play rounds of it, close it.

import { digest } from "./data.js";

const CHECKED_ROWS = 8; // run.py computes so many rows of a mapped array in f64
const COUNTED = ["dispatches", "submits", "writes", "buffers", "bindGroups", "pipelines"];

/**
 * Offer a library. `library.open()` starts it on WebGPU. `library.cases[kind](size)` makes a case:
 *   poison()        leave NaN in buffers that it will be given, so that a kernel that does not run is noticed
 *   start(round)    input of this round and a first step of it, done when the promise is; a training goes on instead
 *   step()          ask for a step
 *   end()           the result of all steps asked for, read back
 *   losses(result)  of a training: each step's since start, read by now
 *   close()         give back what it holds
 */
export function enter(library) {
  let playing = null;
  let result = null;
  globalThis.contest = {
    open: () => library.open(),

    prepare({ kind, ...size }) {
      playing = library.cases[kind](size);
      playing.rows = size.shape;
    },

    async start(number) {
      await playing.poison();
      await playing.start(number);
    },

    async play(steps) {
      const before = { ...globalThis.gpuCounts };
      const began = performance.now();
      for (let n = 0; n < steps; n += 1) playing.step();
      result = await playing.end();
      const ms = performance.now() - began;
      return { ms, made: Object.fromEntries(COUNTED.map((name) => [name, globalThis.gpuCounts[name] - before[name]])) };
    },

    found: () => (playing.losses ? playing.losses(result) : digested(result, playing.rows)),

    close() {
      playing.close();
      playing = null;
    },

    errors: () => globalThis.gpuCounts.errors,
  };
  postMessage("here");
}

function digested(result, shape) {
  return digest(result, (CHECKED_ROWS * result.length) / shape.slice(0, -1).reduce((size, length) => size * length, 1));
}
