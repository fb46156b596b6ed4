import { initialCamera, rayThrough, viewProjection } from "./camera";
import type { Camera, Picture } from "./camera";
import { button, checkbox, choice, element, menu, slider } from "./controls";
import type { PatternLook, RangeLimits } from "./controls";
import { isDecibel, ticks } from "./numbers";
import { listenToHands } from "./orbit-input";
import { Overlay } from "./overlay";
import { levelOf } from "./pattern-surface";
import { Renderer } from "./renderer";
import { pictureFileName, savePicture } from "./save-picture";
import type { Pattern, SceneData } from "./scene-data";
import { SceneModel } from "./scene-model";
import type { Probe, Visibility } from "./scene-model";
import type { Matrix4 } from "./vector";
import { readTheme } from "./view-theme";
import type { ViewTheme } from "./view-theme";

const OPACITY: Record<PatternLook, number> = { solid: 1, translucent: 0.55, hidden: 0 };
const LARGEST_PIXEL_RATIO = 2;
const COLOR_BAR_ROOM = 64;
const MAX_RADIO_BUTTONS = 6;
const LONGEST_RADIO_BUTTON = 28;
const HELP = "Drag to turn, wheel or pinch to zoom, double-click to reset. Keys: arrows, + − and r.";

/** The span the dynamic range may take: in decibels whole steps down to the weakest value, else parts of the given range. */
function rangeLimits(pattern: Pattern): RangeLimits {
  const given = pattern.ceiling - pattern.floor;
  if (!isDecibel(pattern.unit)) return { min: given / 5, max: given, step: given / 100 };
  const finite = pattern.values.filter(Number.isFinite);
  const lowest = finite.reduce((low, value) => Math.min(low, value), pattern.floor);
  const depth = Math.min(120, 10 * Math.ceil((pattern.ceiling - lowest) / 10));
  return { min: Math.min(10, given), max: Math.max(given, depth), step: Number.isInteger(given) ? 1 : given / 100 };
}

/** The browser or its graphics driver offers no WebGL 2. */
export class MissingWebGl extends Error {
  constructor() {
    super("This browser does not offer WebGL 2, so the 3-D view cannot be drawn. The figures on this page need no GPU.");
  }
}

/** A kept drawing buffer can be read at any time: for a printed page, a saved picture or a test. */
function openContext(canvas: HTMLCanvasElement): WebGL2RenderingContext {
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, stencil: true, preserveDrawingBuffer: true });
  if (gl === null) throw new MissingWebGl();
  return gl;
}

/** One interactive 3-D view inside its box. */
export class View {
  private readonly canvas = element("canvas", { class: "wf-canvas", tabindex: "0", role: "img" });
  private readonly lettering = element("canvas", { class: "wf-lettering", "aria-hidden": "true" });
  private readonly stage = element("div", { class: "wf-stage" });
  private readonly readout = element("output", { class: "wf-readout" });
  private readonly model: SceneModel;
  private readonly gl: WebGL2RenderingContext;
  private readonly overlay: Overlay;
  private renderer: Renderer;
  /** Null until the reader moves the view: then it fits the picture, whatever its size. */
  private chosenCamera: Camera | null = null;
  private readonly followers: ((option: string) => void)[] = [];
  private patternIndex = 0;
  private dynamicRange: number;
  private patternLook: PatternLook;
  private showMeshes = true;
  private showEdges = false;
  private pointer: { x: number; y: number } | null = null;
  private probe: Probe | null = null;
  private redrawRequested = false;
  /** Whether the scene itself changed; when only the pointer moved, the lettering alone is drawn again. */
  private sceneChanged = true;

  constructor(private readonly box: HTMLElement, private readonly data: SceneData) {
    this.gl = openContext(this.canvas);
    const context = this.lettering.getContext("2d");
    if (context === null) throw new Error("no 2-D canvas");
    this.overlay = new Overlay(context);
    this.model = new SceneModel(data);
    this.dynamicRange = this.pattern === undefined ? 1 : this.pattern.ceiling - this.pattern.floor;
    this.patternLook = data.meshes.length > 0 ? "translucent" : "solid";
    this.stage.append(this.canvas, this.lettering, this.readout);
    box.replaceChildren(this.stage, this.controls());
    this.renderer = this.createRenderer();
    this.describe();
    this.listen();
    this.draw(this.pixelRatio());
  }

  private get pattern(): Pattern | undefined {
    return this.data.patterns[this.patternIndex];
  }

  private visibility(): Visibility {
    return { pattern: this.pattern !== undefined && this.patternLook !== "hidden", meshes: this.showMeshes };
  }

  private get picture(): Picture {
    const sides = this.model.colorBars(this.visibility()).map((bar) => bar.side);
    return {
      width: this.stage.clientWidth,
      height: this.stage.clientHeight,
      insetLeft: sides.includes("left") ? COLOR_BAR_ROOM : 0,
      insetRight: sides.includes("right") ? COLOR_BAR_ROOM : 0,
    };
  }

  private get camera(): Camera {
    return this.chosenCamera ?? initialCamera(this.model.outline(), this.picture, this.data.arrows[0]?.direction ?? null);
  }

  private pixelRatio(): number {
    return Math.min(LARGEST_PIXEL_RATIO, Math.max(1, window.devicePixelRatio));
  }

  private createRenderer(): Renderer {
    const renderer = new Renderer(this.gl, this.model.corners, this.data.arrows);
    this.updatePattern(renderer);
    return renderer;
  }

  private updatePattern(renderer: Renderer): void {
    const { pattern } = this;
    if (pattern === undefined) return;
    const floor = pattern.ceiling - this.dynamicRange;
    const surface = this.model.showPattern(this.patternIndex, floor);
    const levels = ticks(floor, pattern.ceiling, this.model.levelStep()).map((value) => levelOf(value, floor, pattern.ceiling));
    renderer.setPattern(surface, levels.filter((level) => level > 0.02 && level < 0.98));
  }

  private controls(): HTMLElement {
    const { patterns, meshes } = this.data;
    const bar = element("div", { class: "wf-controls" });
    if (this.pattern !== undefined) {
      const range = slider("Dynamic range", rangeLimits(this.pattern), this.dynamicRange, (value) => this.describeRange(value), (value) => {
        this.dynamicRange = value;
        this.patternChanged();
      });
      const choose = (index: number): void => {
        this.patternIndex = index;
        const chosen = patterns[index];
        const limits = rangeLimits(chosen);
        this.dynamicRange = Math.max(limits.min, Math.min(limits.max, this.dynamicRange));
        range.set(limits, this.dynamicRange);
        this.describe();
        this.patternChanged();
      };
      this.addSelection(bar, "Pattern", patterns, choose);
      bar.append(range.root);
      if (meshes.length > 0) bar.append(this.lookChoice());
    }
    if (meshes.length > 0) bar.append(this.meshSwitches());
    const quantities = meshes.find(({ scalars }) => scalars.length > 1)?.scalars ?? [];
    this.addSelection(bar, "Quantity on the mesh", quantities, (index) => {
      this.model.showQuantity(index);
      this.renderer.setMeshes(this.model.corners);
      this.requestDraw();
    });
    const buttons = [button("Reset view", () => this.reset()), button("Save PNG", () => this.save())];
    bar.append(
      element("div", { class: "wf-controls-foot" }, [
        element("p", { class: "wf-help" }, [HELP]),
        element("div", { class: "wf-buttons" }, buttons),
      ]),
    );
    return bar;
  }

  /** Adds a control that selects one of several patterns or quantities; those with an option follow the page too. */
  private addSelection(
    bar: HTMLElement,
    legend: string,
    items: readonly { readonly name: string; readonly option: string | null }[],
    choose: (index: number) => void,
  ): void {
    if (items.length < 2) return;
    const names = items.map(({ name }) => name);
    const control =
      names.length > MAX_RADIO_BUTTONS || names.some((name) => name.length > LONGEST_RADIO_BUTTON)
        ? menu(legend, names, choose)
        : choice(legend, names.map((label, value) => ({ label, value })), 0, choose);
    bar.append(control.root);
    this.followers.push((option) => {
      const index = items.findIndex((item) => item.option === option);
      if (index < 0) return;
      control.set(index);
      choose(index);
    });
  }

  /** Shows the pattern and the quantity of an option that was selected on the page. */
  follow(option: string): void {
    for (const follower of this.followers) follower(option);
  }

  private lookChoice(): HTMLElement {
    const options: { label: string; value: PatternLook }[] = [
      { label: "Solid", value: "solid" },
      { label: "Translucent", value: "translucent" },
      { label: "Hidden", value: "hidden" },
    ];
    return choice("Surface", options, this.patternLook, (look) => {
      this.patternLook = look;
      this.requestDraw();
    }).root;
  }

  private meshSwitches(): HTMLElement {
    const shown = checkbox("Shown", this.showMeshes, (checked) => {
      this.showMeshes = checked;
      this.requestDraw();
    });
    const edges = checkbox("Edges", this.showEdges, (checked) => {
      this.showEdges = checked;
      this.requestDraw();
    });
    return element("fieldset", { class: "wf-switches" }, [
      element("legend", {}, ["Mesh"]),
      element("div", { class: "wf-switches-row" }, [shown, edges]),
    ]);
  }

  private describeRange(value: number): string {
    const unit = this.pattern?.unit ?? "";
    return isDecibel(unit) ? `${Math.round(value)} dB` : `${Number(value.toPrecision(3))} ${unit}`;
  }

  private describe(): void {
    const shown = [
      ...(this.pattern ? [`pattern ${this.pattern.name} in ${this.pattern.unit}`] : []),
      ...this.data.meshes.map((mesh) => `mesh ${mesh.name}`),
      ...this.data.arrows.map((arrow) => arrow.name),
    ];
    this.canvas.setAttribute("aria-label", `3-D view: ${shown.join(", ")}. ${HELP}`);
  }

  private patternChanged(): void {
    this.updatePattern(this.renderer);
    this.requestDraw();
  }

  private reset(): void {
    this.chosenCamera = null;
    this.requestDraw();
  }

  /** A saved picture always has the finer resolution, whatever the screen. */
  private save(): void {
    this.pointer = null;
    this.sceneChanged = true;
    this.draw(LARGEST_PIXEL_RATIO);
    const names = [...this.data.meshes.map((mesh) => mesh.name), this.pattern?.name ?? ""];
    savePicture([this.canvas, this.lettering], readTheme(this.box).background, pictureFileName(names));
    this.requestDraw();
  }

  /** Browsers do not print a WebGL canvas reliably: its picture goes under the lettering, which they do. */
  private drawForPrint(): void {
    this.pointer = null;
    this.sceneChanged = true;
    this.draw(LARGEST_PIXEL_RATIO);
    this.overlay.putUnder(this.canvas);
  }

  private listen(): void {
    listenToHands(this.canvas, {
      camera: () => this.camera,
      move: (camera) => {
        this.chosenCamera = camera;
        this.requestDraw();
      },
      reset: () => this.reset(),
      hover: (position) => {
        this.pointer = position;
        this.scheduleFrame();
      },
    });
    new ResizeObserver(() => this.requestDraw()).observe(this.stage);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.requestDraw());
    matchMedia("print").addEventListener("change", ({ matches }) => (matches ? this.drawForPrint() : this.requestDraw()));
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.renderer = this.createRenderer();
      this.requestDraw();
    });
  }

  private requestDraw(): void {
    this.sceneChanged = true;
    this.scheduleFrame();
  }

  private scheduleFrame(): void {
    if (this.redrawRequested) return;
    this.redrawRequested = true;
    requestAnimationFrame(() => {
      this.redrawRequested = false;
      this.draw(this.pixelRatio());
    });
  }

  private draw(pixelRatio: number): void {
    const { camera, picture } = this;
    const { width, height } = picture;
    if (width === 0 || height === 0 || this.gl.isContextLost()) return;
    for (const canvas of [this.canvas, this.lettering]) {
      const [columns, rows] = [Math.round(width * pixelRatio), Math.round(height * pixelRatio)];
      if (canvas.width === columns && canvas.height === rows) continue;
      canvas.width = columns;
      canvas.height = rows;
      this.sceneChanged = true;
    }
    const theme = readTheme(this.box);
    const matrix = viewProjection(camera, picture);
    this.updateProbe(camera, picture);
    if (this.sceneChanged) this.drawScene(camera, matrix, theme, pixelRatio);
    this.overlay.draw(width, height, pixelRatio, {
      viewProjection: matrix,
      theme,
      arrows: this.data.arrows,
      colorBars: this.model.colorBars(this.visibility()),
      marker: this.probe?.marker ?? null,
    });
  }

  private drawScene(camera: Camera, matrix: Matrix4, theme: ViewTheme, pixelRatio: number): void {
    this.sceneChanged = false;
    this.renderer.draw({
      camera,
      viewProjection: matrix,
      theme,
      pixelRatio,
      patternOpacity: this.pattern === undefined ? 0 : OPACITY[this.patternLook],
      contour: this.contour(),
      showMeshes: this.showMeshes,
      showEdges: this.showEdges,
    });
  }

  /** Contours at the ticks of the color bar: level = (value − floor) / range. */
  private contour(): { offset: number; step: number } {
    if (this.pattern === undefined) return { offset: 0, step: 0 };
    const step = this.model.levelStep();
    return { offset: (this.pattern.ceiling - this.dynamicRange) / step, step: step / this.dynamicRange };
  }

  private updateProbe(camera: Camera, picture: Picture): void {
    const { pointer } = this;
    this.probe = pointer === null ? null : this.model.probe(rayThrough(camera, picture, pointer.x, pointer.y), this.visibility());
    this.readout.textContent = this.probe?.text ?? "";
  }
}

/** Builds the view of `data` in `box` and draws its first frame. */
export function mountView(box: HTMLElement, data: SceneData): View {
  return new View(box, data);
}
