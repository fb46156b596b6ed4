//! Recursive LU decomposition of a block column, halved down to eight columns (S. Toledo, "Locality of
//! reference in LU decomposition with partial pivoting", SIAM J. Matrix Anal. Appl. 18, 1997).
//!
//! It runs on one thread while the other threads update the rest of the matrix.

use super::{
    kernels::{eliminate::Eliminate, substitute::Triangle},
    lines::{LANES, Line, swap_rows},
    pack::{PackedColumns, PackedTriangle},
};
use crate::simd::InstructionSet;

/// Overwrites columns with L and U of P·A = L·U; the diagonal begins in the group `first` of rows, and
/// row `first`·8 + i was interchanged with row `swaps[i]`.
///
/// # Errors
/// Returns the first column without a nonzero pivot.
pub(super) fn factor(
    instructions: InstructionSet,
    a: &mut [Line],
    stride: usize,
    first: usize,
    rows: usize,
    swaps: &mut [usize],
    packed: &mut PackedColumns,
) -> Result<(), usize> {
    let columns = swaps.len();
    if columns <= LANES {
        let job = Eliminate {
            a,
            stride,
            first,
            rows,
            swaps,
        };
        return instructions.run(job);
    }
    let half = (columns / 2).next_multiple_of(LANES);
    let (left, right) = a.split_at_mut(half * stride);
    let (swaps_left, swaps_right) = swaps.split_at_mut(half);
    factor(instructions, left, stride, first, rows, swaps_left, packed)?;
    swap_rows(right, stride, first * LANES, swaps_left);
    let triangle = PackedTriangle::new(Triangle::UnitLower, left, stride, first);
    packed.solve(instructions, &triangle, right, stride);
    let below = first + half / LANES;
    packed.subtract_from(
        instructions,
        left,
        stride,
        right,
        stride,
        below..rows.div_ceil(LANES),
    );
    factor(
        instructions,
        right,
        stride,
        below,
        rows,
        swaps_right,
        packed,
    )
    .map_err(|at| half + at)?;
    swap_rows(left, stride, below * LANES, swaps_right);
    Ok(())
}
