// digamma, the derivative of lgamma, and trigamma, that of digamma, of our own, in f32, for every tier.
//
// Error: of digamma at most 4 ulp for x > 0, about its zero too; below 0, where it crosses zero between whole numbers, at
// most 6 ulp of the larger of its two terms. Of trigamma at most 4 ulp. Measured against f64 by
// tests/native/test_elementary.py; found: see docs/numerics/README.md. Coefficients: docs/numerics/coefficients.py.
//
// At zero digamma is infinite, with the other sign, at negative whole numbers and -infinity NaN; trigamma is infinite at
// zero and negative whole numbers, NaN at -infinity. A subnormal number counts as zero.

//#include classes.wgsl
//#include tangent.wgsl
//#include exponents.wgsl

const ZERO_BITS = 0x3fbb16c3u; // of the f32 below x0, the zero of digamma
const ZERO_REST = 0x1.ab5f2p-27f; // x0 less that
const ZERO_LESS_1 = 0x1.d8b618p-2f;

// digamma(x0 + t) for x0 + t between 1 and 2.
fn digamma_about_zero(t: f32) -> f32 {
  var p = 0x1.9aaa0ap-7f;
  p = p * t - 0x1.3bdeb4p-6f;
  p = p * t + 0x1.63210cp-6f;
  p = p * t - 0x1.0add56p-5f;
  p = p * t + 0x1.929316p-5f;
  p = p * t - 0x1.27d448p-4f;
  p = p * t + 0x1.b972bep-4f;
  p = p * t - 0x1.4fc174p-3f;
  p = p * t + 0x1.08b4c2p-2f;
  p = p * t - 0x1.c563b4p-2f;
  p = p * t + 0x1.ef72bcp-1f;
  return t * p;
}

// For x >= 2.
fn digamma_large(x: f32) -> f32 {
  let r = 1.0 / x;
  let z = r * r;
  var p = -0x1.df3e8cp-10f;
  p = p * z + 0x1.d2c2bcp-9f;
  p = p * z - 0x1.0ffa18p-7f;
  p = p * z + 0x1.555458p-4f;
  return log_moderate(x) - (0.5 * r + z * p);
}

// digamma(1 + x) for x >= 0.
fn digamma_after(x: f32) -> f32 {
  return select(digamma_large(max(1.0 + x, 2.0)), digamma_about_zero(min(x, 1.0) - ZERO_LESS_1), x < 1.0);
}

fn digamma_positive(x: f32) -> f32 {
  if (x >= 2.0) {
    return digamma_large(x);
  }
  if (x >= 1.0) {
    // Bits are counted from the zero on, so that what is taken from x cannot be merged with the rest.
    return digamma_about_zero(f32(bitcast<i32>(x) - i32(ZERO_BITS)) * 0x1p-23f - ZERO_REST);
  }
  return digamma_after(x) - 1.0 / x;
}

fn digamma_f32(x: f32) -> f32 {
  if (is_nan(x)) {
    return x;
  }
  if (is_zero(x) || is_infinite(x)) {
    let pole = select(-infinity(x), infinity(x), (bitcast<u32>(x) >> 31u) == 1u);
    return select(select(infinity(x), not_a_number(x), x < 0.0), pole, is_zero(x));
  }
  if (x > 0.0) {
    return digamma_positive(x);
  }
  let size = abs(x);
  let from_whole = size - round(size);
  if (from_whole == 0.0) {
    return not_a_number(x);
  }
  // digamma(x) = digamma(1 - x) - pi / tan(pi x)
  let t = 2.0 * abs(from_whole);
  let cotangent = select(1.0 / tan_of_quarters(min(t, 0.5)), tan_of_quarters(1.0 - max(t, 0.5)), t > 0.5);
  return digamma_after(size) + with_sign(0x1.921fb6p+1f * cotangent, from_whole);
}

// For x >= 2.
fn trigamma_large(x: f32) -> f32 {
  let r = 1.0 / x;
  let z = r * r;
  var p = 0x1.16ea08p-6f;
  p = p * z - 0x1.7f7fa2p-6f;
  p = p * z + 0x1.765c84p-6f;
  p = p * z - 0x1.10b45p-5f;
  p = p * z + 0x1.5554fap-3f;
  return r + z * (0.5 + r * p);
}

// trigamma(1 + x) for x >= 0.
fn trigamma_after(x: f32) -> f32 {
  let r = 1.0 / (1.0 + x);
  return select(trigamma_large(max(1.0 + x, 2.0)), r * r + trigamma_large(2.0 + min(x, 1.0)), x < 1.0);
}

fn trigamma_f32(x: f32) -> f32 {
  let size = abs(x);
  let from_whole = abs(size - round(size));
  if (is_nan(x) || is_infinite(x)) {
    return select(not_a_number(x), 0.0, is_infinite(x) && x > 0.0);
  }
  if (size < 0x1p-63f || (x < 0.0 && from_whole == 0.0)) {
    return infinity(x); // above the largest f32 from 2^-64 on
  }
  if (x >= 2.0) {
    return trigamma_large(x);
  }
  if (x > 0.0) {
    let r = 1.0 / x;
    return r * r + trigamma_after(x);
  }
  // trigamma(x) + trigamma(1 - x) = (pi / sin(pi x))^2
  let z = from_whole * from_whole;
  var p = 0x1.1cbecp-7f;
  p = p * z - 0x1.5223a6p-4f;
  p = p * z + 0x1.987db2p-2f;
  p = p * z - 0x1.56a846p0f;
  p = p * z + 0x1.86a814p1f;
  p = p * z - 0x1.15131ep2f;
  p = p * z + 0x1.a51a66p1f;
  return 1.0 / (z * (1.0 - z * p)) - trigamma_after(size);
}
