import { turned, zoomed } from "./camera";
import type { Camera } from "./camera";

/** What the reader's hands may do to a view. */
export interface OrbitTarget {
  readonly camera: () => Camera;
  readonly move: (camera: Camera) => void;
  readonly reset: () => void;
  /** The pointer rests over a point, in CSS pixels of the surface, or has left. */
  readonly hover: (position: { x: number; y: number } | null) => void;
}

const RADIANS_PER_PIXEL = 0.0075;
const KEY_TURN = (5 * Math.PI) / 180;
const KEY_ZOOM = 1.12;
const PAGE_SCROLL_PAUSE_MS = 350;

let lastPageScroll = -Infinity;
window.addEventListener("scroll", () => (lastPageScroll = performance.now()), { passive: true });

function listenToPointers(surface: HTMLElement, target: OrbitTarget): void {
  const pressed = new Map<number, { x: number; y: number }>();
  const spread = (): number => {
    const [a, b] = [...pressed.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  const lift = (event: PointerEvent): void => {
    pressed.delete(event.pointerId);
    surface.classList.toggle("wf-dragging", pressed.size > 0);
  };
  surface.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    surface.setPointerCapture(event.pointerId);
    pressed.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    surface.classList.add("wf-dragging");
  });
  surface.addEventListener("pointermove", (event) => {
    const position = { x: event.offsetX, y: event.offsetY };
    const previous = pressed.get(event.pointerId);
    if (previous === undefined) {
      target.hover(position);
      return;
    }
    if (pressed.size === 1) {
      const [dx, dy] = [position.x - previous.x, position.y - previous.y];
      target.move(turned(target.camera(), -dx * RADIANS_PER_PIXEL, dy * RADIANS_PER_PIXEL));
      pressed.set(event.pointerId, position);
    } else if (pressed.size === 2) {
      const before = spread();
      pressed.set(event.pointerId, position);
      target.move(zoomed(target.camera(), before / Math.max(1, spread())));
    }
  });
  surface.addEventListener("pointerup", (event) => {
    lift(event);
    target.hover({ x: event.offsetX, y: event.offsetY });
  });
  surface.addEventListener("pointercancel", lift);
  surface.addEventListener("pointerleave", (event) => {
    // A finger leaves when it is lifted; what it touched stays on show.
    if (event.pointerType !== "touch") target.hover(null);
  });
}

/** A wheel that is scrolling the page goes on scrolling it when the view slides under the pointer. */
function listenToWheel(surface: HTMLElement, target: OrbitTarget): void {
  surface.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && performance.now() - lastPageScroll < PAGE_SCROLL_PAUSE_MS) return;
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      target.move(zoomed(target.camera(), Math.exp(event.deltaY * lines * 0.0012)));
    },
    { passive: false },
  );
}

/** A key moves the scene as a drag in its direction would. */
function listenToKeys(surface: HTMLElement, target: OrbitTarget): void {
  const actions: Record<string, () => void> = {
    ArrowLeft: () => target.move(turned(target.camera(), KEY_TURN, 0)),
    ArrowRight: () => target.move(turned(target.camera(), -KEY_TURN, 0)),
    ArrowUp: () => target.move(turned(target.camera(), 0, -KEY_TURN)),
    ArrowDown: () => target.move(turned(target.camera(), 0, KEY_TURN)),
    "+": () => target.move(zoomed(target.camera(), 1 / KEY_ZOOM)),
    "=": () => target.move(zoomed(target.camera(), 1 / KEY_ZOOM)),
    "-": () => target.move(zoomed(target.camera(), KEY_ZOOM)),
    r: target.reset,
    R: target.reset,
  };
  surface.addEventListener("keydown", (event) => {
    const action = actions[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
}

/** Turns by drag or arrow keys, zooms by wheel, pinch or +/−, resets by double click or r. */
export function listenToHands(surface: HTMLElement, target: OrbitTarget): void {
  listenToPointers(surface, target);
  listenToWheel(surface, target);
  listenToKeys(surface, target);
  surface.addEventListener("dblclick", target.reset);
}
