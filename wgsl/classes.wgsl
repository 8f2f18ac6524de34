// NaN and infinity, told by bits: WGSL lets a compiler assume that no value is either.

const INFINITY_BITS = 0x7f800000u;

// A value that no compiler can see to be infinite, which WGSL forbids in a constant.
fn infinity(any: f32) -> f32 {
  return bitcast<f32>(INFINITY_BITS | (bitcast<u32>(any) & 0u));
}

fn is_nan(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > INFINITY_BITS;
}

fn is_infinite(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) == INFINITY_BITS;
}

fn not_a_number(any: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(any) | 0x7fc00000u);
}

// The size of one and the sign of another, zeros and infinities included.
fn with_sign(size: f32, sign: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(size) & 0x7fffffffu) | (bitcast<u32>(sign) & 0x80000000u));
}

// Is it zero, or a subnormal value, which counts as zero?
fn is_zero(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) < 0x800000u;
}

// An odd function of any x, given its value of |x| where that is a normal number.
fn odd_of_any(x: f32, size: f32) -> f32 {
  return select(with_sign(select(size, 0.0, is_zero(x)), x), x, is_nan(x));
}

// The lesser and the greater of two values; NaN where one of them is, as in NumPy.
fn minimum_f32(a: f32, b: f32) -> f32 {
  return select(select(min(a, b), b, is_nan(b)), a, is_nan(a));
}

fn maximum_f32(a: f32, b: f32) -> f32 {
  return select(select(max(a, b), b, is_nan(b)), a, is_nan(a));
}
