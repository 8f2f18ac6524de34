// Positive numbers of 32 bits, and 2 to their power: for exponents, whose error in f32 the power would multiply.
//
// In integers throughout: what double-f32 arithmetic takes for an error, a difference of sums, is zero to a compiler that
// may reorder them, as WGSL's may.

//#include wide.wgsl
//#include exponents.wgsl

struct Extended { // significand 2^exponent, the highest bit of the significand set
  significand: u32,
  exponent: i32,
}

// (high 2^32 + low) 2^exponent, rounded; not zero.
fn normalised(high: u32, low: u32, exponent: i32) -> Extended {
  let is_short = high == 0u;
  let first = select(high, low, is_short);
  let second = select(low, 0u, is_short);
  let zeros = countLeadingZeros(first);
  let significand = (first << zeros) | ((second >> 1u) >> (31u - zeros));
  let is_up = ((second << zeros) >> 31u) == 1u && significand != 0xffffffffu;
  return Extended(significand + select(0u, 1u, is_up), exponent + select(32, 0, is_short) - i32(zeros));
}

// For a normal x > 0.
fn extended(x: f32) -> Extended {
  let bits = bitcast<u32>(x);
  return Extended((bits << 8u) | 0x80000000u, i32(bits >> 23u) - 158);
}

fn multiply_extended(a: Extended, b: Extended) -> Extended {
  let product = multiply_wide(a.significand, b.significand);
  return normalised(product.high, product.low, a.exponent + b.exponent);
}

// 2^a, or 2^-a: a in units of 2^-24, then split in a whole number and the rest.
fn exp2_extended(a: Extended, is_negative: bool) -> f32 {
  let right = u32(clamp(-24 - a.exponent, 0, 32));
  if (right == 0u) { // a >= 128
    return select(infinity(0.0), 0.0, is_negative);
  }
  let units = ((a.significand >> (right - 1u)) + 1u) >> 1u;
  let whole = i32((units + 0x800000u) >> 24u);
  let rest = f32(i32(units) - whole * 0x1000000) * 0x1p-24f;
  return scaled_by_bits(exp2_fraction(select(rest, -rest, is_negative)), select(whole, -whole, is_negative));
}
