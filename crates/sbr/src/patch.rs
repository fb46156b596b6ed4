//! A flat piece of the body under a piece of a plane wave, and what it radiates by physical optics.
//!
//! With E at a point x of the piece, the way ℓ of the wave to it, n the normal on the lit side, d the direction of
//! the wave and q = k(ŝ − d), the currents ηJ and M, of a bare conductor ηJ = 2 n × (d × E) alone, radiate towards ŝ
//!
//! F = −(jk/4π) (ηJ + M × ŝ)_⊥ e^{jk(ŝ·x − ℓ)} ∫ e^{jq·(x′−x)} dA,
//!
//! the integral in closed form: Gordon's polygon sum (W. B. Gordon, IEEE Trans. Antennas Propag. 23 (1975)
//! 590–592), which for a parallelogram is A sinc(q·a/2) sinc(q·b/2).

use num_complex::Complex64;
use wavefield_physics::direction::Direction;

use crate::optics::Currents;
use wavefield_numerics::vector::{add, cross, dot, norm, scaled, sub};

/// Phases below this are expanded in a series.
const SMALL: f64 = 0.05;

/// Amplitudes F of E_s = F E_i e^{−jkr}/r: V and H received (rows) of V and H transmitted (columns).
pub(crate) type Amplitude = [[Complex64; 2]; 2];

/// A flat piece of the body under a piece of a plane wave.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    /// The triangle it is part of.
    pub(crate) triangle: u32,
    /// Its middle.
    pub(crate) point: [f64; 3],
    /// Where the wave met the body first.
    pub(crate) entry: [f64; 3],
    /// Way of the wave to the middle, from the plane through the origin of coordinates.
    pub(crate) way: f64,
    /// Direction of the wave.
    pub(crate) direction: [f64; 3],
    /// Its shape.
    pub(crate) outline: Outline,
    /// Its area.
    pub(crate) area: f64,
    /// Its currents for V and H transmitted.
    pub(crate) currents: Currents,
}

/// The shape of a patch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outline {
    /// The footprint of a tube, by its sides.
    Parallelogram([[f64; 3]; 2]),
    /// A facet or a part of a footprint, by its corners seen from the middle.
    Triangle([[f64; 3]; 3]),
}

/// A direction of observation with its polarisations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observer {
    /// Unit vector towards the observer.
    pub(crate) direction: [f64; 3],
    /// θ̂ and φ̂.
    pub(crate) received: [[f64; 3]; 2],
}

impl Observer {
    /// One in a direction, who receives its two polarisations.
    pub(crate) fn towards(direction: Direction) -> Observer {
        Observer {
            direction: direction.unit(),
            received: [direction.theta_hat(), direction.phi_hat()],
        }
    }
}

impl Patch {
    /// Adds the far field towards an observer of a wave by its number among the frequencies and its k.
    pub(crate) fn radiate(
        &self,
        (frequency, k): (usize, f64),
        observer: &Observer,
        sum: &mut Amplitude,
    ) {
        let q = scaled(sub(observer.direction, self.direction), k);
        let phase = k * (dot(observer.direction, self.point) - self.way);
        // −jk/4π · 2.
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

    /// Parts of a tube's footprint by their corners in its cross-section, in sides of the tube from its axis.
    pub(crate) fn part(&self, corners: [[f64; 2]; 3]) -> Patch {
        let [a, b] = self.outline.sides();
        let [p, q, r] = corners.map(|[x, y]| add(scaled(a, x), scaled(b, y)));
        let middle = scaled(add(add(p, q), r), 1.0 / 3.0);
        Patch {
            point: add(self.point, middle),
            way: self.way + dot(self.direction, middle),
            outline: Outline::Triangle([p, q, r].map(|corner| sub(corner, middle))),
            area: 0.5 * norm(cross(sub(q, p), sub(r, p))),
            ..self.clone()
        }
    }

    /// Its quarters, if it is a triangle with a side longer than a length.
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
                // A first reflection is where the wave met the body.
                entry: if self.entry == self.point {
                    point
                } else {
                    self.entry
                },
                way: self.way + dot(self.direction, middle),
                outline: Outline::Triangle(corners.map(|corner| sub(corner, middle))),
                area: 0.25 * self.area,
                ..self.clone()
            }
        }))
    }

    /// How far another tube's patch is from where this one's wave would have it, in metres of way and place, for
    /// a tube `columns` and `rows` cross-sections beside this one.
    pub(crate) fn misfit(&self, other: &Patch, columns: f64, rows: f64) -> f64 {
        let [a, b] = self.outline.sides();
        let beside = add(scaled(a, columns), scaled(b, rows));
        let place = sub(sub(other.point, self.point), beside);
        let way = other.way - self.way - dot(self.direction, beside);
        way.abs() + norm(place)
    }

    /// Whether two patches face the same way, to within 25 degrees.
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
    /// Two sides.
    fn sides(&self) -> [[f64; 3]; 2] {
        match *self {
            Outline::Parallelogram(sides) => sides,
            Outline::Triangle([a, b, c]) => [sub(b, a), sub(c, a)],
        }
    }
}

/// sin x/x.
fn sinc(x: f64) -> f64 {
    if x.abs() < 1e-4 {
        1.0 - x * x / 6.0
    } else {
        x.sin() / x
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
