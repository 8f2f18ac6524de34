// Elementary functions of our own, in f32: the same polynomials on every device, so that a draw's value is a matter
// of the program and not of the driver. elementary_fast.wgsl has the same functions made of WGSL's built-ins.
//
// Error: at most 4 ulp of the exact value of the f32 argument over the whole range, measured against f64 by
// tests/native/test_elementary.py (all 2^23 uniforms for log_unit, sin2pi, cos2pi); found: see docs/numerics/README.md.
// Coefficients: docs/numerics/coefficients.py. Every reduction is exact.
//
// Values that are no normal number: a subnormal argument counts as zero, a result below 2^-126 is zero, one beyond
// the range is infinite, and an argument that is NaN comes back as it is. Classes are told by bits: WGSL lets a
// compiler assume that no value is NaN or infinite.

//#include classes.wgsl
//#include trigonometry.wgsl
//#include exponents.wgsl

// log x for a normal x > 0.
fn log_unit(x: f32) -> f32 {
  return log_moderate(x);
}

// log x for any x.
fn log_f32(x: f32) -> f32 {
  let bits = bitcast<u32>(x);
  var result = log_unit(x);
  result = select(result, infinity(x), bits == INFINITY_BITS);
  result = select(result, not_a_number(x), bits > INFINITY_BITS); // negative, or NaN
  return select(result, -infinity(x), (bits & 0x7fffffffu) < 0x800000u);
}

// exp(x) - 1 for any x.
fn expm1_f32(x: f32) -> f32 {
  let reduced = reduce_exponent(clamp(x, -20.0, 88.75));
  let n = min(reduced.n, 127.0);
  let scale = power_of_two(n);
  var result = (scale * reduced.expm1_r + (scale - 1.0)) * power_of_two(reduced.n - n);
  result = select(result, infinity(x), x > 0x1.62e42ep6f);
  result = select(result, with_sign(0.0, x), is_zero(x));
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

// exp(x) for an x of at most 0, the same bits with less work.
fn exp_nonpositive(x: f32) -> f32 {
  let reduced = reduce_exponent(max(x, -87.5));
  let result = select((reduced.expm1_r + 1.0) * power_of_two(reduced.n), 0.0, x < -0x1.5d589ep6f);
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
  return odd_of_any(x, size);
}

// sin(2 pi u) and cos(2 pi u) for u between 0 and 1. Folding to quarter turns is exact, so the relative error holds
// at the zeros too.
fn sin2pi(u: f32) -> f32 {
  return sin_of_quarters(4.0 * (abs(abs(u - 0.25) - 0.5) - 0.25));
}

fn cos2pi(u: f32) -> f32 {
  return sin_of_quarters(4.0 * (abs(u - 0.5) - 0.25));
}
