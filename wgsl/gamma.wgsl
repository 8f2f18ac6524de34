// The logarithm of |gamma| of our own, in f32, for every tier.
//
// Error: for x > -0.3 at most 4 ulp of the exact value of the f32 argument, about its zeros at 1 and 2 too. Below, lgamma
// is a difference of two terms and crosses zero between whole numbers: the error is at most 6 ulp of the larger term, or
// of 1/2 where both are less. Measured against f64 by tests/native/test_elementary.py; found: see
// docs/numerics/README.md. Coefficients: docs/numerics/coefficients.py.
//
// Infinite at 0, at negative whole numbers and at either infinity, as in C99, F.9.5.3. A subnormal number counts as zero.

//#include classes.wgsl
//#include trigonometry.wgsl
//#include exponents.wgsl

// lgamma(1 + t) for t between -0.3 and 0.5.
fn lgamma_about_1(t: f32) -> f32 {
  var p = -0x1.fd108ap-5f;
  p = p * t + 0x1.ef10a2p-4f;
  p = p * t - 0x1.fc01b4p-4f;
  p = p * t + 0x1.fb7dep-4f;
  p = p * t - 0x1.23c112p-3f;
  p = p * t + 0x1.5b5874p-3f;
  p = p * t - 0x1.a8e6c6p-3f;
  p = p * t + 0x1.151312p-2f;
  p = p * t - 0x1.9a4cdep-2f;
  p = p * t + 0x1.a51a66p-1f;
  p = p * t - 0x1.2788dp-1f;
  return select(t * p, 0.0, t == 0.0); // not -0
}

// lgamma(2 + t) for t between -0.5 and 1.
fn lgamma_about_2(t: f32) -> f32 {
  var p = -0x1.3f9fecp-14f;
  p = p * t + 0x1.e0f6e6p-13f;
  p = p * t - 0x1.3e299ap-12f;
  p = p * t + 0x1.e0bc3cp-12f;
  p = p * t - 0x1.2b490ep-10f;
  p = p * t + 0x1.7b84d6p-9f;
  p = p * t - 0x1.e4a8fap-8f;
  p = p * t + 0x1.51323ap-6f;
  p = p * t - 0x1.13df5ap-4f;
  p = p * t + 0x1.4a34ccp-2f;
  p = p * t + 0x1.b0ee6p-2f;
  return t * p;
}

// For x >= 3, by Stirling's formula as (x - 1/2) (log x - 1) + ...: taking 1 from the logarithm's parts loses nothing.
fn lgamma_large(x: f32) -> f32 {
  let parts = split_exponent(x);
  let log_less_1 = (parts.k * LN2_HIGH - 1.0) + (parts.f + (log_tail(parts.f) + parts.k * LN2_LOW));
  let r = 1.0 / x;
  let z = r * r;
  var p = 0x1.6d8ccap-11f;
  p = p * z - 0x1.6b7002p-9f;
  p = p * z + 0x1.555544p-4f;
  return (x - 0.5) * log_less_1 + (0x1.acfe3ap-2f + r * p);
}

// For a normal x > 0.
fn lgamma_positive(x: f32) -> f32 {
  if (x >= 3.0) {
    return lgamma_large(x);
  }
  if (x >= 1.5) {
    return lgamma_about_2(x - 2.0);
  }
  if (x >= 0.7) {
    return lgamma_about_1(x - 1.0);
  }
  // lgamma(1 + x) - log x
  return select(lgamma_about_1(min(x, 0.5)), lgamma_about_2(x - 1.0), x > 0.5) - log_moderate(x);
}

fn lgamma_f32(x: f32) -> f32 {
  let size = abs(x);
  if (is_nan(x)) {
    return x;
  }
  if (is_zero(x) || is_infinite(x) || x <= -0x1p23f) {
    return infinity(x);
  }
  if (x > 0.0) {
    return lgamma_positive(x);
  }
  if (x > -0.3) {
    return lgamma_about_1(x) - log_moderate(size);
  }
  let from_whole = abs(size - round(size));
  if (from_whole == 0.0) {
    return infinity(x);
  }
  // gamma(x) gamma(-x) = -pi / (x sin(pi x))
  return -log_moderate(size * sin_of_quarters(2.0 * from_whole) * 0x1.45f306p-2f) - lgamma_positive(size);
}
