// A word taken apart without a shift, for software adapters. words_shift.wgsl has the same functions.
//
// SwiftShader takes vector shifts apart lane by lane: 12 cycles a lane against 3 for the plain instructions below, and
// four fifths of a sampling kernel's time was shifts (measured, Chromium 156).

// Every step is exact: the sixteen upper bits make an f32, scaling by 2^-16 makes it a signed integer, and adding
// 1.5 * 2^23 leaves that integer, in two's complement, in the lowest bits of the significand.
fn high_half(x: u32) -> u32 {
  return bitcast<u32>(f32(bitcast<i32>(x & 0xffff0000u)) * 0x1p-16f + 0x1.8p23f) & 0xffffu;
}

// (w div 2^9 + 1/2) 2^-23, exact: the top 23 bits as a signed number, moved up by half and by half a step.
fn uniform_from_word(w: u32) -> f32 {
  return f32(bitcast<i32>((w & 0xfffffe00u) ^ 0x80000000u)) * 0x1p-32f + 0x1.000002p-1f;
}
