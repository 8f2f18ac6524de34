// The same numbers in every library: data.py has the same functions for Scellis and for the reference.

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Element i of stream `seed`, mixed as C. Wellons' lowbias32 does it; 24 bits in [-1, 1), times `scale`, plus `shift`. */
export function uniform(shape, seed, scale = 1, shift = 0) {
  const values = new Float32Array(shape.reduce((size, length) => size * length, 1));
  for (let i = 0; i < values.length; i += 1) {
    values[i] = ((mixed(i, seed) >>> 8) * 2 ** -23 - 1) * scale + shift;
  }
  return values;
}

/** Integers from 0 to before `high`. */
export function integers(size, seed, high) {
  return Int32Array.from({ length: size }, (_, i) => mixed(i, seed) % high);
}

function mixed(i, seed) {
  let h = (Math.imul(i, 0x9e3779b1) + Math.imul(seed, 0x85ebca77)) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Weighed mean squares of the first `width` elements and of all: no order of elements but the right one gives them. */
export function digest(values, width) {
  const weights = uniform([values.length], 7, 0.5, 1);
  const squares = Float64Array.from(values, (value, i) => weights[i] * value * value);
  return [mean(squares.subarray(0, width)), mean(squares)];
}
