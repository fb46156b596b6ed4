import assert from "node:assert/strict";
import { test } from "node:test";
import { colorAt, colorMapPixels } from "../src/color-map.ts";

const linear = (byte) => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);

/** CIE L*a*b* (D65), a different space from the one the map is made in. */
function cieLab([r, g, b]) {
  const [lr, lg, lb] = [linear(r), linear(g), linear(b)];
  const f = (t) => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116);
  const x = f((0.4124 * lr + 0.3576 * lg + 0.1805 * lb) / 0.9505);
  const y = f(0.2126 * lr + 0.7152 * lg + 0.0722 * lb);
  const z = f((0.0193 * lr + 0.1192 * lg + 0.9505 * lb) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const labs = Array.from({ length: 256 }, (_, i) => cieLab([...colorMapPixels().subarray(4 * i, 4 * i + 3)]));

test("lightness rises all the way, so the map also orders values in gray", () => {
  for (let i = 8; i < 256; i += 8) assert.ok(labs[i][0] > labs[i - 8][0] + 1, `at ${i}`);
});

test("equal steps in the value are nearly equal steps to the eye", () => {
  const steps = [];
  for (let i = 16; i < 256; i += 16) steps.push(Math.hypot(...labs[i].map((value, k) => value - labs[i - 16][k])));
  // The two color spaces disagree by this much about saturated blue and yellow.
  assert.ok(Math.max(...steps) / Math.min(...steps) < 2.2, steps.map((step) => step.toFixed(1)).join(" "));
});

test("the curve stays inside the gamut: no channel is clipped before the brightest end", () => {
  const pixels = colorMapPixels();
  for (let i = 0; i < 250; i++) {
    for (let channel = 0; channel < 3; channel++) assert.ok(pixels[4 * i + channel] > 0 && pixels[4 * i + channel] < 255, `entry ${i}`);
  }
});

test("levels outside 0…1 take the end colors", () => {
  assert.equal(colorAt(-3), colorAt(0));
  assert.equal(colorAt(7), colorAt(1));
});
