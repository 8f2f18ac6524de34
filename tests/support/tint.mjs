// Compiles kernels that are read from stdin, a JSON list, with Tint, on Dawn's null backend: it has every feature and
// computes nothing. Prints a JSON list: what Tint says of each, or null. Of kernels for matrix units, which that adapter
// does not list, no pipeline is made.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { create, globals } = createRequire(import.meta.url)("webgpu");
Object.assign(globalThis, globals);
const gpu = create(["backend=null", "enable-dawn-features=allow_unsafe_apis"]);
const adapter = await gpu.requestAdapter();
const device = await adapter.requestDevice({
  requiredFeatures: ["shader-f16", "subgroups", "chromium-experimental-subgroup-matrix"],
});

async function compiled(code) {
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code });
  const compute = { module, entryPoint: "main" };
  if (code.includes("subgroup_matrix")) return (await device.popErrorScope())?.message ?? null;
  const made = device.createComputePipelineAsync({ layout: "auto", compute });
  const fault = await made.then(() => null, (error) => error.message);
  return (await device.popErrorScope())?.message ?? fault;
}

const said = [];
for (const code of JSON.parse(readFileSync(0, "utf8"))) said.push(await compiled(code));
console.log(JSON.stringify(said));
process.exit(0); // Dawn's threads would keep the process
