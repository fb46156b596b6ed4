//! LU factors in GPU memory, and solutions with iterative refinement to double precision.

use num_complex::Complex64;

use super::decomposition::{Kernels, Lu};
use super::error::GpuLuError;
use super::matrix::GpuMatrix;
use crate::DeviceError;
use crate::Gpu;
use wavefield_numerics::dense::{Matrix, inverse_norm1};
use wavefield_numerics::krylov::Operator;
use wavefield_numerics::observe::{Observer, Silent};

/// Relative residual at which refinement has converged.
const DONE: f64 = 1e-13;
/// Relative residual above which a refinement that stagnates has failed.
const FAILED: f64 = 1e-10;
/// Stagnation threshold: ratio of residuals above which no further step is made.
const GAIN: f64 = 0.5;
/// Maximum number of steps; each reduces the residual by at least [`GAIN`].
const MAX_STEPS: usize = 60;

/// LU factors of a matrix in GPU memory.
#[derive(Debug)]
pub struct GpuFactors {
    factors: Precise,
    size: usize,
}

#[derive(Debug)]
enum Precise {
    Single(Lu<f32>),
    Double(Lu<f64>),
}

/// Steps and residual of iterative refinement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refined {
    /// Largest number of refinement steps of a right-hand side.
    pub steps: usize,
    /// Largest relative residual.
    pub residual: f64,
}

impl GpuFactors {
    /// Factors a matrix in single precision.
    ///
    /// # Errors
    /// Returns [`GpuLuError`] if an entry exceeds single precision, a pivot is zero, or the device is out of memory or
    /// failed.
    pub fn new(gpu: &Gpu, matrix: &Matrix) -> Result<GpuFactors, GpuLuError> {
        GpuFactors::single(gpu, &Kernels::new(gpu)?, matrix, &Silent)
    }

    /// Factors a matrix in single precision with compiled kernels, progress, and cancellation.
    ///
    /// # Errors
    /// Returns the errors of [`GpuFactors::new`], or [`GpuLuError::Cancelled`] if a stop was requested.
    pub fn single(
        gpu: &Gpu,
        kernels: &Kernels<f32>,
        matrix: &Matrix,
        observer: &dyn Observer,
    ) -> Result<GpuFactors, GpuLuError> {
        let most = f64::from(f32::MAX);
        let fits = |z: &Complex64| z.re.abs() <= most && z.im.abs() <= most;
        for column in 0..matrix.size() {
            if let Some(row) = matrix.column(column).iter().position(|z| !fits(z)) {
                return Err(GpuLuError::BeyondSingle { row, column });
            }
        }
        GpuFactors::of_matrix(GpuMatrix::of(gpu, matrix)?, kernels, observer)
    }

    /// Factors a matrix that is in device memory.
    ///
    /// # Errors
    /// Returns [`GpuLuError`] if a pivot is zero, the device is out of memory or failed, or a stop was requested.
    pub fn of_matrix(
        matrix: GpuMatrix<f32>,
        kernels: &Kernels<f32>,
        observer: &dyn Observer,
    ) -> Result<GpuFactors, GpuLuError> {
        Ok(GpuFactors {
            size: matrix.size(),
            factors: Precise::Single(Lu::new(matrix, kernels, observer)?),
        })
    }

    /// Factors a matrix in double precision: slow on most GPUs, but without need of refinement.
    ///
    /// # Errors
    /// Returns [`GpuLuError`] if the device has no double precision, a pivot is zero, or the device is out of memory
    /// or failed.
    pub fn in_double(gpu: &Gpu, matrix: &Matrix) -> Result<GpuFactors, GpuLuError> {
        GpuFactors::double(gpu, &Kernels::new(gpu)?, matrix, &Silent)
    }

    /// Factors a matrix in double precision with compiled kernels, progress, and cancellation.
    ///
    /// # Errors
    /// Returns the errors of [`GpuFactors::in_double`], or [`GpuLuError::Cancelled`] if a stop was requested.
    pub fn double(
        gpu: &Gpu,
        kernels: &Kernels<f64>,
        matrix: &Matrix,
        observer: &dyn Observer,
    ) -> Result<GpuFactors, GpuLuError> {
        Ok(GpuFactors {
            size: matrix.size(),
            factors: Precise::Double(Lu::new(GpuMatrix::of(gpu, matrix)?, kernels, observer)?),
        })
    }

    /// Replaces right-hand sides, stored column by column in `columns`, with the solutions, in the precision of the
    /// factors.
    ///
    /// # Errors
    /// Returns [`GpuLuError`] if the device failed, now or in an earlier operation.
    pub fn solve_plain(&self, columns: &mut [Complex64]) -> Result<(), GpuLuError> {
        match &self.factors {
            Precise::Single(lu) => scaled(columns, self.size, |c| lu.solve(c)),
            Precise::Double(lu) => scaled(columns, self.size, |c| lu.solve(c)),
        }
    }

    /// Solves with the conjugate transpose of the matrix instead, in the precision of the factors.
    ///
    /// # Errors
    /// Returns [`GpuLuError`] if the device failed, now or in an earlier operation.
    pub fn solve_plain_adjoint(&self, columns: &mut [Complex64]) -> Result<(), GpuLuError> {
        match &self.factors {
            Precise::Single(lu) => scaled(columns, self.size, |c| lu.solve_adjoint(c)),
            Precise::Double(lu) => scaled(columns, self.size, |c| lu.solve_adjoint(c)),
        }
    }

    /// Estimates the condition number ‖A‖₁‖A⁻¹‖₁, as [`Lu::condition`](wavefield_numerics::dense::Lu::condition) does.
    ///
    /// # Errors
    /// Returns [`GpuLuError`] if the device failed, now or in an earlier operation.
    pub fn condition(&self) -> Result<f64, GpuLuError> {
        let norm_one = match &self.factors {
            Precise::Single(lu) => lu.norm_one(),
            Precise::Double(lu) => lu.norm_one(),
        };
        let inverse = inverse_norm1(
            self.size,
            |x| self.solve_plain(x),
            |x| self.solve_plain_adjoint(x),
        )?;
        Ok(norm_one * inverse)
    }

    /// Replaces right-hand sides with solutions refined to double precision.
    ///
    /// Iterative refinement: the factors solve for corrections from residuals, which `operator` (the factored matrix)
    /// evaluates in double precision. J. H. Wilkinson, Rounding Errors in Algebraic Processes, §3.
    ///
    /// # Errors
    /// Returns [`GpuLuError`] if the residual stagnates, since the matrix is too badly conditioned for the precision
    /// of its factors, or if the device failed, now or in an earlier operation.
    pub fn solve_refined(
        &self,
        operator: &dyn Operator,
        columns: &mut [Complex64],
    ) -> Result<Refined, GpuLuError> {
        let size = self.size;
        let mut refined = Refined {
            steps: 0,
            residual: 0.0,
        };
        if size == 0 {
            return Ok(refined);
        }
        let right = columns.to_vec();
        let mut solutions = vec![Complex64::new(0.0, 0.0); columns.len()];
        let mut residuals = right.clone();
        // Columns that have not converged, with their last residual.
        let mut open: Vec<(usize, f64)> = right
            .chunks(size)
            .enumerate()
            .filter(|(_, right)| norm(right) > 0.0)
            .map(|(column, _)| (column, 1.0))
            .collect();
        let range = |column: usize| column * size..(column + 1) * size;
        for step in 0..=MAX_STEPS {
            let mut corrections: Vec<Complex64> = open
                .iter()
                .flat_map(|&(column, _)| residuals[range(column)].iter().copied())
                .collect();
            self.solve_plain(&mut corrections)?;
            let mut still = Vec::new();
            for (&(column, before), correction) in open.iter().zip(corrections.chunks(size)) {
                let solution = &mut solutions[range(column)];
                for (x, d) in solution.iter_mut().zip(correction) {
                    *x += d;
                }
                let residual = &mut residuals[range(column)];
                operator.apply(solution, residual);
                for (r, b) in residual.iter_mut().zip(&right[range(column)]) {
                    *r = b - *r;
                }
                let left = norm(residual) / norm(&right[range(column)]);
                if left <= DONE {
                    refined.residual = refined.residual.max(left);
                } else if left < GAIN * before && step < MAX_STEPS {
                    still.push((column, left));
                } else if left <= FAILED {
                    // The residual is at the rounding level of double precision; a step that increased it is reverted.
                    if left > before {
                        for (x, d) in solution.iter_mut().zip(correction) {
                            *x -= d;
                        }
                    }
                    refined.residual = refined.residual.max(left.min(before));
                } else {
                    return Err(GpuLuError::NotRefined {
                        steps: step,
                        residual: left,
                    });
                }
            }
            refined.steps = step;
            open = still;
            if open.is_empty() {
                break;
            }
        }
        columns.copy_from_slice(&solutions);
        Ok(refined)
    }
}

/// Solves for right-hand sides scaled to unit norm, so that none underflows in the precision of the device; after a
/// fault they are unchanged.
fn scaled(
    columns: &mut [Complex64],
    size: usize,
    solve: impl Fn(&mut [Complex64]) -> Result<(), DeviceError>,
) -> Result<(), GpuLuError> {
    let size = size.max(1);
    let scales: Vec<f64> = columns
        .chunks(size)
        .map(|column| match largest(column) {
            scale if scale > 0.0 && scale.is_finite() => scale,
            _ => 1.0,
        })
        .collect();
    let mut solutions = columns.to_vec();
    for (column, &scale) in solutions.chunks_mut(size).zip(&scales) {
        column.iter_mut().for_each(|z| *z /= scale);
    }
    solve(&mut solutions)?;
    for (i, &scale) in scales.iter().enumerate() {
        let part = i * size..(i + 1) * size;
        for (x, solution) in columns[part.clone()].iter_mut().zip(&solutions[part]) {
            *x = solution * scale;
        }
    }
    Ok(())
}

fn largest(column: &[Complex64]) -> f64 {
    column.iter().map(|z| z.norm()).fold(0.0, f64::max)
}

fn norm(column: &[Complex64]) -> f64 {
    column.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt()
}
