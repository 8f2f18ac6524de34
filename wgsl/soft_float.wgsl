// Floating-point numbers of 32 significant bits, computed in integers: the same bits on every device.
//
// WGSL lets a compiler fuse and reorder float arithmetic, so a test such as x < log y may fall out one way here and
// another there. What decides which number a draw is, is therefore computed with these. Every operation cuts off what it
// cannot hold: it errs by at most 2^-31 of its result, a sum of its larger term.
// Truths are joined by & and |, which do not branch: SwiftShader takes a loop apart for every branch within it that stays
// the same, so that a rejection with && compiled for minutes.
// Reference, step by step: scellis.rng.soft_float. Test: tests/native/test_random.py.

//#include wide.wgsl
//#include classes.wgsl

struct Soft { // significand 2^exponent: the significand from 2^31 on, or 0 for zero
  negative: bool,
  significand: u32,
  exponent: i32,
}

const SOFT_ZERO = Soft(false, 0u, 0);
const SOFT_HALF = Soft(false, 0x80000000u, -32);
const SOFT_ONE = Soft(false, 0x80000000u, -31);
const SOFT_TWO = Soft(false, 0x80000000u, -30);
const SOFT_THIRD = Soft(false, 0xaaaaaaaau, -33);
const SOFT_LOG_2 = Soft(false, 0xb17217f7u, -32);

// n 2^exponent.
fn soft_scaled(n: u32, exponent: i32) -> Soft {
  let zeros = countLeadingZeros(n);
  return Soft(false, n << (zeros & 31u), select(exponent - i32(zeros), 0, n == 0u));
}

fn soft_integer(n: i32) -> Soft {
  let size = soft_scaled(u32(abs(n)), 0);
  return Soft(n < 0, size.significand, size.exponent);
}

// What a finite x holds; a subnormal x counts as zero.
fn soft(x: f32) -> Soft {
  let bits = bitcast<u32>(x);
  let exponent = i32((bits >> 23u) & 0xffu);
  let is_none = exponent == 0;
  return Soft(
    ((bits >> 31u) == 1u) & !is_none, select((bits << 8u) | 0x80000000u, 0u, is_none), select(exponent - 158, 0, is_none));
}

fn negated(x: Soft) -> Soft {
  return Soft(!x.negative & (x.significand != 0u), x.significand, x.exponent);
}

fn is_at_most_zero(x: Soft) -> bool {
  return x.negative | (x.significand == 0u);
}

fn plus(a: Soft, b: Soft) -> Soft {
  let is_less = (a.exponent < b.exponent) | ((a.exponent == b.exponent) & (a.significand < b.significand));
  let is_swapped = (a.significand == 0u) | ((b.significand != 0u) & is_less);
  let large = select(a.significand, b.significand, is_swapped);
  let small = select(b.significand, a.significand, is_swapped);
  let exponent = select(a.exponent, b.exponent, is_swapped);
  let negative = select(a.negative, b.negative, is_swapped);
  let below = u32(clamp(select(exponent - b.exponent, exponent - a.exponent, is_swapped), 0, 32));
  let part = select(small >> (below & 31u), 0u, below == 32u);
  let is_sum = a.negative == b.negative;
  let total = select(large - part, large + part, is_sum);
  let zeros = countLeadingZeros(total);
  let is_full = is_sum & (total < part); // one bit more than fit
  let is_none = (total == 0u) & !is_full;
  return Soft(
    negative & !is_none,
    select(total << (zeros & 31u), (total >> 1u) | 0x80000000u, is_full),
    select(exponent + select(-i32(zeros), 1, is_full), 0, is_none));
}

fn minus(a: Soft, b: Soft) -> Soft {
  return plus(a, negated(b));
}

fn times(a: Soft, b: Soft) -> Soft {
  let product = multiply_wide(a.significand, b.significand);
  let is_none = product.high == 0u;
  let is_full = product.high >= 0x80000000u;
  return Soft(
    (a.negative != b.negative) & !is_none,
    select((product.high << 1u) | (product.low >> 31u), product.high, is_full),
    select(a.exponent + b.exponent + 31 + i32(is_full), 0, is_none));
}

// (high 2^32 + low) / divisor for a divisor from 2^31 on, above high: two digits of 16 bits, D. E. Knuth's algorithm D.
fn divided(high: u32, low: u32, divisor: u32) -> u32 {
  let first = divisor >> 16u;
  var rest = high;
  var next = low;
  var quotient = 0u;
  for (var digits = 0u; digits < 2u; digits += 1u) {
    var digit = rest / first;
    var left = rest - digit * first;
    for (var correction = 0u; correction < 2u; correction += 1u) {
      let below = (digit > 0xffffu) | (digit * (divisor & 0xffffu) > ((left << 16u) | (next >> 16u)));
      let is_wrong = u32((left < 0x10000u) & below);
      digit -= is_wrong;
      left += first * is_wrong;
    }
    rest = ((rest << 16u) | (next >> 16u)) - digit * divisor;
    next <<= 16u;
    quotient = (quotient << 16u) | digit;
  }
  return quotient;
}

// The quotient; nothing that counts for a divisor of zero.
fn over(a: Soft, b: Soft) -> Soft {
  let divisor = max(b.significand, 0x80000000u);
  let is_less = a.significand < b.significand;
  let is_none = a.significand == 0u;
  let high = select(a.significand >> 1u, a.significand, is_less);
  let low = select(a.significand << 31u, 0u, is_less);
  let exponent = a.exponent - b.exponent - select(31, 32, is_less);
  return Soft((a.negative != b.negative) & !is_none, divided(high, low, divisor), select(exponent, 0, is_none));
}

fn times_power(x: Soft, n: i32) -> Soft {
  return Soft(x.negative, x.significand, select(x.exponent + n, 0, x.significand == 0u));
}

// |x| in units of 2^-32, for |x| < 1.
fn fixed(x: Soft) -> u32 {
  let below = u32(clamp(-32 - x.exponent, 0, 32));
  return select(x.significand >> (below & 31u), 0u, below > 31u);
}

// The largest integer that is not greater; +-(2^31 - 1) for what is beyond.
fn whole(x: Soft) -> i32 {
  let below = u32(clamp(-x.exponent, 1, 32));
  let size = select(x.significand >> (below & 31u), 0u, below == 32u);
  let is_broken = x.significand != select(size << (below & 31u), 0u, below == 32u);
  let is_beyond = (x.exponent > -1) & (x.significand != 0u);
  let held = select(i32(size), 2147483647, is_beyond);
  return select(held, -held - i32(is_broken & !is_beyond), x.negative);
}

// The square root of x >= 0, by Newton's iteration.
fn soft_root(x: Soft) -> Soft {
  let half = (x.exponent + 31) >> 1u;
  let m = times_power(x, -2 * half); // from 1 to 4
  var y = times(plus(plus(m, SOFT_ONE), SOFT_ONE), SOFT_THIRD);
  for (var step = 0u; step < 3u; step += 1u) {
    y = times_power(plus(y, over(m, y)), -1);
  }
  return Soft(false, select(y.significand, 0u, x.significand == 0u), select(y.exponent + half, 0, x.significand == 0u));
}

// log((1 + s) / (1 - s)) for |s| < 0.18.
fn soft_log_of_ratio(s: Soft) -> Soft {
  let z = fixed(times(s, s));
  var p = 0x13b13b13u;
  p = 0x1745d174u + multiply_wide(p, z).high;
  p = 0x1c71c71cu + multiply_wide(p, z).high;
  p = 0x24924924u + multiply_wide(p, z).high;
  p = 0x33333333u + multiply_wide(p, z).high;
  p = 0x55555555u + multiply_wide(p, z).high;
  let factor = Soft(false, 0x80000000u + (multiply_wide(p, z).high >> 1u), -31);
  return times_power(times(s, factor), 1);
}

// log x for x > 0.
fn soft_log(x: Soft) -> Soft {
  let power = x.exponent + 31 + i32(x.significand > 0xb504f333u);
  let m = times_power(x, -power); // from sqrt(1/2) to sqrt(2)
  return plus(times(soft_integer(power), SOFT_LOG_2), soft_log_of_ratio(over(minus(m, SOFT_ONE), plus(m, SOFT_ONE))));
}

// log(1 + x) for x > -1, without cancellation near 0.
fn soft_log1p(x: Soft) -> Soft {
  if ((x.significand == 0u) | (x.exponent < -33)) { // |x| < 1/4
    return soft_log_of_ratio(over(x, plus(plus(x, SOFT_ONE), SOFT_ONE)));
  }
  return soft_log(plus(SOFT_ONE, x));
}

// exp(v) - 1 - v for |v| < 1/4.
fn soft_excess_near(v: Soft) -> Soft {
  let t = fixed(v);
  var p = 0x2e3bu;
  p = soft_term(0x1a01au, multiply_wide(p, t).high, v.negative);
  p = soft_term(0xd00d0u, multiply_wide(p, t).high, v.negative);
  p = soft_term(0x5b05b0u, multiply_wide(p, t).high, v.negative);
  p = soft_term(0x2222222u, multiply_wide(p, t).high, v.negative);
  p = soft_term(0xaaaaaaau, multiply_wide(p, t).high, v.negative);
  p = soft_term(0x2aaaaaaau, multiply_wide(p, t).high, v.negative);
  p = soft_term(0x80000000u, multiply_wide(p, t).high, v.negative);
  return times(times(v, v), soft_scaled(p, -32));
}

fn soft_term(coefficient: u32, change: u32, negative: bool) -> u32 {
  return select(coefficient + change, coefficient - change, negative);
}

fn soft_halvings(v: Soft) -> i32 {
  return clamp(v.exponent + 34, 0, 12);
}

// exp(v) - 1 - v for |v| < 1024, without cancellation near 0.
fn soft_excess(x: Soft) -> Soft {
  let halvings = soft_halvings(x);
  var v = times_power(x, -halvings); // below 1/4 in size
  var h = soft_excess_near(v);
  for (var step = 0; step < halvings; step += 1) {
    let grown = plus(v, h);
    h = plus(times(grown, grown), times_power(h, 1));
    v = times_power(v, 1);
  }
  return h;
}

// exp(v) for |v| < 1024.
fn soft_exp(x: Soft) -> Soft {
  let halvings = soft_halvings(x);
  let v = times_power(x, -halvings);
  var y = plus(SOFT_ONE, plus(v, soft_excess_near(v)));
  for (var step = 0; step < halvings; step += 1) {
    y = times(y, y);
  }
  return y;
}
