import assert from "node:assert/strict";
import test from "node:test";
import { decimalsFor, duration, Measure, superscript } from "../../static/ui/measure.js";

const en = new Measure("en");
const de = new Measure("de");
const tr = new Measure("tr");
const plain = (text) => text.replaceAll(/[\u202f\u00a0]/g, " ");

test("the uncertainty cuts the digits of value and interval", () => {
  assert.equal(plain(en.estimate(837.9974, 35.801, "nm").text), "838 ± 36 nm");
  assert.equal(plain(en.interval([744.65, 931.87], 35.801, "nm")), "[745, 932] nm");
  assert.equal(plain(en.estimate(837.9974, 0.00553, "nm").text), "837.9974 ± 0.0055 nm");
});

test("an uncertainty that rounds up to a new digit keeps two digits", () => {
  assert.equal(decimalsFor(9.96), 0);
  assert.equal(en.estimate(120.44, 9.96).text, "120 ± 10");
  assert.equal(en.estimate(0.123456, 0.0996).text, "0.12 ± 0.10");
});

test("large uncertainties round to tens and hundreds", () => {
  assert.equal(en.estimate(83812, 3610).text, "83,800 ± 3,600");
});

test("German and Turkish write a decimal comma and part the ends with a semicolon", () => {
  assert.equal(de.estimate(1.2344, 0.031, "1").text, "1,234 ± 0,031");
  assert.equal(plain(de.interval([-0.5, 1.25], 0.31)), "[−0,50; 1,25]");
  assert.equal(plain(tr.interval([0.5, 1.25], 0.31)), "[0,50; 1,25]");
});

test("very small values carry a power of ten", () => {
  assert.equal(plain(en.estimate(8.379974e-7, 3.5801e-8, "m").text), "(8.38 ± 0.36) × 10⁻⁷ m");
  assert.equal(plain(en.cut(8.379974e-7, 3.5801e-8)), "8.38 × 10⁻⁷");
  assert.equal(en.cut(837.9974, 35.801), "838");
  assert.equal(superscript(-12), "⁻¹²");
});

test("an unknown or zero uncertainty is said, not invented", () => {
  assert.equal(en.estimate(1.25, 0).u, "–");
  assert.equal(en.estimate(NaN, 1).text, "–");
  assert.equal(en.interval(null, 1), "–");
});

test("minus zero and minus signs", () => {
  assert.equal(en.fixed(-0.0001, 2), "0.00");
  assert.equal(en.fixed(-3.25, 1), "−3.3");
});

test("rates have an SI prefix and three digits", () => {
  assert.equal(plain(en.prefixed(3_612_345)), "3.61 M");
  assert.equal(plain(en.prefixed(27.6e9)), "27.6 G");
  assert.equal(plain(de.prefixed(118_400)), "118 k");
  assert.equal(en.prefixed(12.3), "12.3");
});

test("axes have as many decimals as their step", () => {
  assert.deepEqual(en.ticks([0, 0.5, 1]), ["0.0", "0.5", "1.0"]);
  assert.deepEqual(de.ticks([837.98, 838, 838.02]), ["837,98", "838,00", "838,02"]);
  assert.deepEqual(en.ticks([838, 838.025]), ["838.000", "838.025"]);
  assert.deepEqual(en.counts([0, 500_000, 20_000_000]).map(plain), ["0", "500 k", "20 M"]);
  assert.equal(en.inverse("nm"), "nm⁻¹");
  assert.equal(en.inverse("m/s"), "(m/s)⁻¹");
});

test("durations", () => {
  assert.deepEqual(duration(0.3), { id: "duration-instant", args: {} });
  assert.deepEqual(duration(12.4), { id: "duration-seconds", args: { s: 12 } });
  assert.deepEqual(duration(200), { id: "duration-minutes", args: { min: 3, s: 20 } });
  assert.deepEqual(duration(7500), { id: "duration-hours", args: { h: 2, min: 5 } });
  assert.deepEqual(duration(Infinity), { id: "duration-unknown", args: {} });
});
