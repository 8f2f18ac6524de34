// Starts Pyodide from the checked files and installs our packages into it.

import { FaultError } from "./fault.js";

const WHEEL_FOLDER = "/tmp/scellis-wheels";

/**
 * The interpreter with NumPy, micropip and our wheels in it.
 *
 * `onStage(stage)` is told "python", "numpy", "packages"; `onFatal(error)` is called when the interpreter dies,
 * now or later: after that it can only be replaced.
 */
export async function startInterpreter(files, { onStage, onFatal }) {
  return files.guardFetch(async () => {
    onStage("python");
    // Modules are loaded by the browser itself, past the guarded fetch: check them before they run.
    await Promise.all(["pyodide.mjs", "pyodide.asm.js"].map((name) => files.take(name)));
    const { loadPyodide } = await import(files.url("pyodide.mjs"));
    const pyodide = await loadPyodide({
      indexURL: files.base,
      stdout: (line) => console.log(line),
      stderr: (line) => console.warn(line),
    });
    pyodide._api.on_fatal = onFatal;
    onStage("numpy");
    await loadPackages(pyodide, files.lock.packages);
    onStage("packages");
    await installWheels(pyodide, files);
    return pyodide;
  });
}

async function loadPackages(pyodide, names) {
  const problems = [];
  await pyodide.loadPackage(names, { messageCallback() {}, errorCallback: (text) => problems.push(text) });
  const missing = names.filter((name) => !(name in pyodide.loadedPackages));
  if (missing.length) {
    throw new FaultError(
      "SCL-BOOT-PACKAGE",
      `Python started, but ${missing.join(", ")} could not be loaded. ${problems.join(" ")}`,
      "Reload the page.",
      { name: missing.join(", ") },
    );
  }
}

// The lock is the whole set of packages, so micropip resolves nothing and asks no index.
async function installWheels(pyodide, files) {
  pyodide.FS.mkdirTree(WHEEL_FOLDER);
  const paths = [];
  for (const name of files.lock.wheels) {
    const path = `${WHEEL_FOLDER}/${name}`;
    pyodide.FS.writeFile(path, await files.take(name), { canOwn: true });
    paths.push(path);
  }
  const micropip = pyodide.pyimport("micropip");
  const list = pyodide.toPy(paths.map((path) => `emfs:${path}`));
  try {
    await micropip.install.callKwargs(list, { deps: false });
  } finally {
    list.destroy();
    micropip.destroy();
    for (const path of paths) pyodide.FS.unlink(path);
  }
}
