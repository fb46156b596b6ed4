import { axisPixel, axisValue, curvesOf, nearestPosition, polarAngle, polarPoint, readChart, scalesOf, valueAt } from "./chart-data";
import type { ChartData, Curve, CurveValue } from "./chart-data";
import { element } from "./controls";
import { formatNumber, formatSignificant, isDecibel } from "./numbers";

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

/** A curve under the crosshair with its value there. */
interface Reading {
  readonly name: string;
  /** Ending of the class that gives its colour. */
  readonly colour: string;
  readonly found: CurveValue | null;
}

/** Follows the pointer over a chart with a line, a mark on every curve and a small table of values. */
class Crosshair {
  private readonly group = svgElement("g", { class: "wf-crosshair" });
  private readonly table = element("div", { class: "wf-chart-readout", "aria-hidden": "true" });
  private readonly curves: readonly Curve[];

  constructor(private readonly chart: SVGSVGElement, private readonly data: ChartData, private readonly hidden: ReadonlySet<number>) {
    this.curves = curvesOf(data);
    this.table.hidden = true;
    chart.append(this.group);
    document.body.append(this.table);
    chart.addEventListener("pointermove", (event) => this.follow(event));
    chart.addEventListener("pointerdown", (event) => this.follow(event));
    chart.addEventListener("pointerleave", (event) => {
      // A finger leaves when it is lifted; the values stay until the page scrolls.
      if (event.pointerType !== "touch") this.hide();
    });
    window.addEventListener("scroll", () => this.hide(), { passive: true });
  }

  private hide(): void {
    this.group.replaceChildren();
    this.table.hidden = true;
  }

  private follow(event: PointerEvent): void {
    const matrix = this.chart.getScreenCTM();
    if (matrix === null) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const position = this.positionAt(x, y);
    if (position === null) {
      this.hide();
      return;
    }
    const readings = this.curves
      .map((curve, series) => ({
        name: curve.name,
        colour: curve.reference ? "reference" : String(series % PALETTE_SIZE),
        found: valueAt(curve, position, scalesOf(this.data)),
      }))
      .filter((_, series) => !this.hidden.has(series));
    this.drawMarks(position, readings);
    this.fillTable(position, readings);
    this.placeTable(event.clientX, event.clientY);
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
    const inside = (pixel: number, from: number, to: number): boolean => pixel >= Math.min(from, to) && pixel <= Math.max(from, to);
    if (!inside(x, data.x.pixel_min, data.x.pixel_max) || !inside(y, data.y.pixel_min, data.y.pixel_max)) return null;
    const value = axisValue(data.x, x);
    return nearestPosition(curves, (position) => (data.x.log ? Math.abs(Math.log(position / value)) : Math.abs(position - value)));
  }

  private drawMarks(position: number, readings: readonly Reading[]): void {
    const { data } = this;
    const [x1, y1] = data.kind === "polar" ? data.center : [axisPixel(data.x, position), data.y.pixel_min];
    const [x2, y2] = data.kind === "polar" ? polarPoint(data, position, data.r.max) : [x1, data.y.pixel_max];
    const marks = readings.flatMap(({ colour, found }) => {
      if (found === null) return [];
      const [cx, cy] = data.kind === "polar" ? polarPoint(data, position, found.value) : [x1, axisPixel(data.y, found.value)];
      const outside = data.kind === "cartesian" && !(cy <= data.y.pixel_min + 1 && cy >= data.y.pixel_max - 1);
      return outside ? [] : [svgElement("circle", { class: `wf-mark-${colour}`, cx, cy, r: MARK_RADIUS })];
    });
    this.group.replaceChildren(svgElement("line", { x1, y1, x2, y2 }), ...marks);
  }

  private fillTable(position: number, readings: readonly Reading[]): void {
    const { data } = this;
    const first = data.kind === "polar" ? { label: "", unit: "deg" } : data.x;
    const unit = data.kind === "polar" ? data.r.unit : data.y.unit;
    const rows = readings.map(({ colour, name, found }) => {
      const value = found === null ? "–" : `${found.exact ? "" : "≈ "}${numberWithUnit(found.value, unit)}`;
      return element("tr", {}, [
        element("th", { scope: "row" }, [element("i", { class: `wf-swatch-${colour}` }), name]),
        element("td", {}, [value]),
      ]);
    });
    this.table.replaceChildren(
      element("p", {}, [`${first.label} ${numberWithUnit(position, first.unit)}`.trim()]),
      element("table", {}, rows),
    );
  }

  /** Beside the pointer, on the side that has room. */
  private placeTable(clientX: number, clientY: number): void {
    const { table } = this;
    table.hidden = false;
    const { width, height } = table.getBoundingClientRect();
    const right = clientX + 18 + width < document.documentElement.clientWidth;
    table.style.left = `${Math.max(4, right ? clientX + 18 : clientX - 18 - width)}px`;
    table.style.top = `${Math.max(4, Math.min(clientY - height / 2, window.innerHeight - height - 4))}px`;
  }
}

/** Makes a chart interactive when it carries its data; otherwise it stays a plain picture. */
export function mountChart(chart: SVGSVGElement): void {
  const hidden = new Set<number>();
  mountLegend(chart, hidden);
  const data = readChart(chart.querySelector("metadata.wf-chart-data")?.textContent);
  if (data !== null) new Crosshair(chart, data, hidden);
}
