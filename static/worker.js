// The worker in which Python and WebGPU live: boots the interpreter, then answers the page's calls.
//
// page → worker  {type:"start", scope, controlled, build} · {type:"call", id, method, params} · {type:"files", files} ·
//                {type, …} for listeners
// worker → page  {type:"boot", stage, percent} · {type:"fatal", fault} · {type:"view", name, model}
//                {type:"reply", id, result} | {type:"reply", id, error} · {type, …} from bridge.send

import { Bridge } from "./runtime/bridge.js";
import { FaultError, fault } from "./runtime/fault.js";
import { RuntimeFiles } from "./runtime/files.js";
import { startInterpreter } from "./runtime/interpreter.js";

/** Where each stage stands on the progress line: most of a first load is download. */
const PERCENT = { files: 0, python: 72, packages: 84, start: 96, ready: 100 };

let dispatch = null; // Python's async (method, params as JSON) -> answer as JSON
let bridge = null;
let reached = 0;

self.addEventListener("message", ({ data }) => {
  if (data.type === "start") start(data);
  else if (data.type === "call") answer(data);
  else if (data.type === "files") bridge?.keepFiles(data.files);
  else bridge?.deliver(data);
});
self.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  if (dispatch) return; // what is blocked later ends nothing that works
  die(
    fault(
      "SCL-BOOT-CSP",
      `The page's security policy (${effectiveDirective}) blocked ${blockedURI || "code"} in the worker.`,
      "The server's Content-Security-Policy must allow script-src 'self' 'wasm-unsafe-eval'.",
      { directive: effectiveDirective, blocked: blockedURI },
    ),
  );
});

async function start({ scope, controlled, build: pageBuild }) {
  try {
    stage("files");
    const files = await openFiles(scope, controlled, pageBuild);
    files.prefetch();
    const pyodide = await startInterpreter(files, { onStage: stage, onFatal: dieOf });
    stage("start");
    const { build, files: listed } = files.lock;
    const runtime = listed.find(({ name }) => name === "pyodide.asm.wasm").sha256;
    bridge = new Bridge({ scope, build, runtime });
    // For people at the console, and for the tests that count proxies.
    self.scellis = { pyodide, bridge };
    const app = pyodide.pyimport("scellis.app.browser");
    dispatch = await app.start(bridge);
    app.destroy();
    stage("ready");
  } catch (error) {
    dieOf(error);
  }
}

async function openFiles(scope, controlled, pageBuild) {
  const base = new URL("runtime/", scope).href;
  const response = await fetch(new URL("lock.json", base), { cache: "no-cache" });
  const lock = response.ok ? await response.json() : {};
  // An old tab that starts its worker anew after an update, or a server in the middle of one, has a mixture.
  if (lock.build !== SCELLIS_BUILD || pageBuild !== SCELLIS_BUILD) {
    throw new FaultError(
      "SCL-BOOT-MIXED",
      "The page and its files are of different versions: the site was updated in between.",
      "Reload the page.",
    );
  }
  // Progress is posted for each whole percent, not for each chunk.
  const onBytes = (done, total) => progress("files", Math.floor((PERCENT.python * done) / total));
  return new RuntimeFiles(base, lock, { scope, onBytes, fillCache: !controlled });
}

async function answer({ id, method, params }) {
  let reply;
  try {
    if (!dispatch) throw new Error("the interpreter is not ready");
    const coroutine = dispatch(method, JSON.stringify(params ?? {}));
    try {
      reply = JSON.parse(await coroutine);
    } finally {
      coroutine.destroy();
    }
  } catch (error) {
    // Python answers its own errors; what arrives here is a fault in the program.
    reply = { error: fault("SCL-APP-FAULT", lastLine(error.message), "Please report it.", { method }) };
    console.warn(error.message);
  }
  postMessage({ ...reply, type: "reply", id });
}

function stage(name) {
  progress(name, PERCENT[name]);
}

function progress(name, percent) {
  if (name !== "files" || percent > reached) {
    reached = Math.max(reached, percent);
    postMessage({ type: "boot", stage: name, percent: reached });
  }
}

function dieOf(error) {
  console.info(error);
  die(
    error.fault ??
      fault("SCL-BOOT-PYTHON", `Python stopped: ${lastLine(error.message)}`, "Start it again; saved runs are kept."),
  );
}

function die(reason) {
  postMessage({ type: "fatal", fault: reason });
}

function lastLine(text) {
  return String(text).trim().split("\n").pop();
}
