/** Points and directions in the scene: z up, right-handed. */
export type Vector3 = readonly [number, number, number];

/** A 4×4 matrix in column-major order, as WebGL takes it. */
export type Matrix4 = Float32Array;

export function add(a: Vector3, b: Vector3): Vector3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function subtract(a: Vector3, b: Vector3): Vector3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function scale(a: Vector3, factor: number): Vector3 {
  return [a[0] * factor, a[1] * factor, a[2] * factor];
}

export function dot(a: Vector3, b: Vector3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vector3, b: Vector3): Vector3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** The vector of length one along `a`; a vector without length comes back as it is. */
export function normalize(a: Vector3): Vector3 {
  const length = Math.hypot(a[0], a[1], a[2]);
  return length > 0 ? scale(a, 1 / length) : a;
}

/** Some unit vector at a right angle to the unit vector `a`. */
export function perpendicular(a: Vector3): Vector3 {
  const helper: Vector3 = Math.abs(a[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  return normalize(cross(helper, a));
}

export function multiply(a: Matrix4, b: Matrix4): Matrix4 {
  const product = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[k * 4 + row] * b[column * 4 + k];
      product[column * 4 + row] = sum;
    }
  }
  return product;
}
