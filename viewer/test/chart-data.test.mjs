import assert from "node:assert/strict";
import { test } from "node:test";
import { axisPixel, axisValue, nearestPosition, polarAngle, polarPoint, readChart, valueAt } from "../src/chart-data.ts";

const linear = { label: "φ", unit: "deg", min: 0, max: 360, pixel_min: 60, pixel_max: 700, log: false };
const logarithmic = { label: "N", unit: "", min: 100, max: 1e6, pixel_min: 300, pixel_max: 20, log: true };
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9 * Math.max(1, Math.abs(b)), `${a} is not ${b}`);

test("pixels and values are inverse to each other, linear and logarithmic", () => {
  near(axisPixel(linear, 180), 380);
  near(axisPixel(logarithmic, 1e4), 160);
  for (const value of [123, 5000, 77777]) near(axisValue(logarithmic, axisPixel(logarithmic, value)), value);
});

test("polar directions follow zero and sense", () => {
  const chart = { kind: "polar", center: [100, 100], radius: 50, r: { label: "", unit: "dB", min: -30, max: 20 }, zero_deg: 90, clockwise: true, series: [] };
  const [x, y] = polarPoint(chart, 90, 20);
  near(x, 150);
  near(y, 100);
  near(polarAngle(chart, 100, 150), 180);
  near(polarAngle({ ...chart, zero_deg: 0, clockwise: false }, 100, 50), 90);
  assert.deepEqual(polarPoint(chart, 45, -99), [100, 100]);
});

const plain = { logX: false, logY: false };

test("values are exact at samples, interpolated between them, absent outside and beside gaps", () => {
  const curve = { name: "VV", reference: false, positions: [0, 10, 20, 30], values: [1, 3, null, 5] };
  assert.deepEqual(valueAt(curve, 10, plain), { value: 3, exact: true });
  assert.deepEqual(valueAt(curve, 5, plain), { value: 2, exact: false });
  assert.equal(valueAt(curve, 15, plain), null);
  assert.equal(valueAt(curve, 31, plain), null);
});

test("between samples of a log-log chart the value lies on the straight line that is drawn", () => {
  const curve = { name: "slope", reference: true, positions: [100, 1e4], values: [1, 0.01] };
  near(valueAt(curve, 1000, { logX: true, logY: true }).value, 0.1);
});

test("the nearest sampled position is found over all curves", () => {
  const curves = [{ positions: [0, 10] }, { positions: [4] }];
  assert.equal(nearestPosition(curves, (position) => Math.abs(position - 5)), 4);
  assert.equal(nearestPosition([], () => 0), null);
});

test("data that is not a chart is left alone", () => {
  for (const text of [null, "", "{", "{}", '{"kind":"pie","series":[]}', '{"kind":"polar","series":[]}']) assert.equal(readChart(text), null);
});
