import type { AngleRange, Pattern } from "./scene-data";
import type { Vector3 } from "./vector";

/** Triangles with a level from 0 to 1 at every vertex; vertex i of the first `sampleCount` is direction i of the pattern. */
export interface PatternSurface {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly normals: Float32Array<ArrayBuffer>;
  readonly levels: Float32Array<ArrayBuffer>;
  readonly indices: Uint32Array<ArrayBuffer>;
  readonly sampleCount: number;
}

/** One direction of a pattern with its value, angles in degrees. */
export interface Sample {
  readonly theta: number;
  readonly phi: number;
  readonly value: number;
}

export function directionOf(thetaDegrees: number, phiDegrees: number): Vector3 {
  const theta = (thetaDegrees * Math.PI) / 180;
  const phi = (phiDegrees * Math.PI) / 180;
  return [Math.sin(theta) * Math.cos(phi), Math.sin(theta) * Math.sin(phi), Math.cos(theta)];
}

export function sampleAt(pattern: Pattern, index: number): Sample {
  return {
    theta: pattern.theta.start + pattern.theta.step * Math.floor(index / pattern.phi.count),
    phi: pattern.phi.start + pattern.phi.step * (index % pattern.phi.count),
    value: pattern.values[index],
  };
}

/** Height of a value between floor and ceiling, from 0 to 1; NaN where there is no value. */
export function levelOf(value: number, floor: number, ceiling: number): number {
  return Math.max(0, Math.min(1, (value - floor) / (ceiling - floor)));
}

/**
 * How many φ columns a full turn has, or 0 when φ does not close. A range may name the first
 * direction again as its last (0…360) or stop one step before it (0…359).
 */
function columnsOfTurn(phi: AngleRange): number {
  const closes = (columns: number): boolean => Math.abs(Math.abs(columns * phi.step) - 360) < 1e-3 * Math.abs(phi.step);
  if (phi.count > 2 && closes(phi.count)) return phi.count;
  return phi.count > 3 && closes(phi.count - 1) ? phi.count - 1 : 0;
}

function gridTriangles(pattern: Pattern, known: (vertex: number) => boolean): number[] {
  const rowLength = pattern.phi.count;
  const turn = columnsOfTurn(pattern.phi);
  const indices: number[] = [];
  const push = (a: number, b: number, c: number): void => {
    if (known(a) && known(b) && known(c)) indices.push(a, b, c);
  };
  for (let row = 0; row + 1 < pattern.theta.count; row++) {
    for (let column = 0; column < (turn || rowLength - 1); column++) {
      const next = turn ? (column + 1) % turn : column + 1;
      const [a, b] = [row * rowLength + column, row * rowLength + next];
      const [c, d] = [a + rowLength, b + rowLength];
      push(a, c, d);
      push(a, d, b);
    }
  }
  return indices;
}

/** A single cut has no surface: it is drawn as the fan between the curve and the origin. */
function fanTriangles(pattern: Pattern, origin: number, known: (vertex: number) => boolean): number[] {
  const count = pattern.values.length;
  const closed = pattern.theta.count === 1 && columnsOfTurn(pattern.phi) === count;
  const indices: number[] = [];
  for (let i = 0; i < (closed ? count : count - 1); i++) {
    const next = (i + 1) % count;
    if (known(i) && known(next)) indices.push(origin, i, next);
  }
  return indices;
}

/** Adds the area vector of every triangle to its three corners. */
function accumulateNormals(positions: Float32Array, indices: Uint32Array): Float32Array<ArrayBuffer> {
  const normals = new Float32Array(positions.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const [ux, uy, uz] = [positions[b] - positions[a], positions[b + 1] - positions[a + 1], positions[b + 2] - positions[a + 2]];
    const [vx, vy, vz] = [positions[c] - positions[a], positions[c + 1] - positions[a + 1], positions[c + 2] - positions[a + 2]];
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const corner of [a, b, c]) {
      for (let axis = 0; axis < 3; axis++) normals[corner + axis] += normal[axis];
    }
  }
  return normals;
}

/** The vertices of a row at a pole are one point of space and share one normal. */
function joinPoles(pattern: Pattern, normals: Float32Array): void {
  const rowLength = pattern.phi.count;
  for (let row = 0; row < pattern.theta.count; row++) {
    const theta = ((pattern.theta.start + row * pattern.theta.step) * Math.PI) / 180;
    if (Math.abs(Math.sin(theta)) > 1e-6) continue;
    const first = 3 * row * rowLength;
    for (let axis = 0; axis < 3; axis++) {
      let sum = 0;
      for (let column = 0; column < rowLength; column++) sum += normals[first + 3 * column + axis];
      for (let column = 0; column < rowLength; column++) normals[first + 3 * column + axis] = sum;
    }
  }
}

function normalizeAll(normals: Float32Array): void {
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]);
    if (length === 0) continue;
    for (let axis = 0; axis < 3; axis++) normals[i + axis] /= length;
  }
}

/** The radial surface of a pattern: radius 0 at `floor` and below, 1 at the ceiling and above. */
export function buildPatternSurface(pattern: Pattern, floor: number): PatternSurface {
  const sampleCount = pattern.values.length;
  const positions = new Float32Array(3 * (sampleCount + 1));
  const levels = new Float32Array(sampleCount + 1);
  for (let i = 0; i < sampleCount; i++) {
    const { theta, phi, value } = sampleAt(pattern, i);
    const level = Number.isNaN(value) ? 0 : levelOf(value, floor, pattern.ceiling);
    const direction = directionOf(theta, phi);
    levels[i] = level;
    for (let axis = 0; axis < 3; axis++) positions[3 * i + axis] = level * direction[axis];
  }
  const known = (vertex: number): boolean => !Number.isNaN(pattern.values[vertex]);
  const isCut = pattern.theta.count === 1 || pattern.phi.count === 1;
  const indices = new Uint32Array(isCut ? fanTriangles(pattern, sampleCount, known) : gridTriangles(pattern, known));
  const normals = accumulateNormals(positions, indices);
  joinPoles(pattern, normals);
  normalizeAll(normals);
  return { positions, normals, levels, indices, sampleCount };
}

/** The radius that half of the directions stay below, as a measure of how large a pattern looks. */
export function medianLevel(pattern: Pattern): number {
  const levels = Array.from(pattern.values)
    .filter((value) => !Number.isNaN(value))
    .map((value) => levelOf(value, pattern.floor, pattern.ceiling))
    .sort((a, b) => a - b);
  return levels.length > 0 ? levels[Math.floor(levels.length / 2)] : 0;
}
