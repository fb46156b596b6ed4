/** An axis of a Cartesian chart; pixels are in the units of the SVG's viewBox. */
export interface Axis {
  readonly label: string;
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly pixel_min: number;
  readonly pixel_max: number;
  readonly log: boolean;
}

/** A reference is drawn dashed in the ink of the page; other series take the palette color of their place. */
export interface SeriesHead {
  readonly name: string;
  readonly reference?: boolean;
}

export interface CartesianChart {
  readonly kind: "cartesian";
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly (SeriesHead & { readonly x: readonly number[]; readonly y: readonly (number | null)[] })[];
}

export interface PolarChart {
  readonly kind: "polar";
  readonly center: readonly [number, number];
  readonly radius: number;
  readonly r: { readonly label: string; readonly unit: string; readonly min: number; readonly max: number };
  /** Where 0° is drawn: 0 to the right, 90 upward. */
  readonly zero_deg: number;
  readonly clockwise: boolean;
  readonly series: readonly (SeriesHead & { readonly angle_deg: readonly number[]; readonly r: readonly (number | null)[] })[];
}

export type ChartData = CartesianChart | PolarChart;

/** One series of either kind of chart as positions along the first coordinate with values. */
export interface Curve {
  readonly name: string;
  readonly reference: boolean;
  readonly positions: readonly number[];
  readonly values: readonly (number | null)[];
}

/** The value of a curve at a position; `exact` when the curve has a sample there, else interpolated between neighbors. */
export interface CurveValue {
  readonly value: number;
  readonly exact: boolean;
}

export function axisPixel(axis: Axis, value: number): number {
  const map = axis.log ? Math.log10 : (x: number): number => x;
  const fraction = (map(value) - map(axis.min)) / (map(axis.max) - map(axis.min));
  return axis.pixel_min + fraction * (axis.pixel_max - axis.pixel_min);
}

export function axisValue(axis: Axis, pixel: number): number {
  const fraction = (pixel - axis.pixel_min) / (axis.pixel_max - axis.pixel_min);
  return axis.log ? axis.min * Math.pow(axis.max / axis.min, fraction) : axis.min + fraction * (axis.max - axis.min);
}

/** Where a direction and value of a polar chart are drawn; values outside the scale stay on its rim or center. */
export function polarPoint(chart: PolarChart, angleDegrees: number, value: number): [number, number] {
  const drawn = ((chart.zero_deg + (chart.clockwise ? -angleDegrees : angleDegrees)) * Math.PI) / 180;
  const fraction = Math.max(0, Math.min(1, (value - chart.r.min) / (chart.r.max - chart.r.min)));
  return [chart.center[0] + fraction * chart.radius * Math.cos(drawn), chart.center[1] - fraction * chart.radius * Math.sin(drawn)];
}

/** The direction, from 0° to 360°, in which a point of the drawing lies. */
export function polarAngle(chart: PolarChart, x: number, y: number): number {
  const drawn = (Math.atan2(chart.center[1] - y, x - chart.center[0]) * 180) / Math.PI;
  const angle = chart.clockwise ? chart.zero_deg - drawn : drawn - chart.zero_deg;
  return ((angle % 360) + 360) % 360;
}

export function curvesOf(chart: ChartData): Curve[] {
  return chart.kind === "cartesian"
    ? chart.series.map(({ name, reference = false, x, y }) => ({ name, reference, positions: x, values: y }))
    : chart.series.map(({ name, reference = false, angle_deg, r }) => ({ name, reference, positions: angle_deg, values: r }));
}

/** The sampled position nearest to the pointer by `distance`, over the given curves. */
export function nearestPosition(curves: readonly Curve[], distance: (position: number) => number): number | null {
  let nearest: number | null = null;
  let smallest = Infinity;
  for (const { positions } of curves) {
    for (const position of positions) {
      const current = distance(position);
      if (current < smallest) {
        smallest = current;
        nearest = position;
      }
    }
  }
  return nearest;
}

/** Reads a curve at a position; between samples it follows the drawn line, which is straight in the scales of the chart. */
export function valueAt(curve: Curve, position: number, scales: { readonly logX: boolean; readonly logY: boolean }): CurveValue | null {
  const { positions, values } = curve;
  const tolerance = 1e-9 * Math.max(1, Math.abs(position));
  for (let i = 0; i < positions.length; i++) {
    const value = values[i];
    if (value !== null && Math.abs(positions[i] - position) <= tolerance) return { value, exact: true };
  }
  const x = scales.logX ? Math.log : (value: number): number => value;
  for (let i = 0; i + 1 < positions.length; i++) {
    const [a, b] = [values[i], values[i + 1]];
    const fraction = (x(position) - x(positions[i])) / (x(positions[i + 1]) - x(positions[i]));
    if (a === null || b === null || !(fraction > 0 && fraction < 1)) continue;
    return { value: scales.logY ? a * Math.pow(b / a, fraction) : a + fraction * (b - a), exact: false };
  }
  return null;
}

export function scalesOf(chart: ChartData): { logX: boolean; logY: boolean } {
  return chart.kind === "cartesian" ? { logX: chart.x.log, logY: chart.y.log } : { logX: false, logY: false };
}

/** Reads the chart's data; null when it is absent or not of a known kind, and the chart stays a plain picture. */
export function readChart(text: string | null | undefined): ChartData | null {
  if (!text) return null;
  try {
    const data = JSON.parse(text) as ChartData;
    const known = data.kind === "cartesian" ? data.x && data.y : data.kind === "polar" && data.center && data.r;
    return known && Array.isArray(data.series) ? data : null;
  } catch {
    return null;
  }
}
