// A word taken apart, by shifts: what a GPU does best. words_float.wgsl has the same functions for software adapters.

fn high_half(x: u32) -> u32 {
  return x >> 16u;
}

// (w div 2^9 + 1/2) 2^-23, exact: the top 23 bits become the fraction of a number between 1 and 2.
fn uniform_from_word(w: u32) -> f32 {
  return bitcast<f32>((w >> 9u) | 0x3f800000u) - 0x1.fffffep-1f;
}
