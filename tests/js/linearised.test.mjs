import assert from "node:assert/strict";
import test from "node:test";
import { bell, compare, outside, shareBelow, stepped } from "../../static/ui/linearised.js";

const histogram = { low: 0, high: 4, counts: [10, 20, 30, 40], underflow: 5, overflow: 15 };

test("shares count what lies outside the bins and part of a bin inside", () => {
  assert.equal(shareBelow(histogram, -1), 5 / 120);
  assert.equal(shareBelow(histogram, 1.5), 25 / 120);
  assert.equal(shareBelow(histogram, 9), 105 / 120);
  assert.equal(shareBelow({ low: 0, high: 1, counts: [0] }, 0.5), null);
  const { below, above } = outside(histogram, [0, 3]);
  assert.ok(Math.abs(below - 5 / 120) < 1e-12 && Math.abs(above - 55 / 120) < 1e-12);
  assert.equal(outside(histogram, null), null);
});

test("the gauge block of JCGM 101, 9.5: first order is not validated at two digits", () => {
  const run = { mean: 837.997, std: 35.801, interval: [744.65, 931.87], histogram };
  const found = compare(run, { mean: 838, std: 31.7, interval: [756.3, 919.7] });
  assert.equal(found.validated, false);
  assert.equal(found.tolerance, 0.5);
  assert.ok(Math.abs(found.std + 0.1145) < 1e-3);
});

test("equal results are validated; no interval, no verdict", () => {
  const run = { mean: 1, std: 0.31, interval: [0.2, 1.8], histogram };
  assert.equal(compare(run, { mean: 1, std: 0.31, interval: [0.2, 1.804] }).validated, true);
  assert.equal(compare({ ...run, interval: null }, { mean: 1, std: 1, interval: [0, 1] }), null);
});

test("the bell and the stepped density have unit area", () => {
  const xs = Array.from({ length: 1601 }, (_, i) => -8 + i * 0.01);
  const area = bell({ mean: 0, std: 1 }, xs).reduce((a, b) => a + b, 0) * 0.01;
  assert.ok(Math.abs(area - 1) < 1e-6);
  const steps = stepped({ low: 0, high: 4, counts: [10, 20, 30, 40] });
  assert.equal(steps.xs.length, 5);
  assert.ok(Math.abs(steps.density.slice(0, 4).reduce((a, b) => a + b, 0) - 1) < 1e-12);
});
