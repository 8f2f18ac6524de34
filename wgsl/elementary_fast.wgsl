// The functions of elementary.wgsl made of WGSL's built-ins, for the `fast` tier alone.
//
// No bound holds: on software WebGPU `cos` was off by 1.9e-4 and `log` near 1 by 7e-3 relative. Tests compare whole
// shards with the oracle, within the job's tolerance class, never single values.

fn log_unit(x: f32) -> f32 {
  return log(x);
}

fn log_f32(x: f32) -> f32 {
  return log(x);
}

fn expm1_f32(x: f32) -> f32 {
  return exp(x) - 1.0;
}

fn exp_f32(x: f32) -> f32 {
  return exp(x);
}

fn exp_nonpositive(x: f32) -> f32 {
  return exp(x);
}

// Never below zero, whatever the built-ins make of a u near 1: a square root follows.
fn powm1_unit(u: f32, exponent: f32) -> f32 {
  return max(exp2(exponent * log2(u)) - 1.0, 0.0);
}

fn sin2pi(u: f32) -> f32 {
  return sin(0x1.921fb6p+2f * u);
}

fn cos2pi(u: f32) -> f32 {
  return cos(0x1.921fb6p+2f * u);
}

// Beyond 10 it is 1, and a built-in made of exp may overflow.
fn tanh_f32(x: f32) -> f32 {
  return tanh(clamp(x, -10.0, 10.0));
}
