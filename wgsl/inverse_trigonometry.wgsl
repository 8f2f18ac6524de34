// asin, acos, atan and atan2 of our own, in f32, for every tier.
//
// Error: at most 4 ulp of the exact value of the f32 argument over the whole range, measured against f64 by
// tests/native/test_elementary.py; found: see docs/numerics/README.md. Coefficients: docs/numerics/coefficients.py.
//
// Values that are no normal number: as in elementary.wgsl; asin and acos outside [-1, 1] are NaN. Signed
// zeros and infinities of atan2 as in C99, F.9.1.4.

//#include classes.wgsl

const PI = 0x1.921fb6p+1f;
const HALF_PI = 0x1.921fb6p+0f;

// atan q for q between 0 and 1.
fn atan_unit(q: f32) -> f32 {
  let z = q * q;
  var p = -0x1.d34beep-10f;
  p = p * z + 0x1.641eep-7f;
  p = p * z - 0x1.fd7a2ap-6f;
  p = p * z + 0x1.da28ccp-5f;
  p = p * z - 0x1.5808eap-4f;
  p = p * z + 0x1.c08c48p-4f;
  p = p * z - 0x1.242086p-3f;
  p = p * z + 0x1.9991e4p-3f;
  p = p * z - 0x1.55553ep-2f;
  return q + q * (z * p);
}

fn atan_f32(x: f32) -> f32 {
  let size = min(abs(x), 0x1p60f);
  let is_steep = size > 1.0;
  let angle = atan_unit(select(size, 1.0 / size, is_steep));
  return odd_of_any(x, select(angle, HALF_PI - angle, is_steep));
}

// The angle of the point (x, y), between -pi and pi.
fn atan2_f32(y: f32, x: f32) -> f32 {
  let larger = max(abs(x), abs(y));
  let smaller = min(abs(x), abs(y));
  let scale = select(1.0, 0x1p-30f, larger > 0x1p96f); // WGSL bounds the error of division up to 2^126
  var ratio = (smaller * scale) / (larger * scale);
  ratio = select(ratio, 0.0, bitcast<u32>(larger) == INFINITY_BITS || is_zero(smaller));
  ratio = select(ratio, 1.0, bitcast<u32>(smaller) == INFINITY_BITS);
  let angle = atan_unit(ratio);
  let is_behind = (bitcast<u32>(x) >> 31u) == 1u;
  let flat = select(angle, PI - angle, is_behind);
  let steep = HALF_PI + select(-angle, angle, is_behind);
  let result = with_sign(select(flat, steep, abs(y) > abs(x) && !is_zero(y)), y);
  return select(result, not_a_number(x), is_nan(x) || is_nan(y));
}

struct Arc {
  is_outer: bool, // |x| > 1/2: the arc is that of the other leg, halved
  angle: f32,
}

// asin |x|, or asin sqrt((1 - |x|) / 2), both at most pi / 6.
fn arc(x: f32) -> Arc {
  let size = abs(x);
  let is_outer = size > 0.5;
  let z = select(size * size, max(1.0 - size, 0.0) * 0.5, is_outer);
  let s = select(size, sqrt(z), is_outer);
  var p = 0x1.595c6p-5f;
  p = p * z + 0x1.8c3e5p-6f;
  p = p * z + 0x1.747bb8p-5f;
  p = p * z + 0x1.330204p-4f;
  p = p * z + 0x1.5555c8p-3f;
  return Arc(is_outer, s + s * (z * p));
}

fn asin_f32(x: f32) -> f32 {
  let found = arc(x);
  let result = odd_of_any(x, select(found.angle, HALF_PI - 2.0 * found.angle, found.is_outer));
  return select(result, not_a_number(x), abs(x) > 1.0);
}

fn acos_f32(x: f32) -> f32 {
  let found = arc(x);
  let outer = select(2.0 * found.angle, PI - 2.0 * found.angle, x < 0.0);
  let result = select(HALF_PI - select(found.angle, -found.angle, x < 0.0), outer, found.is_outer);
  return select(result, not_a_number(x), abs(x) > 1.0 || is_nan(x));
}
