import { mountChart } from "./chart";
import { element } from "./controls";
import { DataError, readScene } from "./scene-data";
import { MissingWebGl, mountView } from "./view";

declare global {
  interface Window {
    /** Set once every view of the page has drawn its first frame or said why it cannot. */
    wavefieldReady?: boolean;
  }
}

function explain(error: unknown): string {
  if (error instanceof DataError || error instanceof MissingWebGl) return error.message;
  const reason = error instanceof Error ? error.message : String(error);
  return `The 3-D view could not be drawn: ${reason}.`;
}

function sourceText(box: HTMLElement): string {
  const id = box.dataset.source ?? "";
  const text = document.getElementById(id)?.textContent;
  if (text === null || text === undefined) throw new DataError(`The page has no data named “${id}” for this view.`);
  return text;
}

function start(): void {
  for (const box of document.querySelectorAll<HTMLElement>(".wf-view")) {
    try {
      const view = mountView(box, readScene(sourceText(box)));
      for (const pick of document.querySelectorAll<HTMLInputElement>(".wf-pick")) {
        pick.addEventListener("change", () => view.follow(pick.dataset.option ?? ""));
      }
    } catch (error) {
      box.replaceChildren(element("p", { class: "wf-message", role: "status" }, [explain(error)]));
    }
  }
  for (const chart of document.querySelectorAll<SVGSVGElement>("svg.wf-chart")) mountChart(chart);
  window.wavefieldReady = true;
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
