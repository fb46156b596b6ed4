/** Red, green and blue from 0 to 1. */
export type Color = readonly [number, number, number];

/** Colors of a 3-D view, taken from the style sheet so that they follow the theme of the page. */
export interface ViewTheme {
  readonly ink: string;
  readonly muted: string;
  readonly background: string;
  readonly font: string;
  readonly line: Color;
  readonly axis: Color;
  readonly mesh: Color;
  readonly edge: Color;
  readonly arrow: Color;
  readonly arrowText: string;
}

/** Reads `#rgb` or `#rrggbb`; anything else gives mid gray. */
export function parseHexColor(text: string): Color {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) return [0.5, 0.5, 0.5];
  const size = digits.length / 3;
  const channel = (i: number): number => {
    const part = digits.slice(i * size, (i + 1) * size);
    return parseInt(size === 1 ? part + part : part, 16) / 255;
  };
  return [channel(0), channel(1), channel(2)];
}

export function readTheme(element: Element): ViewTheme {
  const style = getComputedStyle(element);
  const property = (name: string): string => style.getPropertyValue(name).trim() || "#808080";
  return {
    ink: property("--wf-ink"),
    muted: property("--wf-muted"),
    background: property("--wf-view-background"),
    font: style.fontFamily,
    line: parseHexColor(property("--wf-view-line")),
    axis: parseHexColor(property("--wf-view-axis")),
    mesh: parseHexColor(property("--wf-view-mesh")),
    edge: parseHexColor(property("--wf-view-edge")),
    arrow: parseHexColor(property("--wf-view-arrow")),
    arrowText: property("--wf-view-arrow"),
  };
}
