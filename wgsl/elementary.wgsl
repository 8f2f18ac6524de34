// Elementary functions of our own, in f32: the same polynomials on every device, so that a draw's value is a matter
// of the program and not of the driver. elementary_fast.wgsl has the same functions made of WGSL's built-ins.
//
// Needs classes.wgsl and trigonometry.wgsl.
//
// Error: at most 4 ulp of the exact value of the f32 argument over the whole range, measured against f64 by
// tests/native/test_elementary.py (all 2^23 uniforms for log_unit, sin2pi, cos2pi); found: see docs/numerics/README.md.
// Coefficients: docs/numerics/coefficients.py. Every reduction is exact; no step relies on the order of a sum that a
// compiler may change, save the two parts of log 2, without which expm1 and exp lose an ulp for each 2^2 of |x|.
//
// Values that are no normal number: a subnormal argument counts as zero, a result below 2^-126 is zero, one beyond
// the range is infinite, and an argument that is NaN comes back as it is. Classes are told by bits: WGSL lets a
// compiler assume that no value is NaN or infinite.

const LOG2_E = 0x1.715476p+0f;
const LN2_HIGH = 0x1.62e4p-1f; // 15 bits, so that its products with exponents are exact
const LN2_LOW = 0x1.7f7d1cp-20f;
const ROUND_SHIFT = 0x1.8p23f; // added to an integer of f32, leaves it in the low bits of the significand

// 2^n for an integer n between -126 and 127.
fn power_of_two(n: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(n + ROUND_SHIFT) * 0x800000u + 0x3f800000u);
}

// log x for a normal x > 0. x = 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt(2).
fn log_unit(x: f32) -> f32 {
  let bits = bitcast<u32>(x) - 0x3f3504f3u;
  let k = f32(bitcast<i32>(bits & 0xff800000u)) * 0x1p-23f;
  let f = bitcast<f32>((bits & 0x7fffffu) + 0x3f3504f3u) - 1.0;
  var p = 0x1.d029b0p-5f;
  p = p * f - 0x1.c77ec4p-4f;
  p = p * f + 0x1.ed9906p-4f;
  p = p * f - 0x1.001ff4p-3f;
  p = p * f + 0x1.23100ep-3f;
  p = p * f - 0x1.553d16p-3f;
  p = p * f + 0x1.99a524p-3f;
  p = p * f - 0x1.00004ep-2f;
  p = p * f + 0x1.555548p-2f;
  return k * LN2_HIGH + (f + (f * f * (p * f - 0.5) + k * LN2_LOW));
}

// log x for any x.
fn log_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  var result = log_unit(x);
  result = select(result, infinity(x), bits == INFINITY_BITS);
  result = select(result, bitcast<f32>(bitcast<u32>(x) | 0x7fc00000u), bits > INFINITY_BITS); // negative, or NaN
  return select(result, -infinity(x), (bits & 0x7fffffffu) < 0x800000u);
}

struct Reduced { // x = n log 2 + r, |r| <= log(2) / 2
  n: f32,
  expm1_r: f32,
}

fn reduce_exponent(x: f32) -> Reduced {
  let n = floor(x * LOG2_E + 0.5);
  let r = (x - n * LN2_HIGH) - n * LN2_LOW;
  var p = 0x1.6ab022p-10f;
  p = p * r + 0x1.122c84p-7f;
  p = p * r + 0x1.5557a0p-5f;
  p = p * r + 0x1.5554aap-3f;
  p = p * r + 0x1.fffffep-2f;
  return Reduced(n, r + r * r * p);
}

// exp(x) - 1 for x between -87 and 87.
fn expm1_moderate(x: f32) -> f32 {
  let reduced = reduce_exponent(x);
  let scale = power_of_two(reduced.n);
  return scale * reduced.expm1_r + (scale - 1.0);
}

// exp(x) - 1 for any x.
fn expm1_f32(x: f32) -> f32 {
  let reduced = reduce_exponent(clamp(x, -20.0, 88.75));
  let n = min(reduced.n, 127.0);
  let scale = power_of_two(n);
  var result = (scale * reduced.expm1_r + (scale - 1.0)) * power_of_two(reduced.n - n);
  result = select(result, infinity(x), x > 0x1.62e42ep6f);
  return select(result, x, is_nan(x));
}

// exp(x) for any x.
fn exp_f32(x: f32) -> f32 {
  let reduced = reduce_exponent(clamp(x, -87.5, 88.75));
  let n = min(reduced.n, 127.0);
  var result = (reduced.expm1_r + 1.0) * power_of_two(n) * power_of_two(reduced.n - n);
  result = select(result, infinity(x), x > 0x1.62e42ep6f);
  result = select(result, 0.0, x < -0x1.5d589ep6f);
  return select(result, x, is_nan(x));
}

// u^exponent - 1 for a uniform u and exponent * log u between 0 and 87; nothing cancels where u is near 1.
fn powm1_unit(u: f32, exponent: f32) -> f32 {
  return expm1_moderate(exponent * log_unit(u));
}

// tanh x for any x: expm1(2x) / (expm1(2x) + 2), which nothing cancels in.
fn tanh_f32(x: f32) -> f32 {
  let twice = expm1_moderate(2.0 * min(abs(x), 10.0));
  let size = select(twice / (twice + 2.0), 1.0, abs(x) > 9.25);
  let result = select(size, -size, x < 0.0);
  return select(result, x, is_nan(x));
}

// sin(2 pi u) and cos(2 pi u) for u between 0 and 1. Folding to quarter turns is exact, so the relative error holds
// at the zeros too.
fn sin2pi(u: f32) -> f32 {
  return sin_of_quarters(4.0 * (abs(abs(u - 0.25) - 0.5) - 0.25));
}

fn cos2pi(u: f32) -> f32 {
  return sin_of_quarters(4.0 * (abs(u - 0.5) - 0.25));
}
