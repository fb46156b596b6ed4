//! Pulse basis functions and point matching for conductors in TM, the textbook method of moments.
//!
//! With ηJ constant on each cell and the EFIE matched at its center,
//!
//!   Z_mn = (k/4) w_n H₀(kR_mn),  Z_nn = (k/4) w_n {1 − j(2/π)[ln(γkw_n/4) − 1]},  γ = 1.781072418…
//!
//! A. F. Peterson, S. L. Ray, R. Mittra, Computational Methods for Electromagnetics, §2.1.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::dense::Matrix;
use wavefield_numerics::observe::{Observer, Progress};

use crate::boundary::Boundary;
use crate::error::Error;
use crate::kernels::Coefficients;
use crate::system::System;
use crate::wave::Wave;

/// e^γ, with γ Euler's constant.
const GAMMA: f64 = 1.781_072_417_990_197_985_2;
/// Columns processed between two checks for cancellation.
const BATCH: usize = 256;

/// Fills the matrix; each node is the center of a cell.
pub(crate) fn fill(system: &System, observer: &dyn Observer) -> Result<Matrix, Error> {
    let boundary: &Boundary = &system.boundary;
    let (size, k) = (boundary.len(), system.wavenumber);
    let zero = Complex64::new(0.0, 0.0);
    let mut matrix = Matrix::zeros(size, size);
    for first in (0..size).step_by(BATCH) {
        observer.checkpoint()?;
        matrix
            .par_columns_mut()
            .skip(first)
            .take(BATCH)
            .try_for_each(|(node, column)| {
                let width = boundary.weight[node];
                let coefficients = Coefficients {
                    single: Complex64::new(0.0, k * width),
                    double: zero,
                    adjoint: zero,
                    hyper: zero,
                };
                let points = boundary.points(0..size);
                Wave::Real(k).add_column(points, boundary.source(node), &coefficients, column)?;
                let logarithm = (GAMMA * k * width / 4.0).ln() - 1.0;
                let own = Complex64::new(1.0, -std::f64::consts::FRAC_2_PI * logarithm);
                column[node] = 0.25 * k * width * own;
                Ok::<(), Error>(())
            })?;
        let done = size.min(first + BATCH) as u64;
        observer.progress(&Progress::new("matrix", done, size as u64));
    }
    Ok(matrix)
}
