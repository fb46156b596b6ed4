import { add, cross, normalize, perpendicular, scale, subtract } from "./vector";
import type { Vector3 } from "./vector";

/** Lit triangles without sharing of vertices. */
export interface SolidShape {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly normals: Float32Array<ArrayBuffer>;
}

interface Thickness {
  readonly shaft: number;
  readonly headWidth: number;
  readonly headLength: number;
}

/** Where the shaft of a wave arrow runs, as distances from the origin against the direction of travel. */
export const WAVE_ARROW = { tail: 1.62, tip: 1.1, polarization: 1.42, halfTick: 0.15 } as const;

/** Length of the coordinate axes. */
export const AXIS_LENGTH = 1.14;

const SIDES = 20;
const WAVE_THICKNESS: Thickness = { shaft: 0.012, headWidth: 0.042, headLength: 0.13 };
const TICK_THICKNESS: Thickness = { shaft: 0.007, headWidth: 0.022, headLength: 0.06 };
const AXIS_THICKNESS: Thickness = { shaft: 0.0045, headWidth: 0.018, headLength: 0.07 };

class ShapeBuilder {
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];

  private vertex(position: Vector3, normal: Vector3): void {
    this.positions.push(...position);
    this.normals.push(...normal);
  }

  /** A cone frustum between two radii, with a disc that closes its start. */
  frustum(start: Vector3, end: Vector3, startRadius: number, endRadius: number): void {
    const axis = normalize(subtract(end, start));
    const side = perpendicular(axis);
    const other = cross(axis, side);
    const length = Math.hypot(...subtract(end, start));
    const outward = (i: number): Vector3 => {
      const angle = (2 * Math.PI * i) / SIDES;
      return add(scale(side, Math.cos(angle)), scale(other, Math.sin(angle)));
    };
    const slope = (startRadius - endRadius) / length;
    for (let i = 0; i < SIDES; i++) {
      const [a, b] = [outward(i), outward(i + 1)];
      const [normalA, normalB] = [normalize(add(a, scale(axis, slope))), normalize(add(b, scale(axis, slope)))];
      const [startA, startB] = [add(start, scale(a, startRadius)), add(start, scale(b, startRadius))];
      const [endA, endB] = [add(end, scale(a, endRadius)), add(end, scale(b, endRadius))];
      this.vertex(startA, normalA);
      this.vertex(startB, normalB);
      this.vertex(endB, normalB);
      this.vertex(startA, normalA);
      this.vertex(endB, normalB);
      this.vertex(endA, normalA);
      const backward = scale(axis, -1);
      this.vertex(start, backward);
      this.vertex(startB, backward);
      this.vertex(startA, backward);
    }
  }

  arrow(tail: Vector3, tip: Vector3, thickness: Thickness): void {
    const neck = subtract(tip, scale(normalize(subtract(tip, tail)), thickness.headLength));
    this.frustum(tail, neck, thickness.shaft, thickness.shaft);
    this.frustum(neck, tip, thickness.headWidth, 0);
  }

  finish(): SolidShape {
    return { positions: new Float32Array(this.positions), normals: new Float32Array(this.normals) };
  }
}

/** An arrow that travels along `direction` and ends short of the pattern, with a double-headed tick along the field. */
export function waveArrowShape(direction: Vector3, polarization: Vector3 | null): SolidShape {
  const builder = new ShapeBuilder();
  const at = (distance: number): Vector3 => scale(direction, -distance);
  builder.arrow(at(WAVE_ARROW.tail), at(WAVE_ARROW.tip), WAVE_THICKNESS);
  if (polarization !== null) {
    const middle = at(WAVE_ARROW.polarization);
    for (const sign of [1, -1]) {
      builder.arrow(middle, add(middle, scale(polarization, sign * WAVE_ARROW.halfTick)), TICK_THICKNESS);
    }
  }
  return builder.finish();
}

/** The positive coordinate axes from the origin. */
export function axesShape(): SolidShape {
  const builder = new ShapeBuilder();
  const ends: Vector3[] = [[AXIS_LENGTH, 0, 0], [0, AXIS_LENGTH, 0], [0, 0, AXIS_LENGTH]];
  for (const end of ends) builder.arrow([0, 0, 0], end, AXIS_THICKNESS);
  return builder.finish();
}
