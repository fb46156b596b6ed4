import assert from "node:assert/strict";
import { test } from "node:test";
import { buildMeshCorners, placedPoints, placeMeshes } from "../src/mesh-geometry.ts";

// Two triangles folded along the edge between points 1 and 2, by the height of point 3.
function folded(height, scalars = []) {
  return { name: "fold", unit: "m", points: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, height]), triangles: new Uint32Array([0, 1, 2, 1, 3, 2]), scalars };
}

test("a shallow fold is smooth, a sharp one keeps its edge", () => {
  const normal = (mesh, corner) => [...buildMeshCorners(mesh, mesh.points).normals.subarray(3 * corner, 3 * corner + 3)];
  assert.notDeepEqual(normal(folded(0.2), 1), [0, 0, 1]);
  assert.deepEqual(normal(folded(0.2), 1), normal(folded(0.2), 3));
  assert.deepEqual(normal(folded(3), 1), [0, 0, 1]);
});

test("placement centers the meshes and scales the farthest point", () => {
  const mesh = folded(0);
  const points = placedPoints(mesh, placeMeshes([mesh], 0.5));
  let farthest = 0;
  for (let i = 0; i < points.length; i += 3) farthest = Math.max(farthest, Math.hypot(points[i], points[i + 1], points[i + 2]));
  assert.ok(Math.abs(farthest - 0.5) < 1e-6);
});

test("a surface quantity colors whole triangles; without one the level is −1", () => {
  const scalar = { name: "J", unit: "A/m", values: new Float32Array([1, NaN]), min: 0, max: 4 };
  assert.deepEqual([...buildMeshCorners(folded(0, [scalar]), folded(0).points).levels], [0.25, 0.25, 0.25, -1, -1, -1]);
  assert.ok(buildMeshCorners(folded(0), folded(0).points).levels.every((level) => level === -1));
});
