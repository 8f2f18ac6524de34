// Comparisons, conversions and integer arithmetic as the Python Array API standard has them, where WGSL leaves them open.
//
// Classes of floats are told by bits: WGSL lets a compiler assume that no value is NaN or infinite. Division by zero
// gives 0 for integers. Reference: scellis.graph.elementwise. Test: tests/conformance.

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

// The nearest number of f32: WGSL's own conversion may round either way. Each half is exact, their sum is rounded once.
fn f32_from_i32(x: i32) -> f32 {
  return f32(x >> 16u) * 65536.0 + f32(x & 0xffff);
}

fn f32_from_u32(x: u32) -> f32 {
  return f32(x >> 16u) * 65536.0 + f32(x & 0xffffu);
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
