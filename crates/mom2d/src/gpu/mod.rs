//! GPU acceleration: matrix fill and LU factorization.
//!
//! - By default factors are in single precision, and solutions are refined with double-precision residuals from the CPU's
//!   matrix: as accurate as on the CPU, at the speed of the GPU ([`GpuPrecision::Refined`]).
//! - In single precision throughout, the matrix of the Nyström method without losses is also filled on the GPU and never
//!   leaves it ([`GpuPrecision::Single`]). Lossy media, Kress' quadrature, and pulses are filled by the CPU.
//! - Double precision, where the GPU supports it ([`GpuPrecision::Double`]).
//!
//! Results on the same GPU are bitwise identical. A matrix may be larger than one buffer, but not than the GPU's memory. There
//! is no fallback to the CPU: an unsupported problem is an error.

mod fill;

use wavefield_gpu::lu::GpuFactors;
use wavefield_gpu::{Gpu, lu};
use wavefield_numerics::observe::Observer;

use crate::error::Error;
use crate::plan::{Answer, Plan};
use crate::result::Solution;
use crate::spec::{LinearSolver, Method};
use crate::system::System;

/// Precision of a solution on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuPrecision {
    /// Single precision: an error of about 10⁻⁵ of the current for well-conditioned equations.
    Single,
    /// Factors in single precision, solutions refined to double precision.
    Refined,
    /// Double precision, where the GPU supports it.
    Double,
}

/// Kernels for all matrices of a plan, compiled once.
struct Kernels {
    factors: FactorKernels,
    /// Kernels of the matrix fill, if it runs on the GPU.
    fill: Option<fill::Kernels>,
}

enum FactorKernels {
    Single(lu::Kernels<f32>),
    Double(lu::Kernels<f64>),
}

impl Plan {
    /// Returns the GPU memory of a run, bytes: the largest matrix and a panel of it.
    pub fn gpu_memory(&self, precision: GpuPrecision) -> usize {
        match precision {
            GpuPrecision::Single | GpuPrecision::Refined => lu::memory::<f32>(self.unknowns()),
            GpuPrecision::Double => lu::memory::<f64>(self.unknowns()),
        }
    }

    /// Solves every case by LU on a GPU, refined to double precision.
    ///
    /// # Errors
    /// The run was cancelled, a matrix is singular or too ill-conditioned for factors in single precision, the linear solver
    /// is not LU, or the GPU failed or has too little memory.
    pub fn execute_on(&self, gpu: &Gpu, observer: &dyn Observer) -> Result<Solution, Error> {
        self.execute_in(gpu, GpuPrecision::Refined, observer)
    }

    /// Solves every case by LU on a GPU in a chosen precision.
    ///
    /// # Errors
    /// As [`Plan::execute_on`].
    pub fn execute_in(
        &self,
        gpu: &Gpu,
        precision: GpuPrecision,
        observer: &dyn Observer,
    ) -> Result<Solution, Error> {
        if self.settings().linear_solver != LinearSolver::Lu {
            return Err(Error::GpuSolver);
        }
        let is_nystrom = matches!(self.settings().method, Method::Nystrom(_));
        let kernels = Kernels {
            factors: match precision {
                GpuPrecision::Double => FactorKernels::Double(lu::Kernels::new(gpu)?),
                _ => FactorKernels::Single(lu::Kernels::new(gpu)?),
            },
            fill: match precision {
                GpuPrecision::Single if is_nystrom => Some(fill::Kernels::new(gpu)?),
                _ => None,
            },
        };
        self.execute_by(observer, &|system| {
            self.solve_on(gpu, precision, &kernels, system, observer)
        })
    }

    fn solve_on(
        &self,
        gpu: &Gpu,
        precision: GpuPrecision,
        kernels: &Kernels,
        system: &System,
        observer: &dyn Observer,
    ) -> Result<Answer, Error> {
        observer.checkpoint()?;
        let mut columns = self.right_hand_sides(system);
        let mut products = None;
        let factors = if let Kernels {
            factors: FactorKernels::Single(factors),
            fill: Some(fill),
        } = kernels
            && fill::lossless(system)
        {
            let matrix = fill::fill(gpu, fill, system, observer)?;
            let factors = GpuFactors::of_matrix(matrix, factors, observer)?;
            factors.solve_plain(&mut columns)?;
            factors
        } else {
            let matrix = self.fill(system, observer)?;
            let factors = match &kernels.factors {
                FactorKernels::Double(kernels) => {
                    GpuFactors::double(gpu, kernels, &matrix, observer)?
                }
                FactorKernels::Single(kernels) => {
                    GpuFactors::single(gpu, kernels, &matrix, observer)?
                }
            };
            if precision == GpuPrecision::Refined {
                let refined = factors.solve_refined(&matrix, &mut columns)?;
                products = Some(refined.steps + 1);
            } else {
                factors.solve_plain(&mut columns)?;
            }
            factors
        };
        Ok(Answer {
            fields: columns
                .chunks(system.size())
                .map(|column| system.fields(column))
                .collect(),
            condition: Some(factors.condition()?),
            iterations: products,
        })
    }
}
