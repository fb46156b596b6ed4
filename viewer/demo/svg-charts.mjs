// Charts of the demo page, in the markup that the report uses.

const WIDTH = 520;
const HEIGHT = 380;
const PLOT = { left: 70, right: 508, top: 36, bottom: 328 };

const number = (value) => String(Math.round(value * 100) / 100);
const signed = (value) => String(Number(value.toPrecision(6))).replace("-", "−");

function legend(series, lineClass) {
  let x = PLOT.left;
  const entries = series.map(({ name, marks }, i) => {
    const line = marks === "only" ? "" : `<line ${lineClass(i)} x1="${x}" y1="15" x2="${x + 20}" y2="15"/>`;
    const mark = marks ? `<circle class="wf-mark-${i}" cx="${x + 10}" cy="15" r="4"/>` : "";
    const entry = `<g class="wf-legend-entry" data-series="${i}"><rect x="${x - 4}" y="4" width="${34 + 8 * name.length}" height="22" fill="transparent"/>${line}${mark}<text x="${x + 27}" y="19">${name}</text></g>`;
    x += 50 + 8 * name.length;
    return entry;
  });
  return `<g class="wf-legend">${entries.join("")}</g>`;
}

function svg(title, data, body) {
  return `<svg class="wf-chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="${title}"><metadata class="wf-chart-data">${JSON.stringify(data)}</metadata>${body}</svg>`;
}

function axis(spec, from, to) {
  return { label: spec.label, unit: spec.unit, min: spec.min, max: spec.max, pixel_min: from, pixel_max: to, log: spec.log ?? false };
}

function position(of, value) {
  const map = of.log ? Math.log10 : (x) => x;
  return of.pixel_min + ((map(value) - map(of.min)) / (map(of.max) - map(of.min))) * (of.pixel_max - of.pixel_min);
}

function tickText(of, value) {
  if (!of.log) return signed(value);
  const exponent = Math.round(Math.log10(value));
  return `10<tspan class="wf-exponent" dy="-0.45em">${signed(exponent)}</tspan>`;
}

function minorTicks(of) {
  if (!of.log) return [];
  const list = [];
  for (let decade = Math.floor(Math.log10(of.min)); 10 ** decade < of.max; decade++) {
    for (let m = 2; m < 10; m++) list.push(m * 10 ** decade);
  }
  return list.filter((value) => value > of.min && value < of.max);
}

/** series: {name, x, y, reference?, marks?}; band: {x, low, high}. */
export function cartesian({ title, x, y, series, band }) {
  const [horizontal, vertical] = [axis(x, PLOT.left, PLOT.right), axis(y, PLOT.bottom, PLOT.top)];
  const px = (value) => number(position(horizontal, value));
  const py = (value) => number(Math.max(PLOT.top, Math.min(PLOT.bottom, position(vertical, value))));
  const parts = [];
  for (const value of minorTicks(horizontal)) parts.push(`<line class="wf-grid-minor" x1="${px(value)}" y1="${PLOT.top}" x2="${px(value)}" y2="${PLOT.bottom}"/>`);
  for (const value of x.ticks) {
    parts.push(`<line class="wf-grid" x1="${px(value)}" y1="${PLOT.top}" x2="${px(value)}" y2="${PLOT.bottom}"/>`);
    parts.push(`<text class="wf-tick" x="${px(value)}" y="${PLOT.bottom + 18}" text-anchor="middle">${tickText(horizontal, value)}</text>`);
  }
  for (const value of y.ticks) {
    parts.push(`<line class="wf-grid" x1="${PLOT.left}" y1="${py(value)}" x2="${PLOT.right}" y2="${py(value)}"/>`);
    parts.push(`<text class="wf-tick" x="${PLOT.left - 8}" y="${Number(py(value)) + 4}" text-anchor="end">${tickText(vertical, value)}</text>`);
  }
  parts.push(`<path class="wf-axis" d="M${PLOT.left} ${PLOT.top}V${PLOT.bottom}H${PLOT.right}"/>`);
  parts.push(`<text class="wf-label" x="${(PLOT.left + PLOT.right) / 2}" y="${HEIGHT - 12}" text-anchor="middle">${x.label}${x.unit ? ` (${x.unit})` : ""}</text>`);
  parts.push(`<text class="wf-label" transform="translate(15 ${(PLOT.top + PLOT.bottom) / 2}) rotate(-90)" text-anchor="middle">${y.label}${y.unit ? ` (${y.unit})` : ""}</text>`);
  if (band) {
    const forward = band.x.map((value, i) => `${px(value)} ${py(band.high[i])}`);
    const back = band.x.map((value, i) => `${px(value)} ${py(band.low[i])}`).reverse();
    parts.push(`<path class="wf-band" d="M${[...forward, ...back].join("L")}Z"/>`);
  }
  const lineClass = (i) => `class="${series[i].reference ? "wf-reference" : `wf-line-${i}`}"`;
  series.forEach((one, i) => {
    const points = one.x.map((value, k) => `${px(value)} ${py(one.y[k])}`).join("L");
    const path = one.marks === "only" ? "" : `<path ${lineClass(i)} d="M${points}"/>`;
    const marks = one.marks ? one.x.map((value, k) => `<circle class="wf-mark-${i}" cx="${px(value)}" cy="${py(one.y[k])}" r="4"/>`).join("") : "";
    parts.push(`<g class="wf-series" data-series="${i}">${path}${marks}</g>`);
  });
  const data = { kind: "cartesian", x: horizontal, y: vertical, series: series.map(({ name, reference = false, x: xs, y: ys }) => ({ name, reference, x: xs, y: ys })) };
  return svg(title, data, parts.join("") + legend(series, lineClass));
}

/** series: {name, angle, r}; rings: the labelled values. */
export function polar({ title, r, rings, series, zero_deg, clockwise }) {
  const center = [WIDTH / 2, 206];
  const radius = 148;
  const fraction = (value) => Math.max(0, Math.min(1, (value - r.min) / (r.max - r.min)));
  const at = (angle, distance) => {
    const drawn = ((zero_deg + (clockwise ? -angle : angle)) * Math.PI) / 180;
    return [number(center[0] + distance * Math.cos(drawn)), number(center[1] - distance * Math.sin(drawn))];
  };
  const parts = [];
  for (const value of rings.slice(0, -1)) parts.push(`<circle class="wf-grid" cx="${center[0]}" cy="${center[1]}" r="${number(radius * fraction(value))}"/>`);
  for (let angle = 0; angle < 360; angle += 30) {
    const [x2, y2] = at(angle, radius);
    const [tx, ty] = at(angle, radius + 17);
    parts.push(`<line class="wf-grid" x1="${center[0]}" y1="${center[1]}" x2="${x2}" y2="${y2}"/>`);
    parts.push(`<text class="wf-tick" x="${tx}" y="${Number(ty) + 4}" text-anchor="middle">${angle}°</text>`);
  }
  parts.push(`<circle class="wf-axis" cx="${center[0]}" cy="${center[1]}" r="${radius}"/>`);
  const lineClass = (i) => `class="${series[i].reference ? "wf-reference" : `wf-line-${i}`}"`;
  series.forEach((one, i) => {
    const path = one.angle.map((angle, k) => at(angle, radius * fraction(one.r[k])).join(" ")).join("L");
    parts.push(`<g class="wf-series" data-series="${i}"><path ${lineClass(i)} d="M${path}Z"/></g>`);
  });
  for (const value of rings) {
    const [x, y] = at(75, radius * fraction(value));
    parts.push(`<text class="wf-tick wf-halo" x="${x}" y="${Number(y) + 4}" text-anchor="middle">${signed(value)}</text>`);
  }
  parts.push(`<text class="wf-label" x="${WIDTH - 12}" y="${HEIGHT - 12}" text-anchor="end">${r.label} (${r.unit})</text>`);
  const data = { kind: "polar", center, radius, r, zero_deg, clockwise, series: series.map((one) => ({ name: one.name, angle_deg: one.angle, r: one.r })) };
  return svg(title, data, parts.join("") + legend(series, lineClass));
}
