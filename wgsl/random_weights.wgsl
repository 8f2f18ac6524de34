// A number of a row and the greatest of it as a whole weight of so many bits: the same bits on every device.
//
// Reference: scellis.graph.drawn. Test: tests/native/test_random.py.

//#include soft_float.wgsl

// floor(x / top 2^bits) for 0 <= x <= top, 0 for any other.
fn share_weight(x: f32, top: f32, bits: u32) -> u32 {
  if (is_nan(x) || is_nan(top) || is_infinite(top) || x < 0.0 || x > top) {
    return 0u;
  }
  return u32(whole(times_power(over(soft(x), soft(top)), i32(bits))));
}

// floor(exp(x - top) 2^bits) for x <= top, 0 for any other, and where exp(x - top) is below exp(-32).
fn exp_weight(x: f32, top: f32, bits: u32) -> u32 {
  if (is_nan(x) || is_nan(top) || is_infinite(x) || is_infinite(top) || x > top) {
    return 0u;
  }
  let power = minus(soft(x), soft(top));
  if (plus(power, Soft(false, 0x80000000u, -26)).negative) {
    return 0u;
  }
  return u32(whole(times_power(soft_exp(power), i32(bits))));
}
