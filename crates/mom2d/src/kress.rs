//! Kress' quadrature on smooth closed curves: exponential convergence.
//!
//! With 2n uniform steps of the angle t, a kernel K₁(t, τ) ln(4 sin²((t − τ)/2)) + K₂(t, τ) is integrated with the weights
//! R_j(t) = −(2π/n) Σ_{m<n} cos m(t − t_j)/m − (π/n²) cos n(t − t_j) for K₁ and π/n for K₂. The hypersingular operator is
//! differentiated by trigonometric interpolation on both sides (Maue's identity).
//!
//! R. Kress, Linear Integral Equations, §12.3; D. Colton, R. Kress, Inverse Acoustic and Electromagnetic Scattering Theory,
//! §3.5.

use std::f64::consts::{PI, TAU};

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::dense::Matrix;
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_numerics::special::{SpecialError, bessel_j_sequence};

use crate::error::Error;
use crate::formulation::{Coupling, Row, Unknown};
use crate::kernels::Coefficients;
use crate::piece::{Piece, cross, dot, minus, norm};
use crate::system::{Block, System};
use crate::wave::{Pair, Wave, combination};

/// Euler's constant.
const EULER: f64 = 0.577_215_664_901_532_860_6;

/// Maximum workspace of a body beside the matrix, in matrices of a conductor with the same number of nodes.
pub(crate) const ROOMS: usize = 3;

/// Fills the matrix. Every body is one closed piece with an even number of uniform steps.
pub(crate) fn fill(system: &System, observer: &dyn Observer) -> Result<Matrix, Error> {
    let size = system.size();
    let mut matrix = Matrix::zeros(size, size);
    let (unknowns, rows) = (system.unknowns(), system.rows());
    let (mut done, total) = (0, unknowns.len() as u64);
    for unknowns in unknowns.chunk_by(|a, b| a.body == b.body) {
        observer.checkpoint()?;
        fill_own(system, unknowns, &rows, &mut matrix)?;
        fill_others(system, unknowns, &rows, &mut matrix)?;
        done += unknowns.len() as u64;
        observer.progress(&Progress::new("matrix", done, total));
    }
    Ok(matrix)
}

/// Fills the self-interaction of a body.
fn fill_own(
    system: &System,
    unknowns: &[Block<Unknown>],
    rows: &[Block<Row>],
    matrix: &mut Matrix,
) -> Result<(), SpecialError> {
    let pairs: Vec<(&Block<Unknown>, &Block<Row>)> = unknowns
        .iter()
        .flat_map(|unknown| rows.iter().map(move |row| (unknown, row)))
        .filter(|(unknown, row)| unknown.body == row.body)
        .collect();
    let couplings: Vec<Coupling> = pairs
        .iter()
        .map(|(unknown, row)| system.coupling(row, unknown))
        .collect();
    let body = unknowns[0].body;
    let count = system.boundary.nodes_of(body).len();
    let blocks = own_blocks(system, body, &couplings)?;
    for (number, ((unknown, row), coupling)) in pairs.into_iter().zip(&couplings).enumerate() {
        matrix
            .par_columns_mut()
            .skip(unknown.numbers.start)
            .zip(blocks.par_chunks(count * couplings.len()))
            .enumerate()
            .for_each(|(j, ((_, column), blocks))| {
                let part = &mut column[row.numbers.clone()];
                part.copy_from_slice(&blocks[number * count..(number + 1) * count]);
                part[j] += coupling.free;
            });
    }
    Ok(())
}

/// Fills the interaction of a body's unknowns with the equations of other bodies by the trapezoidal rule.
fn fill_others(
    system: &System,
    unknowns: &[Block<Unknown>],
    rows: &[Block<Row>],
    matrix: &mut Matrix,
) -> Result<(), SpecialError> {
    let boundary = &system.boundary;
    for unknown in unknowns {
        for row in rows.iter().filter(|row| row.body != unknown.body) {
            let coefficients = system.coupling(row, unknown).outside;
            matrix
                .par_columns_mut()
                .skip(unknown.numbers.start)
                .zip(unknown.nodes.clone())
                .try_for_each(|((_, column), node)| {
                    let scaled = coefficients.scaled(boundary.weight[node]);
                    let points = boundary.points(row.nodes.clone());
                    let part = &mut column[row.numbers.clone()];
                    let source = boundary.source(node);
                    system.wave().add_column(points, source, &scaled, part)
                })?;
        }
    }
    Ok(())
}

/// Returns combinations of self-interaction operators without their free terms, column by column, each with the parts of all
/// combinations.
fn own_blocks(
    system: &System,
    body: usize,
    couplings: &[Coupling],
) -> Result<Vec<Complex64>, SpecialError> {
    let piece = &system.boundary.curves[body].pieces[0];
    let count = system.boundary.nodes_of(body).len();
    let outside: Vec<Coefficients> = couplings.iter().map(|c| c.outside).collect();
    let mut blocks = operators(piece, count, system.wave(), &outside)?;
    let inside: Vec<(Wave, Coefficients)> = couplings.iter().filter_map(|c| c.inside).collect();
    if let Some(&(wave, _)) = inside.first() {
        let inside: Vec<Coefficients> = inside.into_iter().map(|(_, c)| c).collect();
        for (a, b) in blocks
            .iter_mut()
            .zip(operators(piece, count, wave, &inside)?)
        {
            *a += b;
        }
    }
    Ok(blocks)
}

/// Returns the combinations of operators in one medium.
fn operators(
    piece: &Piece,
    count: usize,
    wave: Wave,
    combinations: &[Coefficients],
) -> Result<Vec<Complex64>, SpecialError> {
    let weights = logarithm_weights(count);
    let is_hyper = combinations.iter().any(|c| c.hyper != Complex64::ZERO);
    let mut blocks = vec![Complex64::ZERO; count * count * combinations.len()];
    let mut potential = vec![Complex64::ZERO; count * count];
    let k = wave.wavenumber();
    blocks
        .par_chunks_mut(count * combinations.len())
        .zip(potential.par_chunks_mut(count))
        .enumerate()
        .try_for_each(|(j, (columns, bare))| {
            for i in 0..count {
                let entry = Entry::new(piece, count, i, j, wave)?;
                let logarithm = weights[(i + count - j) % count];
                let step = TAU / count as f64;
                let weighed = |coefficients: &Coefficients| {
                    let [singular, smooth] = entry.split(k, coefficients);
                    logarithm * singular + step * smooth
                };
                for (column, coefficients) in columns.chunks_mut(count).zip(combinations) {
                    let flat = Coefficients {
                        hyper: Complex64::ZERO,
                        ..*coefficients
                    };
                    column[i] = weighed(&flat) * entry.speed;
                }
                if is_hyper {
                    let green = weighed(&GREEN);
                    bare[i] = green;
                    for (column, coefficients) in columns.chunks_mut(count).zip(combinations) {
                        column[i] +=
                            coefficients.hyper * k * k * green * (entry.pair.along * entry.speed);
                    }
                }
            }
            Ok::<(), SpecialError>(())
        })?;
    if is_hyper {
        let inner = times_derivative(&potential, count);
        add_derivative_of(&inner, piece, count, combinations, &mut blocks);
    }
    Ok(blocks)
}

/// The kernel G alone.
const GREEN: Coefficients = Coefficients {
    single: Complex64::new(1.0, 0.0),
    double: Complex64::ZERO,
    adjoint: Complex64::ZERO,
    hyper: Complex64::ZERO,
};

/// Returns the weights R_j for every difference of node indices.
fn logarithm_weights(count: usize) -> Vec<f64> {
    let n = count / 2;
    (0..count)
        .map(|i| {
            let t = TAU * i as f64 / count as f64;
            let sum: f64 = (1..n).rev().map(|m| (m as f64 * t).cos() / m as f64).sum();
            -TAU / n as f64 * sum - PI / (n * n) as f64 * (n as f64 * t).cos()
        })
        .collect()
}

/// Two nodes on a curve with the geometry of their kernels.
struct Entry {
    pair: Pair,
    /// |dr/dt| at the source, t being the angle.
    speed: f64,
    /// Curvature at the source.
    curvature: f64,
    /// ln(4 sin²((t − τ)/2)); `None` if the nodes coincide.
    logarithm: Option<f64>,
    hankel: [Complex64; 2],
    bessel: [Complex64; 2],
}

impl Entry {
    fn new(
        piece: &Piece,
        count: usize,
        i: usize,
        j: usize,
        wave: Wave,
    ) -> Result<Entry, SpecialError> {
        let at = |i: usize| i as f64 / count as f64;
        let velocity = piece.velocity(at(j));
        let speed = norm(velocity);
        let normal = [velocity[1] / speed, -velocity[0] / speed];
        let curvature = cross(velocity, piece.acceleration(at(j))) / speed.powi(3);
        let mut entry = Entry {
            pair: Pair {
                distance: 0.0,
                at_point: 0.0,
                at_source: 0.0,
                along: 1.0,
            },
            speed: speed / TAU,
            curvature,
            logarithm: None,
            hankel: [Complex64::ZERO; 2],
            bessel: [Complex64::new(1.0, 0.0), Complex64::ZERO],
        };
        if i == j {
            return Ok(entry);
        }
        let here = piece.velocity(at(i));
        let here_normal = [here[1] / norm(here), -here[0] / norm(here)];
        let place = minus(piece.position(at(i)), piece.position(at(j)));
        let distance = norm(place);
        let sine = (PI * (i as f64 - j as f64) / count as f64).sin();
        entry.pair = Pair {
            distance,
            at_point: dot(place, here_normal) / distance,
            at_source: dot(place, normal) / distance,
            along: dot(here_normal, normal),
        };
        entry.logarithm = Some((4.0 * sine * sine).ln());
        let (h0, h1) = wave.hankel(&[distance])?;
        entry.hankel = [h0[0], h1[0]];
        let bessel = match wave {
            // J is the real part of H.
            Wave::Real(_) => [h0[0], h1[0]].map(|h| Complex64::new(h.re, 0.0)),
            Wave::Lossy(k) => {
                let values = bessel_j_sequence(1, k * distance)?;
                [values[0], values[1]]
            }
        };
        entry.bessel = bessel;
        Ok(entry)
    }

    /// Returns K₁ and K₂ without the Jacobian, for kernels other than the hypersingular. Y is (2/π) ln R J plus a smooth
    /// function, so K₁ is the combination of −(1/4π)·(J₀, kJ₁) instead of −(j/4)(H₀, kH₁).
    fn split(&self, k: Complex64, coefficients: &Coefficients) -> [Complex64; 2] {
        let Some(logarithm) = self.logarithm else {
            let circle = self.speed;
            let inner = (0.5 * k * circle).ln() + EULER;
            let single = Complex64::new(0.0, -0.25) - inner / TAU;
            let double = -self.curvature / (4.0 * PI);
            return [
                -coefficients.single / (4.0 * PI),
                coefficients.single * single
                    + (coefficients.double + coefficients.adjoint) * double,
            ];
        };
        let [h0, h1] = self.hankel;
        // combination() has the factor −j/4 of H; −1/4π is −j/π times that.
        let to_logarithm = Complex64::new(0.0, -1.0 / PI);
        let [j0, j1] = self.bessel.map(|b| b * to_logarithm);
        let singular = combination(k, coefficients, &self.pair, j0, j1);
        let whole = combination(k, coefficients, &self.pair, h0, h1);
        [singular, whole - singular * logarithm]
    }
}

/// Returns entry (i, j) of the trigonometric differentiation matrix on an even number of nodes.
fn derivative(count: usize, i: usize, j: usize) -> f64 {
    if i == j {
        return 0.0;
    }
    let difference = i as i64 - j as i64;
    let sign = if difference % 2 == 0 { 0.5 } else { -0.5 };
    sign / (PI * difference as f64 / count as f64).tan()
}

/// Returns M·D, column by column.
fn times_derivative(matrix: &[Complex64], count: usize) -> Vec<Complex64> {
    let mut product = vec![Complex64::ZERO; count * count];
    product
        .par_chunks_mut(count)
        .enumerate()
        .for_each(|(j, out)| {
            for (l, column) in matrix.chunks(count).enumerate() {
                let factor = derivative(count, l, j);
                for (out, value) in out.iter_mut().zip(column) {
                    *out += factor * value;
                }
            }
        });
    product
}

/// Adds diag(1/|r′|)·D·M times the factor of the hypersingular operator to each combination.
fn add_derivative_of(
    matrix: &[Complex64],
    piece: &Piece,
    count: usize,
    combinations: &[Coefficients],
    blocks: &mut [Complex64],
) {
    let scale: Vec<f64> = (0..count)
        .map(|i| TAU / norm(piece.velocity(i as f64 / count as f64)))
        .collect();
    blocks
        .par_chunks_mut(count * combinations.len())
        .zip(matrix.par_chunks(count))
        .for_each(|(columns, column)| {
            for i in 0..count {
                let sum: Complex64 = (0..count)
                    .map(|l| derivative(count, i, l) * column[l])
                    .sum();
                for (out, coefficients) in columns.chunks_mut(count).zip(combinations) {
                    out[i] += coefficients.hyper * scale[i] * sum;
                }
            }
        });
}
