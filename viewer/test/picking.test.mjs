import assert from "node:assert/strict";
import { test } from "node:test";
import { intersect, nearestCorner } from "../src/picking.ts";

const points = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1, 1, 0, -1, 0, 1, -1]);
const triangles = new Uint32Array([3, 4, 5, 0, 1, 2]);

test("the nearest of two triangles is hit, with weights that give the point", () => {
  const hit = intersect({ origin: [0.2, 0.3, 5], direction: [0, 0, -1] }, points, triangles);
  assert.equal(hit.triangle, 1);
  assert.equal(hit.distance, 5);
  [0.5, 0.2, 0.3].forEach((weight, i) => assert.ok(Math.abs(hit.weights[i] - weight) < 1e-12));
});

test("a triangle is hit from behind", () => {
  assert.equal(intersect({ origin: [0.2, 0.3, -5], direction: [0, 0, 1] }, points, triangles).triangle, 0);
});

test("nothing is hit beside the triangles, behind the eye or along a plane", () => {
  assert.equal(intersect({ origin: [0.8, 0.8, 5], direction: [0, 0, -1] }, points, triangles), null);
  assert.equal(intersect({ origin: [0.2, 0.3, 5], direction: [0, 0, 1] }, points, triangles), null);
  assert.equal(intersect({ origin: [-5, 0.3, 0], direction: [1, 0, 0] }, points, triangles), null);
});

test("the nearest corner is the one of the greatest weight below the limit", () => {
  const hit = { triangle: 1, distance: 1, weights: [0.1, 0.3, 0.6] };
  assert.equal(nearestCorner(hit, triangles, 6), 2);
  assert.equal(nearestCorner(hit, triangles, 2), 1);
});
