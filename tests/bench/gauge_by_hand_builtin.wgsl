fn hand_log2(x: f32) -> f32 {
  return log2(x);
}

fn hand_exp2(x: f32) -> f32 {
  return exp2(x);
}

fn hand_cos(turns: f32) -> f32 {
  return cos(6.283185307 * turns);
}

fn hand_sin(turns: f32) -> f32 {
  return sin(6.283185307 * turns);
}
