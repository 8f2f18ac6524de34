// For each word the high and low words of its products with both multipliers of Philox.

//#include words
//#include philox.wgsl

@group(0) @binding(0) var<storage, read> inputs: array<u32>;
@group(0) @binding(1) var<storage, read_write> outputs: array<vec4<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&inputs)) {
    let x = multiply_m0(inputs[id.x]);
    let y = multiply_m1(inputs[id.x]);
    outputs[id.x] = vec4<u32>(x.high, x.low, y.high, y.low);
  }
}
