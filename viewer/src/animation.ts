import { element } from "./controls";
import type { AnimationChart } from "./plane-data";

/** How long a moment is shown while the animation plays, in milliseconds. */
const PACE = 160;

/** Puts a button, a slider and the moment's name under an animation, and shows the moment that is chosen. */
export function mountAnimation(chart: SVGSVGElement, animation: AnimationChart): void {
  const pictures = chart.querySelectorAll<SVGElement>(".wf-moment");
  const last = animation.moments.length - 1;
  if (last < 1 || pictures.length !== animation.moments.length) return;
  const button = element("button", { type: "button", class: "wf-button" });
  const slider = element("input", { type: "range", min: "0", max: String(last), step: "1", "aria-label": "Moment" });
  const name = element("output", {});
  let playing: number | undefined;

  const show = (moment: number): void => {
    pictures[animation.shown].setAttribute("visibility", "hidden");
    animation.shown = moment;
    pictures[moment].setAttribute("visibility", "visible");
    slider.value = String(moment);
    name.textContent = animation.moments[moment].label;
  };
  const play = (on: boolean): void => {
    window.clearInterval(playing);
    playing = on ? window.setInterval(() => show(animation.shown === last ? 0 : animation.shown + 1), PACE) : undefined;
    button.textContent = on ? "Pause" : "Play";
  };
  button.addEventListener("click", () => play(playing === undefined));
  slider.addEventListener("input", () => {
    play(false);
    show(Number(slider.value));
  });
  play(false);
  show(animation.shown);
  chart.after(element("div", { class: "wf-animation" }, [button, slider, name]));
}
