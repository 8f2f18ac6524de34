// log1p, log2, log10 and exp2 of our own, in f32; logarithms_fast.wgsl has the same made of WGSL's built-ins.
//
// Error: at most 4 ulp of the exact value of the f32 argument over the whole range, measured against f64 by
// tests/native/test_elementary.py; found: see docs/numerics/README.md. Coefficients: docs/numerics/coefficients.py.
// Where the whole part of the exponent is zero the logarithms have no other term: they are as good about 1 as elsewhere.
//
// Values that are no normal number: as in elementary.wgsl. log1p of a zero or subnormal number is a zero of its sign.

//#include classes.wgsl
//#include exponents.wgsl

// What a logarithm of any x is, given its value for a normal x > 0.
fn logarithm_of_any(x: f32, value: f32) -> f32 {
  let bits = bitcast<u32>(x);
  var result = select(value, infinity(x), bits == INFINITY_BITS);
  result = select(result, not_a_number(x), bits > INFINITY_BITS); // negative, or NaN
  return select(result, -infinity(x), is_zero(x));
}

// log(1 + x) for any x.
fn log1p_f32(x: f32) -> f32 {
  let result = logarithm_of_any(1.0 + x, log1p_moderate(x));
  return select(result, with_sign(0.0, x), is_zero(x));
}

// log2 x for any x, exact for powers of two.
fn log2_f32(x: f32) -> f32 {
  let parts = split_exponent(x);
  let f = parts.f;
  var p = 0x1.f5dd08p-4f;
  p = p * f - 0x1.a64d8p-3f;
  p = p * f + 0x1.bb614cp-3f;
  p = p * f - 0x1.e9c55ap-3f;
  p = p * f + 0x1.26c284p-2f;
  p = p * f - 0x1.715962p-2f;
  p = p * f + 0x1.ec745ep-2f;
  p = p * f - 0x1.715476p-1f;
  p = p * f + 0x1.c551d6p-2f;
  return logarithm_of_any(x, parts.k + (f + f * p));
}

const LOG10_2_HIGH = 0x1.344p-2f; // 11 bits, so that its products with exponents are exact
const LOG10_2_LOW = 0x1.3509f8p-18f;

// log10 x for any x.
fn log10_f32(x: f32) -> f32 {
  let parts = split_exponent(x);
  let f = parts.f;
  var p = 0x1.33c80ep-5f;
  p = p * f - 0x1.fce8eep-5f;
  p = p * f + 0x1.0a06cp-4f;
  p = p * f - 0x1.26d3c8p-4f;
  p = p * f + 0x1.63048cp-4f;
  p = p * f - 0x1.bcbep-4f;
  p = p * f + 0x1.287c58p-3f;
  p = p * f - 0x1.bcb7b2p-3f;
  p = p * f - 0x1.0d213ep-4f;
  return logarithm_of_any(x, parts.k * LOG10_2_HIGH + (f * 0.5 + (f * p + parts.k * LOG10_2_LOW)));
}

// 2^x for any x, exact for whole numbers.
fn exp2_f32(x: f32) -> f32 {
  let bounded = clamp(x, -150.0, 150.0);
  let n = floor(bounded + 0.5);
  let result = scaled_by_bits(1.0 + exp2m1_fraction(bounded - n), i32(n));
  return select(result, x, is_nan(x));
}
