// The device bench as a tab would run it, without a tab: Pyodide, static/gpu.js and Dawn in one Node process.
//
//   node tests/bench/node/bench.mjs RUNTIME [OPTIONS [BENCH]]      RUNTIME: runtime/ of a built site; BENCH: a module
//                                                                 of tests/bench, device_bench if none; OPTIONS: its, JSON
// Software Vulkan: point VK_DRIVER_FILES at SwiftShader's manifest in Chromium's folder, LD_LIBRARY_PATH at the folder.

import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { open, stats } from "../../../static/gpu.js";
import { dawn } from "../../support/dawn.mjs";

const runtime = resolve(process.argv[2] ?? "dist/runtime");
const root = fileURLToPath(new URL("../../../", import.meta.url));
const lock = JSON.parse(await readFile(join(runtime, "lock.json"), "utf8"));
// Below a package.json that says "module", Node takes pyodide.asm.js for a module; it wants these two of a script.
Object.assign(globalThis, { require: createRequire(import.meta.url), __dirname: runtime });
const { loadPyodide } = await import(pathToFileURL(join(runtime, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: runtime });
await pyodide.loadPackage(lock.installs, { messageCallback() {}, errorCallback: console.error });
pyodide.mountNodeFS("/project", root);

/** What the driver of the first NVIDIA card counts as used, by all processes; 0 where there is no such card. */
function driverBytes() {
  try {
    const mib = execFileSync("nvidia-smi", ["--id=0", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]);
    return Number(mib) * 2 ** 20;
  } catch {
    return 0;
  }
}

// Sources before the wheel, so that what is measured is what stands in the tree.
pyodide.runPython("import sys; sys.path.insert(0, '/project/py')");
pyodide.globals.set("bridge", { open: () => open(dawn(["enable-dawn-features=vulkan_enable_f16_on_nvidia,allow_unsafe_apis"])), stats });
pyodide.registerJsModule("machine", { driver_bytes: driverBytes });
pyodide.globals.set("options", process.argv[3] ?? "{}");
pyodide.globals.set("named", process.argv[4] ?? "device_bench");
pyodide.globals.set("say", (line) => console.log(line));
await pyodide.runPythonAsync(`
import importlib, json, sys, time
from scellis.device.browser import open_browser_gpu
sys.path.insert(0, "/project/tests")  # not before: its folder js/ would hide Pyodide's module js
module = importlib.import_module(f"bench.{named}")
device = await open_browser_gpu(bridge)
try:
    await module.bench(device, time.perf_counter, module.Options(**json.loads(options)), say)
finally:
    await device.close()
`);
process.exit(0); // Dawn's threads would keep the process
