//! Flat piece of the surface under a plane wave, and its physical-optics far field.
//!
//! With E the field at a point x of the piece, ℓ the path length of the wave to x, n the normal on the illuminated
//! side, d the direction of propagation, and q = k(ŝ − d), the currents ηJ and M (on a bare PEC ηJ = 2 n × (d × E)
//! alone) radiate toward ŝ
//!
//! F = −(jk/4π) (ηJ + M × ŝ)_⊥ e^{jk(ŝ·x − ℓ)} ∫ e^{jq·(x′−x)} dA,
//!
//! with the integral in closed form: Gordon's polygon formula (W. B. Gordon, IEEE Trans. Antennas Propag. 23 (1975)
//! 590–592), which for a parallelogram is A sinc(q·a/2) sinc(q·b/2).

use num_complex::Complex64;
use wavefield_physics::direction::Direction;

use crate::optics::Currents;
use wavefield_numerics::vector::{add, cross, dot, norm, scaled, sub};

/// Phase in radians below which a series expansion is used.
const SMALL: f64 = 0.05;

/// Amplitudes F of E_s = F E_i e^{−jkr}/r, m: V and H received (rows) for V and H transmitted (columns).
pub(crate) type Amplitude = [[Complex64; 2]; 2];

/// Flat piece of the surface under a plane wave.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    /// Index of the triangle that contains it.
    pub(crate) triangle: u32,
    /// Center.
    pub(crate) point: [f64; 3],
    /// First hit of the wave on the body.
    pub(crate) entry: [f64; 3],
    /// Path length of the wave to the center from the plane through the origin of coordinates, m.
    pub(crate) path_length: f64,
    /// Direction of propagation.
    pub(crate) direction: [f64; 3],
    /// Shape.
    pub(crate) outline: Outline,
    /// Area, m².
    pub(crate) area: f64,
    /// Surface currents for V and H transmitted.
    pub(crate) currents: Currents,
}

/// Shape of a patch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outline {
    /// Footprint of a tube, by its sides.
    Parallelogram([[f64; 3]; 2]),
    /// Facet or part of a footprint, by its corners relative to the center.
    Triangle([[f64; 3]; 3]),
}

/// Direction of observation with its polarizations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observer {
    /// Unit vector toward the observer.
    pub(crate) direction: [f64; 3],
    /// Received polarizations θ̂ and φ̂.
    pub(crate) received: [[f64; 3]; 2],
}

impl Observer {
    /// Creates an observer in a direction that receives both polarizations.
    pub(crate) fn toward(direction: Direction) -> Observer {
        Observer {
            direction: direction.unit(),
            received: [direction.theta_hat(), direction.phi_hat()],
        }
    }
}

impl Patch {
    /// Adds the far field of the patch toward an observer for a frequency, given by its index and k.
    pub(crate) fn radiate(
        &self,
        (frequency, k): (usize, f64),
        observer: &Observer,
        sum: &mut Amplitude,
    ) {
        let q = scaled(sub(observer.direction, self.direction), k);
        let phase = k * (dot(observer.direction, self.point) - self.path_length);
        // The factor 2 restores the halved currents: −jk/4π · 2.
        let (sine, cosine) = phase.sin_cos();
        let turned =
            Complex64::new(sine, -cosine) * (0.5 * std::f64::consts::FRAC_1_PI * k * self.area);
        let spread = match &self.outline {
            Outline::Parallelogram([a, b]) => {
                Complex64::from(sinc(0.5 * dot(q, *a)) * sinc(0.5 * dot(q, *b)))
            }
            Outline::Triangle(corners) => 2.0 * over_triangle(corners.map(|corner| dot(q, corner))),
        };
        let wave = turned * spread;
        for (received, sums) in observer.received.iter().zip(sum) {
            let seen = (self.currents).seen(frequency, observer.direction, *received);
            for (seen, sum) in seen.into_iter().zip(sums) {
                *sum += wave * seen;
            }
        }
    }

    /// Returns a part of a tube's footprint by its corners in the cross-section, in sides of the tube from its axis.
    pub(crate) fn part(&self, corners: [[f64; 2]; 3]) -> Patch {
        let [a, b] = self.outline.sides();
        let [p, q, r] = corners.map(|[x, y]| add(scaled(a, x), scaled(b, y)));
        let middle = scaled(add(add(p, q), r), 1.0 / 3.0);
        Patch {
            point: add(self.point, middle),
            path_length: self.path_length + dot(self.direction, middle),
            outline: Outline::Triangle([p, q, r].map(|corner| sub(corner, middle))),
            area: 0.5 * norm(cross(sub(q, p), sub(r, p))),
            ..self.clone()
        }
    }

    /// Returns the four quarters of a triangle with a side longer than a length.
    pub(crate) fn quarters_beyond(&self, longest: f64) -> Option<[Patch; 4]> {
        let Outline::Triangle([a, b, c]) = self.outline else {
            return None;
        };
        let sides = [sub(b, a), sub(c, b), sub(a, c)];
        if sides.into_iter().map(norm).all(|side| side <= longest) {
            return None;
        }
        let between = |p, q| scaled(add(p, q), 0.5);
        let (d, e, f) = (between(b, c), between(c, a), between(a, b));
        let quarters = [[a, f, e], [f, b, d], [e, d, c], [d, e, f]];
        Some(quarters.map(|corners| {
            let [p, q, r] = corners;
            let middle = scaled(add(add(p, q), r), 1.0 / 3.0);
            let point = add(self.point, middle);
            Patch {
                point,
                // For a first reflection the entry point is the point itself.
                entry: if self.entry == self.point {
                    point
                } else {
                    self.entry
                },
                path_length: self.path_length + dot(self.direction, middle),
                outline: Outline::Triangle(corners.map(|corner| sub(corner, middle))),
                area: 0.25 * self.area,
                ..self.clone()
            }
        }))
    }

    /// Returns the mismatch in m, in path length and position, between the patch of another tube and the plane-wave
    /// extrapolation of this one, for a tube `columns` and `rows` cross-sections away.
    pub(crate) fn phase_mismatch(&self, other: &Patch, columns: f64, rows: f64) -> f64 {
        let [a, b] = self.outline.sides();
        let beside = add(scaled(a, columns), scaled(b, rows));
        let place = sub(sub(other.point, self.point), beside);
        let path_length = other.path_length - self.path_length - dot(self.direction, beside);
        path_length.abs() + norm(place)
    }

    /// Returns whether the normals of two patches agree to within 25°.
    pub(crate) fn faces_like(&self, other: &Patch) -> bool {
        let normal = |patch: &Patch| {
            let [a, b] = patch.outline.sides();
            cross(a, b)
        };
        let (a, b) = (normal(self), normal(other));
        dot(a, b) > 0.9 * norm(a) * norm(b)
    }
}

impl Outline {
    /// Returns two sides.
    fn sides(&self) -> [[f64; 3]; 2] {
        match *self {
            Outline::Parallelogram(sides) => sides,
            Outline::Triangle([a, b, c]) => [sub(b, a), sub(c, a)],
        }
    }
}

/// Returns sin x/x.
fn sinc(x: f64) -> f64 {
    if x.abs() < 1e-4 {
        1.0 - x * x / 6.0
    } else {
        x.sin() / x
    }
}

/// Returns ∫₀¹∫₀^{1−u} e^{jφ} dv du for a phase φ that is linear between its values at the corners.
fn over_triangle(phases: [f64; 3]) -> Complex64 {
    // Start at the corner opposite to the largest phase difference: no division by a smaller one.
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

/// Returns (e^{jx} − 1)/(jx).
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
        // Midpoint rule on 400 × 400 squares halved into triangles.
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
                    // Squares on the diagonal are half inside: use the inner triangle.
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
