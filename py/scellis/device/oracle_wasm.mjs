// The oracle in the browser's own WebAssembly build, run by Node for a native process: same interpreter, same NumPy,
// same bits as in a tab. Started as `node oracle_wasm.mjs RUNTIME`, RUNTIME being a built site's runtime/ folder.
// One request a line on standard input, one answer a line on standard output (device/oracle_remote.py).
import { createInterface } from "node:readline";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const lock = JSON.parse(await readFile(join(folder, "lock.json"), "utf8"));
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const note = (line) => process.stderr.write(`${line}\n`);
const pyodide = await loadPyodide({ indexURL: folder, stdout: note, stderr: note });
await pyodide.loadPackage(lock.installs, { messageCallback() {}, errorCallback: note });
const remote = pyodide.pyimport("scellis.device.oracle_remote");
const runtime = lock.files.find(({ name }) => name === "pyodide.asm.wasm").sha256;
process.stdout.write(`${remote.greeting(runtime)}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${await remote.answer(line)}\n`);
}
