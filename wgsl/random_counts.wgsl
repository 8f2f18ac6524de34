// Poisson and binomial draws, decided in integers: the same bits on every device.
//
// Means below 10 are searched from 0 on; others are drawn by the transformed rejection of W. Hoermann, 1993 (PTRS, BTRS),
// with probabilities as C. Loader, "Fast and accurate computation of binomial probabilities", 2000, writes them.
// -1 where there is no such distribution.
// Reference, step by step: scellis.rng.counts, which says more. Test: tests/native/test_random.py.

//#include rejection.wgsl

const SEARCHED = 64;
const SOFT_TEN = Soft(false, 0xa0000000u, -28);
const SOFT_TWO_PI = Soft(false, 0xc90fdaa2u, -29);
const FEW = 10;
const STIRLING_OF_FEW = array<vec2<u32>, FEW>( // significands, and exponents less -38
  vec2<u32>(0u, 0u),
  vec2<u32>(0xa6038de6u, 3u), vec2<u32>(0xa954dc91u, 2u), vec2<u32>(0xe2bcd134u, 1u),
  vec2<u32>(0xaa513317u, 1u), vec2<u32>(0x885a7289u, 1u), vec2<u32>(0xe358b3dfu, 0u),
  vec2<u32>(0xc2ea6b09u, 0u), vec2<u32>(0xaa9402f3u, 0u), vec2<u32>(0x97a438d8u, 0u));

// log n! - (n + 1/2) log n + n - log(2 pi) / 2 for n >= 1.
fn stirling(n: i32) -> Soft {
  let inverse = over(SOFT_ONE, soft_integer(max(n, FEW)));
  let z = fixed(times(inverse, inverse));
  var p = 0x340340u;
  p = 0xb60b60u - multiply_wide(p, z).high;
  p = 0x15555555u - multiply_wide(p, z).high;
  let series = times(inverse, soft_scaled(p, -32));
  var table = STIRLING_OF_FEW;
  let few = table[min(n, FEW - 1)];
  return Soft(false, select(series.significand, few.x, n < FEW), select(series.exponent, i32(few.y) - 38, n < FEW));
}

// n log(n / mean) + mean - n for n >= 1.
fn deviance(n: i32, mean: Soft) -> Soft {
  let count = soft_integer(n);
  return times(count, soft_excess(soft_log(over(mean, count))));
}

fn poisson_log_mass(n: i32, mean: Soft) -> Soft {
  let count = max(n, 1);
  let root_term = times_power(soft_log(times(SOFT_TWO_PI, soft_integer(count))), -1);
  let size = plus(plus(root_term, stirling(count)), deviance(count, mean));
  return Soft(true, select(size.significand, mean.significand, n == 0), select(size.exponent, mean.exponent, n == 0));
}

struct Hat { // of a transformed rejection
  a: Soft,
  b: Soft,
  centre: Soft,
  scale: Soft,
  inner: Soft,
}

// The count that a pair of words stands for.
fn counted(hat: Hat, slope: Soft, offset: i32) -> i32 {
  let steep = plus(times_power(slope, 1), hat.b);
  return whole(plus(times_power(times(steep, soft_integer(offset)), -32), hat.centre));
}

// The first count that is accepted, from 0 to `most`; of a binomial distribution beside the mean number `rest` of what
// remains. Its mode is looked at first, in a round of its own, so that the mass is written once: kernels are inlined.
fn accepted(counter: Counter, hat: Hat, mean: Soft, rest: Soft, most: i32, mode: i32, is_binomial: bool) -> i32 {
  var top = SOFT_ZERO;
  var found = -1;
  for (var round = select(1u, 0u, is_binomial); (round <= ROUNDS) & (found < 0); round += 1u) {
    let tried = max(round, 1u) - 1u;
    let pair = pair_of(counter_words(counter, tried / 2u), tried);
    let offset = bitcast<i32>((pair.x | 1u) ^ 0x80000000u);
    let near = 0x80000000u - u32(abs(offset));
    let distance = soft_scaled(near, -32);
    let slope = over(hat.a, distance);
    let count = select(counted(hat, slope, offset), mode, round == 0u);
    let is_inside = (count >= 0) & (count <= most);
    let is_sure = (near >= 0x11eb851eu) & ((pair.y | 1u) <= fixed(hat.inner)) & (round != 0u);
    let held = select(0, count, is_inside);
    var mass = SOFT_ZERO;
    if (is_inside & !is_sure) {
      var number = held;
      var middle = mean;
      for (var part = 0; part <= i32(is_binomial); part += 1) {
        mass = plus(mass, poisson_log_mass(number, middle));
        number = most - held;
        middle = rest;
      }
    }
    if (round == 0u) {
      top = mass;
    } else {
      let height = soft_log(over(times(odd_uniform(pair.y), hat.scale), plus(over(slope, distance), hat.b)));
      let is_taken = is_inside & (is_sure | is_at_most_zero(minus(height, minus(mass, top))));
      found = select(-1, count, is_taken);
    }
  }
  return select(found, whole(mean), found < 0);
}

// The count up to which the masses from 0 on, the first and those that follow by `odds` (number - n) / (n + 1), or by
// `odds` / (n + 1) alone, reach a uniform.
fn searched(counter: Counter, first: Soft, odds: Soft, number: i32, is_binomial: bool) -> i32 {
  var left = minus(odd_uniform(counter_words(counter, 0u).x), first);
  var mass = first;
  var count = 0;
  for (; (count < min(SEARCHED, number)) & !is_at_most_zero(left); count += 1) {
    let next = times(mass, odds);
    var scaled = next;
    if (is_binomial) {
      scaled = times(next, soft_integer(number - count));
    }
    mass = over(scaled, soft_integer(count + 1));
    left = minus(left, mass);
  }
  return count;
}

fn random_poisson(key: vec2<u32>, draw: u32, block: u32, index: u32, family: u32, rate: f32) -> i32 {
  if (is_nan(rate) || (rate < 0.0 && !is_zero(rate)) || rate > 0x1p30f) {
    return -1;
  }
  let counter = counter_of(key, draw, block, index, family);
  let mean = soft(rate);
  if (rate < 10.0) {
    return searched(counter, soft_exp(negated(mean)), mean, SEARCHED, false);
  }
  let b = plus(Soft(false, 0xee560418u, -32), times(Soft(false, 0xa1eb851eu, -30), soft_root(mean))); // 0.931, 2.53
  let hat = Hat(
    minus(times(Soft(false, 0xcb6848beu, -37), b), Soft(false, 0xf1a9fbe7u, -36)), // 0.02483, 0.059
    b,
    plus(mean, Soft(false, 0xdc28f5c2u, -33)), // 0.43
    plus(
      Soft(false, 0x8fdbf487u, -31), // 1.1239
      over(Soft(false, 0x90ff9724u, -31), minus(b, Soft(false, 0xd9999999u, -30)))), // 1.1328, 3.4
    minus(Soft(false, 0xed7dbf48u, -32), over(Soft(false, 0xe7d566cfu, -30), minus(b, SOFT_TWO)))); // 0.9277, 3.6224
  return accepted(counter, hat, mean, SOFT_ZERO, 2147483646, 0, false);
}

fn random_binomial(
  key: vec2<u32>, draw: u32, block: u32, index: u32, family: u32, trials: i32, chance: f32,
) -> i32 {
  if (trials < 0 || is_nan(chance) || (chance < 0.0 && !is_zero(chance)) || chance > 1.0) {
    return -1;
  }
  let counter = counter_of(key, draw, block, index, family);
  let is_turned = chance > 0.5;
  let given = soft(chance);
  let other = minus(SOFT_ONE, given);
  var p = given;
  var q = other;
  if (is_turned) {
    p = other;
    q = minus(SOFT_ONE, other);
  }
  let found = binomial_below_half(counter, trials, p, q);
  return select(found, trials - found, is_turned);
}

fn binomial_below_half(counter: Counter, trials: i32, p: Soft, q: Soft) -> i32 {
  let number = soft_integer(trials);
  let mean = times(number, p);
  if (minus(mean, SOFT_TEN).negative) {
    return searched(counter, soft_exp(times(number, soft_log1p(negated(p)))), over(p, q), trials, true);
  }
  let spread = soft_root(times(mean, q));
  let b = plus(Soft(false, 0x93333333u, -31), times(Soft(false, 0xa1eb851eu, -30), spread)); // 1.15, 2.53
  let hat = Hat(
    minus(
      plus(times(Soft(false, 0xcb295e9eu, -37), b), times(Soft(false, 0xa3d70a3du, -38), p)), // 0.0248, 0.01
      Soft(false, 0xb2ca57a7u, -35)), // 0.0873
    b,
    plus(mean, SOFT_HALF),
    times(plus(Soft(false, 0xb51eb851u, -30), over(Soft(false, 0xa3333333u, -29), b)), spread), // 2.83, 5.1
    minus(Soft(false, 0xeb851eb8u, -32), over(Soft(false, 0x86666666u, -29), b))); // 0.92, 4.2
  let mode = min(whole(plus(mean, p)), trials);
  return accepted(counter, hat, mean, minus(number, mean), trials, mode, true);
}
