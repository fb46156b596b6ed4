//! Integral equations on a GPU: matrices filled and factored there.
//!
//! - Factors in single precision are the rule, and their solutions are refined with residuals in double precision from
//!   the CPU's matrix: as exact as on the CPU, at the GPU's speed ([`GpuPrecision::Refined`]).
//! - All in single precision, the matrix of the Nyström method without losses is filled on the GPU as well and never
//!   leaves it ([`GpuPrecision::Single`]). Waves with loss, Kress' quadrature and pulses are filled by the CPU.
//! - Where the GPU has double precision, factors can be had in it ([`GpuPrecision::Double`]).
//!
//! The same GPU gives the same bits. A matrix may be larger than one buffer, but not than the GPU's memory. There is no
//! fallback to the CPU: what the GPU cannot do is an error.

mod fill;

use wavefield_gpu::lu::GpuFactors;
use wavefield_gpu::{Gpu, lu};
use wavefield_numerics::observe::Observer;

use crate::error::Error;
use crate::plan::{Answer, Plan};
use crate::result::Solution;
use crate::spec::{LinearSolver, Method};
use crate::system::System;

/// In which numbers a GPU solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuPrecision {
    /// Single precision: some 10⁻⁵ of the current for well-conditioned equations.
    Single,
    /// Factors in single precision, solutions refined to double.
    Refined,
    /// Double precision, where the GPU has it.
    Double,
}

/// The kernels for all matrices of a plan, compiled once.
struct Kernels {
    factors: FactorKernels,
    /// Where matrices are filled on the GPU.
    fill: Option<fill::Kernels>,
}

enum FactorKernels {
    Single(lu::Kernels<f32>),
    Double(lu::Kernels<f64>),
}

impl Plan {
    /// Bytes a run takes on the GPU: the largest matrix and a panel of it.
    pub fn gpu_memory(&self, precision: GpuPrecision) -> usize {
        match precision {
            GpuPrecision::Single | GpuPrecision::Refined => lu::memory::<f32>(self.unknowns()),
            GpuPrecision::Double => lu::memory::<f64>(self.unknowns()),
        }
    }

    /// Solves every case with factors from a GPU, refined to double precision.
    ///
    /// # Errors
    /// Stopped on request, a singular matrix or one too badly conditioned for factors of single precision, a solver
    /// other than LU, or a GPU that failed or has too little memory.
    pub fn execute_on(&self, gpu: &Gpu, observer: &dyn Observer) -> Result<Solution, Error> {
        self.execute_in(gpu, GpuPrecision::Refined, observer)
    }

    /// The same in a chosen precision.
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
