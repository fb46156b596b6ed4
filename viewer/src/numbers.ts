/** A number as it is set in print: fixed digits and a true minus sign. */
export function formatNumber(value: number, digits: number): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

function superscript(exponent: number): string {
  return String(exponent).replace(/./g, (sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)]));
}

/** A number with about `significant` digits, in powers of ten when it is very large or very small. */
export function formatSignificant(value: number, significant: number): string {
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && Number.isFinite(value) && (magnitude < 1e-3 || magnitude >= 1e6)) {
    const [mantissa, exponent] = value.toExponential(significant - 1).split("e");
    return `${mantissa.replace("-", "−")} × 10${superscript(Number(exponent))}`;
  }
  const integerDigits = magnitude > 0 ? Math.floor(Math.log10(magnitude)) + 1 : 1;
  return formatNumber(value, Math.max(0, significant - integerDigits));
}

/** How many digits behind the point a step of this size needs, so that 2.5 shows one and 10 none. */
export function digitsForStep(step: number): number {
  for (let digits = 0; digits < 6; digits++) {
    const scaled = step * Math.pow(10, digits);
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return digits;
  }
  return 6;
}

/** Step of 1, 2 or 5 times a power of ten that cuts a span into about `count` parts. */
export function niceStep(span: number, count: number): number {
  const raw = span / count;
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const factor = raw / power;
  if (factor < 1.5) return power;
  if (factor < 3.5) return 2 * power;
  return factor < 7.5 ? 5 * power : 10 * power;
}

/** Multiples of `step` from `min` to `max`, both included when they are multiples. */
export function ticks(min: number, max: number, step: number): number[] {
  const values: number[] = [];
  const last = Math.floor(max / step + 1e-6);
  for (let i = Math.ceil(min / step - 1e-6); i <= last; i++) values.push(i * step);
  return values;
}

/** Whether a unit is logarithmic: dB, dBsm, dBi, dB(m) and their kin. */
export function isDecibel(unit: string): boolean {
  return unit.startsWith("dB");
}
