// NaN and infinity, told by bits: WGSL lets a compiler assume that no value is either.

const INFINITY_BITS = 0x7f800000u;

// A value that no compiler can see to be infinite, which WGSL forbids in a constant.
fn infinity(any: f32) -> f32 {
  return bitcast<f32>(INFINITY_BITS | (bitcast<u32>(any) & 0u));
}

fn is_nan(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > INFINITY_BITS;
}

// The lesser and the greater of two values; NaN where one of them is, as in NumPy.
fn minimum_f32(a: f32, b: f32) -> f32 {
  return select(select(min(a, b), b, is_nan(b)), a, is_nan(a));
}

fn maximum_f32(a: f32, b: f32) -> f32 {
  return select(select(max(a, b), b, is_nan(b)), a, is_nan(a));
}
