// Comparisons, rounding and integer arithmetic as the Python Array API standard has them, where WGSL leaves them open.
//
// Classes of floats are told by bits: WGSL lets a compiler assume that no value is NaN or infinite. Division by zero
// gives 0 for integers. Reference: scellis.graph.elementwise. Test: tests/native/test_arrays.py.

//#include classes.wgsl

fn is_finite(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) < INFINITY_BITS;
}

fn equal_f32(a: f32, b: f32) -> bool {
  return a == b && !is_nan(a) && !is_nan(b);
}

fn less_f32(a: f32, b: f32) -> bool {
  return a < b && !is_nan(a) && !is_nan(b);
}

fn sign_f32(x: f32) -> f32 {
  return select(sign(x), x, is_nan(x));
}

fn remainder_f32(a: f32, b: f32) -> f32 {
  let r = select(a % b, a, is_infinite(b)); // with the sign of a
  let other = (r < 0.0) != (b < 0.0) && r != 0.0;
  let whole = select(r, r + b, other);
  return select(whole, bitcast<f32>(0x7fc00000u | (bitcast<u32>(a) & 0u)), !is_finite(a) || b == 0.0 || is_nan(b));
}

fn floor_divide_i32(a: i32, b: i32) -> i32 {
  let divisor = select(b, 1, b == 0);
  let quotient = a / divisor;
  let below = (a - quotient * divisor != 0) && ((a < 0) != (divisor < 0));
  return select(quotient - i32(below), 0, b == 0);
}

fn remainder_i32(a: i32, b: i32) -> i32 {
  let divisor = select(b, 1, b == 0);
  let r = a - (a / divisor) * divisor; // Vulkan leaves the remainder of negative integers open
  let other = r != 0 && ((r < 0) != (divisor < 0));
  return select(select(r, r + divisor, other), 0, b == 0);
}

fn floor_divide_u32(a: u32, b: u32) -> u32 {
  return select(a / max(b, 1u), 0u, b == 0u);
}

fn remainder_u32(a: u32, b: u32) -> u32 {
  return select(a % max(b, 1u), 0u, b == 0u);
}

// Towards zero; what does not fit becomes the nearest that does, NaN 0.
fn i32_from_f32(x: f32) -> i32 {
  let held = select(i32(clamp(x, -2147483648.0, 2147483520.0)), 2147483647, x >= 2147483648.0);
  return select(held, 0, is_nan(x));
}

fn u32_from_f32(x: f32) -> u32 {
  let held = select(u32(clamp(x, 0.0, 4294967040.0)), 4294967295u, x >= 4294967296.0);
  return select(held, 0u, is_nan(x));
}
