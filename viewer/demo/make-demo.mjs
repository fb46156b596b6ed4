// Writes demo.html: the whole report page with the exact scattering of a conducting sphere and made-up run figures.
import { readFileSync, writeFileSync } from "node:fs";
import { amplitudes, backscatterOverArea } from "./mie.mjs";
import { cartesian, polar } from "./svg-charts.mjs";

const here = (path) => new URL(path, import.meta.url);
const RADIUS = 0.5;
const SIZE = 3 * Math.PI;
const WAVELENGTH = (2 * Math.PI * RADIUS) / SIZE;
const INCIDENT = { theta: 112, phi: 286 };

const radians = (degrees) => (degrees * Math.PI) / 180;
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((value) => value / Math.hypot(...a));
const decibel = (power) => 10 * Math.log10(Math.max(power, 1e-12));
const range = (from, step, count) => Array.from({ length: count }, (_, i) => from + i * step);
const rounded = (values, digits = 3) => values.map((value) => Number(value.toFixed(digits)));

function frame(theta, phi) {
  const [t, p] = [radians(theta), radians(phi)];
  return {
    r: [Math.sin(t) * Math.cos(p), Math.sin(t) * Math.sin(p), Math.cos(t)],
    V: [Math.cos(t) * Math.cos(p), Math.cos(t) * Math.sin(p), -Math.sin(t)],
    H: [-Math.sin(p), Math.cos(p), 0],
  };
}

const sphere = amplitudes(SIZE);
const from = frame(INCIDENT.theta, INCIDENT.phi);
const travel = from.r.map((value) => -value);

/** Bistatic cross section in m² for received p and transmitted q. */
function crossSection(theta, phi, p, q) {
  const to = frame(theta, phi);
  let normal = cross(travel, to.r);
  normal = Math.hypot(...normal) < 1e-9 ? from.H : unit(normal);
  const { s1, s2 } = sphere(Math.max(-1, Math.min(1, dot(travel, to.r))));
  const inPlane = dot(from[q], cross(normal, travel)) * dot(to[p], cross(normal, to.r));
  const across = dot(from[q], normal) * dot(to[p], normal);
  const amplitude = [0, 1].map((part) => s2[part] * inPlane + s1[part] * across);
  return ((WAVELENGTH * WAVELENGTH) / Math.PI) * (amplitude[0] ** 2 + amplitude[1] ** 2);
}

const base64 = (array) => Buffer.from(array.buffer).toString("base64");

function patternData(name) {
  const [thetas, phis] = [range(0, 2, 91), range(0, 2, 180)];
  const values = Float32Array.from(thetas.flatMap((theta) => phis.map((phi) => decibel(crossSection(theta, phi, name[0], name[1])))));
  return { name, unit: "dBsm", theta_deg: [0, 2, 91], phi_deg: [0, 2, 180], values: base64(values), floor: -30, ceiling: 20 };
}

/** A sphere by three subdivisions of the icosahedron. */
function sphereMesh() {
  const g = (1 + Math.sqrt(5)) / 2;
  const points = [[-1, g, 0], [1, g, 0], [-1, -g, 0], [1, -g, 0], [0, -1, g], [0, 1, g], [0, -1, -g], [0, 1, -g], [g, 0, -1], [g, 0, 1], [-g, 0, -1], [-g, 0, 1]].map(unit);
  let triangles = [[0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8], [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1]];
  for (let round = 0; round < 3; round++) {
    const middles = new Map();
    const middle = (a, b) => {
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      if (!middles.has(key)) middles.set(key, points.push(unit(points[a].map((value, i) => value + points[b][i]))) - 1);
      return middles.get(key);
    };
    triangles = triangles.flatMap(([a, b, c]) => {
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      return [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]];
    });
  }
  const scaled = Float32Array.from(points.flat().map((value) => value * RADIUS));
  return { name: "sphere", points: base64(scaled), triangles: base64(Uint32Array.from(triangles.flat())), unit: "m", scalars: [] };
}

const view = {
  format: 1,
  meshes: [sphereMesh()],
  patterns: ["VV", "VH", "HV", "HH"].map(patternData),
  arrows: [{ name: "incident wave (V)", direction: travel, polarization: from.V }],
};

/** A cut through the incidence plane by the angle from the direction the wave comes from, with a small numerical error. */
const angles = range(0, 2, 181);
const cut = (pol) => rounded(angles.map((angle) => decibel(crossSection(INCIDENT.theta + angle, INCIDENT.phi, pol[0], pol[1]))));
const disturbed = (values, size) => rounded(values.map((value, i) => value + size * Math.sin(0.9 * i) * Math.cos(0.23 * i)));
const [exactV, exactH] = [cut("VV"), cut("HH")];
const [computedV, computedH] = [disturbed(exactV, 0.12), disturbed(exactH, 0.12)];

const bistatic = cartesian({
  title: "Bistatic RCS in the incidence plane",
  x: { label: "bistatic angle", unit: "deg", min: 0, max: 360, ticks: range(0, 60, 7) },
  y: { label: "RCS", unit: "dBsm", min: -30, max: 20, ticks: range(-30, 10, 6) },
  series: [{ name: "VV", x: angles, y: computedV }, { name: "HH", x: angles, y: computedH }, { name: "Mie VV", x: angles, y: exactV, reference: true }],
  band: { x: angles, low: exactV.map((v) => v - 1), high: exactV.map((v) => v + 1) },
});

const sizes = range(0.2, 0.1, 149);
const backscatter = rounded(sizes.map((x) => decibel(backscatterOverArea(x))));
const sampled = sizes.filter((_, i) => i % 6 === 3);
const monostatic = cartesian({
  title: "Monostatic RCS over size",
  x: { label: "circumference in wavelengths, ka", unit: "", min: 0, max: 15, ticks: range(0, 3, 6) },
  y: { label: "RCS / πa²", unit: "dB", min: -25, max: 10, ticks: range(-25, 5, 8) },
  series: [{ name: "Mie series", x: rounded(sizes), y: backscatter, reference: true }, { name: "boundary elements", x: rounded(sampled), y: rounded(sampled.map((x, i) => decibel(backscatterOverArea(x)) + 0.15 * Math.sin(3 * i))), marks: "only" }],
});

const polarCut = polar({
  title: "Bistatic RCS, polar cut",
  r: { label: "RCS", unit: "dBsm", min: -30, max: 20 },
  rings: range(-20, 10, 5),
  zero_deg: 90,
  clockwise: true,
  series: [{ name: "VV", angle: angles.slice(0, -1), r: computedV.slice(0, -1) }, { name: "HH", angle: angles.slice(0, -1), r: computedH.slice(0, -1) }],
});

const unknowns = [480, 1920, 7680, 30720, 122880];
const convergence = cartesian({
  title: "Convergence against the exact solution",
  x: { label: "unknowns", unit: "", min: 100, max: 1e6, ticks: [1e2, 1e3, 1e4, 1e5, 1e6], log: true },
  y: { label: "relative error in the far field", unit: "", min: 1e-5, max: 1, ticks: [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1], log: true },
  series: [
    { name: "order 1", x: unknowns, y: [0.11, 0.031, 0.0079, 0.002, 5.1e-4], marks: true },
    { name: "order 2", x: unknowns, y: [0.024, 0.0033, 4.2e-4, 5.4e-5, 1.3e-5], marks: true },
    { name: "slope h²", x: [480, 122880], y: [0.2, 0.2 / 256], reference: true },
  ],
});

const toml = `<span class="wf-comment"># resolved problem: defaults filled in, lengths in metres</span>
<span class="wf-key">format</span> = <span class="wf-number">1</span>
<span class="wf-key">title</span> = <span class="wf-string">"Conducting sphere, bistatic"</span>

[<span class="wf-table-name">body.sphere</span>]
<span class="wf-key">shape</span> = <span class="wf-string">"sphere"</span>
<span class="wf-key">radius</span> = <span class="wf-string">"500 mm"</span>
<span class="wf-key">material</span> = <span class="wf-string">"pec"</span>
<span class="wf-key">edge</span> = <span class="wf-string">"0.1 lambda"</span>

[<span class="wf-table-name">excitation</span>]
<span class="wf-key">kind</span> = <span class="wf-string">"plane wave"</span>
<span class="wf-key">frequency</span> = <span class="wf-string">"899.38 MHz"</span>
<span class="wf-key">from</span> = { <span class="wf-key">theta</span> = <span class="wf-string">"112 deg"</span>, <span class="wf-key">phi</span> = <span class="wf-string">"286 deg"</span> }
<span class="wf-key">polarization</span> = [<span class="wf-string">"V"</span>, <span class="wf-string">"H"</span>]

[<span class="wf-table-name">solver</span>]
<span class="wf-key">method</span> = <span class="wf-string">"boundary elements"</span>
<span class="wf-key">accuracy</span> = <span class="wf-number">1e-3</span>
<span class="wf-key">iterations</span> = <span class="wf-number">200</span>   <span class="wf-comment"># most</span>

[<span class="wf-table-name">far_field</span>]
<span class="wf-key">theta</span> = { <span class="wf-key">from</span> = <span class="wf-string">"0 deg"</span>, <span class="wf-key">to</span> = <span class="wf-string">"180 deg"</span>, <span class="wf-key">step</span> = <span class="wf-string">"2 deg"</span> }
<span class="wf-key">phi</span> = { <span class="wf-key">from</span> = <span class="wf-string">"0 deg"</span>, <span class="wf-key">to</span> = <span class="wf-string">"358 deg"</span>, <span class="wf-key">step</span> = <span class="wf-string">"2 deg"</span> }`;

const card = (name, value, unitName, note) =>
  `<div class="wf-card"><dt>${name}</dt><dd class="wf-card-value">${value}${unitName ? ` <span class="wf-unit">${unitName}</span>` : ""}</dd><dd class="wf-note">${note}</dd></div>`;
const figure = (title, caption, chart) =>
  `<figure class="wf-figure"><figcaption><span class="wf-figure-title">${title}</span><span class="wf-caption">${caption}</span></figcaption>${chart}</figure>`;
const check = (metric, value, limit, pass) =>
  `<tr><th scope="row">${metric}</th><td class="wf-value">${value}</td><td class="wf-value">${limit}</td><td class="wf-verdict"><span class="${pass ? "wf-pass" : "wf-fail"}">${pass ? "pass" : "fail"}</span></td></tr>`;
const fact = (name, value) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`;
const stage = (name, seconds, total) =>
  `<tr><th scope="row">${name}</th><td class="wf-value">${seconds.toFixed(2)} s</td><td class="wf-bar-cell"><span class="wf-bar" style="--wf-share:${(seconds / total).toFixed(3)}"></span></td></tr>`;

const stages = [["Read and mesh", 0.31], ["Assemble near field", 3.92], ["Factor preconditioner", 1.18], ["Iterate (31 steps, 2 right-hand sides)", 5.47], ["Far field", 0.84], ["Write results", 0.12]];
const total = stages.reduce((sum, [, seconds]) => sum + seconds, 0);
const peak = Math.max(...exactV);

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conducting sphere, bistatic – Wavefield</title>
<style>${readFileSync(here("../../crates/report/assets/report.css"), "utf8")}</style>
</head>
<body class="wf-report">
<header class="wf-header"><div class="wf-width">
<div class="wf-topline"><p class="wf-brand">Wavefield<span>0.1.0</span></p>
<nav class="wf-nav" aria-label="Sections"><a href="#result">Result</a><a href="#view">3-D view</a><a href="#figures">Figures</a><a href="#checks">Self-checks</a><a href="#problem">Problem</a><a href="#run">Run</a><a href="#conventions">Conventions</a></nav></div>
<h1>Conducting sphere, bistatic radar cross section</h1>
<p class="wf-subtitle">Radius 500 mm at 899.38 MHz, wave from θ&nbsp;112°, φ&nbsp;286°; both polarizations, 16&nbsp;380 directions</p>
</div></header>
<main class="wf-width">
<section class="wf-section" id="result"><h2>Result</h2>
<dl class="wf-cards">${[
  card("Peak RCS", peak.toFixed(2), "dBsm", "VV, forward"),
  card("Backscatter", exactV[0].toFixed(2).replace("-", "−"), "dBsm", "VV and HH"),
  card("Size ka", "9.425", "", "diameter 3.00 λ"),
  card("Error", "0.09", "dB rms", "against the Mie series"),
  card("Unknowns", "7&nbsp;680", "", "31 iterations"),
  card("Run time", total.toFixed(1), "s", "412 MB at most"),
].join("")}</dl>
<p class="wf-summary">The run converged to a residual of 8.6&nbsp;×&nbsp;10<sup>−4</sup> and agrees with the exact series to 0.09 dB rms over the incidence plane, within the accuracy asked for.</p>
</section>
<section class="wf-section" id="view"><h2>3-D view</h2>
<figure class="wf-figure wf-hero"><div class="wf-view" data-source="view-1"><p class="wf-message">The 3-D view needs JavaScript.</p></div>
<figcaption><span class="wf-figure-title">Bistatic RCS over all directions</span><span class="wf-caption">The radius of the surface and its color are the RCS; the sphere in the middle is not drawn to the scale of the pattern.</span></figcaption></figure>
</section>
<section class="wf-section" id="figures"><h2>Figures</h2>
<div class="wf-figures">
${figure("Bistatic RCS in the incidence plane", "Angle from the direction the wave comes from; shaded: ±1 dB around the Mie series.", bistatic)}
${figure("Bistatic RCS, polar cut", "0° is towards the transmitter, 180° is the forward direction.", polarCut)}
${figure("Monostatic RCS over size", "Rayleigh rise, resonances, and the optical limit πa² at 0 dB.", monostatic)}
${figure("Convergence against the exact solution", "Relative error of the complex far field over all directions.", convergence)}
</div></section>
<section class="wf-section" id="checks"><h2>Self-checks</h2>
<div class="wf-table-scroll"><table class="wf-table wf-checks"><thead><tr><th scope="col">Metric</th><th scope="col" class="wf-value">Value</th><th scope="col" class="wf-value">Limit</th><th scope="col" class="wf-verdict">Verdict</th></tr></thead><tbody>
${check("Difference to the Mie series, VV, rms over the incidence plane", "0.09 dB", "0.25 dB", true)}
${check("Difference to the Mie series, HH, rms over the incidence plane", "0.08 dB", "0.25 dB", true)}
${check("Reciprocity, largest |S<sub>VH</sub>(a, b) − S<sub>HV</sub>(b, a)|", "2.1 × 10<sup>−5</sup>", "1 × 10<sup>−4</sup>", true)}
${check("Power balance, scattered over extinguished", "0.9991", "1 ± 0.005", true)}
${check("Cross polarization in the incidence plane", "−58.2 dB", "−60 dB", false)}
</tbody></table></div></section>
<div class="wf-columns">
<section class="wf-section" id="problem"><h2>Problem</h2><pre class="wf-code"><code>${toml}</code></pre></section>
<section class="wf-section" id="run"><h2>Run</h2>
<table class="wf-table wf-facts"><tbody>
${fact("Device", "CPU, 16 cores, AVX-512")}${fact("Threads", "16")}${fact("Peak memory", "412 MB")}${fact("Version", "0.1.0")}${fact("Problem hash", '<span class="wf-hash">9f2c41d7a05be618</span>')}${fact("Conventions", "1")}
</tbody></table>
<table class="wf-table wf-timings"><thead><tr><th scope="col">Stage</th><th scope="col" class="wf-value">Time</th><th scope="col" class="wf-bar-cell"><span class="wf-visually-hidden">Share</span></th></tr></thead><tbody>
${stages.map(([name, seconds]) => stage(name, seconds, total)).join("")}
<tr class="wf-total"><th scope="row">Total</th><td class="wf-value">${total.toFixed(2)} s</td><td></td></tr>
</tbody></table></section>
</div>
</main>
<footer class="wf-footer" id="conventions"><div class="wf-width"><h2>Conventions</h2>
<ul class="wf-conventions">
<li><strong>Time</strong> e<sup>+jωt</sup>; outgoing waves e<sup>−jkr</sup>/r.</li>
<li><strong>Directions</strong> θ from +z, φ from +x; incidence is the direction the wave comes from.</li>
<li><strong>Polarisation</strong> V = θ̂, H = φ̂; S<sub>pq</sub>: p received, q transmitted.</li>
<li><strong>RCS</strong> σ = lim 4πr²|E<sub>s</sub>/E<sub>i</sub>|² in m², shown in dBsm.</li>
<li><strong>Far field</strong> stored as r·E·e<sup>jkr</sup>, independent of distance.</li>
<li><strong>Units</strong> SI in all files.</li>
</ul><p>Made by Wavefield 0.1.0 from problem 9f2c41d7a05be618.</p></div></footer>
<script type="application/json" id="view-1">${JSON.stringify(view)}</script>
<script>${readFileSync(here("../../crates/report/assets/viewer.js"), "utf8")}</script>
</body>
</html>
`;
writeFileSync(here("demo.html"), html);
