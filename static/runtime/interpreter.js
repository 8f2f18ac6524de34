// Starts Pyodide from the checked files and installs our packages into it.

import { FaultError } from "./fault.js";

/**
 * The interpreter with NumPy and our packages in it.
 *
 * `onStage(stage)` is told "python" and "packages"; `onFatal(error)` is called when the interpreter dies, now or
 * later: after that it can only be replaced.
 */
export async function startInterpreter(files, { onStage, onFatal }) {
  const start = async () => {
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
    onStage("packages");
    await install(pyodide, files);
    return pyodide;
  };
  return files.guardFetch(() => Promise.race([start(), files.failure]));
}

// micropip finds the package and all that it needs in the lock file beside the interpreter, and asks no index.
async function install(pyodide, files) {
  const problems = [];
  const messages = { messageCallback() {}, errorCallback: (text) => problems.push(text) };
  await pyodide.loadPackage("micropip", messages);
  try {
    const micropip = pyodide.pyimport("micropip");
    await micropip.install(files.lock.package);
    micropip.destroy();
  } catch (error) {
    problems.push(error.message);
  }
  const missing = files.lock.installs.filter((name) => !(name in pyodide.loadedPackages));
  if (missing.length) {
    console.info(problems.join("\n"));
    throw new FaultError(
      "SCL-BOOT-PACKAGE",
      `Python started, but these packages could not be loaded: ${missing.join(", ")}.`,
      "Reload the page.",
      { name: missing.join(", ") },
    );
  }
}
