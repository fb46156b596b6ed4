//! Right-looking blocked LU decomposition with partial pivoting.
//!
//! Look-ahead: once a block column is factored, the columns of the next one are updated first; one thread then
//! factors it while the others update the rest. The operations on each element and their order depend on the
//! order of the matrix alone, so results are bitwise identical for any number of threads.

use rayon::prelude::*;

use super::{
    error::FactorError,
    kernels::{product::PANEL, substitute::Triangle},
    lines::{LANES, Line, separate, swap_rows},
    matrix::Matrix,
    pack::{PackedColumns, PackedRows, PackedTriangle, Rooms},
    panel,
};
use crate::observe::{Observer, Progress};
use crate::simd::InstructionSet;

/// Columns that a task updates: with their factors they fill half of an L2 cache of 1 MiB.
pub(super) const STRIP: usize = 96;
/// Columns per task on the critical path, where the next block column waits for the update.
const NARROW_STRIP: usize = 48;

/// LU factors of a square matrix: P·A = L·U.
///
/// L and U overwrite the matrix. Row interchanges are not applied to the block columns of L on the left; a
/// solution applies them between block columns.
#[derive(Clone, Debug)]
pub struct Lu {
    /// All columns, in the format of [`super::lines`].
    pub(super) lines: Vec<Line>,
    /// Lines per column.
    pub(super) stride: usize,
    pub(super) order: usize,
    /// Columns per block column.
    pub(super) width: usize,
    /// Row i was interchanged with row `swaps[i]`.
    pub(super) swaps: Vec<usize>,
    pub(super) instructions: InstructionSet,
}

/// Returns the columns per block column: deep products for large matrices, short waits for small ones.
fn width(order: usize) -> usize {
    match order {
        0..512 => 48,
        512..1536 => 96,
        _ => 192,
    }
}

impl Lu {
    /// Returns an upper bound on the memory of a decomposition in bytes, including the matrix, excluding about
    /// 1 MB per thread.
    #[must_use]
    pub fn memory(order: usize) -> u64 {
        let rows_below = 3 * size_of::<f64>() * width(order) * (order + PANEL * LANES);
        Matrix::memory(order, order) + rows_below as u64
    }

    /// Factors a square matrix in place, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// Returns [`FactorError`] if the matrix is not square, is singular, or holds an entry that is not finite,
    /// or if the observer requested a stop.
    pub fn factor(matrix: Matrix, observer: &dyn Observer) -> Result<Lu, FactorError> {
        Self::factor_with(InstructionSet::widest(), matrix, observer)
    }

    pub(super) fn factor_with(
        instructions: InstructionSet,
        matrix: Matrix,
        observer: &dyn Observer,
    ) -> Result<Lu, FactorError> {
        let (rows, columns) = (matrix.rows(), matrix.columns());
        if rows != columns {
            return Err(FactorError::NotSquare { rows, columns });
        }
        let order = rows;
        let stride = matrix.stride();
        let mut lines = matrix.into_lines();
        separate_finite(&mut lines, stride)?;
        let (width, groups) = (width(order), order.div_ceil(LANES));
        let mut swaps = vec![0; order];
        let singular = |column: usize| FactorError::Singular { column };
        let mut panel_room = PackedColumns::empty();
        let mut rows_below = PackedRows::empty();
        let rooms = Rooms::new();
        let wide = width.min(order);
        let (first, exchanged) = (&mut lines[..wide * stride], &mut swaps[..wide]);
        panel::factor(
            instructions,
            first,
            stride,
            0,
            order,
            exchanged,
            &mut panel_room,
        )
        .map_err(singular)?;
        for done in (0..order).step_by(width) {
            observer.checkpoint()?;
            let next = order.min(done + width);
            let after = order.min(next + width);
            observer.progress(&Progress::new(
                "LU factorization",
                next as u64,
                order as u64,
            ));
            if next == order {
                break;
            }
            let (decomposed, trailing) = lines[done * stride..].split_at_mut(width * stride);
            let decomposed = &*decomposed;
            let (soon, later) = trailing.split_at_mut((after - next) * stride);
            let (swaps_before, swaps_after) = swaps.split_at_mut(next);
            let exchanged = &swaps_before[done..];
            let (top, below) = (done / LANES, next / LANES);
            rows_below.refill(decomposed, stride, below, groups);
            let triangle = PackedTriangle::new(Triangle::UnitLower, decomposed, stride, top);
            let update = |strip: &mut [Line]| {
                swap_rows(strip, stride, done, exchanged);
                rooms.lend(|packed| {
                    packed.solve(instructions, &triangle, strip, stride);
                    rows_below.subtract_product(instructions, packed, strip, stride);
                });
            };
            soon.par_chunks_mut(NARROW_STRIP * stride).for_each(update);
            let (factored, ()) = rayon::join(
                || {
                    let swaps = &mut swaps_after[..after - next];
                    panel::factor(
                        instructions,
                        soon,
                        stride,
                        below,
                        order,
                        swaps,
                        &mut panel_room,
                    )
                },
                || later.par_chunks_mut(STRIP * stride).for_each(update),
            );
            factored.map_err(|at| singular(next + at))?;
        }
        Ok(Lu {
            lines,
            stride,
            order,
            width,
            swaps,
            instructions,
        })
    }
}

/// Converts columns of complex numbers to lines and reports the first entry that is not finite.
fn separate_finite(lines: &mut [Line], stride: usize) -> Result<(), FactorError> {
    if lines.is_empty() {
        return Ok(());
    }
    let finite = |line: &Line| line.0.iter().fold(true, |all, x| all & x.is_finite());
    let bad = lines
        .par_chunks_exact_mut(stride)
        .enumerate()
        .filter_map(|(column, lines)| {
            separate(lines);
            let at = lines.iter().position(|line| !finite(line))?;
            let lane = lines[at].0.iter().position(|x| !x.is_finite())?;
            Some((column, at / 2 * LANES + lane))
        })
        .min();
    match bad {
        Some((column, row)) => Err(FactorError::NotFinite { row, column }),
        None => Ok(()),
    }
}
