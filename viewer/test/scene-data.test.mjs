import assert from "node:assert/strict";
import { test } from "node:test";
import { DataError, readScene } from "../src/scene-data.ts";

const pack = (array) => Buffer.from(array.buffer).toString("base64");
const mesh = (changes = {}) => ({ name: "plate", points: pack(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0])), triangles: pack(new Uint32Array([0, 1, 2])), unit: "m", scalars: [], ...changes });
const pattern = (changes = {}) => ({ name: "VV", unit: "dBsm", theta_deg: [0, 90, 3], phi_deg: [0, 90, 4], values: pack(new Float32Array(12)), floor: -40, ceiling: 10, ...changes });
const scene = (changes) => JSON.stringify({ format: 1, meshes: [mesh()], patterns: [pattern()], arrows: [], ...changes });

test("a good scene is read, and lists may be missing", () => {
  assert.equal(readScene(scene({})).patterns[0].phi.count, 4);
  assert.deepEqual(readScene(JSON.stringify({ format: 1, patterns: [pattern()] })).meshes, []);
});

test("directions come out with length one", () => {
  const [arrow] = readScene(scene({ arrows: [{ name: "wave", direction: [0, 0, -2], polarization: null }] })).arrows;
  assert.deepEqual(arrow.direction.map((value) => value + 0), [0, 0, -1]);
});

test("every fault is a sentence that names its place", () => {
  const faults = [
    ["{", /not valid JSON/],
    ["[]", /should be an object/],
    [scene({ format: 2 }), /format 1, but the data says 2/],
    [JSON.stringify({ format: 1 }), /neither a mesh nor a pattern/],
    [scene({ meshes: [mesh({ triangles: pack(new Uint32Array([0, 1, 7])) })] }), /“plate”: a triangle names point 7, but there are 3/],
    [scene({ meshes: [mesh({ points: "@@" })] }), /“plate”: points is not base64/],
    [scene({ meshes: [mesh({ points: pack(new Float32Array([0, 0, 0, NaN, 0, 0, 0, 1, 0])) })] }), /not a finite number/],
    [scene({ meshes: [mesh({ scalars: [{ name: "J", unit: "A/m", values: pack(new Float32Array(2)), min: 0, max: 1 }] })] }), /2 values for 1 triangles/],
    [scene({ patterns: [pattern({ values: pack(new Float32Array(11)) })] }), /“VV” has 11 values for 3 × 4 directions/],
    [scene({ patterns: [pattern({ floor: 10 })] }), /upper limit 10 is not above the lower limit 10/],
    [scene({ patterns: [pattern({ theta_deg: [0, 90] })] }), /theta_deg should be \[start, step, count\]/],
    [scene({ arrows: [{ name: "wave", direction: [0, 0, 0] }] }), /“wave”: direction has no length/],
  ];
  for (const [json, message] of faults) {
    assert.throws(() => readScene(json), (error) => error instanceof DataError && message.test(error.message), String(message));
  }
});
