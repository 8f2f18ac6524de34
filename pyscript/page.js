// Shows what example.py computed. Without cross-origin isolation a PyScript worker has no document, so Python
// offers `sync.run` and the page asks for it.

import { whenDefined } from "./core/core.js";

const output = document.getElementById("result");

try {
  const program = await fetch("../examples/gauge_block.sml");
  const { xworker } = await whenDefined("py");
  await xworker.ready;
  output.textContent = await xworker.sync.run(await program.text());
} catch (error) {
  output.textContent = `PyScript could not run example.py: ${error.message}`;
}
