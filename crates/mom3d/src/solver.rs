//! Solution of the linear system at one frequency: LU on the CPU or the GPU, LU per irreducible representation of a symmetry
//! group, or block GMRES with AIM matrix–vector products.

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

/// Bytes per thread that [`Lu::memory`] does not include.
pub(crate) const LU_OF_THREAD: usize = 1 << 20;

/// Peak memory over the size of the Krylov blocks: the allocator does not reuse all freed memory (measured).
const FRAGMENTATION: f64 = 1.08;

/// Tolerance of the compression of right-hand sides, relative to that of the iteration.
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

/// Linear system in a form that can be solved.
pub(crate) enum Solver<'a> {
    /// LU factors with the condition number.
    Factors { factors: Lu, condition: f64 },
    /// LU factors per irreducible representation, computed on demand.
    Irreps {
        symmetry: &'a Symmetry,
        pairs: &'a Pairs<'a>,
    },
    /// LU factors in single precision on the GPU, with the condition number.
    Gpu {
        factors: Box<GpuFactors>,
        condition: f64,
    },
    Iterations {
        operator: Box<AimOperator<'a>>,
        inverse: Schwarz,
        limits: Limits,
        /// Right-hand sides per block.
        block: usize,
    },
}

/// Right-hand sides of a solve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RightSides {
    /// Number of right-hand sides.
    pub(crate) waves: usize,
    /// Estimated number of independent right-hand sides.
    pub(crate) independent: usize,
    /// Maximum number of Krylov vectors.
    pub(crate) vectors: usize,
}

/// Diagnostics of a solve.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Solved {
    /// Estimate of the condition number, with LU.
    pub(crate) condition: Option<f64>,
    /// Largest number of iterations and largest relative residual, with GMRES.
    pub(crate) iterated: Option<(usize, f64)>,
    /// Bound on the relative rounding error of the current, in single precision.
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

    /// Returns the memory for these right-hand sides on `threads` threads, bytes.
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
            // Right-hand sides and the copy that is solved in place.
            LinearSolver::Lu => {
                let order = symmetry.map_or(basis.size, Symmetry::largest);
                Lu::memory(order) as usize + threads * LU_OF_THREAD + 2 * waves * column
            }
            LinearSolver::Aim(aim) => {
                let lengths = Lengths::for_accuracy(aim.accuracy);
                let [held, made] =
                    AimOperator::memory(basis, wavenumber, lengths, combination, threads);
                // Right-hand sides, and as many normalized candidates until the independent ones are found.
                let independent = right_sides.independent;
                let left = waves * column;
                let block = aim.block_size.min(waves.max(1));
                let krylov = krylov::memory(basis.size, block, right_sides.vectors);
                let columns = (waves + independent) * column + krylov.max(left);
                made.max(held + (FRAGMENTATION * columns as f64) as usize)
            }
        }
    }

    /// Replaces the concatenated right-hand sides by solutions.
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
                // Blocks of equal size.
                let together = count.div_ceil(count.div_ceil(*block).max(1)).max(1);
                let mut done = 0;
                for columns in waves.basis.chunks_mut(together) {
                    let (iterations, residual) =
                        block_gmres(&**operator, Some(inverse), columns, *limits, observer)?;
                    worst = (worst.0.max(iterations), worst.1.max(residual));
                    done += columns.len() as u64;
                    observer.progress(&Progress::new(
                        "independent right-hand sides",
                        done,
                        count as u64,
                    ));
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
