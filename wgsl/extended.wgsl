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

// x 2^a, or x 2^-a, for x between 2^-60 and 1: a is a whole number, and a rest that is exact in integers.
fn times_exp2(x: f32, a: Extended, is_negative: bool) -> f32 {
  if (a.exponent > -24) { // a >= 256
    return select(infinity(0.0), 0.0, is_negative);
  }
  let below = u32(min(-a.exponent, 126)); // bits after the point
  let is_small = below > 32u; // a < 1/2
  let nearest = select(((a.significand >> ((below - 1u) & 31u)) + 1u) >> 1u, 0u, is_small);
  let whole = select(nearest << (below & 31u), 0u, below > 31u); // modulo 2^32
  let units = select(f32(bitcast<i32>(a.significand - whole)), f32(a.significand), is_small);
  let rest = units * power_of_two(-f32(below));
  let n = i32(nearest);
  let y = x + x * exp2m1_fraction(select(rest, -rest, is_negative));
  return scaled_by_bits(y, select(n, -n, is_negative));
}
