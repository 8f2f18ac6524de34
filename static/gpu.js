// WebGPU behind about ten verbs over integer handles. It holds no policy: what to compute, in what sizes and when is
// decided in py/scellis/device/gpu.py. Runs in a tab's worker and, on Dawn, in Node.
//
//   info · buffer · write · pipeline · tape · replay · read · free · stats · close
//
// A tape is a packed list of commands, recorded once; `replay` plays it in one submit and answers with the bytes that
// it collected, so one crossing from Python does a whole step. Errors begin with their code: "SCL-GPU-LOST: …".

/** Words of a tape; py/scellis/device/tape.py writes them. A word with ARGUMENT set stands for replay's n-th argument. */
const CLEAR = 1; //    buffer, offset, size
const WRITE = 2; //    buffer, offset, first argument, number of arguments: u32 words
const DISPATCH = 3; // pipeline, x, y, z, number of buffers, buffers in the order of their bindings
const COLLECT = 4; //  buffer, offset, size, position in the answer
const COPY = 5; //     from buffer, to buffer, size
const ARGUMENT = 0x80000000;

/** What kernels use where the adapter has it. */
const USED_FEATURES = ["shader-f16", "subgroups", "chromium-experimental-subgroup-matrix"];

/** The same of WGSL itself. */
const USED_LANGUAGE = ["subgroup_id"];

/** Of which kernels use as much as the adapter has. */
const USED_LIMITS = [
  "maxBufferSize",
  "maxComputeWorkgroupStorageSize",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
];

const live = { devices: 0, buffers: 0, bytes: 0, pipelines: 0, tapes: 0 };

/** What is alive in all open devices. */
export function stats() {
  return { ...live };
}

class GpuError extends Error {
  constructor(code, message) {
    super(`${code}: ${message}`);
    this.name = "GpuError";
  }
}

/** Open the best adapter of `gpu` (navigator.gpu in a browser). Throws SCL-GPU-NONE where there is none. */
export async function open(gpu = globalThis.navigator?.gpu) {
  if (!gpu) throw new GpuError("SCL-GPU-NONE", "this browser has no WebGPU");
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new GpuError("SCL-GPU-NONE", "WebGPU found no adapter");
  const requiredLimits = Object.fromEntries(USED_LIMITS.map((name) => [name, adapter.limits[name]]));
  try {
    const requiredFeatures = USED_FEATURES.filter((name) => adapter.features.has(name));
    const device = await adapter.requestDevice({ requiredLimits, requiredFeatures });
    return new Gpu(adapter, device, USED_LANGUAGE.filter((name) => gpu.wgslLanguageFeatures?.has(name)));
  } catch (error) {
    throw new GpuError("SCL-GPU-NONE", `the adapter gave no device (${error.message})`);
  }
}

/** How small an adapter's subgroups may be, their size if it is always the same, and the matrices that they multiply. */
function ofSubgroups({ subgroupMinSize, subgroupMaxSize, subgroupMatrixConfigs }) {
  const said = subgroupMinSize ? [`subgroups from ${subgroupMinSize}`] : [];
  if (subgroupMinSize && subgroupMinSize === subgroupMaxSize) said.push(`subgroups of ${subgroupMaxSize}`);
  for (const { M, N, K, componentType, resultComponentType } of subgroupMatrixConfigs ?? []) {
    said.push(`matrices ${componentType} ${M}x${N}x${K} ${resultComponentType}`);
  }
  return said;
}

class Gpu {
  #adapter;
  #device;
  #language;
  #things = new Map(); // handle -> {kind, …, free()}
  #lastHandle = 0;
  #counts = { crossings: 0, submits: 0, dispatches: 0 };
  #held = { bytes: 0, peak_bytes: 0 };
  #lost = null;
  #open = true;

  constructor(adapter, device, language) {
    this.#adapter = adapter;
    this.#device = device;
    this.#language = language;
    live.devices += 1;
    device.lost.then(({ message }) => (this.#lost = message || "it was destroyed"));
  }

  /** What the adapter says of itself, and the limits that the device was given, as JSON. */
  info() {
    this.#counts.crossings += 1;
    const { info, features } = this.#adapter;
    const { limits } = this.#device;
    const { vendor, architecture, device, description } = info;
    const names = [];
    for (const name in limits) if (typeof limits[name] === "number") names.push(name);
    return JSON.stringify({
      vendor,
      architecture,
      device,
      description,
      fallback: Boolean(info.isFallbackAdapter ?? this.#adapter.isFallbackAdapter),
      features: [...features, ...this.#language, ...ofSubgroups(info)].sort(),
      limits: Object.fromEntries(names.sort().map((name) => [name, limits[name]])),
    });
  }

  /** A buffer of `size` bytes for `usage` (GPUBufferUsage). Throws SCL-GPU-OOM. */
  async buffer(size, usage, label) {
    this.#begin();
    const made = await this.#guard("SCL-GPU-OOM", label, () => this.#device.createBuffer({ size, usage, label }));
    live.buffers += 1;
    live.bytes += size;
    this.#held.bytes += size;
    this.#held.peak_bytes = Math.max(this.#held.peak_bytes, this.#held.bytes);
    return this.#keep({
      buffer: made,
      free: () => {
        made.destroy();
        live.buffers -= 1;
        live.bytes -= size;
        this.#held.bytes -= size;
      },
    });
  }

  /** Copy bytes into a buffer, before whatever is submitted next. */
  write(handle, offset, bytes) {
    this.#begin();
    this.#device.queue.writeBuffer(this.#buffer(handle), offset, bytes);
  }

  /** Compile a compute pipeline; `constants` are its overrides, as JSON. Throws SCL-GPU-SHADER. */
  async pipeline(wgsl, entryPoint, constants, label) {
    this.#begin();
    const pipeline = await this.#guard("SCL-GPU-SHADER", label, () => {
      const module = this.#device.createShaderModule({ code: wgsl, label });
      const compute = { module, entryPoint, constants: JSON.parse(constants) };
      return this.#device.createComputePipelineAsync({ layout: "auto", compute, label });
    });
    live.pipelines += 1;
    return this.#keep({ pipeline, free: () => (live.pipelines -= 1) });
  }

  /** Record commands (Uint32Array). The answers of `depth` replays in flight have `size` bytes at most. */
  async tape(commands, size, depth, label) {
    this.#begin();
    const steps = await this.#guard("SCL-GPU-SHADER", label, () => this.#steps(commands));
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const stages = [];
    try {
      for (let n = 0; n < depth; n += 1) stages.push(await this.buffer(size, usage, `${label} answer ${n}`));
    } catch (error) {
      stages.forEach((stage) => this.free(stage));
      throw error;
    }
    live.tapes += 1;
    return this.#keep({
      steps,
      slots: stages.map((stage) => ({ staging: this.#buffer(stage), free: Promise.resolve() })),
      turn: 0,
      free: () => {
        live.tapes -= 1;
        stages.forEach((stage) => this.free(stage));
      },
    });
  }

  /**
   * Play a tape in one submit, once `writes` are written. Resolves to what it collected, as a Uint8Array. Throws
   * SCL-GPU-LOST. `writes` is a Uint8Array, or nothing: how many there are, of each buffer, offset and size, all u32;
   * then their bytes, one after the other.
   */
  replay(handle, writes, ...args) {
    this.#begin();
    if (writes) this.#writeAll(writes);
    const tape = this.#things.get(handle);
    const slot = tape.slots[tape.turn++ % tape.slots.length];
    const answer = slot.free.then(() => this.#play(tape.steps, slot.staging, args));
    slot.free = answer.then(nothing, nothing);
    return answer;
  }

  /** The bytes of a part of a buffer, once all work before is done. */
  async read(handle, offset, size) {
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const stage = await this.buffer(size, usage, "read");
    try {
      const collect = { op: COLLECT, buffer: this.#buffer(handle), offset, size, at: 0 };
      return await this.#play([collect], this.#buffer(stage), []);
    } finally {
      this.free(stage);
    }
  }

  /** Give up a handle; an unknown one is ignored, so that freeing twice is once. */
  free(handle) {
    this.#counts.crossings += 1;
    this.#things.get(handle)?.free();
    this.#things.delete(handle);
  }

  /** Counts since opening, and the bytes of buffers that are alive and were at most, as JSON. */
  stats() {
    return JSON.stringify({ ...this.#counts, ...this.#held, handles: this.#things.size });
  }

  /** Take the device away, as a driver may at any time: for tests of what happens then. */
  lose() {
    this.#device.destroy();
  }

  /** Free everything and give the device back. */
  close() {
    if (!this.#open) return;
    this.#open = false;
    for (const handle of [...this.#things.keys()].reverse()) this.free(handle);
    this.#device.destroy();
    live.devices -= 1;
  }

  #begin() {
    this.#counts.crossings += 1;
    this.#checkAlive();
  }

  #checkAlive() {
    if (this.#lost !== null) throw new GpuError("SCL-GPU-LOST", this.#lost);
  }

  #keep(thing) {
    this.#lastHandle += 1;
    this.#things.set(this.#lastHandle, thing);
    return this.#lastHandle;
  }

  #buffer(handle) {
    return this.#things.get(handle).buffer;
  }

  /** Run `work` inside error scopes; what they catch, or what it throws, is an error of `code`. */
  async #guard(code, label, work) {
    for (const filter of ["internal", "validation", "out-of-memory"]) this.#device.pushErrorScope(filter);
    let result, thrown;
    try {
      // Started, not awaited: scopes are popped in the same turn in which they were pushed.
      result = Promise.resolve(work());
      result.catch(nothing);
    } catch (error) {
      thrown = error;
    }
    const caught = await Promise.all([0, 1, 2].map(() => this.#device.popErrorScope().catch(nothing)));
    const fault = caught.find(Boolean) ?? thrown ?? (await result.then(nothing, (error) => error));
    this.#checkAlive();
    if (fault) throw new GpuError(code, `${label}: ${fault.message}`);
    return result;
  }

  #writeAll(bytes) {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    let from = 4 + 12 * words[0];
    for (let at = 1; at <= 3 * words[0]; at += 3) {
      const [handle, offset, size] = words.subarray(at, at + 3);
      this.#device.queue.writeBuffer(this.#buffer(handle), offset, bytes, from, size);
      from += size;
    }
  }

  #steps(words) {
    const steps = [];
    for (let at = 0; at < words.length; ) {
      const op = words[at++];
      if (op === CLEAR) {
        const [buffer, offset, size] = words.subarray(at, (at += 3));
        steps.push({ op, buffer: this.#buffer(buffer), offset, size });
      } else if (op === WRITE) {
        const [buffer, offset, first, count] = words.subarray(at, (at += 4));
        steps.push({ op, buffer: this.#buffer(buffer), offset, first, data: new Uint32Array(count) });
      } else if (op === DISPATCH) {
        const [handle, x, y, z, count] = words.subarray(at, (at += 5));
        const { pipeline } = this.#things.get(handle);
        const entries = Array.from(words.subarray(at, (at += count)), (buffer, binding) => {
          return { binding, resource: { buffer: this.#buffer(buffer) } };
        });
        const bindings = this.#device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
        steps.push({ op, pipeline, bindings, size: [x, y, z] });
      } else if (op === COLLECT) {
        const [buffer, offset, size, position] = words.subarray(at, (at += 4));
        steps.push({ op, buffer: this.#buffer(buffer), offset, size, at: position });
      } else if (op === COPY) {
        const [source, target, size] = words.subarray(at, (at += 3));
        steps.push({ op, buffer: this.#buffer(source), target: this.#buffer(target), size });
      } else {
        throw new Error(`a tape has no command ${op}`);
      }
    }
    return steps;
  }

  async #play(steps, staging, args) {
    this.#checkAlive();
    let size, mapped;
    try {
      await this.#guard("SCL-GPU-SHADER", "replay", () => {
        size = this.#submit(steps, staging, args);
        mapped = staging.mapAsync(GPUMapMode.READ, 0, size);
        mapped.catch(nothing);
      });
    } catch (error) {
      mapped?.then(() => staging.unmap(), nothing);
      throw error;
    }
    try {
      await mapped;
    } catch (error) {
      // A staging buffer of ours fails to map only when its device is gone; `lost` may be told a little later.
      this.#lost ??= error.message;
      this.#checkAlive();
    }
    const answer = new Uint8Array(staging.getMappedRange(0, size).slice(0));
    staging.unmap();
    return answer;
  }

  /** Encode and submit; answers how many bytes were collected. */
  #submit(steps, staging, args) {
    const value = (word) => (word >= ARGUMENT ? args[word - ARGUMENT] : word);
    const encoder = this.#device.createCommandEncoder();
    let pass = null;
    let collected = 0;
    for (const step of steps) {
      if (step.op === DISPATCH) {
        pass ??= encoder.beginComputePass();
        pass.setPipeline(step.pipeline);
        pass.setBindGroup(0, step.bindings);
        pass.dispatchWorkgroups(...step.size.map(value));
        this.#counts.dispatches += 1;
        continue;
      }
      pass?.end();
      pass = null;
      if (step.op === CLEAR) {
        encoder.clearBuffer(step.buffer, value(step.offset), value(step.size));
      } else if (step.op === WRITE) {
        step.data.set(args.slice(step.first, step.first + step.data.length));
        this.#device.queue.writeBuffer(step.buffer, step.offset, step.data);
      } else if (step.op === COPY) {
        encoder.copyBufferToBuffer(step.buffer, 0, step.target, 0, step.size);
      } else {
        const [size, at] = [value(step.size), value(step.at)];
        encoder.copyBufferToBuffer(step.buffer, value(step.offset), staging, at, size);
        collected = Math.max(collected, at + size);
      }
    }
    pass?.end();
    this.#device.queue.submit([encoder.finish()]);
    this.#counts.submits += 1;
    return collected;
  }
}

function nothing() {}
