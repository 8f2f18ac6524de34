// First-order error propagation against the sampled result, in the words of JCGM 101:2008, clause 8.

import { decimalsFor } from "./measure.js";

/** Uncertainties are compared at two significant digits, as they are written. */
const DIGITS = 2;

/**
 * The share of counted draws at or below `x`; inside a bin, by its part.
 * `histogram`: {low, high, counts, underflow, overflow}. Null while nothing is counted.
 */
export function shareBelow(histogram, x) {
  const { low, high, counts, underflow = 0, overflow = 0 } = histogram;
  const inside = counts.reduce((sum, count) => sum + count, 0);
  const total = inside + underflow + overflow;
  if (!total || !(high > low)) return null;
  const position = ((x - low) / (high - low)) * counts.length;
  if (position <= 0) return underflow / total;
  if (position >= counts.length) return (underflow + inside) / total;
  const bin = Math.floor(position);
  let below = underflow + counts[bin] * (position - bin);
  for (let i = 0; i < bin; i += 1) below += counts[i];
  return below / total;
}

/** The shares of draws below and above an interval: {below, above}, or null while nothing is counted. */
export function outside(histogram, interval) {
  const below = histogram && interval ? shareBelow(histogram, interval[0]) : null;
  return below === null ? null : { below, above: 1 - shareBelow(histogram, interval[1]) };
}

/**
 * Is first-order propagation validated by the sampled result? JCGM 101, 8.1: both interval ends agree within
 * half a unit of the last written digit of u. Null while there is no interval to compare.
 * Returns {validated, tolerance, low, high, std, mean}: `low` and `high` the distances of the ends, `std` and
 * `mean` how far the linearised u is off and the sampled mean lies above the linearised value, relative to u.
 */
export function compare(run, linearised) {
  if (!run?.interval || !linearised?.interval || !(run.std > 0)) return null;
  const tolerance = 0.5 * 10 ** -decimalsFor(run.std, DIGITS);
  const [low, high] = run.interval.map((end, i) => Math.abs(end - linearised.interval[i]));
  return {
    validated: low <= tolerance && high <= tolerance,
    tolerance, low, high,
    std: linearised.std / run.std - 1,
    mean: (run.mean - linearised.mean) / run.std,
  };
}

/** The density of the linearised result's normal bell at each of `xs`. */
export function bell(linearised, xs) {
  const peak = 1 / (linearised.std * Math.sqrt(2 * Math.PI));
  return xs.map((x) => peak * Math.exp(-0.5 * ((x - linearised.mean) / linearised.std) ** 2));
}

/**
 * A histogram as a stepped density: `{xs, density}`, one x at each of the bins + 1 edges, the last value repeated.
 * Draws outside the bins count in the total, so that the area is the share that is shown.
 */
export function stepped(histogram) {
  const { low, high, counts, underflow = 0, overflow = 0 } = histogram;
  const width = (high - low) / counts.length;
  const total = counts.reduce((sum, count) => sum + count, 0) + underflow + overflow;
  const density = counts.map((count) => (total ? count / (total * width) : 0));
  return {
    xs: [...counts.map((_, i) => low + i * width), high],
    density: [...density, density.at(-1)],
  };
}
