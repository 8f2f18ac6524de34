// Counts what a library asks of WebGPU, and keeps its errors. Loaded before the library in each worker; in Scellis'
// worker, which runs already, it is evaluated: methods are looked up on the prototype at each call.

(() => {
  const counts = { dispatches: 0, submits: 0, writes: 0, buffers: 0, bindGroups: 0, pipelines: 0, errors: [] };
  globalThis.gpuCounts = counts;

  function count(type, key, ...names) {
    for (const name of names) {
      const original = type.prototype[name];
      type.prototype[name] = function (...args) {
        counts[key] += 1;
        return original.apply(this, args);
      };
    }
  }

  count(GPUComputePassEncoder, "dispatches", "dispatchWorkgroups", "dispatchWorkgroupsIndirect");
  count(GPUQueue, "submits", "submit");
  count(GPUQueue, "writes", "writeBuffer");
  count(GPUDevice, "buffers", "createBuffer");
  count(GPUDevice, "bindGroups", "createBindGroup");
  count(GPUDevice, "pipelines", "createComputePipeline", "createComputePipelineAsync");

  // A kernel that failed leaves what was there before: without this nobody would hear of it.
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (...args) {
    const device = await requestDevice.apply(this, args);
    device.addEventListener("uncapturederror", ({ error }) => counts.errors.push(error.message));
    return device;
  };
})();
