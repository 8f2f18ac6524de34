// erf, erfc and erfinv of our own, in f32, for every tier.
//
// Error: at most 4 ulp of the exact value of the f32 argument over the whole range, measured against f64 by
// tests/native/test_elementary.py; found: see docs/numerics/README.md. Coefficients: docs/numerics/coefficients.py.
//
// exp(-x^2) has its exponent in 32 bits: in f32 the square's error would cost 85 ulp. erfc(x) exp(x^2) (1 + 2 x) in
// (x - 2) / (x + 2) after M. M. Shepherd, J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x", 1981.
// erfinv(x) / x in -log(1 - x^2) and its root after M. Giles, "Approximating the erfinv function", 2010.
//
// Values that are no normal number: as in elementary.wgsl; erfinv outside [-1, 1] is NaN.

//#include classes.wgsl
//#include extended.wgsl

// erf x for x between 0 and 1.
fn erf_small(x: f32) -> f32 {
  let z = x * x;
  var p = 0x1.4771fcp-14f;
  p = p * z - 0x1.a3515ep-11f;
  p = p * z + 0x1.53f224p-8f;
  p = p * z - 0x1.b7f71ap-6f;
  p = p * z + 0x1.ce2ce6p-4f;
  p = p * z - 0x1.81273ep-2f;
  p = p * z + 0x1.06eba8p-3f;
  // Of a tiny x the product may be no normal number, and be lost.
  return select(x + x * p, x * 0x1.20dd76p0f, x < 0x1p-60f);
}

// y exp(-x^2) for x between 2^-60 and 2^60.
fn times_exp_minus_square(y: f32, x: f32) -> f32 {
  let a = extended(x);
  return times_exp2(y, multiply_extended(multiply_extended(a, a), Extended(0xb8aa3b29u, -31)), true);
}

// erfc x for x between 1/2 and 12.
fn erfc_large(x: f32) -> f32 {
  let q = (x - 2.0) / (x + 2.0);
  var p = 0x1.d4a948p-12f;
  p = p * q - 0x1.606f94p-12f;
  p = p * q - 0x1.c42244p-10f;
  p = p * q + 0x1.444cfep-10f;
  p = p * q + 0x1.21368ep-7f;
  p = p * q - 0x1.0721b4p-7f;
  p = p * q - 0x1.bc4dbcp-5f;
  p = p * q + 0x1.4ffa0cp-3f;
  p = p * q - 0x1.540746p-3f;
  p = p * q - 0x1.7bf5ecp-4f;
  p = p * q + 0x1.46e80ep0f;
  return times_exp_minus_square(p / (1.0 + 2.0 * x), x);
}

fn erf_f32(x: f32) -> f32 {
  let size = abs(x);
  let large = 1.0 - erfc_large(clamp(size, 1.0, 5.0));
  return odd_of_any(x, select(erf_small(min(size, 1.0)), large, size > 1.0));
}

fn erfc_f32(x: f32) -> f32 {
  let size = min(abs(x), 12.0);
  let large = erfc_large(max(size, 0.5));
  let near = erf_small(min(size, 1.0));
  let right = select(1.0 - near, large, size > 0.5);
  let left = select(1.0 + near, 2.0 - large, size > 1.0);
  return select(select(right, left, x < 0.0), x, is_nan(x));
}

fn erfinv_middle(w: f32) -> f32 {
  let v = w - 2.5;
  var p = -0x1.058f26p-29f;
  p = p * v - 0x1.16b62p-27f;
  p = p * v + 0x1.daae3p-25f;
  p = p * v + 0x1.ecc3dep-22f;
  p = p * v - 0x1.ea20c8p-19f;
  p = p * v - 0x1.4ba03ep-18f;
  p = p * v + 0x1.cadbacp-13f;
  p = p * v - 0x1.486702p-10f;
  p = p * v - 0x1.11cb64p-8f;
  p = p * v + 0x1.f91e8ap-3f;
  p = p * v + 0x1.805c5ep0f;
  return p;
}

fn erfinv_tail(w: f32) -> f32 {
  let v = sqrt(w) - 3.0;
  var p = 0x1.0eeb38p-13f;
  p = p * v - 0x1.4b0b24p-12f;
  p = p * v - 0x1.51cce8p-14f;
  p = p * v + 0x1.87217cp-10f;
  p = p * v - 0x1.d59066p-9f;
  p = p * v + 0x1.749134p-8f;
  p = p * v - 0x1.f4c302p-8f;
  p = p * v + 0x1.358136p-7f;
  p = p * v + 0x1.006dcap0f;
  p = p * v + 0x1.6a9efcp1f;
  return p;
}

// 1 - x from 1/2 on is taken from the bits, so that no compiler can make 1 - x^2 of the product.
fn erfinv_f32(x: f32) -> f32 {
  let size = min(abs(x), 0x1.fffffep-1f);
  let rest = select(1.0 - size, f32(0x3f800000u - bitcast<u32>(size)) * 0x1p-24f, size >= 0.5);
  let w = -log_moderate(rest * (1.0 + size));
  let value = size * select(erfinv_middle(min(w, 5.0)), erfinv_tail(max(w, 5.0)), w > 5.0);
  let result = odd_of_any(x, select(value, infinity(x), abs(x) == 1.0));
  return select(result, not_a_number(x), abs(x) > 1.0);
}
