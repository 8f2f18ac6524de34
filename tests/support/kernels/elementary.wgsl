// One elementary function over an array of f32. Put in: `functions`, the file; FUNCTION, as `return name(x);`.

//#include functions

@group(0) @binding(0) var<storage, read> inputs: array<f32>;
@group(0) @binding(1) var<storage, read_write> outputs: array<f32>;

fn function(x: f32) -> f32 {
  //#put FUNCTION
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let i = id.y * groups.x * 64u + id.x;
  if (i < arrayLength(&inputs)) {
    outputs[i] = function(inputs[i]);
  }
}
