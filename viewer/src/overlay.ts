import { AXIS_LENGTH, WAVE_ARROW } from "./arrow-shapes";
import { project } from "./camera";
import { colorAt } from "./color-map";
import { digitsForStep, formatNumber, ticks } from "./numbers";
import type { WaveArrow } from "./scene-data";
import { scale } from "./vector";
import type { Matrix4, Vector3 } from "./vector";
import type { ViewTheme } from "./view-theme";

/** A color scale beside the scene. */
export interface ColorBar {
  readonly title: string;
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly side: "left" | "right";
}

/** Lettering over the 3-D picture, in CSS pixels. */
export interface OverlayContent {
  readonly viewProjection: Matrix4;
  readonly theme: ViewTheme;
  readonly arrows: readonly WaveArrow[];
  readonly colorBars: readonly ColorBar[];
  /** The sample under the pointer. */
  readonly marker: Vector3 | null;
}

const BAR_WIDTH = 12;
const BAR_MARGIN = 20;
const TICK_LENGTH = 4;
/** Width of a color bar with its tick labels. */
const BAR_ROOM = 58;
const TEXT_SIZE = 12.5;
const LINE_HEIGHT = 16;
/** Limits of the width of a title: in pixels, and as a fraction of the width of the picture. */
const TITLE_WIDTH = [240, 0.4] as const;

export class Overlay {
  constructor(private readonly context: CanvasRenderingContext2D) {}

  draw(width: number, height: number, pixelRatio: number, content: OverlayContent): void {
    const { context } = this;
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.textBaseline = "middle";
    this.drawAxisNames(width, height, content);
    this.drawArrowNames(width, height, content);
    for (const bar of content.colorBars) this.drawColorBar(width, height, bar, content.theme);
    if (content.marker !== null) this.drawMarker(width, height, content.marker, content);
  }

  /** Puts a picture of the same size in pixels under the lettering. */
  putUnder(picture: HTMLCanvasElement): void {
    const { context } = this;
    context.save();
    context.resetTransform();
    context.globalCompositeOperation = "destination-over";
    context.drawImage(picture, 0, 0);
    context.restore();
  }

  private drawAxisNames(width: number, height: number, { viewProjection, theme }: OverlayContent): void {
    const { context } = this;
    const reach = AXIS_LENGTH + 0.07;
    const names: [string, Vector3][] = [["x", [reach, 0, 0]], ["y", [0, reach, 0]], ["z", [0, 0, reach]]];
    context.font = `italic 600 15px ${theme.font}`;
    context.textAlign = "center";
    for (const [name, end] of names) {
      const { x, y, visible } = project(viewProjection, end);
      if (visible) this.write(name, x * width, y * height, theme.ink, theme);
    }
  }

  private drawArrowNames(width: number, height: number, content: OverlayContent): void {
    const { context } = this;
    const { viewProjection, theme, arrows, colorBars } = content;
    context.font = `500 ${TEXT_SIZE}px ${theme.font}`;
    for (const { name, direction } of arrows) {
      const tail = project(viewProjection, scale(direction, -WAVE_ARROW.tail));
      const origin = project(viewProjection, [0, 0, 0]);
      if (!tail.visible) continue;
      const outward = tail.x < origin.x ? -1 : 1;
      context.textAlign = outward < 0 ? "right" : "left";
      const side = outward < 0 ? "left" : "right";
      const beside = colorBars.some((bar) => bar.side === side) ? BAR_ROOM : 0;
      const room = context.measureText(name).width + 12 + beside;
      const x = tail.x * width + 8 * outward;
      const inside = outward < 0 ? Math.max(x, room) : Math.min(x, width - room);
      const distance = inside === x ? 12 : 26;
      this.write(name, inside, tail.y * height + (tail.y < origin.y ? -distance : distance), theme.arrowText, theme);
    }
  }

  /** Text with a soft edge in the color of the ground, legible over lines and surfaces. */
  private write(text: string, x: number, y: number, color: string, theme: ViewTheme): void {
    const { context } = this;
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = theme.background;
    context.strokeText(text, x, y);
    context.fillStyle = color;
    context.fillText(text, x, y);
  }

  /** Breaks a text between words into lines of a width in the current font. */
  private wrap(text: string, width: number): string[] {
    const lines: string[] = [];
    for (const word of text.split(" ")) {
      const longer = `${lines[lines.length - 1]} ${word}`;
      if (lines.length > 0 && this.context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  }

  private drawColorBar(width: number, height: number, bar: ColorBar, theme: ViewTheme): void {
    const { context } = this;
    const length = Math.min(320, height * 0.56);
    const top = (height - length) / 2 + 10;
    const onRight = bar.side === "right";
    const left = onRight ? width - BAR_MARGIN - BAR_WIDTH : BAR_MARGIN;
    for (let row = 0; row < length; row++) {
      context.fillStyle = colorAt(1 - row / (length - 1));
      context.fillRect(left, top + row, BAR_WIDTH, Math.min(1.5, length - row));
    }
    const edge = onRight ? left : left + BAR_WIDTH;
    const outward = onRight ? -1 : 1;
    context.font = `${TEXT_SIZE - 0.5}px ${theme.font}`;
    context.textAlign = onRight ? "right" : "left";
    context.strokeStyle = theme.muted;
    const digits = digitsForStep(bar.step);
    for (const value of ticks(bar.min, bar.max, bar.step)) {
      const y = top + length * (1 - (value - bar.min) / (bar.max - bar.min));
      context.lineWidth = 1;
      context.strokeStyle = theme.muted;
      context.beginPath();
      context.moveTo(edge, y);
      context.lineTo(edge + outward * TICK_LENGTH, y);
      context.stroke();
      this.write(formatNumber(value, digits), edge + outward * (TICK_LENGTH + 4), y + 0.5, theme.ink, theme);
    }
    const anchor = onRight ? left + BAR_WIDTH : left;
    context.font = `600 ${TEXT_SIZE}px ${theme.font}`;
    const [least, share] = TITLE_WIDTH;
    const lines = this.wrap(bar.title, Math.max(least, share * width)).reverse();
    lines.forEach((line, above) => this.write(line, anchor, top - 34 - LINE_HEIGHT * above, theme.ink, theme));
    context.font = `${TEXT_SIZE - 0.5}px ${theme.font}`;
    this.write(bar.unit, anchor, top - 17, theme.muted, theme);
  }

  private drawMarker(width: number, height: number, marker: Vector3, { viewProjection, theme }: OverlayContent): void {
    const { context } = this;
    const { x, y, visible } = project(viewProjection, marker);
    if (!visible) return;
    context.beginPath();
    context.arc(x * width, y * height, 5, 0, 2 * Math.PI);
    context.lineWidth = 4;
    context.strokeStyle = theme.background;
    context.stroke();
    context.lineWidth = 2;
    context.strokeStyle = theme.ink;
    context.stroke();
  }
}
