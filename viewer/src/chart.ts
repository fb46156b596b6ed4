import { axisPixel, axisValue, curvesOf, nearestPosition, polarAngle, polarPoint, readChart, scalesOf, valueAt } from "./chart-data";
import type { ChartData, Curve, CurveValue } from "./chart-data";
import { element } from "./controls";
import { mountAnimation } from "./animation";
import { formatNumber, formatSignificant, isDecibel } from "./numbers";
import { planeValueAt, readPlane } from "./plane-data";
import type { PlaneChart } from "./plane-data";

const SVG = "http://www.w3.org/2000/svg";
const PALETTE_SIZE = 8;
const MARK_RADIUS = 4;

function svgElement(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value));
  return created;
}

function numberWithUnit(value: number, unit: string): string {
  if (unit === "deg") return `${formatNumber(value, 1)}°`;
  const number = isDecibel(unit) ? formatNumber(value, 2) : formatSignificant(value, 4);
  return unit === "" ? number : `${number} ${unit}`;
}

/** The difference of two directions, at most 180°. */
function angularDistance(a: number, b: number): number {
  const difference = Math.abs(a - b) % 360;
  return Math.min(difference, 360 - difference);
}

/** Legend entries switch their series off and on. */
function mountLegend(chart: SVGSVGElement, hidden: Set<number>): void {
  for (const entry of chart.querySelectorAll<SVGElement>(".wf-legend-entry[data-series]")) {
    const series = Number(entry.dataset.series);
    const toggle = (): void => {
      const hide = !hidden.has(series);
      if (hide) hidden.add(series);
      else hidden.delete(series);
      entry.classList.toggle("wf-off", hide);
      entry.setAttribute("aria-pressed", String(!hide));
      for (const part of chart.querySelectorAll<SVGElement>(`.wf-series[data-series="${series}"]`)) {
        part.classList.toggle("wf-off", hide);
      }
    };
    entry.setAttribute("role", "button");
    entry.setAttribute("tabindex", "0");
    entry.setAttribute("aria-pressed", "true");
    entry.addEventListener("click", toggle);
    entry.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle();
    });
  }
}

/** A row of the readout. */
function row(head: readonly (Node | string)[], value: string): HTMLElement {
  return element("tr", {}, [element("th", { scope: "row" }, head), element("td", {}, [value])]);
}

/** Whether a pixel lies between two others. */
function inside(pixel: number, from: number, to: number): boolean {
  return pixel >= Math.min(from, to) && pixel <= Math.max(from, to);
}

/** The small table of values beside the pointer. */
class Readout {
  private readonly table = element("div", { class: "wf-chart-readout", "aria-hidden": "true" });

  constructor() {
    this.table.hidden = true;
    document.body.append(this.table);
  }

  hide(): void {
    this.table.hidden = true;
  }

  /** Rows under a head, on the side of the pointer that has room. */
  show(head: string, rows: readonly HTMLElement[], clientX: number, clientY: number): void {
    const { table } = this;
    table.replaceChildren(element("p", {}, [head]), element("table", {}, rows));
    table.hidden = false;
    const { width, height } = table.getBoundingClientRect();
    const right = clientX + 18 + width < document.documentElement.clientWidth;
    table.style.left = `${Math.max(4, right ? clientX + 18 : clientX - 18 - width)}px`;
    table.style.top = `${Math.max(4, Math.min(clientY - height / 2, window.innerHeight - height - 4))}px`;
  }
}

/** Calls back with the place of the pointer in drawing units, and when it has left. */
function followPointer(chart: SVGSVGElement, follow: (x: number, y: number, event: PointerEvent) => void, leave: () => void): void {
  const moved = (event: PointerEvent): void => {
    const matrix = chart.getScreenCTM();
    if (matrix === null) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    follow(x, y, event);
  };
  chart.addEventListener("pointermove", moved);
  chart.addEventListener("pointerdown", moved);
  chart.addEventListener("pointerleave", (event) => {
    // A finger leaves when it is lifted; the values stay until the page scrolls.
    if (event.pointerType !== "touch") leave();
  });
  window.addEventListener("scroll", leave, { passive: true });
}

/** A curve under the crosshair with its value there. */
interface Reading {
  readonly name: string;
  /** Ending of the class that gives its color. */
  readonly color: string;
  readonly found: CurveValue | null;
}

/** Follows the pointer over a chart with a line, a mark on every curve and a small table of values. */
class Crosshair {
  private readonly group = svgElement("g", { class: "wf-crosshair" });
  private readonly readout = new Readout();
  private readonly curves: readonly Curve[];

  constructor(chart: SVGSVGElement, private readonly data: ChartData, private readonly hidden: ReadonlySet<number>) {
    this.curves = curvesOf(data);
    chart.append(this.group);
    followPointer(chart, (x, y, event) => this.follow(x, y, event), () => this.hide());
  }

  private hide(): void {
    this.group.replaceChildren();
    this.readout.hide();
  }

  private follow(x: number, y: number, event: PointerEvent): void {
    const position = this.positionAt(x, y);
    if (position === null) {
      this.hide();
      return;
    }
    const readings = this.curves
      .map((curve, series) => ({
        name: curve.name,
        color: curve.reference ? "reference" : String(series % PALETTE_SIZE),
        found: valueAt(curve, position, scalesOf(this.data)),
      }))
      .filter((_, series) => !this.hidden.has(series));
    this.drawMarks(position, readings);
    this.readout.show(this.headAt(position), this.rowsOf(readings), event.clientX, event.clientY);
  }

  /** The sampled position nearest to a point of the drawing, or null outside the plot. */
  private positionAt(x: number, y: number): number | null {
    const { data } = this;
    const curves = this.curves.filter((_, series) => !this.hidden.has(series));
    if (data.kind === "polar") {
      if (Math.hypot(x - data.center[0], y - data.center[1]) > 1.08 * data.radius) return null;
      const angle = polarAngle(data, x, y);
      return nearestPosition(curves, (position) => angularDistance(position, angle));
    }
    if (!inside(x, data.x.pixel_min, data.x.pixel_max) || !inside(y, data.y.pixel_min, data.y.pixel_max)) return null;
    const value = axisValue(data.x, x);
    return nearestPosition(curves, (position) => (data.x.log ? Math.abs(Math.log(position / value)) : Math.abs(position - value)));
  }

  private drawMarks(position: number, readings: readonly Reading[]): void {
    const { data } = this;
    const [x1, y1] = data.kind === "polar" ? data.center : [axisPixel(data.x, position), data.y.pixel_min];
    const [x2, y2] = data.kind === "polar" ? polarPoint(data, position, data.r.max) : [x1, data.y.pixel_max];
    const marks = readings.flatMap(({ color, found }) => {
      if (found === null) return [];
      const [cx, cy] = data.kind === "polar" ? polarPoint(data, position, found.value) : [x1, axisPixel(data.y, found.value)];
      const outside = data.kind === "cartesian" && !(cy <= data.y.pixel_min + 1 && cy >= data.y.pixel_max - 1);
      return outside ? [] : [svgElement("circle", { class: `wf-mark-${color}`, cx, cy, r: MARK_RADIUS })];
    });
    this.group.replaceChildren(svgElement("line", { x1, y1, x2, y2 }), ...marks);
  }

  private headAt(position: number): string {
    const first = this.data.kind === "polar" ? { label: "", unit: "deg" } : this.data.x;
    return `${first.label} ${numberWithUnit(position, first.unit)}`.trim();
  }

  private rowsOf(readings: readonly Reading[]): HTMLElement[] {
    const unit = this.data.kind === "polar" ? this.data.r.unit : this.data.y.unit;
    return readings.map(({ color, name, found }) => {
      const value = found === null ? "–" : `${found.exact ? "" : "≈ "}${numberWithUnit(found.value, unit)}`;
      return row([element("i", { class: `wf-swatch-${color}` }), name], value);
    });
  }
}

/** Shows the value of a map or scatter under the pointer. */
function mountPlane(chart: SVGSVGElement, data: PlaneChart): void {
  const readout = new Readout();
  const follow = (x: number, y: number, event: PointerEvent): void => {
    const within = inside(x, data.x.pixel_min, data.x.pixel_max) && inside(y, data.y.pixel_min, data.y.pixel_max);
    const found = within ? planeValueAt(data, axisValue(data.x, x), axisValue(data.y, y)) : null;
    if (found === null) {
      readout.hide();
      return;
    }
    const value = `${found.exact ? "" : "≈ "}${numberWithUnit(found.value, data.value.unit)}`;
    const rows = [data.x, data.y].map((axis, i) => row([axis.label], numberWithUnit(i === 0 ? found.x : found.y, axis.unit)));
    readout.show(`${data.value.label} ${value}`.trim(), rows, event.clientX, event.clientY);
  };
  followPointer(chart, follow, () => readout.hide());
}

/** Makes a chart interactive when it carries its data; otherwise it stays a plain picture. */
export function mountChart(chart: SVGSVGElement): void {
  const hidden = new Set<number>();
  mountLegend(chart, hidden);
  const text = chart.querySelector("metadata.wf-chart-data")?.textContent;
  const data = readChart(text);
  if (data !== null) new Crosshair(chart, data, hidden);
  const plane = readPlane(text);
  if (plane !== null) mountPlane(chart, plane);
  if (plane?.kind === "animation") mountAnimation(chart, plane);
}
