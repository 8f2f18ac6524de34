// Sine and cosine of our own, in f32, for every tier: WGSL bounds the error of its built-ins on [-pi, pi] alone.
//
// Error: at most 4 ulp of the exact value of the f32 argument over the whole range, measured against f64 by
// tests/native/test_elementary.py; found: see docs/numerics/README.md. Coefficients: docs/numerics/coefficients.py.
//
// The argument is reduced in integers, by 96 bits of 2 / pi that begin where its exponent asks (M. H. Payne, R. N. Hanek,
// "Radian reduction for trigonometric functions", 1983), so that nothing depends on the order of a sum and an argument of
// any size keeps its last bit.

//#include classes.wgsl
//#include wide.wgsl

// sin(pi x / 2) for |x| <= 1, as x + x R(x^2): R falls to zero at the crest, where its rounding would cost most.
fn sin_of_quarters(x: f32) -> f32 {
  let z = x * x;
  var r = 0x1.3c5a6ep-13f;
  r = r * z - 0x1.3234aap-8f;
  r = r * z + 0x1.4667a0p-4f;
  r = r * z - 0x1.4abbbap-1f;
  r = r * z + 0x1.243f6ap-1f;
  return x + x * r;
}

// 2 / pi after the point, behind 32 zeros for small arguments.
const TWO_OVER_PI = array<u32, 8>(
  0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu);
const SMALL = 0x1p-7f; // below it two terms of the series suffice, and the window would begin before the table

struct Quarters { // |x| = (pi / 2) (4 k + quadrant + rest), |rest| <= 1/2
  quadrant: u32,
  rest: f32,
}

// For a finite |x| >= SMALL.
fn reduce_quarters(x: f32) -> Quarters {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  let significand = (bits & 0x7fffffu) | 0x800000u;
  let begin = (bits >> 23u) - 120u; // the first bit that does not stand for whole turns
  let word = begin >> 5u;
  let left = begin & 31u;
  var table = TWO_OVER_PI;
  let w0 = (table[word] << left) | ((table[word + 1u] >> 1u) >> (31u - left));
  let w1 = (table[word + 1u] << left) | ((table[word + 2u] >> 1u) >> (31u - left));
  let w2 = (table[word + 2u] << left) | ((table[word + 3u] >> 1u) >> (31u - left));
  // significand * (w0, w1, w2) modulo 2^96: two bits of quadrant, then the fraction of a quarter turn.
  let last = multiply_wide(significand, w2);
  let middle = multiply_wide(significand, w1);
  let p1 = middle.low + last.high;
  let p0 = significand * w0 + middle.high + select(0u, 1u, p1 < last.high);
  var high = (p0 << 2u) | (p1 >> 30u);
  var low = (p1 << 2u) | (last.low >> 30u);
  let over = high >> 31u; // more than half: the next quadrant, and what lacks to it
  if (over == 1u) {
    high = ~high + select(0u, 1u, low == 0u);
    low = ~low + 1u;
  }
  let rest = f32(high) * 0x1p-32f + f32(low) * 0x1p-64f;
  return Quarters((p0 >> 30u) + over, select(rest, -rest, over == 1u));
}

// sin((pi / 2) (quadrant + rest)).
fn sin_of_reduced(quadrant: u32, rest: f32) -> f32 {
  let value = sin_of_quarters(select(rest, 1.0 - abs(rest), (quadrant & 1u) == 1u));
  return select(value, -value, (quadrant & 2u) == 2u);
}

fn sin_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  if (bits >= INFINITY_BITS) {
    return not_a_number(x);
  }
  if (abs(x) < SMALL) {
    return select(x - x * (x * x * (1.0 / 6.0)), with_sign(0.0, x), bits < 0x800000u);
  }
  let reduced = reduce_quarters(x);
  let value = sin_of_reduced(reduced.quadrant, reduced.rest);
  return select(value, -value, x < 0.0);
}

fn cos_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x) & 0x7fffffffu;
  if (bits >= INFINITY_BITS) {
    return not_a_number(x);
  }
  if (abs(x) < SMALL) {
    return 1.0 - x * x * 0.5;
  }
  let reduced = reduce_quarters(x);
  return sin_of_reduced(reduced.quadrant + 1u, reduced.rest);
}
