// sinh, cosh, asinh, acosh and atanh of our own, in f32, for every tier; tanh is in elementary.wgsl.
//
// Error: at most 4 ulp of the exact value of the f32 argument over the whole range, measured against f64 by
// tests/native/test_elementary.py; found: see docs/numerics/README.md. Coefficients: docs/numerics/coefficients.py.
//
// Values that are no normal number: as in elementary.wgsl; acosh below 1 and atanh outside [-1, 1] are NaN.

//#include classes.wgsl
//#include exponents.wgsl

// exp(x) / 2 for x between 0 and 90, infinite from where cosh is.
fn half_exp(x: f32) -> f32 {
  let reduced = reduce_exponent(x);
  return scaled_by_bits(1.0 + reduced.expm1_r, i32(reduced.n) - 1);
}

fn sinh_f32(x: f32) -> f32 {
  let size = abs(x);
  let z = min(size * size, 1.0);
  var p = 0x1.756c1ep-19f;
  p = p * z + 0x1.a022bcp-13f;
  p = p * z + 0x1.1110ep-7f;
  p = p * z + 0x1.555556p-3f;
  let half = half_exp(min(size, 90.0));
  let large = select(half - 0.25 / half, half, size > 10.0);
  return odd_of_any(x, select(size + size * (z * p), large, size > 1.0));
}

fn cosh_f32(x: f32) -> f32 {
  let half = half_exp(min(abs(x), 90.0));
  let result = select(half + 0.25 / half, half, abs(x) > 10.0);
  return select(result, x, is_nan(x));
}

const LOG_2 = 0x1.62e43p-1f;
const LARGE = 0x1p20f; // from here on 1 is nothing beside the square

// log(x + sqrt(x^2 + 1)), without cancellation near 0.
fn asinh_f32(x: f32) -> f32 {
  let size = abs(x);
  let s = min(size, LARGE);
  let moderate = log1p_moderate(s + s * (s / (1.0 + sqrt(1.0 + s * s))));
  let large = log_moderate(max(size, 1.0)) + LOG_2;
  let result = select(moderate, large, size > LARGE);
  return odd_of_any(x, select(result, infinity(x), is_infinite(x)));
}

// log(x + sqrt(x^2 - 1)), without cancellation near 1.
fn acosh_f32(x: f32) -> f32 {
  let t = clamp(x - 1.0, 0.0, LARGE);
  let moderate = log1p_moderate(t + sqrt(t * (t + 2.0)));
  let large = log_moderate(max(x, 1.0)) + LOG_2;
  var result = select(moderate, large, x > LARGE);
  result = select(result, infinity(x), is_infinite(x));
  return select(result, not_a_number(x), x < 1.0 || is_nan(x));
}

// log((1 + x) / (1 - x)) / 2, and a polynomial below 1/2.
fn atanh_f32(x: f32) -> f32 {
  let size = abs(x);
  let z = min(size * size, 0.25);
  var p = 0x1.6943fcp-3f;
  p = p * z + 0x1.a69f56p-5f;
  p = p * z + 0x1.e403bap-4f;
  p = p * z + 0x1.234d64p-3f;
  p = p * z + 0x1.99a678p-3f;
  p = p * z + 0x1.55554p-2f;
  let s = clamp(size, 0.5, 0x1.fffffep-1f);
  let large = select(0.5 * log_moderate(1.0 + 2.0 * s / (1.0 - s)), infinity(x), size == 1.0);
  let result = odd_of_any(x, select(size + size * (z * p), large, size > 0.5));
  return select(result, not_a_number(x), size > 1.0);
}
