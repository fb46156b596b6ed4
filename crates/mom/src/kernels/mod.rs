//! Hot loops: Hankel functions of many arguments at once, columns of matrices made of them, weighted sums, products
//! with vectors.
//!
//! Each is written over fixed arrays of [`LANES`] numbers, inlined into functions that carry the
//! target features of an instruction set, and becomes that set's machine code there.

#![allow(unsafe_code)]

mod boxes;
mod column;
mod hankel;
mod hankel_table;
mod lanes;
mod plane_waves;
mod products;
mod sine;
mod span;
mod touching;
mod triangles;
mod weights;

pub(crate) use boxes::{
    ACROSS, BOX, BoxPlace, BoxTable, BoxWeights, add_to_box, box_products, box_sums,
};
pub(crate) use column::{Coefficients, Points, Source, column};
pub(crate) use hankel::hankel;
pub(crate) use lanes::lane_sums;
pub(crate) use plane_waves::{Compass, add_product, add_sum_of_products, hear, send, turn_back};
pub(crate) use products::{Rows, TILE, rows_times, side_by_side, tiles_times};
pub(crate) use span::{add_combinations, inner_products};
pub(crate) use touching::{PairPoints, TouchingPair, TouchingSums, touching_sums};
pub(crate) use triangles::{Blocks, SourceGroup, TestPoint, TestTriangle, far_blocks};
pub(crate) use weights::Weights;

/// Numbers worked on side by side.
pub(crate) const LANES: usize = 8;

/// Runs the same code for the widest instruction set of the processor. `FUSED` says whether products
/// and sums are rounded once, which decides the last bits.
macro_rules! dispatch {
    ($(#[$doc:meta])* $visible:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) = $body:ident) => {
        $(#[$doc])*
        $visible fn $name($($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
            fn in_avx512($($argument: $type),*) {
                $body::<true>($($argument),*);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn in_avx2($($argument: $type),*) {
                $body::<true>($($argument),*);
            }
            #[cfg(target_arch = "x86_64")]
            {
                if std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512dq")
                    && std::arch::is_x86_feature_detected!("avx512vl")
                {
                    // SAFETY: the processor has just said that it has these instructions.
                    return unsafe { in_avx512($($argument),*) };
                }
                if std::arch::is_x86_feature_detected!("avx2")
                    && std::arch::is_x86_feature_detected!("fma")
                {
                    // SAFETY: as above.
                    return unsafe { in_avx2($($argument),*) };
                }
            }
            // Every 64-bit Arm processor fuses; elsewhere a fused product would be a slow call.
            if cfg!(target_arch = "aarch64") {
                $body::<true>($($argument),*);
            } else {
                $body::<false>($($argument),*);
            }
        }
    };
}
pub(crate) use dispatch;
