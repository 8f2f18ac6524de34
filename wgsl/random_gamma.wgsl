// The exponent x of a gamma draw a exp(x), `a` being its shape, or 1 more for a shape below 1.
//
// R. C. H. Cheng, "The generation of gamma variables with non-integral shape parameter", 1977, GB, for shapes from 1 on;
// below, u^(1 / shape) by a draw of shape + 1. Which pair of words is taken is decided in integers: the same one on every
// device. The exponent made of it errs by about 4 ulp and 2^-22; log u / shape is as large as 17 / shape.
// A shape of 0 gives -infinity, hence a draw of 0; one that is negative or NaN gives NaN.
// Reference: scellis.graph.drawn, scellis.rng.rejection.gamma_words. Test: tests/native/test_random.py.

//#include rejection.wgsl
//#include exponents.wgsl

// The uniform u, of 23 bits in the middle of their cells, in units of 2^-32.
fn gamma_word(counter: Counter, a: Soft) -> u32 {
  let spread = soft_root(minus(times_power(a, 1), SOFT_ONE));
  var found = 0u;
  for (var round = 0u; round < ROUNDS && found == 0u; round += 1u) {
    let pair = pair_of(counter_words(counter, round / 2u), round);
    let middle = (pair.x & 0xfffffe00u) | 0x100u;
    let first = soft_scaled(middle, -32);
    let rest = soft_scaled(0u - middle, -32);
    let lost = times(a, soft_excess(over(soft_log(over(first, rest)), spread)));
    let height = soft_log(times_power(times(times(first, rest), odd_uniform(pair.y)), 2));
    found = select(0u, middle, is_at_most_zero(plus(lost, height)));
  }
  return select(found, 0x80000100u, found == 0u);
}

fn random_gamma(key: vec2<u32>, draw: u32, block: u32, index: u32, family: u32, shape: f32) -> f32 {
  if (is_nan(shape) || (shape < 0.0 && !is_zero(shape))) {
    return not_a_number(shape);
  }
  if (is_zero(shape)) {
    return -infinity(shape);
  }
  if (is_infinite(shape)) {
    return 0.0;
  }
  let counter = counter_of(key, draw, block, index, family);
  let is_below = shape < 1.0;
  var a = soft(shape);
  if (is_below) {
    a = plus(a, SOFT_ONE);
  }
  let middle = gamma_word(counter, a);
  let u = f32(middle) * 0x1p-32f;
  let v = f32(0u - middle) * 0x1p-32f;
  let spread = sqrt(2.0 * shape + select(-1.0, 1.0, is_below));
  let exponent = (log_moderate(u) - log_moderate(v)) / spread;
  if (!is_below) {
    return exponent;
  }
  return exponent + log_moderate(uniform_from_word(counter_words(counter, ROUNDS / 2u).x)) / shape;
}
