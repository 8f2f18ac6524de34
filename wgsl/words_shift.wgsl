// The upper half of a word, by a shift: one instruction on a GPU. words_float.wgsl has the same function.

fn high_half(x: u32) -> u32 {
  return x >> 16u;
}
