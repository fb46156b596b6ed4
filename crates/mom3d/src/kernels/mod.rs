//! Compute kernels: pairs of triangles, fields between boxes of a grid, products of stored matrices with vectors.
//!
//! Each is written over fixed-size arrays, as described in [`wavefield_numerics::simd`]. The GPU kernels (WGSL) are in the
//! same directory; `gpu_fill.rs` dispatches them.

#![allow(unsafe_code)]

mod boxes;
mod products;
mod singular_pairs;
mod triangles;

pub(crate) use boxes::{
    ACROSS, BOX, BoxPlace, BoxTable, BoxWeights, add_to_box, box_products, box_sums,
};
pub(crate) use products::{Rows, TILE, rows_times, side_by_side, tiles_times};
pub(crate) use singular_pairs::{PairPoints, SingularPair, SingularSums, singular_sums};
pub(crate) use triangles::{Blocks, SourceGroup, TestPoint, TestTriangle, far_blocks};
