import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFloat32, decodeUint32 } from "../src/base64.ts";

function littleEndian(values, write) {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => view[write](4 * i, value, true));
  return Buffer.from(view.buffer).toString("base64");
}

test("floats survive, with infinities and NaN", () => {
  const values = [0, -1.5, 3.4e38, Infinity, -Infinity];
  assert.deepEqual([...decodeFloat32(littleEndian(values, "setFloat32"))], values.map(Math.fround));
  assert.ok(Number.isNaN(decodeFloat32(littleEndian([NaN], "setFloat32"))[0]));
});

test("indices survive up to the largest", () => {
  const values = [0, 1, 65536, 4294967295];
  assert.deepEqual([...decodeUint32(littleEndian(values, "setUint32"))], values);
});

test("broken text is refused", () => {
  assert.throws(() => decodeFloat32("AAA="), /whole number of 4-byte values/);
  assert.throws(() => decodeFloat32("not base64!"));
});
