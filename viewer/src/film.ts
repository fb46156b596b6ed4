import { element } from "./controls";
import type { FilmChart } from "./plane-data";

/** How long a moment is shown while the film plays, in milliseconds. */
const PACE = 160;

/** Puts a button, a slider and the moment's name under a film, and shows the moment that is chosen. */
export function mountFilm(chart: SVGSVGElement, film: FilmChart): void {
  const pictures = chart.querySelectorAll<SVGElement>(".wf-moment");
  const last = film.moments.length - 1;
  if (last < 1 || pictures.length !== film.moments.length) return;
  const button = element("button", { type: "button", class: "wf-button" });
  const slider = element("input", { type: "range", min: "0", max: String(last), step: "1", "aria-label": "Moment" });
  const name = element("output", {});
  let playing: number | undefined;

  const show = (moment: number): void => {
    pictures[film.shown].setAttribute("visibility", "hidden");
    film.shown = moment;
    pictures[moment].setAttribute("visibility", "visible");
    slider.value = String(moment);
    name.textContent = film.moments[moment].label;
  };
  const play = (on: boolean): void => {
    window.clearInterval(playing);
    playing = on ? window.setInterval(() => show(film.shown === last ? 0 : film.shown + 1), PACE) : undefined;
    button.textContent = on ? "Pause" : "Play";
  };
  button.addEventListener("click", () => play(playing === undefined));
  slider.addEventListener("input", () => {
    play(false);
    show(Number(slider.value));
  });
  play(false);
  show(film.shown);
  chart.after(element("div", { class: "wf-film" }, [button, slider, name]));
}
