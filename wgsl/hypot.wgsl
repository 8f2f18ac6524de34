// The length of a vector of two, in f32, for every tier, without overflow on the way.
//
// Error: at most 4 ulp, measured against f64 by tests/native/test_elementary.py; found: see docs/numerics/README.md.
// Infinite where either is, even beside NaN, as in C99, F.9.4.3. A subnormal number counts as zero.

//#include classes.wgsl
//#include exponents.wgsl

fn hypot_f32(x: f32, y: f32) -> f32 {
  let larger = max(abs(x), abs(y));
  let shift = select(select(0, 90, larger < 0x1p-30f), -70, larger > 0x1p60f);
  let scale = select(select(1.0, 0x1p90f, larger < 0x1p-30f), 0x1p-70f, larger > 0x1p60f);
  let a = x * scale;
  let b = y * scale;
  var result = scaled_by_bits(sqrt(a * a + b * b), -shift);
  result = select(result, 0.0, is_zero(x) && is_zero(y));
  result = select(result, not_a_number(x), is_nan(x) || is_nan(y));
  return select(result, infinity(x), is_infinite(x) || is_infinite(y));
}
