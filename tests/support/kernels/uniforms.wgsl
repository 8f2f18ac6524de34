// The uniform of each word.

//#include words
//#include philox.wgsl
//#include stream.wgsl

@group(0) @binding(0) var<storage, read> inputs: array<u32>;
@group(0) @binding(1) var<storage, read_write> outputs: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let i = id.y * groups.x * 64u + id.x;
  if (i < arrayLength(&inputs)) {
    outputs[i] = uniform_from_word(inputs[i]);
  }
}
