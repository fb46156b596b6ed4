//! What solves the equation at one frequency: factors of its matrix, on the CPU or on the GPU, or of the smaller ones that
//! symmetry leaves, or iterations with products by the adaptive integral method.

use num_complex::Complex64;
use wavefield_gpu::lu::GpuFactors;
use wavefield_gpu::{Gpu, lu};
use wavefield_numerics::dense::Lu;
use wavefield_numerics::krylov;
use wavefield_numerics::krylov::{Limits, Operator, block_gmres};
use wavefield_numerics::observe::{Observer, Progress};

use crate::aim::{AimOperator, Lengths, Schwarz};
use crate::basis::Basis;
use crate::error::Error;
use crate::fill::fill;
use crate::gpu_fill;
use crate::pair::{Combination, Pairs};
use crate::rhs_basis::RhsBasis;
use crate::spec::{Aim, LinearSolver};
use crate::symmetry::{Irrep, Symmetry};

/// Bytes of a thread that [`Lu::memory`] leaves out.
pub(crate) const LU_OF_THREAD: usize = 1 << 20;

/// Part of a right-hand side that may be left out, in tolerances of iterations.
const COMPRESSION: f64 = 0.3;

/// A GPU with its kernels, compiled once for all frequencies.
pub(crate) struct GpuState<'a> {
    gpu: &'a Gpu,
    fill: gpu_fill::Kernels,
    factors: lu::Kernels<f32>,
}

impl<'a> GpuState<'a> {
    pub(crate) fn new(gpu: &'a Gpu) -> Result<GpuState<'a>, Error> {
        Ok(GpuState {
            gpu,
            fill: gpu_fill::Kernels::new(gpu)?,
            factors: lu::Kernels::new(gpu)?,
        })
    }
}

/// A matrix in a form in which it can be solved.
pub(crate) enum Solver<'a> {
    /// Factors with the condition number.
    Factors { factors: Lu, condition: f64 },
    /// Factors for one irreducible representation after another, made when they are needed.
    Irreps {
        symmetry: &'a Symmetry,
        pairs: &'a Pairs<'a>,
    },
    /// Factors in single precision on the GPU, with the condition number.
    Gpu {
        factors: Box<GpuFactors>,
        condition: f64,
    },
    Iterations {
        operator: Box<AimOperator<'a>>,
        inverse: Schwarz,
        limits: Limits,
        /// Waves that are solved for together.
        block: usize,
    },
}

/// Right-hand sides that are solved for, and what iterations make of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RightSides {
    /// Right-hand sides at once.
    pub(crate) waves: usize,
    /// Those that are independent, a guess.
    pub(crate) independent: usize,
    /// Most vectors of a basis.
    pub(crate) vectors: usize,
}

/// What is known of solutions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Solved {
    /// An estimate of the condition number, where there are factors.
    pub(crate) condition: Option<f64>,
    /// The most steps and the largest residual of iterations.
    pub(crate) iterated: Option<(usize, f64)>,
    /// What rounding may do to the current, as part of it, where it is more than nothing to speak of.
    pub(crate) rounding: Option<f64>,
}

impl<'a> Solver<'a> {
    pub(crate) fn new(
        chosen: &LinearSolver,
        symmetry: Option<&'a Symmetry>,
        pairs: &'a Pairs<'a>,
        gpu: Option<&GpuState<'_>>,
        vectors: usize,
        observer: &dyn Observer,
    ) -> Result<Solver<'a>, Error> {
        if let Some(state) = gpu {
            let matrix = gpu_fill::fill(state.gpu, &state.fill, pairs, observer)?;
            let factors = Box::new(GpuFactors::of_matrix(matrix, &state.factors, observer)?);
            let condition = factors.condition()?;
            return Ok(Solver::Gpu { factors, condition });
        }
        if let Some(symmetry) = symmetry {
            return Ok(Solver::Irreps { symmetry, pairs });
        }
        let basis = pairs.basis();
        match chosen {
            LinearSolver::Lu => {
                let matrix = fill(pairs, &Irrep::all(basis.size), observer)?;
                let norm_one = matrix.norm1();
                let factors = Lu::factor(matrix, observer)?;
                let condition = factors.condition(norm_one);
                Ok(Solver::Factors { factors, condition })
            }
            LinearSolver::Aim(aim) => {
                let lengths = Lengths::for_accuracy(aim.accuracy);
                let (operator, inverse) = AimOperator::new(pairs, lengths, observer)?;
                Ok(Solver::Iterations {
                    operator: Box::new(operator),
                    inverse,
                    limits: limits(aim, vectors),
                    block: aim.block_size,
                })
            }
        }
    }

    /// Bytes that it takes with so many right-hand sides, on so many threads.
    pub(crate) fn memory(
        chosen: &LinearSolver,
        symmetry: Option<&Symmetry>,
        basis: &Basis,
        wavenumber: f64,
        combination: Combination,
        right_sides: RightSides,
        threads: usize,
    ) -> usize {
        let RightSides { waves, .. } = right_sides;
        let column = basis.size * size_of::<Complex64>();
        match chosen {
            // Right-hand sides, and a copy of them that is being solved.
            LinearSolver::Lu => {
                let order = symmetry.map_or(basis.size, Symmetry::largest);
                Lu::memory(order) as usize + threads * LU_OF_THREAD + 2 * waves * column
            }
            LinearSolver::Aim(aim) => {
                let lengths = Lengths::for_accuracy(aim.accuracy);
                let [held, made] =
                    AimOperator::memory(basis, wavenumber, lengths, combination, threads);
                // Right-hand sides, and as many of length one until those are found that are independent.
                let independent = right_sides.independent;
                let left = waves * column;
                let block = aim.block_size.min(waves.max(1));
                let krylov = krylov::memory(basis.size, block, right_sides.vectors);
                made.max(held + (waves + independent) * column + krylov.max(left))
            }
        }
    }

    /// Replaces right-hand sides, one after another, by solutions.
    pub(crate) fn solve(
        &self,
        columns: &mut [Complex64],
        observer: &dyn Observer,
    ) -> Result<Solved, Error> {
        match self {
            Solver::Factors { factors, condition } => {
                factors.solve_in_place(columns);
                Ok(Solved {
                    condition: Some(*condition),
                    ..Solved::default()
                })
            }
            Solver::Irreps { symmetry, pairs } => Ok(Solved {
                condition: symmetry.solve(pairs, columns, observer)?,
                ..Solved::default()
            }),
            Solver::Gpu { factors, condition } => {
                factors.solve_plain(columns)?;
                Ok(Solved {
                    condition: Some(*condition),
                    rounding: Some(condition * f64::from(f32::EPSILON) / 2.0),
                    ..Solved::default()
                })
            }
            Solver::Iterations {
                operator,
                inverse,
                limits,
                block,
            } => {
                let mut worst = (0, 0.0_f64);
                let size = operator.size();
                let mut waves = RhsBasis::of(columns, size, COMPRESSION * limits.tolerance);
                let count = waves.basis.len();
                // Blocks of the same size.
                let together = count.div_ceil(count.div_ceil(*block).max(1)).max(1);
                let mut done = 0;
                for columns in waves.basis.chunks_mut(together) {
                    let (iterations, residual) =
                        block_gmres(&**operator, Some(inverse), columns, *limits, observer)?;
                    worst = (worst.0.max(iterations), worst.1.max(residual));
                    done += columns.len() as u64;
                    observer.progress(&Progress::new("independent waves", done, count as u64));
                }
                waves.combine(columns);
                Ok(Solved {
                    iterated: Some(worst),
                    ..Solved::default()
                })
            }
        }
    }
}

fn limits(aim: &Aim, vectors: usize) -> Limits {
    Limits {
        tolerance: aim.tolerance,
        restart: aim.restart,
        iterations: aim.max_iterations,
        vectors,
    }
}
