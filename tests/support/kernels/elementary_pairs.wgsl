// One elementary function of two arguments over pairs of f32. Put in: `functions`, the file; FUNCTION, as `return name(x, y);`.

//#include functions

@group(0) @binding(0) var<storage, read> inputs: array<f32>;
@group(0) @binding(1) var<storage, read_write> outputs: array<f32>;

fn function(x: f32, y: f32) -> f32 {
  //#put FUNCTION
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
  let i = id.y * groups.x * 64u + id.x;
  if (i < arrayLength(&outputs)) {
    outputs[i] = function(inputs[2u * i], inputs[2u * i + 1u]);
  }
}
