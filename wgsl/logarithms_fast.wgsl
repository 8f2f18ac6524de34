// The functions of logarithms.wgsl made of WGSL's built-ins, for the `fast` tier alone: no bound holds, as in
// elementary_fast.wgsl.

fn log1p_f32(x: f32) -> f32 {
  return log(1.0 + x);
}

fn log2_f32(x: f32) -> f32 {
  return log2(x);
}

fn log10_f32(x: f32) -> f32 {
  return log2(x) * 0x1.344136p-2f;
}

fn exp2_f32(x: f32) -> f32 {
  return exp2(x);
}
