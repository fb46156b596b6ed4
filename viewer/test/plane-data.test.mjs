import assert from "node:assert/strict";
import { test } from "node:test";
import { planeValueAt, readPlane } from "../src/plane-data.ts";

const axis = { label: "u", unit: "", min: -1, max: 1, pixel_min: 70, pixel_max: 438, log: false };
const head = { x: axis, y: axis, value: { label: "D", unit: "dBi" } };
const packed = (values) => Buffer.from(new Float32Array(values).buffer).toString("base64");

const map = (values) => ({
  ...head, kind: "map", exact: true, values: packed(values),
  columns: { first: -1, step: 1, count: 3 }, rows: { first: 1, step: -2, count: 2 },
});

test("a map is read in the cell that is pointed at", () => {
  const chart = readPlane(JSON.stringify(map([1, 2, 3, 4, NaN, 6])));
  assert.deepEqual(planeValueAt(chart, -0.6, 0.9), { x: -1, y: 1, value: 1, exact: true });
  assert.deepEqual(planeValueAt(chart, 1.4, -1.9), { x: 1, y: -1, value: 6, exact: true });
  assert.equal(planeValueAt(chart, 0, -1), null, "a cell without a number");
  assert.equal(planeValueAt(chart, 1.6, 0), null, "outside");
});

test("an animation is read at the moment that is shown", () => {
  const { values: _, ...head } = map([]);
  const moments = [1, 10].map((k) => ({ label: `${k} ns`, values: packed([1, 2, 3, 4, 5, 6].map((value) => k * value)) }));
  const animation = readPlane(JSON.stringify({ ...head, kind: "animation", moments, shown: 1 }));
  assert.equal(planeValueAt(animation, -0.6, 0.9).value, 10);
  animation.shown = 0;
  assert.equal(planeValueAt(animation, -0.6, 0.9).value, 1);
  assert.equal(readPlane(JSON.stringify({ ...head, kind: "animation", moments, shown: 2 })), null, "a moment that is not there");
  assert.equal(readPlane(JSON.stringify({ ...head, kind: "animation", moments: [{ label: "", values: packed([1]) }], shown: 0 })), null, "cells are missing");
});

test("a scatter is read at the nearest point within reach", () => {
  const points = { x: packed([0, 1]), y: packed([0, 0]), value: packed([90, -90]) };
  const chart = readPlane(JSON.stringify({ ...head, kind: "scatter", points, reach: 1 }));
  assert.deepEqual(planeValueAt(chart, 0.6, 0.1), { x: 1, y: 0, value: -90, exact: true });
  assert.equal(planeValueAt(chart, 5, 0), null);
});

test("data that is no map or scatter is left alone", () => {
  for (const text of [null, "", "{", "{}", '{"kind":"cartesian"}', JSON.stringify(map([1, 2])), JSON.stringify({ ...map([]), values: "A" })]) {
    assert.equal(readPlane(text), null);
  }
});
