import { AXIS_LENGTH, WAVE_ARROW } from "./arrow-shapes";
import type { Ray } from "./camera";
import { buildMeshCorners, cornerLevels, placedPoints, placeMeshes } from "./mesh-geometry";
import type { MeshCorners, Placement } from "./mesh-geometry";
import { digitsForStep, formatNumber, formatSignificant, isDecibel, niceStep } from "./numbers";
import type { ColorBar } from "./overlay";
import { buildPatternSurface, medianLevel, sampleAt } from "./pattern-surface";
import type { PatternSurface } from "./pattern-surface";
import { intersect, nearestCorner } from "./picking";
import type { Mesh, Pattern, SceneData, SurfaceQuantity } from "./scene-data";
import { add, scale } from "./vector";
import type { Vector3 } from "./vector";

/** What lies under the pointer: where to mark it and what to say about it. */
export interface Probe {
  readonly marker: Vector3;
  readonly text: string;
}

/** Parts of the scene the pointer can meet. */
export interface Visibility {
  readonly pattern: boolean;
  readonly meshes: boolean;
}

/** The geometry of a view: meshes placed once, and the surface of the chosen pattern at the chosen floor. */
export class SceneModel {
  corners: readonly MeshCorners[];
  private quantityIndex = 0;
  private readonly meshPoints: readonly Float32Array[];
  private readonly placement: Placement;
  private shown: { readonly pattern: Pattern; readonly floor: number; readonly surface: PatternSurface } | null = null;

  constructor(readonly data: SceneData) {
    this.placement = placeMeshes(data.meshes, this.meshRadius());
    const points = data.meshes.map((mesh) => placedPoints(mesh, this.placement));
    this.meshPoints = points;
    this.corners = data.meshes.map((mesh, i) => buildMeshCorners(mesh, points[i]));
  }

  /** Alone the mesh fills the scene; inside a pattern it stays within the typical radius of the pattern. */
  private meshRadius(): number {
    const { patterns } = this.data;
    if (patterns.length === 0) return 0.85;
    const typical = Math.max(...patterns.map(medianLevel));
    return Math.max(0.16, Math.min(0.32, 0.5 * typical));
  }

  /** Points that should lie inside the picture when the page opens. */
  outline(): Vector3[] {
    const reach = AXIS_LENGTH + 0.1;
    const axes: Vector3[] = [[reach, 0, 0], [0, reach, 0], [0, 0, reach]];
    const unitBall: Vector3[] = axes.map((axis) => scale(axis, -1 / reach));
    return [...axes, ...unitBall, ...this.data.arrows.map(({ direction }) => scale(direction, -WAVE_ARROW.tail - 0.06))];
  }

  showPattern(index: number, floor: number): PatternSurface {
    const pattern = this.data.patterns[index];
    const surface = buildPatternSurface(pattern, floor);
    this.shown = { pattern, floor, surface };
    return surface;
  }

  /** Colors the meshes by another of their quantities. */
  showQuantity(index: number): void {
    this.quantityIndex = index;
    this.corners = this.corners.map((corners, i) => {
      const mesh = this.data.meshes[i];
      return { ...corners, levels: cornerLevels(mesh, this.quantity(mesh)) };
    });
  }

  private quantity({ scalars }: Mesh): SurfaceQuantity | undefined {
    return scalars[Math.min(this.quantityIndex, scalars.length - 1)];
  }

  /** Distance of the color bar's ticks, the contour lines and the rings on the ground. */
  levelStep(): number {
    if (this.shown === null) return 1;
    const { pattern, floor } = this.shown;
    return niceStep(pattern.ceiling - floor, 5);
  }

  colorBars(visibility: Visibility): ColorBar[] {
    const bars: ColorBar[] = [];
    if (this.shown !== null && visibility.pattern) {
      const { pattern, floor } = this.shown;
      bars.push({ title: pattern.name, unit: pattern.unit, min: floor, max: pattern.ceiling, step: this.levelStep(), side: "right" });
    }
    const scalar = this.data.meshes.map((mesh) => this.quantity(mesh)).find((quantity) => quantity !== undefined);
    if (scalar && visibility.meshes) {
      const step = niceStep(scalar.max - scalar.min, 5);
      bars.push({ title: scalar.name, unit: scalar.unit, min: scalar.min, max: scalar.max, step, side: "left" });
    }
    return bars;
  }

  probe(ray: Ray, visibility: Visibility): Probe | null {
    const pattern = visibility.pattern ? this.probePattern(ray) : null;
    return pattern ?? (visibility.meshes ? this.probeMeshes(ray) : null);
  }

  /** Reads the computed direction nearest to the pointer: the readout never shows an interpolated value. */
  private probePattern(ray: Ray): Probe | null {
    if (this.shown === null) return null;
    const { pattern, surface } = this.shown;
    const hit = intersect(ray, surface.positions, surface.indices);
    if (hit === null) return null;
    const vertex = nearestCorner(hit, surface.indices, surface.sampleCount);
    const { theta, phi, value } = sampleAt(pattern, vertex);
    const [x, y, z] = surface.positions.subarray(3 * vertex, 3 * vertex + 3);
    const angle = (degrees: number, step: number): string => `${formatNumber(degrees, Math.max(1, digitsForStep(Math.abs(step))))}°`;
    const shownValue = isDecibel(pattern.unit) ? formatNumber(value, 2) : formatSignificant(value, 4);
    return {
      marker: [x, y, z],
      text: `θ ${angle(theta, pattern.theta.step)}   φ ${angle(phi, pattern.phi.step)}   ${pattern.name} ${shownValue} ${pattern.unit}`,
    };
  }

  private probeMeshes(ray: Ray): Probe | null {
    let nearest: { probe: Probe; distance: number } | null = null;
    this.data.meshes.forEach((mesh, i) => {
      const hit = intersect(ray, this.meshPoints[i], mesh.triangles);
      if (hit === null || (nearest !== null && hit.distance >= nearest.distance)) return;
      const marker = add(ray.origin, scale(ray.direction, hit.distance));
      const place = add(scale(marker, 1 / this.placement.scale), this.placement.center);
      const coordinates = place.map((value) => formatSignificant(value, 3)).join(", ");
      const quantity = this.quantity(mesh);
      const reading = quantity ? `   ${quantity.name} ${formatSignificant(quantity.values[hit.triangle], 4)} ${quantity.unit}` : "";
      nearest = { probe: { marker, text: `${mesh.name} (${coordinates}) ${mesh.unit}${reading}` }, distance: hit.distance };
    });
    return (nearest as { probe: Probe } | null)?.probe ?? null;
  }
}
