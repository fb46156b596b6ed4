//! First reflections on small facets, facet by facet.
//!
//! Where a body is tessellated finely, a tube is the wrong measure for grazing incidence: within a tube's width of
//! the shadow boundary of a sphere the surface runs on for √(2wR), many wavelengths. There each facet that sees
//! the source, and whose reflection leaves the body, radiates by itself: F = −(jk/4π) 2 (n × (d × E))_⊥ ∫ e^{jq·x} dA
//! with q = k(ŝ − d), the integral over a triangle in closed form (W. B. Gordon, IEEE Trans. Antennas Propag. 23
//! (1975) 590–592).

use num_complex::Complex64;
use rayon::prelude::*;

use crate::aperture::Scattered;
use crate::aperture::Wave;
use crate::trace::{Hit, Ray};
use crate::vector::{add, cross, dot, length, scaled, sub};

/// Facets a thread takes at once.
const BLOCK: usize = 4096;
/// Phases below this are expanded in a series.
const SMALL: f64 = 0.05;

/// Adds what small facets radiate.
pub(crate) fn radiate(wave: &Wave<'_>, sum: &mut Scattered) {
    let surface = wave.tracer.surface();
    let direction = scaled(wave.source, -1.0);
    let facets: Vec<u32> = (0..surface.count() as u32)
        .filter(|&triangle| wave.small[triangle as usize])
        .collect();
    let centre = |triangle: u32| {
        let [a, b, c] = surface.corners(triangle);
        scaled(add(add(a, b), c), 1.0 / 3.0)
    };
    let free = |facets: Vec<u32>, towards: &(dyn Fn(u32) -> [f64; 3] + Sync)| -> Vec<u32> {
        let rays: Vec<Ray> = facets
            .par_iter()
            .map(|&triangle| Ray {
                leaves: triangle,
                ..Ray::new(centre(triangle), towards(triangle))
            })
            .collect();
        let mut hits = vec![Hit::MISS; rays.len()];
        wave.tracer.nearest_of(&rays, &mut hits);
        let open = facets
            .into_iter()
            .zip(hits)
            .filter(|(_, hit)| hit.is_miss());
        open.map(|(triangle, _)| triangle).collect()
    };
    sum.rays += facets.len() as u64;
    let lit = free(facets, &|_| wave.source);
    sum.rays += lit.len() as u64;
    let leaving = free(lit, &|triangle| {
        let normal = surface.normal(triangle);
        sub(direction, scaled(normal, 2.0 * dot(direction, normal)))
    });
    let parts: Vec<Vec<[[Complex64; 2]; 2]>> = leaving
        .par_chunks(BLOCK)
        .map(|facets| {
            let mut part = vec![[[Complex64::ZERO; 2]; 2]; sum.amplitudes.len()];
            for &triangle in facets {
                radiate_one(wave, triangle, &mut part);
            }
            part
        })
        .collect();
    for part in parts {
        for (sum, part) in sum.amplitudes.iter_mut().zip(&part) {
            for (sum, part) in sum.iter_mut().flatten().zip(part.iter().flatten()) {
                *sum += part;
            }
        }
    }
}

fn radiate_one(wave: &Wave<'_>, triangle: u32, amplitudes: &mut [[[Complex64; 2]; 2]]) {
    let direction = scaled(wave.source, -1.0);
    let corners = wave.tracer.surface().corners(triangle);
    let [a, b, c] = corners;
    let mut normal = cross(sub(b, a), sub(c, a));
    let twice_area = length(normal);
    normal = scaled(normal, 1.0 / twice_area);
    if dot(normal, direction) > 0.0 {
        normal = scaled(normal, -1.0);
    }
    let currents = wave
        .transmitted
        .map(|field| cross(normal, cross(direction, field)));
    let per_observer = amplitudes.chunks_exact_mut(wave.wavenumbers.len());
    for (observer, amplitudes) in wave.observers.iter().zip(per_observer) {
        let along = sub(observer.direction, direction);
        let ways = corners.map(|corner| dot(along, corner));
        for (&k, sum) in wave.wavenumbers.iter().zip(amplitudes) {
            // −jk/4π · 2 · ∫ e^{jq·x} dA.
            let size = 0.5 * std::f64::consts::FRAC_1_PI * k * twice_area;
            let wave_sum = over_triangle(ways.map(|way| k * way)) * Complex64::new(0.0, -size);
            for (received, sums) in observer.received.iter().zip(sum) {
                for (current, sum) in currents.iter().zip(sums) {
                    *sum += wave_sum * dot(*received, *current);
                }
            }
        }
    }
}

/// ∫₀¹∫₀^{1−u} e^{jφ} dv du of a phase φ that is linear between its values at the corners.
fn over_triangle(phases: [f64; 3]) -> Complex64 {
    // From a corner to that from which the phase differs most: no division by less.
    let [p, q, r] = phases;
    let differences = [(q - r).abs(), (r - p).abs(), (p - q).abs()];
    let [first, middle, last] = if differences[0] >= differences[1].max(differences[2]) {
        [q, p, r]
    } else if differences[1] >= differences[2] {
        [r, q, p]
    } else {
        [p, r, q]
    };
    let (alpha, beta) = (middle - first, last - first);
    let inner = if beta.abs() < SMALL {
        let second = (alpha * alpha + alpha * beta + beta * beta) / 24.0;
        let third = (alpha + beta) * (alpha * alpha + beta * beta) / 120.0;
        Complex64::new(0.5 - second, (alpha + beta) / 6.0 - third)
    } else {
        (Complex64::cis(beta) * mean(alpha - beta) - mean(alpha)) / Complex64::new(0.0, beta)
    };
    Complex64::cis(first) * inner
}

/// (e^{jx} − 1)/(jx).
fn mean(x: f64) -> Complex64 {
    if x.abs() < 1e-3 {
        let square = x * x;
        Complex64::new(1.0 - square / 6.0, 0.5 * x * (1.0 - square / 12.0))
    } else {
        (Complex64::cis(x) - 1.0) / Complex64::new(0.0, x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_is_the_integral() {
        // A midpoint rule over 400 × 400 halves of squares.
        let n = 400;
        for phases in [
            [0.3, 0.31, 0.29],
            [0.0, 2.0, -1.0],
            [1.0, 5.0, 5.0],
            [4.0, 4.0, -3.0],
            [0.0, 0.04, 3.0],
        ] {
            let mut sum = Complex64::ZERO;
            let cell = 1.0 / f64::from(n);
            for i in 0..n {
                for j in 0..n - i {
                    // The square of the diagonal is half inside: its inner triangle.
                    let inside = if i + j == n - 1 { 1.0 / 3.0 } else { 0.5 };
                    let weight = if i + j == n - 1 { 0.5 } else { 1.0 };
                    let (u, v) = (
                        (f64::from(i) + inside) * cell,
                        (f64::from(j) + inside) * cell,
                    );
                    let phase =
                        phases[0] + u * (phases[1] - phases[0]) + v * (phases[2] - phases[0]);
                    sum += Complex64::cis(phase) * (weight * cell * cell);
                }
            }
            let found = over_triangle(phases);
            assert!((found - sum).norm() < 2e-5, "{phases:?} {found} {sum}");
        }
    }

    #[test]
    fn series_and_closed_form_meet() {
        let at = |beta: f64| over_triangle([0.2, 0.2 + 0.4 * beta, 0.2 + beta]);
        let step = 1e-9;
        let jump = at(SMALL + step) - at(SMALL - step);
        assert!(jump.norm() < 1e-7, "{jump}");
    }
}
