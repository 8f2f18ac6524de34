// The upper half of a word without a shift, for software adapters. words_shift.wgsl has the same function.
//
// SwiftShader takes vector shifts apart lane by lane: 12 cycles a lane against 3 for the five plain instructions
// below, and four fifths of a sampling kernel's time was shifts (measured, Chromium 156). Every step is exact: the
// sixteen upper bits make an f32, scaling by 2^-16 makes it a signed integer, and adding 1.5 * 2^23 leaves that
// integer, in two's complement, in the lowest bits of the significand.

fn high_half(x: u32) -> u32 {
  return bitcast<u32>(f32(bitcast<i32>(x & 0xffff0000u)) * 0x1p-16f + 0x1.8p23f) & 0xffffu;
}
