import { decodeFloat32 } from "./base64";
import type { Axis } from "./chart-data";

/** Even places along an axis of a map. */
export interface Places {
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

interface PlaneHead {
  readonly x: Axis;
  readonly y: Axis;
  readonly value: { readonly label: string; readonly unit: string };
}

/** Values in cells, row after row; `exact` is false when a cell stands for several of the array. */
export interface MapChart extends PlaneHead {
  readonly kind: "map";
  readonly columns: Places;
  readonly rows: Places;
  readonly values: Float32Array;
  readonly exact: boolean;
}

/** Values at points; a point is read from no farther than `reach`. */
export interface ScatterChart extends PlaneHead {
  readonly kind: "scatter";
  readonly points: { readonly x: Float32Array; readonly y: Float32Array; readonly value: Float32Array };
  readonly reach: number;
}

/** Cells at moments, of which one is shown; the rest is as in a map. */
export interface AnimationChart extends PlaneHead {
  readonly kind: "animation";
  readonly columns: Places;
  readonly rows: Places;
  readonly moments: readonly { readonly label: string; readonly values: Float32Array }[];
  shown: number;
  readonly exact: boolean;
}

export type PlaneChart = MapChart | AnimationChart | ScatterChart;

/** A computed value and the place it belongs to. */
export interface PlaneValue {
  readonly x: number;
  readonly y: number;
  readonly value: number;
  readonly exact: boolean;
}

/** Reads the data of a map, animation or scatter; null when it is absent, broken or of another kind. */
export function readPlane(text: string | null | undefined): PlaneChart | null {
  if (!text) return null;
  try {
    const data = JSON.parse(text);
    if (!data.x || !data.y || !data.value) return null;
    if (data.kind === "map") {
      const values = decodeFloat32(data.values);
      return values.length === data.columns.count * data.rows.count ? { ...data, values } : null;
    }
    if (data.kind === "animation") {
      const moments = data.moments.map(({ label, values }: { label: string; values: string }) => ({ label, values: decodeFloat32(values) }));
      const cells = data.columns.count * data.rows.count;
      const whole = moments.every(({ values }: { values: Float32Array }) => values.length === cells);
      return whole && data.shown in moments ? { ...data, moments } : null;
    }
    if (data.kind !== "scatter") return null;
    const points = { x: decodeFloat32(data.points.x), y: decodeFloat32(data.points.y), value: decodeFloat32(data.points.value) };
    return { ...data, points };
  } catch {
    return null;
  }
}

/** The value of the cell or the nearest point at a place; null where there is none. */
export function planeValueAt(chart: PlaneChart, x: number, y: number): PlaneValue | null {
  if (chart.kind === "scatter") return pointNear(chart, x, y);
  return cellAt(chart, chart.kind === "map" ? chart.values : chart.moments[chart.shown].values, x, y);
}

function cellAt({ columns, rows, exact }: MapChart | AnimationChart, values: Float32Array, x: number, y: number): PlaneValue | null {
  const index = (places: Places, at: number): number => Math.round((at - places.first) / places.step);
  const [column, row] = [index(columns, x), index(rows, y)];
  if (!(column >= 0 && column < columns.count && row >= 0 && row < rows.count)) return null;
  const value = values[row * columns.count + column];
  if (Number.isNaN(value)) return null;
  return { x: columns.first + columns.step * column, y: rows.first + rows.step * row, value, exact };
}

function pointNear({ points, reach }: ScatterChart, x: number, y: number): PlaneValue | null {
  let nearest = -1;
  let smallest = reach;
  for (let i = 0; i < points.value.length; i++) {
    const distance = Math.hypot(points.x[i] - x, points.y[i] - y);
    if (distance <= smallest) {
      smallest = distance;
      nearest = i;
    }
  }
  return nearest < 0 ? null : { x: points.x[nearest], y: points.y[nearest], value: points.value[nearest], exact: true };
}
