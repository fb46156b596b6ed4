import assert from "node:assert/strict";
import { test } from "node:test";
import { eyePosition, initialCamera, project, rayThrough, turned, viewProjection, zoomed } from "../src/camera.ts";

const picture = { width: 1100, height: 600, insetLeft: 0, insetRight: 64 };
const outline = [[1.2, 0, 0], [0, 1.2, 0], [0, 0, 1.2], [-1, 0, 0], [0, -1, 0], [0, 0, -1]];
const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) < tolerance, `${a} is not ${b}`);

test("a ray through the place of a point passes the point", () => {
  const camera = turned(initialCamera(outline, picture), 0.7, -0.3);
  for (const point of [[0, 0, 0], [0.3, -0.8, 0.5], [-1, 0.2, 0.1]]) {
    const { x, y, visible } = project(viewProjection(camera, picture), point);
    assert.ok(visible);
    const { origin, direction } = rayThrough(camera, picture, x * picture.width, y * picture.height);
    const offset = point.map((value, i) => value - origin[i]);
    const along = offset.reduce((sum, value, i) => sum + value * direction[i], 0);
    // Single precision in the matrix.
    near(Math.hypot(...offset.map((value, i) => value - along * direction[i])), 0, 1e-5);
  }
});

test("the opening view holds the outline, in wide and narrow pictures", () => {
  for (const shape of [picture, { width: 340, height: 380, insetLeft: 64, insetRight: 64 }]) {
    const matrix = viewProjection(initialCamera(outline, shape), shape);
    for (const point of outline) {
      const { x, y } = project(matrix, point);
      assert.ok(x * shape.width > shape.insetLeft && x * shape.width < shape.width - shape.insetRight && y > 0 && y < 1);
    }
  }
});

test("z is up, x to the left and y to the right when the page opens", () => {
  const matrix = viewProjection(initialCamera(outline, picture), picture);
  const origin = project(matrix, [0, 0, 0]);
  assert.ok(project(matrix, [0, 0, 1]).y < origin.y);
  assert.ok(project(matrix, [1, 0, 0]).x < origin.x);
  assert.ok(project(matrix, [0, 1, 0]).x > origin.x);
});

test("a wave crosses the opening view from left to right, toward the eye", () => {
  for (const travel of [[-1, 0, 0], [0.6, 0.8, 0], [0, -0.9, 0.4]]) {
    const camera = initialCamera(outline, picture, travel);
    const matrix = viewProjection(camera, picture);
    assert.ok(project(matrix, travel).x > project(matrix, [0, 0, 0]).x);
    assert.ok(eyePosition(camera).reduce((sum, value, i) => sum + value * travel[i], 0) > 0);
  }
  assert.deepEqual(initialCamera(outline, picture, [0, 0, -1]), initialCamera(outline, picture));
});

test("turning keeps the distance and stops at the poles; zooming stops at its limits", () => {
  const camera = initialCamera(outline, picture);
  near(Math.hypot(...eyePosition(turned(camera, 2, 5))), camera.distance, 1e-9);
  assert.ok(turned(camera, 0, 5).elevation < Math.PI / 2);
  assert.ok(zoomed(camera, 1e-9).distance > 1);
  assert.ok(zoomed(camera, 1e9).distance < 50);
});
