// Philox4x32: four random words from a 128-bit counter under a 64-bit key.
//
// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11 (2011).
// Bits: those of scellis.rng.philox, on every device. Tests: tests/native/test_philox.py, tests/browser/test_gpu.py.
// Needs high_half of words_shift.wgsl or words_float.wgsl.
//
// WGSL has no 32 x 32 -> 64 bit product. The high word is assembled from 16-bit halves, a = 2^16 h + l. The middle
// terms of M0 * a sum to less than 2^32, so one carry suffices. Those of M1 * a do not, but those of its complement
// K1 = 2^32 - M1 do: M1 * a = 2^32 a - K1 * a, and with b = 2^32 - 1 - a, so that nothing is negative,
// M1 * a = 2^32 (a - K1) + K1 * b + K1. The halves of b are 65535 - h and 65535 - l, written out below.

const PHILOX_M0 = 0xD2511F53u;
const PHILOX_M1 = 0xCD9E8D57u;
const PHILOX_K1 = 0x326172A9u; // 2^32 - M1
const PHILOX_W0 = 0x9E3779B9u; // what the key grows by each round: golden ratio
const PHILOX_W1 = 0xBB67AE85u; // sqrt(3) - 1

struct Product {
  high: u32,
  low: u32,
}

fn multiply_m0(a: u32) -> Product {
  let l = a & 0xffffu;
  let h = high_half(a);
  let middle = l * 0xD251u + h * 0x1F53u + high_half(l * 0x1F53u);
  return Product(h * 0xD251u + high_half(middle), a * PHILOX_M0);
}

fn multiply_m1(a: u32) -> Product {
  let l = a & 0xffffu;
  let h = high_half(a);
  let lower = (65535u * 0x72A9u + PHILOX_K1) - l * 0x72A9u;
  let middle = 65535u * (0x3261u + 0x72A9u) - l * 0x3261u - h * 0x72A9u + high_half(lower);
  return Product((65535u * 0x3261u - PHILOX_K1) - h * 0x3261u + high_half(middle) + a, a * PHILOX_M1);
}

fn philox_round(c: vec4<u32>, k0: u32, k1: u32) -> vec4<u32> {
  let x = multiply_m0(c.x);
  let y = multiply_m1(c.z);
  return vec4<u32>(y.high ^ c.y ^ k0, y.low, x.high ^ c.w ^ k1, x.low);
}

// The plain function, ten rounds for every use but the test that seven are not ten.
fn philox4x32(counter: vec4<u32>, key: vec2<u32>, rounds: u32) -> vec4<u32> {
  var c = counter;
  for (var r = 0u; r < rounds; r += 1u) {
    c = philox_round(c, key.x + r * PHILOX_W0, key.y + r * PHILOX_W1);
  }
  return c;
}
