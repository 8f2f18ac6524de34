// The upper half of a word, by a shift: one instruction on a GPU. halves_float.wgsl is the same function.

fn high_half(x: u32) -> u32 {
  return x >> 16u;
}
