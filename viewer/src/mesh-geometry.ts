import { levelOf } from "./pattern-surface";
import type { Mesh, SurfaceQuantity } from "./scene-data";
import type { Vector3 } from "./vector";

/** Moves and scales all meshes together: scene point = (point − center) · scale. */
export interface Placement {
  readonly center: Vector3;
  readonly scale: number;
}

/** Three vertices for each triangle, so that every corner has its own normal and every triangle its own level. */
export interface MeshCorners {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly normals: Float32Array<ArrayBuffer>;
  /** −1 where the mesh carries no quantity and takes the plain color. */
  readonly levels: Float32Array<ArrayBuffer>;
}

/** Faces that meet at a sharper angle than this keep their edge; the others are shaded as one smooth surface. */
const CREASE_COSINE = Math.cos((35 * Math.PI) / 180);

/** Puts the middle of the meshes at the origin and their farthest point at `radius`. */
export function placeMeshes(meshes: readonly Mesh[], radius: number): Placement {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const mesh of meshes) {
    mesh.points.forEach((value, i) => {
      low[i % 3] = Math.min(low[i % 3], value);
      high[i % 3] = Math.max(high[i % 3], value);
    });
  }
  const center: Vector3 = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  let farthest = 0;
  for (const { points } of meshes) {
    for (let i = 0; i < points.length; i += 3) {
      farthest = Math.max(farthest, Math.hypot(points[i] - center[0], points[i + 1] - center[1], points[i + 2] - center[2]));
    }
  }
  return { center, scale: farthest > 0 ? radius / farthest : 1 };
}

export function placedPoints(mesh: Mesh, placement: Placement): Float32Array<ArrayBuffer> {
  return mesh.points.map((value, i) => (value - placement.center[i % 3]) * placement.scale);
}

/** Area vectors of all triangles. */
function faceNormals(points: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]];
    const [vx, vy, vz] = [points[c] - points[a], points[c + 1] - points[a + 1], points[c + 2] - points[a + 2]];
    normals[t] = uy * vz - uz * vy;
    normals[t + 1] = uz * vx - ux * vz;
    normals[t + 2] = ux * vy - uy * vx;
  }
  return normals;
}

/** For every point, the corners (positions in `triangles`) that use it, as one list with offsets. */
function cornersOfPoints(pointCount: number, triangles: Uint32Array): { offsets: Uint32Array; corners: Uint32Array } {
  const offsets = new Uint32Array(pointCount + 1);
  for (const point of triangles) offsets[point + 1]++;
  for (let i = 0; i < pointCount; i++) offsets[i + 1] += offsets[i];
  const cursor = offsets.slice();
  const corners = new Uint32Array(triangles.length);
  triangles.forEach((point, corner) => {
    corners[cursor[point]++] = corner;
  });
  return { offsets, corners };
}

function cornerNormals(points: Float32Array, triangles: Uint32Array): Float32Array<ArrayBuffer> {
  const faces = faceNormals(points, triangles);
  const { offsets, corners } = cornersOfPoints(points.length / 3, triangles);
  const normals = new Float32Array(3 * triangles.length);
  triangles.forEach((point, corner) => {
    const own = 3 * Math.floor(corner / 3);
    const ownLength = Math.hypot(faces[own], faces[own + 1], faces[own + 2]);
    const sum = [0, 0, 0];
    for (let i = offsets[point]; i < offsets[point + 1]; i++) {
      const other = 3 * Math.floor(corners[i] / 3);
      const product = faces[own] * faces[other] + faces[own + 1] * faces[other + 1] + faces[own + 2] * faces[other + 2];
      const otherLength = Math.hypot(faces[other], faces[other + 1], faces[other + 2]);
      if (product < CREASE_COSINE * ownLength * otherLength) continue;
      for (let axis = 0; axis < 3; axis++) sum[axis] += faces[other + axis];
    }
    const length = Math.hypot(sum[0], sum[1], sum[2]) || 1;
    for (let axis = 0; axis < 3; axis++) normals[3 * corner + axis] = sum[axis] / length;
  });
  return normals;
}

/** The level of every corner of a mesh that a quantity colors. */
export function cornerLevels({ triangles }: Mesh, scalar: SurfaceQuantity | undefined): Float32Array<ArrayBuffer> {
  const levels = new Float32Array(triangles.length).fill(-1);
  if (scalar === undefined) return levels;
  return levels.map((_, corner) => {
    const value = scalar.values[Math.floor(corner / 3)];
    return Number.isNaN(value) ? -1 : levelOf(value, scalar.min, scalar.max);
  });
}

/** Drawable corners of a mesh whose points were placed in the scene. */
export function buildMeshCorners(mesh: Mesh, points: Float32Array): MeshCorners {
  const positions = new Float32Array(3 * mesh.triangles.length);
  mesh.triangles.forEach((point, corner) => {
    for (let axis = 0; axis < 3; axis++) positions[3 * corner + axis] = points[3 * point + axis];
  });
  return { positions, normals: cornerNormals(points, mesh.triangles), levels: cornerLevels(mesh, mesh.scalars[0]) };
}
