import { axesShape, waveArrowShape } from "./arrow-shapes";
import { eyeDirection, eyePosition, pictureAxes } from "./camera";
import type { Camera } from "./camera";
import { colorMapPixels } from "./color-map";
import { createProgram, release, uploadSegments, uploadSurface } from "./gpu";
import type { Drawable, Program } from "./gpu";
import { groundGrid, phiCircle } from "./ground-grid";
import type { MeshCorners } from "./mesh-geometry";
import type { PatternSurface } from "./pattern-surface";
import type { WaveArrow } from "./scene-data";
import { LINE_FRAGMENT, LINE_VERTEX, SURFACE_FRAGMENT, SURFACE_VERTEX } from "./shaders";
import { add, normalize, scale } from "./vector";
import type { Matrix4 } from "./vector";
import type { Color, ViewTheme } from "./view-theme";

/** What one picture shows. */
export interface Frame {
  readonly camera: Camera;
  readonly viewProjection: Matrix4;
  readonly theme: ViewTheme;
  /** Device pixels per CSS pixel. */
  readonly pixelRatio: number;
  /** 0 hides the pattern, 1 makes it opaque. */
  readonly patternOpacity: number;
  /** Contour lines run through levels (i − offset) · step; step 0 draws none. */
  readonly contour: { readonly offset: number; readonly step: number };
  readonly showMeshes: boolean;
  readonly showEdges: boolean;
}

interface SurfaceLook {
  readonly color: Color;
  readonly gloss: number;
  readonly opacity?: number;
  readonly edgeWidth?: number;
  readonly contour?: Frame["contour"];
}

/** Draws the scene by WebGL 2 onto a transparent canvas. */
export class Renderer {
  private readonly surfaceProgram: Program;
  private readonly lineProgram: Program;
  private readonly axes: Drawable;
  private readonly circle: Drawable;
  private readonly arrows: readonly Drawable[];
  private meshes: readonly Drawable[] = [];
  private grid: Drawable | null = null;
  private pattern: Drawable | null = null;

  constructor(private readonly gl: WebGL2RenderingContext, meshes: readonly MeshCorners[], arrows: readonly WaveArrow[]) {
    this.surfaceProgram = createProgram(gl, SURFACE_VERTEX, SURFACE_FRAGMENT);
    this.lineProgram = createProgram(gl, LINE_VERTEX, LINE_FRAGMENT);
    this.axes = uploadSurface(gl, axesShape());
    this.circle = uploadSegments(gl, phiCircle());
    this.arrows = arrows.map((arrow) => uploadSurface(gl, waveArrowShape(arrow.direction, arrow.polarization)));
    this.setMeshes(meshes);
    this.uploadColorMap();
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.clearColor(0, 0, 0, 0);
  }

  private uploadColorMap(): void {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, colorMapPixels());
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  }

  /** Takes over a new pattern surface and the radii of the rings that mark its levels. */
  setMeshes(meshes: readonly MeshCorners[]): void {
    for (const mesh of this.meshes) release(this.gl, mesh);
    this.meshes = meshes.map((mesh) => uploadSurface(this.gl, mesh));
  }

  setPattern(surface: PatternSurface, ringRadii: readonly number[]): void {
    release(this.gl, this.pattern);
    release(this.gl, this.grid);
    this.pattern = uploadSurface(this.gl, surface);
    this.grid = uploadSegments(this.gl, groundGrid(ringRadii));
  }

  draw(frame: Frame): void {
    const { gl } = this;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    this.drawSolids(frame);
    this.drawLines(frame);
    this.drawPattern(frame);
    this.drawLinesBeforePattern(frame);
  }

  private drawSolids(frame: Frame): void {
    const { theme } = frame;
    this.useSurfaceProgram(frame);
    this.drawSurface(this.axes, { color: theme.axis, gloss: 0 });
    for (const arrow of this.arrows) this.drawSurface(arrow, { color: theme.arrow, gloss: 0.1 });
    if (!frame.showMeshes) return;
    const edgeWidth = frame.showEdges ? 0.55 * frame.pixelRatio : 0;
    for (const mesh of this.meshes) this.drawSurface(mesh, { color: theme.mesh, gloss: 0.12, edgeWidth });
  }

  private drawLines(frame: Frame): void {
    const { gl } = this;
    gl.useProgram(this.lineProgram.handle);
    gl.uniformMatrix4fv(this.lineProgram.uniform("viewProjection"), false, frame.viewProjection);
    gl.uniform2f(this.lineProgram.uniform("pictureSize"), gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform1f(this.lineProgram.uniform("width"), frame.pixelRatio);
    gl.depthMask(false);
    this.drawSegments(this.circle, frame.theme.line, 0.9);
    if (frame.patternOpacity > 0 && this.grid !== null) this.drawSegments(this.grid, frame.theme.line, 0.45);
    gl.depthMask(true);
  }

  /** Lines between the eye and the pattern once more: the pattern, drawn after them, has covered them. */
  private drawLinesBeforePattern(frame: Frame): void {
    const { gl } = this;
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 1, 0xff);
    this.drawLines(frame);
    gl.disable(gl.STENCIL_TEST);
  }

  /**
   * A translucent pattern shows its nearest layer only: depth first, then color where the depth is equal.
   * The stencil keeps where it was drawn.
   */
  private drawPattern(frame: Frame): void {
    const { gl, pattern } = this;
    if (pattern === null || frame.patternOpacity <= 0) return;
    const look = { color: frame.theme.mesh, gloss: 0.1, opacity: frame.patternOpacity, contour: frame.contour };
    this.useSurfaceProgram(frame);
    if (frame.patternOpacity < 1) {
      gl.colorMask(false, false, false, false);
      this.drawSurface(pattern, look, true);
      gl.colorMask(true, true, true, true);
    }
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.ALWAYS, 1, 0xff);
    this.drawSurface(pattern, look, true);
    gl.disable(gl.STENCIL_TEST);
  }

  private useSurfaceProgram({ camera, viewProjection, theme }: Frame): void {
    const { gl, surfaceProgram } = this;
    const { right, up } = pictureAxes(camera);
    const light = normalize(add(eyeDirection(camera), add(scale(up, 0.75), scale(right, -0.55))));
    gl.useProgram(surfaceProgram.handle);
    gl.uniformMatrix4fv(surfaceProgram.uniform("viewProjection"), false, viewProjection);
    gl.uniform3fv(surfaceProgram.uniform("eye"), eyePosition(camera));
    gl.uniform3fv(surfaceProgram.uniform("light"), light);
    gl.uniform3fv(surfaceProgram.uniform("edgeColor"), theme.edge);
  }

  private drawSurface(drawable: Drawable, look: SurfaceLook, indexed = false): void {
    const { gl, surfaceProgram } = this;
    gl.uniform3fv(surfaceProgram.uniform("plainColor"), look.color);
    gl.uniform1f(surfaceProgram.uniform("gloss"), look.gloss);
    gl.uniform1f(surfaceProgram.uniform("opacity"), look.opacity ?? 1);
    gl.uniform1f(surfaceProgram.uniform("edgeWidth"), look.edgeWidth ?? 0);
    gl.uniform2f(surfaceProgram.uniform("contour"), look.contour?.offset ?? 0, look.contour?.step ?? 0);
    gl.bindVertexArray(drawable.vertexArray);
    if (indexed) gl.drawElements(gl.TRIANGLES, drawable.count, gl.UNSIGNED_INT, 0);
    else gl.drawArrays(gl.TRIANGLES, 0, drawable.count);
  }

  private drawSegments(drawable: Drawable, color: Color, alpha: number): void {
    const { gl } = this;
    gl.uniform4f(this.lineProgram.uniform("color"), color[0], color[1], color[2], alpha);
    gl.bindVertexArray(drawable.vertexArray);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, drawable.count);
  }
}
