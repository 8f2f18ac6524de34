// static/gpu.js in Node, on Dawn: the file that the page uses, without a page. Run by test_gpu_js.py.

import assert from "node:assert/strict";
import { test } from "node:test";

import { open, stats } from "../../static/gpu.js";
import { dawn } from "../support/dawn.mjs";

const gpu = dawn();
const CLEAR = 1;
const WRITE = 2;
const DISPATCH = 3;
const COLLECT = 4;
const ARGUMENT = 0x80000000;
const STORAGE = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
const NOTHING = { devices: 0, buffers: 0, bytes: 0, pipelines: 0, tapes: 0 };

const ADD = `
@group(0) @binding(0) var<storage, read> inputs: array<u32>;
@group(0) @binding(1) var<storage, read_write> outputs: array<u32>;
override factor: u32;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3<u32>) {
  outputs[id.x] += factor * inputs[id.x];
}`;

/** A tape that adds factor · inputs to cleared outputs, four of each; its arguments are the inputs. */
async function adder(device, depth = 2) {
  const pipeline = await device.pipeline(ADD, "main", JSON.stringify({ factor: 3 }), "add");
  const inputs = await device.buffer(16, STORAGE, "inputs");
  const outputs = await device.buffer(16, STORAGE, "outputs");
  const commands = [
    ...[WRITE, inputs, 0, 1, 4],
    ...[CLEAR, outputs, 0, 16],
    ...[DISPATCH, pipeline, (ARGUMENT | 0) >>> 0, 1, 1, 2, inputs, outputs],
    ...[COLLECT, outputs, 0, 16, 0],
  ];
  const tape = await device.tape(Uint32Array.from(commands), 16, depth, "adder");
  return { tape, inputs, outputs };
}

const numbers = (bytes) => [...new Uint32Array(bytes.buffer)];
const code = (wanted) => (error) => error.message.startsWith(`${wanted}: `);

test("an adapter says what it is", async () => {
  const device = await open(gpu);
  const info = JSON.parse(device.info());
  assert.match(info.device + info.description, /SwiftShader/i);
  assert.ok(info.limits.maxStorageBufferBindingSize >= 2 ** 27);
  for (const name of ["subgroups", "subgroup_id", "subgroups from 4"]) assert.ok(info.features.includes(name), name);
  device.close();
});

test("a tape plays in one crossing, and answers in flight do not mix", async () => {
  const device = await open(gpu);
  const { tape } = await adder(device);
  const before = JSON.parse(device.stats());
  const plays = [];
  for (let n = 1; n <= 7; n += 1) plays.push(device.replay(tape, null, 4, n, 2 * n, 3 * n, 4 * n));
  const answers = await Promise.all(plays);
  answers.forEach((bytes, at) => assert.deepEqual(numbers(bytes), [1, 2, 3, 4].map((k) => 3 * k * (at + 1))));
  const after = JSON.parse(device.stats());
  assert.equal(after.crossings - before.crossings, 7);
  assert.equal(after.submits - before.submits, 7);
  assert.equal(after.handles, before.handles);
  device.close();
});

test("what is cleared is zero, whatever stood there", async () => {
  const device = await open(gpu);
  const { tape, outputs } = await adder(device);
  device.write(outputs, 0, Uint8Array.from({ length: 16 }, () => 0xa5));
  assert.deepEqual(numbers(await device.replay(tape, null, 2, 1, 1, 1, 1)), [3, 3, 0, 0]);
  assert.deepEqual(numbers(await device.read(outputs, 4, 8)), [3, 0]);
  device.close();
});

test("buffers and bytes are counted, and given back", async () => {
  assert.deepEqual(stats(), NOTHING);
  const device = await open(gpu);
  const { tape } = await adder(device);
  assert.deepEqual(stats(), { devices: 1, buffers: 4, bytes: 64, pipelines: 1, tapes: 1 });
  for (let n = 0; n < 200; n += 1) await device.replay(tape, null, 1, n, 0, 0, 0);
  assert.deepEqual(stats(), { devices: 1, buffers: 4, bytes: 64, pipelines: 1, tapes: 1 });
  device.free(tape);
  device.free(tape);
  assert.deepEqual(stats(), { devices: 1, buffers: 2, bytes: 32, pipelines: 1, tapes: 0 });
  device.close();
  device.close();
  assert.deepEqual(stats(), NOTHING);
});

test("a kernel that does not compile is named, and so is one that does not fit its tape", async () => {
  const device = await open(gpu);
  await assert.rejects(device.pipeline("fn main() { nonsense(); }", "main", "{}", "bad"), code("SCL-GPU-SHADER"));
  await assert.rejects(device.pipeline(ADD, "nowhere", '{"factor": 1}', "bad"), code("SCL-GPU-SHADER"));
  const pipeline = await device.pipeline(ADD, "main", '{"factor": 1}', "add");
  const inputs = await device.buffer(16, STORAGE, "inputs");
  const short = Uint32Array.from([DISPATCH, pipeline, 1, 1, 1, 1, inputs]);
  await assert.rejects(device.tape(short, 16, 1, "short"), code("SCL-GPU-SHADER"));
  await assert.rejects(device.tape(Uint32Array.from([99]), 16, 1, "unknown"), code("SCL-GPU-SHADER"));
  device.close();
  assert.deepEqual(stats(), NOTHING);
});

test("a fault in a replay is told, not passed over with stale output", async () => {
  const device = await open(gpu);
  const { tape, outputs } = await adder(device);
  await device.replay(tape, null, 4, 1, 1, 1, 1);
  const beyond = Uint32Array.from([COLLECT, outputs, 0, (ARGUMENT | 0) >>> 0, 0]);
  const faulty = await device.tape(beyond, 64, 1, "beyond");
  await assert.rejects(device.replay(faulty, null, 64), code("SCL-GPU-SHADER"));
  assert.deepEqual(numbers(await device.replay(faulty, null, 16)), [3, 3, 3, 3]);
  device.close();
});

test("a buffer that the adapter cannot hold is refused", async () => {
  const device = await open(gpu);
  await assert.rejects(device.buffer(2 ** 40, STORAGE, "huge"), code("SCL-GPU-OOM"));
  assert.equal(stats().buffers, 0);
  device.close();
});

test("a lost device is told to those who wait and to those who come", async () => {
  const device = await open(gpu);
  const { tape } = await adder(device);
  const plays = [1, 2, 3].map((n) => device.replay(tape, null, 4, n, n, n, n));
  device.lose();
  const settled = await Promise.allSettled(plays);
  assert.ok(settled.every(({ reason }) => code("SCL-GPU-LOST")(reason)));
  assert.throws(() => device.replay(tape, null, 4, 1, 1, 1, 1), code("SCL-GPU-LOST"));
  await assert.rejects(device.buffer(16, STORAGE, "late"), code("SCL-GPU-LOST"));
  device.close();
  assert.deepEqual(stats(), NOTHING);
});

test("no WebGPU and no adapter are each said", async () => {
  await assert.rejects(open(undefined), code("SCL-GPU-NONE"));
  await assert.rejects(open({ requestAdapter: async () => null }), code("SCL-GPU-NONE"));
});
