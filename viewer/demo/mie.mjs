// Scattering of a plane wave by a perfectly conducting sphere, exact (Mie) series, e^{+jωt}.
// Bohren and Huffman, "Absorption and Scattering of Light by Small Particles", chapter 4, in the limit of infinite index.

/** Complex series coefficients [a_n, b_n] for size parameter x = ka. */
function coefficients(x) {
  const last = Math.ceil(x + 4.05 * Math.cbrt(x) + 4);
  const down = last + 16;
  const bessel = new Float64Array(down + 2);
  bessel[down] = 1e-30;
  for (let n = down; n > 0; n--) bessel[n - 1] = ((2 * n + 1) / x) * bessel[n] - bessel[n + 1];
  // The recurrence fixes the functions up to a factor, found from the larger of the two lowest orders.
  const lowest = [Math.sin(x) / x, Math.sin(x) / (x * x) - Math.cos(x) / x];
  const order = Math.abs(lowest[0]) > Math.abs(lowest[1]) ? 0 : 1;
  const scale = lowest[order] / bessel[order];
  const neumann = [-Math.cos(x) / x, -Math.cos(x) / (x * x) - Math.sin(x) / x];
  for (let n = 1; n < last; n++) neumann.push(((2 * n + 1) / x) * neumann[n] - neumann[n - 1]);
  const psi = (n) => x * bessel[n] * scale;
  const chi = (n) => x * neumann[n];
  const slope = (f, n) => f(n - 1) - (n / x) * f(n);
  // p / (p − j q) with real p and q
  const quotient = (p, q) => [(p * p) / (p * p + q * q), (p * q) / (p * p + q * q)];
  const list = [];
  for (let n = 1; n <= last; n++) list.push([quotient(slope(psi, n), slope(chi, n)), quotient(psi(n), chi(n))]);
  return list;
}

/** Amplitudes S1 (field across the scattering plane) and S2 (in it) as [re, im] at the cosine of the scattering angle. */
export function amplitudes(x) {
  const series = coefficients(x);
  return (cosine) => {
    const sum = [0, 0, 0, 0];
    let [before, pi] = [0, 1];
    series.forEach(([a, b], index) => {
      const n = index + 1;
      const tau = n * cosine * pi - (n + 1) * before;
      const weight = (2 * n + 1) / (n * (n + 1));
      for (const part of [0, 1]) {
        sum[part] += weight * (a[part] * pi + b[part] * tau);
        sum[2 + part] += weight * (a[part] * tau + b[part] * pi);
      }
      [before, pi] = [pi, ((2 * n + 1) * cosine * pi - (n + 1) * before) / n];
    });
    return { s1: [sum[0], sum[1]], s2: [sum[2], sum[3]] };
  };
}

/** Monostatic cross section over πa². */
export function backscatterOverArea(x) {
  const { s1 } = amplitudes(x)(-1);
  return (4 * (s1[0] ** 2 + s1[1] ** 2)) / (x * x);
}
