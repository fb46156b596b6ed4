//! Total field of a current at arbitrary points, including points on or near the surface.
//!
//! With u = ηJ, E = −jk ∫ u G − (j/k) ∫ ∇·u ∇G and ηH = ∫ ∇G × u. A triangle that carries c_j w_j (r′ − v_j)/2A adds, with the
//! averages of `pair.rs`, ½ c_j w_j [(r − v_j) S₀ − S₁] to ∫ u G, c_j w_j T to ∫ ∇·u ∇G and ½ c_j w_j T × (r − v_j) to ∫ ∇G ×
//! u.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::vector::{Vector, sub};
use wavefield_physics::plane_wave::PlaneWave;
use wavefield_solver::scene::Issues;

use crate::pair::Pairs;
use crate::result::Field;
use crate::spec::NearField;

/// Maximum number of near-field points.
const MAX_POINTS: f64 = 1e7;

/// Checks the number of points, and that it is 1 along exactly the axes on which the corners agree.
pub(crate) fn check(asked: &NearField, issues: &mut Issues) {
    let count: f64 = asked.points.iter().map(|&n| n as f64).product();
    if !(1.0..=MAX_POINTS).contains(&count) {
        issues.add(
            "near_field.points",
            format!("the near field has {count:e} points; the number must lie between 1 and {MAX_POINTS:e}"),
        );
    }
    let fits = (0..3).all(|axis| {
        let same = asked.start[axis] == asked.stop[axis];
        (asked.points[axis] > 1) != same
    });
    if !fits {
        issues.add(
            "near_field.points",
            "`near_field.points` must be 1 along each axis on which `start` and `stop` agree, and at least 2 along the others",
        );
    }
}

/// Returns the points, x changing fastest.
pub(crate) fn points(asked: &NearField, wavelength: f64) -> Vec<Vector> {
    let [from, to] = [asked.start, asked.stop].map(|corner| corner.map(|x| x.meters(wavelength)));
    let place = |axis: usize, number: usize| {
        let part = number as f64 / (asked.points[axis] - 1).max(1) as f64;
        from[axis] + part * (to[axis] - from[axis])
    };
    let [nx, ny, nz] = asked.points;
    (0..nx * ny * nz)
        .map(|at| {
            [
                place(0, at % nx),
                place(1, at / nx % ny),
                place(2, at / nx / ny),
            ]
        })
        .collect()
}

/// Returns the total field of a solution at points: the scattered field plus that of the incident wave.
pub(crate) fn whole(
    pairs: &Pairs<'_>,
    wave: Option<PlaneWave>,
    solution: &[Complex64],
    points: &[Vector],
) -> Vec<Field> {
    points
        .par_iter()
        .map(|&point| {
            let incident = wave.map_or_else(Field::default, |wave| Field {
                electric: wave.field(point),
                magnetic: wave.magnetic_field(point),
            });
            let scattered = scattered(pairs, solution, point);
            let add =
                |a: [Complex64; 3], b: [Complex64; 3]| [0, 1, 2].map(|axis| a[axis] + b[axis]);
            Field {
                electric: add(incident.electric, scattered.electric),
                magnetic: add(incident.magnetic, scattered.magnetic),
            }
        })
        .collect()
}

fn scattered(pairs: &Pairs<'_>, solution: &[Complex64], at: Vector) -> Field {
    let basis = pairs.basis();
    let k = pairs.wavenumber();
    let mut field = Field::default();
    for (number, triangle) in basis.triangles.iter().enumerate() {
        // Σ c w and Σ c w (r − v).
        let (mut charge, mut moment) = (Complex64::ZERO, [Complex64::ZERO; 3]);
        for share in basis.shares(number) {
            let flow = solution[share.function as usize] * share.weight;
            let arm = sub(at, triangle.corners[share.corner as usize]);
            charge += flow;
            for axis in 0..3 {
                moment[axis] += flow * arm[axis];
            }
        }
        let sums = pairs.potentials(triangle, at);
        for axis in 0..3 {
            let [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
            let vector = 0.5 * (moment[axis] * sums.s0 - charge * sums.s1[axis]);
            field.electric[axis] -= Complex64::new(0.0, k) * vector
                + Complex64::new(0.0, 1.0 / k) * charge * sums.t[axis];
            field.magnetic[axis] +=
                0.5 * (sums.t[next] * moment[last] - sums.t[last] * moment[next]);
        }
    }
    field
}
