import assert from "node:assert/strict";
import { test } from "node:test";
import { buildPatternSurface, directionOf, sampleAt } from "../src/pattern-surface.ts";

function pattern(theta, phi, valueAt) {
  const values = new Float32Array(theta.count * phi.count);
  for (let i = 0; i < values.length; i++) values[i] = valueAt(Math.floor(i / phi.count), i % phi.count);
  return { name: "VV", unit: "dB", theta, phi, values, floor: -40, ceiling: 0 };
}

const fullTheta = { start: 0, step: 10, count: 19 };

/** Edges that belong to one triangle only, after joining vertices at the same place. */
function openEdges({ positions, indices }) {
  const place = (vertex) => [0, 1, 2].map((axis) => Math.round(positions[3 * vertex + axis] * 1e4) + 0).join();
  const count = new Map();
  for (let t = 0; t < indices.length; t += 3) {
    const corners = [0, 1, 2].map((k) => place(indices[t + k]));
    for (let k = 0; k < 3; k++) {
      const [a, b] = [corners[k], corners[(k + 1) % 3]];
      if (a !== b) count.set([a, b].sort().join("|"), (count.get([a, b].sort().join("|")) ?? 0) + 1);
    }
  }
  return [...count.values()].filter((uses) => uses === 1).length;
}

test("θ is from +z and φ from +x", () => {
  const close = (a, b) => a.forEach((value, i) => assert.ok(Math.abs(value - b[i]) < 1e-12));
  close(directionOf(0, 77), [0, 0, 1]);
  close(directionOf(90, 0), [1, 0, 0]);
  close(directionOf(90, 90), [0, 1, 0]);
});

test("a full turn closes, with and without the first direction named again at the end", () => {
  for (const count of [36, 37]) {
    assert.equal(openEdges(buildPatternSurface(pattern(fullTheta, { start: 0, step: 10, count }, () => -10), -40)), 0);
  }
});

test("a part of a turn stays open", () => {
  assert.ok(openEdges(buildPatternSurface(pattern(fullTheta, { start: 0, step: 10, count: 19 }, () => -10), -40)) > 0);
});

test("radius runs from 0 at the floor to 1 at the ceiling and is clamped", () => {
  const surface = buildPatternSurface(pattern({ start: 90, step: 1, count: 2 }, { start: 0, step: 1, count: 4 }, (_, i) => [-90, -30, -10, 20][i]), -20);
  const radius = (i) => Math.hypot(...surface.positions.subarray(3 * i, 3 * i + 3));
  [0, 0, 0.5, 1].forEach((expected, i) => assert.ok(Math.abs(radius(i) - expected) < 1e-6));
});

test("normals of a ball point outwards, at the poles and the seam too", () => {
  const surface = buildPatternSurface(pattern(fullTheta, { start: 0, step: 10, count: 36 }, () => 0), -40);
  for (let i = 0; i < surface.sampleCount; i++) {
    const cosine = [0, 1, 2].reduce((sum, axis) => sum + surface.positions[3 * i + axis] * surface.normals[3 * i + axis], 0);
    // 10° facets tilt a vertex normal by a few degrees.
    assert.ok(cosine > 0.995, `vertex ${i}: ${cosine}`);
  }
});

test("a missing value leaves a hole, a single cut becomes a fan", () => {
  const phi = { start: 0, step: 10, count: 36 };
  const whole = buildPatternSurface(pattern(fullTheta, phi, () => -10), -40);
  const holed = buildPatternSurface(pattern(fullTheta, phi, (row, column) => (row === 9 && column === 5 ? NaN : -10)), -40);
  assert.equal(whole.indices.length - holed.indices.length, 3 * 6);
  const fan = buildPatternSurface(pattern({ start: 90, step: 0, count: 1 }, phi, () => -10), -40);
  assert.equal(fan.indices.length, 3 * 36);
});

test("samples are read back by their index", () => {
  const one = pattern(fullTheta, { start: -180, step: 20, count: 18 }, (row, column) => row * 100 + column);
  assert.deepEqual(sampleAt(one, 2 * 18 + 3), { theta: 20, phi: -120, value: 203 });
});
