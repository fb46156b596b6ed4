import { decodeFloat32, decodeUint32 } from "./base64";
import { normalize } from "./vector";
import type { Vector3 } from "./vector";

/** What is wrong with the data of a view, as a sentence for the reader of the page. */
export class DataError extends Error {}

/** One number per triangle of a mesh. */
export interface SurfaceQuantity {
  readonly name: string;
  readonly unit: string;
  readonly values: Float32Array<ArrayBuffer>;
  readonly min: number;
  readonly max: number;
  /** Option of a selection of the page that shows the quantity. */
  readonly option: string | null;
}

export interface Mesh {
  readonly name: string;
  readonly unit: string;
  readonly points: Float32Array<ArrayBuffer>;
  readonly triangles: Uint32Array<ArrayBuffer>;
  /** Quantities of which one colors the triangles; the first one is shown first. */
  readonly scalars: readonly SurfaceQuantity[];
}

/** Angles `start + i·step` for i from 0 to `count` − 1, in degrees. */
export interface AngleRange {
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

/** Values over directions; index = θ index · φ count + φ index. */
export interface Pattern {
  readonly name: string;
  readonly unit: string;
  readonly theta: AngleRange;
  readonly phi: AngleRange;
  readonly values: Float32Array<ArrayBuffer>;
  readonly floor: number;
  readonly ceiling: number;
  /** Option of a selection of the page that shows the pattern. */
  readonly option: string | null;
}

export interface WaveArrow {
  readonly name: string;
  readonly direction: Vector3;
  readonly polarization: Vector3 | null;
}

export interface SceneData {
  readonly meshes: readonly Mesh[];
  readonly patterns: readonly Pattern[];
  readonly arrows: readonly WaveArrow[];
}

type Fields = Record<string, unknown>;

function fields(value: unknown, where: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new DataError(`${where} should be an object.`);
  }
  return value as Fields;
}

function list(value: unknown, where: string): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new DataError(`${where} should be a list.`);
  return value;
}

function text(value: unknown, where: string): string {
  if (typeof value !== "string") throw new DataError(`${where} should be a text.`);
  return value;
}

function finite(value: unknown, where: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new DataError(`${where} should be a finite number.`);
  return value;
}

function packed<T>(value: unknown, decode: (text: string) => T, where: string): T {
  try {
    return decode(text(value, where));
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError(`${where} is not base64 of 4-byte values.`);
  }
}

function limits(low: unknown, high: unknown, where: string): [number, number] {
  const from = finite(low, `${where}: the lower limit`);
  const to = finite(high, `${where}: the upper limit`);
  if (!(to > from)) throw new DataError(`${where}: the upper limit ${to} is not above the lower limit ${from}.`);
  return [from, to];
}

function readOption(value: unknown, where: string): string | null {
  return value === null || value === undefined ? null : text(value, `${where}: option`);
}

function readScalar(value: unknown, triangleCount: number, where: string): SurfaceQuantity {
  const source = fields(value, where);
  const values = packed(source.values, decodeFloat32, `${where}: values`);
  if (values.length !== triangleCount) {
    throw new DataError(`${where} has ${values.length} values for ${triangleCount} triangles.`);
  }
  const [min, max] = limits(source.min, source.max, where);
  const option = readOption(source.option, where);
  return { name: text(source.name, `${where}: name`), unit: text(source.unit, `${where}: unit`), values, min, max, option };
}

function readMesh(value: unknown, index: number): Mesh {
  const place = `Mesh ${index + 1}`;
  const source = fields(value, place);
  const name = text(source.name, `${place}: name`);
  const where = `Mesh “${name}”`;
  const points = packed(source.points, decodeFloat32, `${where}: points`);
  const triangles = packed(source.triangles, decodeUint32, `${where}: triangles`);
  if (points.length % 3 !== 0 || triangles.length % 3 !== 0) {
    throw new DataError(`${where}: points and triangles should come in threes.`);
  }
  if (triangles.length === 0) throw new DataError(`${where} has no triangles.`);
  if (!points.every(Number.isFinite)) throw new DataError(`${where} has a point that is not a finite number.`);
  const outside = triangles.find((point) => point >= points.length / 3);
  if (outside !== undefined) {
    throw new DataError(`${where}: a triangle names point ${outside}, but there are ${points.length / 3} points.`);
  }
  const quantity = `${where}, surface quantity`;
  const scalars = list(source.scalars, quantity).map((scalar) => readScalar(scalar, triangles.length / 3, quantity));
  return { name, unit: text(source.unit, `${where}: unit`), points, triangles, scalars };
}

function readAngles(value: unknown, where: string): AngleRange {
  const parts = list(value, where);
  if (parts.length !== 3) throw new DataError(`${where} should be [start, step, count].`);
  const [start, step, count] = parts.map((part) => finite(part, where));
  if (!Number.isInteger(count) || count < 1) throw new DataError(`${where}: the count ${count} is not a positive whole number.`);
  if (count > 1 && step === 0) throw new DataError(`${where}: the step is zero.`);
  return { start, step, count };
}

function readPattern(value: unknown, index: number): Pattern {
  const place = `Pattern ${index + 1}`;
  const source = fields(value, place);
  const name = text(source.name, `${place}: name`);
  const where = `Pattern “${name}”`;
  const theta = readAngles(source.theta_deg, `${where}: theta_deg`);
  const phi = readAngles(source.phi_deg, `${where}: phi_deg`);
  if (theta.count * phi.count < 2) throw new DataError(`${where} has a single direction and cannot be drawn.`);
  const values = packed(source.values, decodeFloat32, `${where}: values`);
  if (values.length !== theta.count * phi.count) {
    throw new DataError(`${where} has ${values.length} values for ${theta.count} × ${phi.count} directions.`);
  }
  const [floor, ceiling] = limits(source.floor, source.ceiling, where);
  return { name, unit: text(source.unit, `${where}: unit`), theta, phi, values, floor, ceiling, option: readOption(source.option, where) };
}

function readDirection(value: unknown, where: string): Vector3 {
  const parts = list(value, where);
  if (parts.length !== 3) throw new DataError(`${where} should be [x, y, z].`);
  const [x, y, z] = parts.map((part) => finite(part, where));
  if (Math.hypot(x, y, z) === 0) throw new DataError(`${where} has no length.`);
  return normalize([x, y, z]);
}

function readArrow(value: unknown, index: number): WaveArrow {
  const place = `Arrow ${index + 1}`;
  const source = fields(value, place);
  const name = text(source.name, `${place}: name`);
  const polarization = source.polarization ?? null;
  return {
    name,
    direction: readDirection(source.direction, `Arrow “${name}”: direction`),
    polarization: polarization === null ? null : readDirection(polarization, `Arrow “${name}”: polarization`),
  };
}

/** Reads and checks the JSON of a view; throws a `DataError` that names the part at fault. */
export function readScene(json: string): SceneData {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new DataError("The data of this view is not valid JSON.");
  }
  const source = fields(parsed, "The data of this view");
  if (source.format !== 1) throw new DataError(`This page reads view format 1, but the data says ${String(source.format)}.`);
  const scene = {
    meshes: list(source.meshes, "meshes").map(readMesh),
    patterns: list(source.patterns, "patterns").map(readPattern),
    arrows: list(source.arrows, "arrows").map(readArrow),
  };
  if (scene.meshes.length + scene.patterns.length === 0) throw new DataError("The data of this view holds neither a mesh nor a pattern.");
  return scene;
}
