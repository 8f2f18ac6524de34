// Quotients of f32 rounded down, and what is left: exact, as in Python, however large the quotient is.
//
// a / b may be off by 2.5 ulp in WGSL, and a % b, made of it, by any amount. So both are found by long division of the
// whole numbers that fractions are, eight bits at a time: in 32 steps at most. Subnormal numbers count as zero.
// Reference: scellis.graph.elementwise. Test: tests/conformance/cases/arithmetic.yaml.

//#include classes.wgsl

const QUOTIENT_BITS = 30u; // more do not fit beside the one that floor may add, nor into f32

struct Divided {
  quotient: u32, // its low 32 bits
  rest: f32, // the sizes' remainder
}

fn exponent_bits(x: f32) -> u32 {
  return (bitcast<u32>(x) >> 23u) & 0xffu;
}

fn fraction_bits(x: f32) -> u32 {
  return (bitcast<u32>(x) & 0x7fffffu) | 0x800000u;
}

// |a| by |b|, for a finite a and b not zero.
fn divided(a: f32, b: f32) -> Divided {
  let size = abs(a);
  if (is_zero(a) || size < abs(b) || is_infinite(b)) {
    return Divided(0u, select(size, 0.0, is_zero(a)));
  }
  let divisor = fraction_bits(b);
  let first = fraction_bits(a);
  var quotient = first / divisor;
  var rest = first % divisor;
  var left = exponent_bits(a) - exponent_bits(b);
  while (left > 0u) {
    let bits = min(left, 8u);
    rest <<= bits; // below 2^24 before
    quotient = (quotient << bits) + rest / divisor;
    rest %= divisor;
    left -= bits;
  }
  return Divided(quotient, f32(rest) * 0x1p-23f * bitcast<f32>(exponent_bits(b) << 23u));
}

fn is_turned(a: f32, b: f32) -> bool {
  return ((bitcast<u32>(a) ^ bitcast<u32>(b)) >> 31u) == 1u;
}

fn remainder_f32(a: f32, b: f32) -> f32 {
  if ((bitcast<u32>(a) & 0x7fffffffu) >= INFINITY_BITS || is_zero(b) || is_nan(b)) {
    return not_a_number(a);
  }
  let rest = divided(a, b).rest;
  let whole = with_sign(rest, a);
  return select(select(whole, whole + b, is_turned(a, b)), with_sign(0.0, b), is_zero(rest));
}

fn floor_divide_f32(a: f32, b: f32) -> f32 {
  let huge = exponent_bits(a) > exponent_bits(b) + QUOTIENT_BITS;
  if (huge || is_infinite(a) || is_nan(a) || is_nan(b) || is_zero(b)) {
    return floor(a / b);
  }
  let found = divided(a, b);
  let down = is_turned(a, b) && !is_zero(found.rest);
  let size = f32(found.quotient + u32(down));
  return select(size, -size, is_turned(a, b));
}
