// The number next to one in the direction of another, in f32 and in f16, by bits: floats of one sign are in the order of
// their bits, so that neighbours are one apart.
//
// A device may take a subnormal number of f32 for zero. Reference: numpy.nextafter, each zero with the sign it comes from.
// Test: tests/conformance.

//#include classes.wgsl

// Where x is among all numbers of f32; both zeros are at 0.
fn place_f32(x: f32) -> i32 {
  let size = i32(bitcast<u32>(x) & 0x7fffffffu);
  return select(size, -size, (bitcast<u32>(x) >> 31u) != 0u);
}

// The same among those of f16, for an x that is one.
fn place_f16(x: f32) -> i32 {
  let size = bitcast<u32>(x) & 0x7fffffffu;
  let normal = min((size >> 13u) - 0x1c000u, 0x7c00u); // exponents of f32 are 112 more; infinity follows 65504
  let small = u32(bitcast<f32>(min(size, 0x38800000u)) * 0x1p24f); // below 2^-14, multiples of 2^-24
  let place = i32(select(normal, small, size < 0x38800000u));
  return select(place, -place, (bitcast<u32>(x) >> 31u) != 0u);
}

fn of_place_f16(size: u32) -> u32 {
  let normal = select((size + 0x1c000u) << 13u, INFINITY_BITS, size >= 0x7c00u);
  return select(normal, bitcast<u32>(f32(size) * 0x1p-24f), size < 0x400u);
}

fn next_place(here: i32, there: i32) -> i32 {
  return here + select(-1, 1, there > here);
}

fn sign_of_place(next: i32, here: i32) -> u32 {
  return select(0u, 0x80000000u, next < 0 || (next == 0 && here < 0));
}

fn nextafter_f32(x: f32, y: f32) -> f32 {
  let here = place_f32(x);
  let next = next_place(here, place_f32(y));
  let moved = bitcast<f32>(u32(abs(next)) | sign_of_place(next, here));
  return select(select(select(moved, y, here == place_f32(y)), y, is_nan(y)), x, is_nan(x));
}

fn nextafter_f16(x: f32, y: f32) -> f32 {
  let here = place_f16(x);
  let next = next_place(here, place_f16(y));
  let moved = bitcast<f32>(of_place_f16(u32(abs(next))) | sign_of_place(next, here));
  return select(select(select(moved, y, here == place_f16(y)), y, is_nan(y)), x, is_nan(x));
}
