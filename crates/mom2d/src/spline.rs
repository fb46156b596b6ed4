//! Cubic splines through points, with continuous curvature.

use crate::piece::{Piece, minus, norm};

/// Returns the cubic spline through points, parametrized by chord length: periodic if `closed` (the first point follows the
/// last), otherwise with not-a-knot end conditions. Two points give a line.
pub(crate) fn through(points: &[[f64; 2]], closed: bool) -> Vec<Piece> {
    let n = points.len();
    if n == 2 && !closed {
        return vec![Piece::Line {
            start: points[0],
            end: points[1],
        }];
    }
    let intervals = if closed { n } else { n - 1 };
    let at = |i: usize| points[i % n];
    let length: Vec<f64> = (0..intervals)
        .map(|i| norm(minus(at(i + 1), at(i))))
        .collect();
    let moments = if closed {
        periodic_moments(&length, &at)
    } else {
        open_moments(&length, &at)
    };
    (0..intervals)
        .map(|i| {
            let h = length[i];
            let (m0, m1) = (moments[i], moments[(i + 1) % moments.len()]);
            let (p0, p1) = (at(i), at(i + 1));
            // Over t in [0, 1]: the second derivative is linear between the moments.
            Piece::Cubic {
                coefficients: [
                    p0,
                    std::array::from_fn(|c| p1[c] - p0[c] - h * h * (2.0 * m0[c] + m1[c]) / 6.0),
                    std::array::from_fn(|c| 0.5 * h * h * m0[c]),
                    std::array::from_fn(|c| h * h * (m1[c] - m0[c]) / 6.0),
                ],
            }
        })
        .collect()
}

/// Returns six times the change of the derivative at point i: the right-hand side of the moment equations.
fn kink(length: &[f64], at: &dyn Fn(usize) -> [f64; 2], before: usize, i: usize) -> [f64; 2] {
    let (p, q, r) = (at(before), at(i), at(i + 1));
    let (h0, h1) = (length[before % length.len()], length[i % length.len()]);
    std::array::from_fn(|c| 6.0 * ((r[c] - q[c]) / h1 - (q[c] - p[c]) / h0))
}

/// Solves h₀m₋ + 2(h₀ + h₁)m + h₁m₊ = r at every point of a periodic spline. The two corner entries of the matrix are a
/// rank-one term, applied by the Sherman–Morrison formula.
fn periodic_moments(length: &[f64], at: &dyn Fn(usize) -> [f64; 2]) -> Vec<[f64; 2]> {
    let n = length.len();
    let before = |i: usize| (i + n - 1) % n;
    let lower: Vec<f64> = (0..n).map(|i| length[before(i)]).collect();
    let upper = length.to_vec();
    let mut diagonal: Vec<f64> = (0..n).map(|i| 2.0 * (lower[i] + upper[i])).collect();
    let right: Vec<[f64; 2]> = (0..n).map(|i| kink(length, at, before(i), i)).collect();
    let corner = lower[0];
    let gamma = -diagonal[0];
    diagonal[0] -= gamma;
    diagonal[n - 1] -= corner * corner / gamma;
    let mut along = vec![[0.0; 2]; n];
    along[0] = [gamma; 2];
    along[n - 1] = [corner; 2];
    let x = tridiagonal(&lower, &diagonal, &upper, right);
    let z = tridiagonal(&lower, &diagonal, &upper, along);
    let ratio = corner / gamma;
    let factor: [f64; 2] = std::array::from_fn(|c| {
        (x[0][c] + ratio * x[n - 1][c]) / (1.0 + z[0][c] + ratio * z[n - 1][c])
    });
    x.iter()
        .zip(&z)
        .map(|(x, z)| std::array::from_fn(|c| x[c] - factor[c] * z[c]))
        .collect()
}

/// Solves for the moments at the inner points of an open spline; the first and last moments are extrapolated linearly from
/// their two neighbors.
fn open_moments(length: &[f64], at: &dyn Fn(usize) -> [f64; 2]) -> Vec<[f64; 2]> {
    let n = length.len() + 1;
    if n == 3 {
        // One parabola through three points: the same moment everywhere.
        let third = 1.0 / (3.0 * (length[0] + length[1]));
        return vec![kink(length, at, 0, 1).map(|k| k * third); 3];
    }
    let inner = n - 2;
    let mut lower: Vec<f64> = (0..inner).map(|i| length[i]).collect();
    let mut upper: Vec<f64> = (0..inner).map(|i| length[i + 1]).collect();
    let mut diagonal: Vec<f64> = (0..inner)
        .map(|i| 2.0 * (length[i] + length[i + 1]))
        .collect();
    let right = (1..=inner).map(|i| kink(length, at, i - 1, i)).collect();
    let first = length[0] / length[1];
    diagonal[0] += length[0] * (1.0 + first);
    upper[0] -= length[0] * first;
    let last = length[n - 2] / length[n - 3];
    diagonal[inner - 1] += length[n - 2] * (1.0 + last);
    lower[inner - 1] -= length[n - 2] * last;
    let m = tridiagonal(&lower, &diagonal, &upper, right);
    let outward = |near: [f64; 2], far: [f64; 2], ratio: f64| -> [f64; 2] {
        std::array::from_fn(|c| near[c] + ratio * (near[c] - far[c]))
    };
    let mut moments = vec![outward(m[0], m[1], first)];
    moments.extend_from_slice(&m);
    moments.push(outward(m[inner - 1], m[inner - 2], last));
    moments
}

/// Thomas algorithm, without pivoting: the matrix is diagonally dominant.
fn tridiagonal(
    lower: &[f64],
    diagonal: &[f64],
    upper: &[f64],
    mut right: Vec<[f64; 2]>,
) -> Vec<[f64; 2]> {
    let n = diagonal.len();
    let mut pivot = diagonal.to_vec();
    for i in 1..n {
        let factor = lower[i] / pivot[i - 1];
        pivot[i] -= factor * upper[i - 1];
        for c in 0..2 {
            right[i][c] -= factor * right[i - 1][c];
        }
    }
    for i in (0..n).rev() {
        for c in 0..2 {
            let above = if i + 1 < n { right[i + 1][c] } else { 0.0 };
            right[i][c] = (right[i][c] - upper[i] * above) / pivot[i];
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    fn circle(count: usize) -> Vec<[f64; 2]> {
        (0..count)
            .map(|i| (TAU * i as f64 / count as f64).sin_cos())
            .map(|(sin, cos)| [cos, sin])
            .collect()
    }

    #[test]
    fn curvature_is_continuous_at_every_point_of_a_ring() {
        let pieces = through(&circle(7), true);
        assert_eq!(pieces.len(), 7);
        for (i, piece) in pieces.iter().enumerate() {
            let next = &pieces[(i + 1) % 7];
            assert!(norm(minus(piece.position(1.0), next.position(0.0))) < 1e-14);
            // Equal chords, so that derivatives with respect to t may be compared.
            assert!(norm(minus(piece.velocity(1.0), next.velocity(0.0))) < 1e-13);
            assert!(norm(minus(piece.acceleration(1.0), next.acceleration(0.0))) < 1e-13);
        }
    }

    #[test]
    fn the_distance_from_a_circle_falls_with_the_fourth_power() {
        let far = |count: usize| {
            through(&circle(count), true)
                .iter()
                .map(|p| (norm(p.position(0.5)) - 1.0).abs())
                .fold(0.0, f64::max)
        };
        let ratio = far(20) / far(40);
        assert!((12.0..20.0).contains(&ratio), "{ratio}");
    }

    #[test]
    fn an_open_spline_keeps_a_line_and_comes_near_a_curve_with_the_fourth_power() {
        let line: Vec<[f64; 2]> = (0..6)
            .map(|i| [0.2 * f64::from(i), 0.1 * f64::from(i)])
            .collect();
        for piece in through(&line, false) {
            assert!(norm(piece.acceleration(0.3)) < 1e-13);
        }
        let far = |count: u32| {
            let points: Vec<[f64; 2]> = (0..=count)
                .map(|i| f64::from(i) / f64::from(count))
                .map(|x| [x, (2.0 * x).sin()])
                .collect();
            through(&points, false)
                .iter()
                .map(|piece| piece.position(0.5))
                .map(|[x, y]| ((2.0 * x).sin() - y).abs())
                .fold(0.0, f64::max)
        };
        let ratio = far(40) / far(80);
        assert!((12.0..20.0).contains(&ratio), "{ratio} {}", far(40));
    }
}
