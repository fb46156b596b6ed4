//! LU decomposition of some columns, halved until eight are left (S. Toledo, "Locality of reference in LU
//! decomposition with partial pivoting", SIAM J. Matrix Anal. Appl. 18, 1997).
//!
//! On one thread: while it runs, the other threads update the rest of the matrix.

use super::{
    kernels::{eliminate::Eliminate, substitute::Triangle},
    lines::{LANES, Line, swap_rows},
    pack::{PackedColumns, PackedTriangle},
};
use crate::simd::InstructionSet;

/// Overwrites columns by L and U of P·A = L·U. The diagonal begins in the group `first` of rows; row
/// `first`·8 + i was exchanged with row `swaps[i]`.
///
/// # Errors
/// The first column without a pivot that can be divided by.
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
