import { add, cross, dot, multiply, normalize, scale } from "./vector";
import type { Matrix4, Vector3 } from "./vector";

/** A camera that looks at the origin from a direction (azimuth φ, elevation over the xy-plane), in radians. */
export interface Camera {
  readonly azimuth: number;
  readonly elevation: number;
  readonly distance: number;
}

export interface Ray {
  readonly origin: Vector3;
  readonly direction: Vector3;
}

/** Position on the picture in units of its width and height (0,0 is the top left), and whether it is in front of the eye. */
export interface ProjectedPoint {
  readonly x: number;
  readonly y: number;
  readonly visible: boolean;
}

const HALF_ANGLE_TANGENT = Math.tan((14 * Math.PI) / 180);
const FILLED_PART = 0.94;
/** The origin lies below the middle of the picture, in halves of the height: the z axis needs its room above. */
const LOWERED = 0.08;
const NEAR = 0.05;
const FAR = 60;
const ELEVATION_LIMIT = (89.5 * Math.PI) / 180;
const DISTANCE_LIMITS = [1.2, 24] as const;

/** The picture in CSS pixels; the scene is centered in what the insets leave free. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly insetLeft: number;
  readonly insetRight: number;
}

/** How far the center of the scene lies right of the center of the picture, in halves of the width. */
function shift(picture: Picture): number {
  return (picture.insetLeft - picture.insetRight) / picture.width;
}

/**
 * The view a page opens with: +z up, from where `points` fill the free picture. A wave that travels sideways crosses it
 * from left to right and somewhat toward the eye, so that what it scatters forward is in front; without one +x points
 * to the lower left and +y to the right.
 */
export function initialCamera(points: readonly Vector3[], picture: Picture, travel: Vector3 | null = null): Camera {
  const direction = { azimuth: openingAzimuth(travel), elevation: (20 * Math.PI) / 180, distance: 1 };
  const { right, up } = pictureAxes(direction);
  const back = eyeDirection(direction);
  const freeWidth = Math.max(1, picture.width - picture.insetLeft - picture.insetRight);
  const vertical = HALF_ANGLE_TANGENT * FILLED_PART;
  const horizontal = (vertical * freeWidth) / picture.height;
  const distances = points.map((point) => {
    const [across, height] = [dot(right, point), dot(up, point)];
    const room = vertical * (height > 0 ? 1 + LOWERED : 1 - LOWERED);
    return dot(back, point) + Math.max(Math.abs(across) / horizontal, Math.abs(height) / room);
  });
  return zoomed({ ...direction, distance: Math.max(...distances) }, 1);
}

function openingAzimuth(travel: Vector3 | null): number {
  const sideways = travel === null ? 0 : Math.hypot(travel[0], travel[1]);
  if (travel === null || sideways < 0.5) return (38 * Math.PI) / 180;
  return Math.atan2(travel[1], travel[0]) - (58 * Math.PI) / 180;
}

export function turned(camera: Camera, azimuthChange: number, elevationChange: number): Camera {
  const elevation = camera.elevation + elevationChange;
  return {
    ...camera,
    azimuth: camera.azimuth + azimuthChange,
    elevation: Math.max(-ELEVATION_LIMIT, Math.min(ELEVATION_LIMIT, elevation)),
  };
}

/** Moves the eye to `factor` times its distance, within limits. */
export function zoomed(camera: Camera, factor: number): Camera {
  const distance = camera.distance * factor;
  return { ...camera, distance: Math.max(DISTANCE_LIMITS[0], Math.min(DISTANCE_LIMITS[1], distance)) };
}

/** Unit vector from the origin toward the eye. */
export function eyeDirection(camera: Camera): Vector3 {
  const horizontal = Math.cos(camera.elevation);
  return [
    horizontal * Math.cos(camera.azimuth),
    horizontal * Math.sin(camera.azimuth),
    Math.sin(camera.elevation),
  ];
}

export function eyePosition(camera: Camera): Vector3 {
  return scale(eyeDirection(camera), camera.distance);
}

/** Unit vectors to the right of and upward in the picture. */
export function pictureAxes(camera: Camera): { right: Vector3; up: Vector3 } {
  const right: Vector3 = [-Math.sin(camera.azimuth), Math.cos(camera.azimuth), 0];
  return { right, up: cross(eyeDirection(camera), right) };
}

/** Matrix from scene coordinates to clip coordinates. */
export function viewProjection(camera: Camera, picture: Picture): Matrix4 {
  const { right, up } = pictureAxes(camera);
  const back = eyeDirection(camera);
  const eye = eyePosition(camera);
  // prettier-ignore
  const view = new Float32Array([
    right[0], up[0], back[0], 0,
    right[1], up[1], back[1], 0,
    right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
  ]);
  const horizontal = (HALF_ANGLE_TANGENT * picture.width) / picture.height;
  // prettier-ignore
  const projection = new Float32Array([
    1 / horizontal, 0, 0, 0,
    0, 1 / HALF_ANGLE_TANGENT, 0, 0,
    -shift(picture), LOWERED, (FAR + NEAR) / (NEAR - FAR), -1,
    0, 0, (2 * FAR * NEAR) / (NEAR - FAR), 0,
  ]);
  return multiply(projection, view);
}

/** Ray from the eye through a pixel of the picture; (0, 0) is the top left. */
export function rayThrough(camera: Camera, picture: Picture, x: number, y: number): Ray {
  const { right, up } = pictureAxes(camera);
  const horizontal = (HALF_ANGLE_TANGENT * picture.width) / picture.height;
  const forward = scale(eyeDirection(camera), -1);
  const rightwards = ((2 * x) / picture.width - 1 - shift(picture)) * horizontal;
  const upward = (1 - (2 * y) / picture.height + LOWERED) * HALF_ANGLE_TANGENT;
  const sideways = add(scale(right, rightwards), scale(up, upward));
  return { origin: eyePosition(camera), direction: normalize(add(forward, sideways)) };
}

/** Where a scene point lands on the picture. */
export function project(matrix: Matrix4, point: Vector3): ProjectedPoint {
  const clip = (row: number): number =>
    matrix[row] * point[0] + matrix[4 + row] * point[1] + matrix[8 + row] * point[2] + matrix[12 + row];
  const w = clip(3);
  return { x: (clip(0) / w + 1) / 2, y: (1 - clip(1) / w) / 2, visible: w > NEAR };
}
