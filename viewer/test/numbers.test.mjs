import assert from "node:assert/strict";
import { test } from "node:test";
import { digitsForStep, formatNumber, formatSignificant, niceStep, ticks } from "../src/numbers.ts";

test("numbers are set with a true minus and never as minus zero", () => {
  assert.equal(formatNumber(-12.345, 2), "−12.35");
  assert.equal(formatNumber(-0.001, 1), "0.0");
  assert.equal(formatNumber(-Infinity, 1), "−∞");
  assert.equal(formatNumber(NaN, 1), "–");
});

test("significant digits, with powers of ten at the extremes", () => {
  assert.equal(formatSignificant(1234.56, 4), "1235");
  assert.equal(formatSignificant(0.5, 3), "0.500");
  assert.equal(formatSignificant(0.0079, 2), "0.0079");
  assert.equal(formatSignificant(0, 3), "0.00");
  assert.equal(formatSignificant(-1.3e-5, 3), "−1.30 × 10⁻⁵");
});

test("ticks are round, in range and include the ends", () => {
  assert.equal(niceStep(50, 5), 10);
  assert.equal(niceStep(0.7, 5), 0.1);
  assert.deepEqual(ticks(-30, 20, 10), [-30, -20, -10, 0, 10, 20]);
  assert.deepEqual(ticks(-31, 14, 10), [-30, -20, -10, 0, 10]);
  assert.equal(digitsForStep(2.5), 1);
  assert.equal(digitsForStep(20), 0);
});
