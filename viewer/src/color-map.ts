/**
 * The color map of patterns and surface quantities.
 *
 * It is a curve in OKLab (Ottosson 2020) on which lightness rises linearly while the hue turns from
 * violet over teal and green to yellow, walked at constant speed: equal steps in the value are equal
 * steps to the eye, and lightness alone still orders the values for a color-blind reader or in gray print.
 */

type Triple = readonly [number, number, number];

const SIZE = 256;
const LIGHTNESS = [0.3, 0.93] as const;
const HUE_DEGREES = [302, 100] as const;

/** Chroma over hue progress: the strongest that stays inside sRGB with a margin. */
const CHROMA = [0.132, 0.124, 0.112, 0.099, 0.094, 0.108, 0.132, 0.148, 0.158] as const;

function chromaAt(t: number): number {
  const position = t * (CHROMA.length - 1);
  const index = Math.min(CHROMA.length - 2, Math.floor(position));
  const fraction = position - index;
  const smooth = fraction * fraction * (3 - 2 * fraction);
  return CHROMA[index] * (1 - smooth) + CHROMA[index + 1] * smooth;
}

function labAt(t: number): Triple {
  const hue = ((HUE_DEGREES[0] + (HUE_DEGREES[1] - HUE_DEGREES[0]) * t) * Math.PI) / 180;
  const lightness = LIGHTNESS[0] + (LIGHTNESS[1] - LIGHTNESS[0]) * t;
  return [lightness, chromaAt(t) * Math.cos(hue), chromaAt(t) * Math.sin(hue)];
}

function linearToSrgb(value: number): number {
  const encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * Math.pow(value, 1 / 2.4) - 0.055;
  return Math.max(0, Math.min(1, encoded));
}

function labToSrgb([lightness, a, b]: Triple): Triple {
  const l = Math.pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const m = Math.pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const s = Math.pow(lightness - 0.0894841775 * a - 1.291485548 * b, 3);
  return [
    linearToSrgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    linearToSrgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    linearToSrgb(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** 256 points of the curve at equal distances in OKLab. */
function equalSteps(): Triple[] {
  const fine = 2048;
  const traveled = [0];
  let previous = labAt(0);
  for (let i = 1; i <= fine; i++) {
    const next = labAt(i / fine);
    traveled.push(traveled[i - 1] + Math.hypot(next[0] - previous[0], next[1] - previous[1], next[2] - previous[2]));
    previous = next;
  }
  const points: Triple[] = [];
  let segment = 0;
  for (let i = 0; i < SIZE; i++) {
    const target = (traveled[fine] * i) / (SIZE - 1);
    while (segment < fine - 1 && traveled[segment + 1] < target) segment++;
    const fraction = (target - traveled[segment]) / (traveled[segment + 1] - traveled[segment]);
    points.push(labAt((segment + fraction) / fine));
  }
  return points;
}

/** The map as 256 RGBA pixels, for a texture. */
export function colorMapPixels(): Uint8Array<ArrayBuffer> {
  const pixels = new Uint8Array(SIZE * 4);
  equalSteps().forEach((point, i) => {
    const color = labToSrgb(point);
    for (let channel = 0; channel < 3; channel++) pixels[4 * i + channel] = Math.round(color[channel] * 255);
    pixels[4 * i + 3] = 255;
  });
  return pixels;
}

const PIXELS = colorMapPixels();

/** CSS color at a level from 0 (lowest) to 1 (highest); levels outside are clamped. */
export function colorAt(level: number): string {
  const index = Math.round(Math.max(0, Math.min(1, level)) * (SIZE - 1)) * 4;
  return `rgb(${PIXELS[index]}, ${PIXELS[index + 1]}, ${PIXELS[index + 2]})`;
}
