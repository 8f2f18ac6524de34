// Runs the pool's contract suite inside the browser's own interpreter (Pyodide in Node): the host and its machine
// as they run in an inviting tab. Usage: node contract_in_wasm.mjs PYODIDE_DIR FOLDER... — folders join sys.path.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodideFolder, ...folders] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodideFolder, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: pyodideFolder });
folders.forEach((folder, at) => pyodide.mountNodeFS(`/mounted/${at}`, folder));
const names = folders.map((_, at) => `/mounted/${at}`);
pyodide.globals.set("names", pyodide.toPy(names));
const report = await pyodide.runPythonAsync(`
import sys, json, traceback
sys.path[:0] = list(names)
from support.pool_contract import CASES
from scellis.content import MemoryStore
from scellis.pool.log import MemoryLog, StoreLog

def memory():
    log = MemoryLog()
    return lambda: log

def store():
    kept = MemoryStore()
    return lambda: StoreLog(kept)

failed, passed = {}, 0
for name, case in CASES.items():
    for make in (memory, store):
        try:
            await case(make())
            passed += 1
        except BaseException:
            failed[f"{name}-{make.__name__}"] = traceback.format_exc()
json.dumps({"platform": sys.platform, "passed": passed, "failed": failed})
`);
console.log(report);
process.exit(0);
