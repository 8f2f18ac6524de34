// The tangent of our own, in f32, for every tier: WGSL bounds the error of its own on no interval.
//
// Error: at most 4 ulp of the exact value of the f32 argument over the whole range, measured against f64 by
// tests/native/test_elementary.py; found: see docs/numerics/README.md. Coefficients: docs/numerics/coefficients.py.
//
// The argument is reduced as in trigonometry.wgsl. Values that are no normal number: as in elementary.wgsl;
// the tangent of an infinite number is NaN, that of a zero or subnormal number a zero of its sign.

//#include trigonometry.wgsl

// tan(pi x / 2) for |x| <= 1/2.
fn tan_of_quarters(x: f32) -> f32 {
  let z = x * x;
  var p = 0x1.8e6ccp2f;
  p = p * z - 0x1.045b24p1f;
  p = p * z + 0x1.2085bp1f;
  p = p * z + 0x1.1f646p0f;
  p = p * z + 0x1.49199ep0f;
  p = p * z + 0x1.464d24p0f;
  p = p * z + 0x1.4abc4p0f;
  p = p * z + 0x1.243f6ap-1f;
  return x + x * p;
}

fn tan_f32(x: f32) -> f32 {
  if ((bitcast<u32>(x) & 0x7fffffffu) >= INFINITY_BITS) {
    return not_a_number(x);
  }
  if (abs(x) < SMALL) {
    return odd_of_any(x, abs(x) + abs(x) * (x * x * (1.0 / 3.0)));
  }
  let reduced = reduce_quarters(x);
  let value = tan_of_quarters(reduced.rest);
  let turned = select(value, -1.0 / value, (reduced.quadrant & 1u) == 1u);
  return select(turned, -turned, x < 0.0);
}
