// The number of f16 nearest to one of f32, as f32: ties to even, subnormal numbers kept, infinity from 65520 on.
//
// WGSL's own conversions may round either way, and quantizeToF16 loses subnormal numbers. Reference: NumPy's float16.
// Test: tests/native/test_half.py.

const F16_INFINITE = 0x47800000u; // 65536 in f32
const F16_NORMAL = 0x38800000u; // 2^-14 in f32

fn round_f16(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  let size = bits & 0x7fffffffu;
  let even = (size + 0x0fffu + ((size >> 13u) & 1u)) & 0xffffe000u; // the 13 bits that f16 lacks
  let large = select(even, 0x7f800000u, even >= F16_INFINITE);
  // Below 2^-14 numbers are multiples of 2^-24, which is the spacing of f32 from 1/2 on.
  let steps = bitcast<u32>(bitcast<f32>(size) + 0.5) - 0x3f000000u;
  let small = bitcast<u32>(f32(steps) * 0x1p-24f);
  let held = select(large, small, size < F16_NORMAL);
  return bitcast<f32>((bits & 0x80000000u) | select(held, size, size > 0x7f800000u));
}
