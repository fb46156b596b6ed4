/** Line segments as start and end points, six numbers each. */
export type Segments = Float32Array<ArrayBuffer>;

const CHORDS = 144;

function ring(radius: number): number[] {
  const numbers: number[] = [];
  for (let i = 0; i < CHORDS; i++) {
    for (const end of [i, i + 1]) {
      const angle = (2 * Math.PI * end) / CHORDS;
      numbers.push(radius * Math.cos(angle), radius * Math.sin(angle), 0);
    }
  }
  return numbers;
}

function spoke(degrees: number, from: number, to: number): number[] {
  const angle = (degrees * Math.PI) / 180;
  const [x, y] = [Math.cos(angle), Math.sin(angle)];
  return [from * x, from * y, 0, to * x, to * y, 0];
}

/** The φ circle in the xy-plane with a tick every 10° and a longer one every 30°. */
export function phiCircle(): Segments {
  const numbers = ring(1);
  for (let degrees = 0; degrees < 360; degrees += 10) {
    numbers.push(...spoke(degrees, 1, degrees % 30 === 0 ? 1.045 : 1.02));
  }
  return new Float32Array(numbers);
}

/** Rings at the given radii and spokes every 30°, in the xy-plane. */
export function groundGrid(radii: readonly number[]): Segments {
  const numbers = radii.flatMap(ring);
  for (let degrees = 0; degrees < 360; degrees += 30) numbers.push(...spoke(degrees, 0, 1));
  return new Float32Array(numbers);
}
