//! Smooth pieces of a contour, each with a parameter t from 0 to 1.
//!
//! Differences of two points on a piece are evaluated without cancellation: integrals over a panel that contains the
//! observation point need them down to distances far below the rounding error of the coordinates.

/// Smooth piece of a contour.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// Straight line between two points.
    Line { start: [f64; 2], end: [f64; 2] },
    /// center + A cos θ + B sin θ, θ from `from` to `to`: an arc of a circle or an ellipse.
    Arc {
        center: [f64; 2],
        axes: [[f64; 2]; 2],
        from: f64,
        to: f64,
    },
    /// c₀ + c₁t + c₂t² + c₃t³, one interval of a spline.
    Cubic { coefficients: [[f64; 2]; 4] },
}

/// Returns a×b in the plane.
pub(crate) fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// Returns a·b in the plane.
pub(crate) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Returns a − b.
pub(crate) fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// Returns the length of a vector.
pub(crate) fn norm(a: [f64; 2]) -> f64 {
    (a[0] * a[0] + a[1] * a[1]).sqrt()
}

fn combine(a: [f64; 2], by: f64, b: [f64; 2], times: f64) -> [f64; 2] {
    [a[0] * by + b[0] * times, a[1] * by + b[1] * times]
}

impl Piece {
    /// Returns the point at t.
    pub(crate) fn position(&self, t: f64) -> [f64; 2] {
        match self {
            Piece::Line { start, end } => combine(*start, 1.0 - t, *end, t),
            Piece::Arc {
                center,
                axes,
                from,
                to,
            } => {
                let (sin, cos) = (from + t * (to - from)).sin_cos();
                let offset = combine(axes[0], cos, axes[1], sin);
                [center[0] + offset[0], center[1] + offset[1]]
            }
            Piece::Cubic { coefficients: c } => {
                std::array::from_fn(|i| c[0][i] + t * (c[1][i] + t * (c[2][i] + t * c[3][i])))
            }
        }
    }

    /// Returns dr/dt.
    pub(crate) fn velocity(&self, t: f64) -> [f64; 2] {
        match self {
            Piece::Line { start, end } => minus(*end, *start),
            Piece::Arc { axes, from, to, .. } => {
                let (sin, cos) = (from + t * (to - from)).sin_cos();
                combine(axes[0], -sin * (to - from), axes[1], cos * (to - from))
            }
            Piece::Cubic { coefficients: c } => {
                std::array::from_fn(|i| c[1][i] + t * (2.0 * c[2][i] + t * 3.0 * c[3][i]))
            }
        }
    }

    /// Returns d²r/dt².
    pub(crate) fn acceleration(&self, t: f64) -> [f64; 2] {
        match self {
            Piece::Line { .. } => [0.0; 2],
            Piece::Arc { axes, from, to, .. } => {
                let (sin, cos) = (from + t * (to - from)).sin_cos();
                let square = (to - from) * (to - from);
                combine(axes[0], -cos * square, axes[1], -sin * square)
            }
            Piece::Cubic { coefficients: c } => {
                std::array::from_fn(|i| 2.0 * c[2][i] + 6.0 * t * c[3][i])
            }
        }
    }

    /// Returns r(t + δ) − r(t), with the relative accuracy of δ.
    pub(crate) fn chord(&self, t: f64, delta: f64) -> [f64; 2] {
        match self {
            Piece::Line { start, end } => {
                let along = minus(*end, *start);
                [delta * along[0], delta * along[1]]
            }
            Piece::Arc { axes, from, to, .. } => {
                let half = 0.5 * delta * (to - from);
                let (sin, cos) = (from + t * (to - from) + half).sin_cos();
                let length = 2.0 * half.sin();
                combine(axes[0], -sin * length, axes[1], cos * length)
            }
            Piece::Cubic { coefficients: c } => std::array::from_fn(|i| {
                let square = 3.0 * t * t + 3.0 * t * delta + delta * delta;
                delta * (c[1][i] + c[2][i] * (2.0 * t + delta) + c[3][i] * square)
            }),
        }
    }

    /// Returns (r(t + δ) − r(t)) × dr/dt(t), which is O(δ²).
    pub(crate) fn bend(&self, t: f64, delta: f64) -> f64 {
        match self {
            Piece::Line { .. } => 0.0,
            Piece::Arc { axes, from, to, .. } => {
                let sin = (0.5 * delta * (to - from)).sin();
                -2.0 * (to - from) * cross(axes[0], axes[1]) * sin * sin
            }
            Piece::Cubic { coefficients: c } => {
                let second: [f64; 2] =
                    std::array::from_fn(|i| c[2][i] + c[3][i] * (3.0 * t + delta));
                delta * delta * cross(second, self.velocity(t))
            }
        }
    }

    /// Returns the maximum |dr/dt| at sample points, an estimate of the speed that is sufficient for subdivision.
    pub(crate) fn top_speed(&self) -> f64 {
        (0..=16)
            .map(|i| norm(self.velocity(f64::from(i) / 16.0)))
            .fold(0.0, f64::max)
    }

    /// Returns the piece with the opposite orientation.
    pub(crate) fn reversed(&self) -> Piece {
        match self {
            Piece::Line { start, end } => Piece::Line {
                start: *end,
                end: *start,
            },
            Piece::Arc {
                center,
                axes,
                from,
                to,
            } => Piece::Arc {
                center: *center,
                axes: *axes,
                from: *to,
                to: *from,
            },
            Piece::Cubic { coefficients: c } => {
                // Taylor coefficients of p(1 − t) about 1.
                let at = |i: usize| c[0][i] + c[1][i] + c[2][i] + c[3][i];
                let derivative = |i: usize| c[1][i] + 2.0 * c[2][i] + 3.0 * c[3][i];
                Piece::Cubic {
                    coefficients: [
                        [at(0), at(1)],
                        [-derivative(0), -derivative(1)],
                        std::array::from_fn(|i| c[2][i] + 3.0 * c[3][i]),
                        [-c[3][0], -c[3][1]],
                    ],
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces() -> Vec<Piece> {
        vec![
            Piece::Line {
                start: [0.3, -0.2],
                end: [1.1, 0.9],
            },
            Piece::Arc {
                center: [0.2, 0.1],
                axes: [[1.2, 0.3], [-0.2, 0.8]],
                from: 0.3,
                to: 2.9,
            },
            Piece::Cubic {
                coefficients: [[0.1, 0.2], [1.0, 0.3], [-0.4, 0.7], [0.2, -0.5]],
            },
        ]
    }

    #[test]
    fn differences_agree_with_subtraction_where_that_is_accurate() {
        for piece in pieces() {
            for (t, delta) in [(0.2, 0.5), (0.9, -0.6), (0.0, 1.0)] {
                let plain = minus(piece.position(t + delta), piece.position(t));
                let chord = piece.chord(t, delta);
                assert!(norm(minus(plain, chord)) < 1e-15);
                let bend = piece.bend(t, delta);
                assert!((bend - cross(plain, piece.velocity(t))).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn small_differences_keep_their_digits() {
        for piece in pieces() {
            let (t, delta) = (0.4, 1e-12);
            let half = [piece.bend(t, delta), piece.bend(t, 2.0 * delta)];
            // The cross product is O(δ²); a cubic term is 1e-12 of it.
            assert!((half[1] - 4.0 * half[0]).abs() <= 1e-10 * half[1].abs());
            let expected = -0.5 * delta * delta * cross(piece.velocity(t), piece.acceleration(t));
            assert!((half[0] - expected).abs() <= 1e-10 * expected.abs());
        }
    }

    #[test]
    fn a_reversed_piece_is_the_same_curve() {
        for piece in pieces() {
            let back = piece.reversed();
            for t in [0.0, 0.3, 1.0] {
                assert!(norm(minus(piece.position(t), back.position(1.0 - t))) < 1e-15);
            }
        }
    }
}
