//! Integral equations on a graphics card: matrices filled and factored there.
//!
//! - Factors in single precision are the rule, and their solutions are refined with residuals in double precision from
//!   the processor's matrix: as exact as the processor's, at the card's speed ([`GpuPrecision::Refined`]).
//! - All in single precision, the matrix of the Nyström method without losses is filled on the card as well and never
//!   leaves it ([`GpuPrecision::Single`]). Waves with loss, Kress' quadrature and pulses are filled by the processor.
//! - Where the card has double precision, factors can be had in it ([`GpuPrecision::Double`]).
//!
//! The same card gives the same bits. A matrix may be larger than one buffer, but not than the card's memory. There is
//! no way from here to the processor's solver: what the card cannot do is an error.

mod factors;
mod fill;
mod lu;
mod number;
mod slabs;

use wavefield_compute::gpu::Gpu;
use wavefield_compute::observe::Observer;

pub use factors::{GpuFactors, Refined};
pub(crate) use lu::Kernels as LuKernels;
pub(crate) use slabs::Slabs;

use crate::error::Error;
use crate::plan::{Answer, Plan};
use crate::result::Solution;
use crate::spec::{LinearSolver, Method};
use crate::system::System;

/// In which numbers a card solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuPrecision {
    /// Single precision: some 10⁻⁵ of the current for well-conditioned equations.
    Single,
    /// Factors in single precision, solutions refined to double.
    Refined,
    /// Double precision, where the card has it.
    Double,
}

/// What a card runs for all matrices of a plan, compiled once.
struct Kernels {
    factors: FactorKernels,
    /// Where matrices are filled on the card.
    fill: Option<fill::Kernels>,
}

enum FactorKernels {
    Single(lu::Kernels<f32>),
    Double(lu::Kernels<f64>),
}

impl Plan {
    /// Bytes a run takes on the card: the largest matrix and a panel of it.
    pub fn card_memory(&self, precision: GpuPrecision) -> usize {
        let number = match precision {
            GpuPrecision::Single | GpuPrecision::Refined => size_of::<[f32; 2]>(),
            GpuPrecision::Double => size_of::<[f64; 2]>(),
        };
        number * self.unknowns() * (self.unknowns() + slabs::BLOCK)
    }

    /// Solves every case with factors from a graphics card, refined to double precision.
    ///
    /// # Errors
    /// Stopped on request, a singular matrix or one too badly conditioned for factors of single precision, a solver
    /// other than LU, or a card that failed or has too little memory.
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
        if self.spec().linear_solver != LinearSolver::Lu {
            return Err(Error::CardSolver);
        }
        let is_nystrom = matches!(self.spec().method, Method::Nystrom(_));
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
            let factors = GpuFactors::of_slabs(matrix, factors, observer)?;
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
