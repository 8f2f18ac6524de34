// x to the power y of our own, in f32, for every tier: 2^(y log2 x), the logarithm and the product in 32 bits.
//
// Error: at most 4 ulp of the exact value of the f32 argument over the whole range, measured against f64 by
// tests/native/test_elementary.py; found: see docs/numerics/README.md. Coefficients: docs/numerics/coefficients.py.
// The logarithm errs by 2^-29.5 of itself at most, which the power multiplies by 89 at most: about 2 ulp.
//
// Values that are no normal number: as in C99, F.9.4.4; a subnormal number counts as zero.

//#include classes.wgsl
//#include extended.wgsl

struct Log2 {
  is_zero: bool,
  is_negative: bool,
  size: Extended,
}

// log2 x for a normal x > 0. x = 2^k (1 + s) / (1 - s), log2((1 + s) / (1 - s)) = s (K + K z / 3 + z^2 P(z)), z = s^2,
// K = 2 / log 2. In f32 is P alone, which z^2 < 2^-10 multiplies.
fn log2_extended(x: f32) -> Log2 {
  let bits = bitcast<u32>(x) - 0x3f3504f3u;
  let k = bitcast<i32>(bits) >> 23u;
  let mantissa = (bits & 0x7fffffu) + 0x3f3504f3u; // of m, between sqrt(1/2) and sqrt(2)
  let m = ((mantissa & 0x7fffffu) | 0x800000u) << ((mantissa >> 23u) - 126u); // m 2^24
  if (m == 0x1000000u) {
    return Log2(k == 0, k < 0, normalised(0u, u32(abs(k)) | u32(k == 0), 0));
  }
  let is_below = m < 0x1000000u;
  let numerator = select(m - 0x1000000u, 0x1000000u - m, is_below); // |s| is their quotient
  let denominator = m + 0x1000000u;
  let zeros = countLeadingZeros(numerator); // 9 to 31
  let scaled = numerator << zeros;
  // scaled / denominator in units of 2^-24: of 2^-9 first, then what remains, which is exact modulo 2^32.
  let first = u32(f32(scaled) / f32(denominator) * 512.0);
  let remains = bitcast<i32>((scaled << 9u) - first * denominator);
  let second = i32(floor(f32(remains) / f32(denominator) * 32768.0 + 0.5));
  let s = (first << 15u) + bitcast<u32>(second);

  let s_32 = s >> (zeros - 8u); // in units of 2^-32
  let z_32 = multiply_wide(s_32, s_32).high;
  let z = f32(z_32) * 0x1p-32f;
  var p = 0x1.5a1228p-2f;
  p = p * z + 0x1.a5ba7p-2f;
  p = p * z + 0x1.27771p-1f;
  // K + K z / 3 + z^2 P(z) in units of 2^-30.
  let slope = 0xb8aa3b29u + (multiply_wide(z_32, 0xf6384ee2u).high >> 2u) + u32(z * z * p * 0x1p30f + 0.5);
  let product = multiply_wide(s, slope);
  let fraction = normalised(product.high, product.low, -54 - i32(zeros));
  if (k == 0) {
    return Log2(false, is_below, fraction);
  }
  let right = u32(clamp(-32 - fraction.exponent, 1, 31));
  let part = select(fraction.significand >> right, 0u, fraction.exponent < -63);
  let is_less = is_below == (k > 0) && part != 0u; // |k| less the fraction
  let whole = u32(abs(k)) - u32(is_less);
  return Log2(false, k < 0, normalised(whole, select(part, 0u - part, is_less), -32));
}

struct Parity {
  is_integer: bool,
  is_odd: bool,
}

fn parity(y: f32) -> Parity {
  let bits = bitcast<u32>(y) & 0x7fffffffu;
  let exponent = i32(bits >> 23u) - 127;
  let below = u32(clamp(23 - exponent, 0, 24)); // bits after the point
  let significand = (bits & 0x7fffffu) | 0x800000u;
  let is_integer = (significand & ((1u << below) - 1u)) == 0u;
  return Parity(is_integer, is_integer && exponent < 24 && ((significand >> below) & 1u) == 1u);
}

fn pow_f32(x: f32, y: f32) -> f32 {
  let size = abs(x);
  if (x == 1.0 || is_zero(y)) {
    return 1.0;
  }
  if (is_nan(x) || is_nan(y)) {
    return not_a_number(x);
  }
  let is_downward = (bitcast<u32>(y) >> 31u) == 1u;
  let exponent = parity(y);
  let is_negative = (bitcast<u32>(x) >> 31u) == 1u;
  var result = 1.0;
  if (is_zero(x) || is_infinite(x) || is_infinite(y)) {
    let is_large = (size > 1.0) != is_downward;
    result = select(select(0.0, infinity(x), is_large), 1.0, size == 1.0);
  } else {
    let log2_x = log2_extended(size);
    if (!log2_x.is_zero) {
      result = times_exp2(1.0, multiply_extended(log2_x.size, extended(abs(y))), log2_x.is_negative != is_downward);
    }
    result = select(result, not_a_number(x), is_negative && !exponent.is_integer);
  }
  return select(result, bitcast<f32>(bitcast<u32>(result) ^ 0x80000000u), is_negative && exponent.is_odd);
}
