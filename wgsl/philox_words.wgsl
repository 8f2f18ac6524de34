// Philox blocks for given counters: what `scellis doctor` and the known-answer tests compute on a device.
//
// Bindings   0  requests  (n) of {counter vec4<u32>, key vec2<u32>, rounds u32, u32}
//            1  words     (n) vec4<u32>
// Workgroup  1 thread, one request a workgroup.
// Test       tests/native/test_philox.py, tests/browser/test_gpu.py.

//#include words
//#include philox.wgsl

struct Request {
  counter: vec4<u32>,
  key: vec2<u32>,
  rounds: u32,
}

@group(0) @binding(0) var<storage, read> requests: array<Request>;
@group(0) @binding(1) var<storage, read_write> words: array<vec4<u32>>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>) {
  let request = requests[workgroup.x];
  words[workgroup.x] = philox4x32(request.counter, request.key, request.rounds);
}
