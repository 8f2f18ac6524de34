// What exp, log and the functions made of them share, in every tier: powers of two, and both series near zero.
//
// Error of each series: below 1 ulp. Coefficients: docs/numerics/coefficients.py. No step relies on the order of a sum
// that a compiler may change, save the two parts of log 2, without which expm1 and exp lose an ulp for each 2^2 of |x|.

//#include classes.wgsl

const LOG2_E = 0x1.715476p+0f;
const LN2_HIGH = 0x1.62e4p-1f; // 15 bits, so that its products with exponents are exact
const LN2_LOW = 0x1.7f7d1cp-20f;
const ROUND_SHIFT = 0x1.8p23f; // added to an integer of f32, leaves it in the low bits of the significand

// 2^n for an integer n between -126 and 127.
fn power_of_two(n: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(n + ROUND_SHIFT) * 0x800000u + 0x3f800000u);
}

struct Split { // x = 2^k (1 + f), 1 + f between sqrt(1/2) and sqrt(2)
  k: f32,
  f: f32,
}

// For a normal x > 0.
fn split_exponent(x: f32) -> Split {
  let bits = bitcast<u32>(x) - 0x3f3504f3u;
  let k = f32(bitcast<i32>(bits & 0xff800000u)) * 0x1p-23f;
  return Split(k, bitcast<f32>((bits & 0x7fffffu) + 0x3f3504f3u) - 1.0);
}

// f^2 P(f) such that log(1 + f) = f + f^2 P(f), for 1 + f between sqrt(1/2) and sqrt(2).
fn log_tail(f: f32) -> f32 {
  var p = 0x1.d029b0p-5f;
  p = p * f - 0x1.c77ec4p-4f;
  p = p * f + 0x1.ed9906p-4f;
  p = p * f - 0x1.001ff4p-3f;
  p = p * f + 0x1.23100ep-3f;
  p = p * f - 0x1.553d16p-3f;
  p = p * f + 0x1.99a524p-3f;
  p = p * f - 0x1.00004ep-2f;
  p = p * f + 0x1.555548p-2f;
  return f * f * (p * f - 0.5);
}

// log x for a normal x > 0.
fn log_moderate(x: f32) -> f32 {
  let parts = split_exponent(x);
  return parts.k * LN2_HIGH + (parts.f + (log_tail(parts.f) + parts.k * LN2_LOW));
}

// log(1 + x) for x > -1. Next to 0 the argument itself takes the place of 1 + x - 1; elsewhere |log(1 + x)| > 0.28, and
// the rounding of 1 + x costs 1.4 ulp at most.
fn log1p_moderate(x: f32) -> f32 {
  return select(log_moderate(1.0 + x), x + log_tail(x), x > -0.25 && x < 0.375);
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

// 2^r - 1 for |r| <= 1/2.
fn exp2m1_fraction(r: f32) -> f32 {
  var p = 0x1.416b8p-13f;
  p = p * r + 0x1.5f0838p-10f;
  p = p * r + 0x1.3b2dep-7f;
  p = p * r + 0x1.c6af7cp-5f;
  p = p * r + 0x1.ebfbdcp-3f;
  p = p * r + 0x1.62e43p-1f;
  return r * p;
}

// x 2^n, exactly, for a normal x > 0 and any n: below 2^-126 it is zero, from 2^128 on infinite.
fn scaled_by_bits(x: f32, n: i32) -> f32 {
  let exponent = i32(bitcast<u32>(x) >> 23u) + n;
  let scaled = bitcast<u32>(x) + bitcast<u32>(n) * 0x800000u;
  return bitcast<f32>(select(select(scaled, INFINITY_BITS, exponent > 254), 0u, exponent < 1));
}
