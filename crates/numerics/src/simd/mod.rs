//! Loops in vector instructions: code over arrays of [`LANES`] numbers, compiled for each instruction set of the processor.
//!
//! A kernel is a function over such arrays, generic over `const FUSED: bool`, which says whether products and sums are
//! rounded once. [`dispatch!`] inlines it into functions that carry the target features of AVX-512 and of AVX2, and
//! calls the widest that the processor has. Instruction sets may differ in the last bits; numbers of threads do not.
//!
//! What a kernel calls must be `#[inline(always)]`, so that it becomes part of these functions.

mod kernels;

pub use crate::dispatch;
pub use kernels::{
    Accumulate, Lanes, lane_sums, lane_sums_of_singles, mul_add, polynomial, sine_and_cosine,
};

/// Numbers worked on side by side.
pub const LANES: usize = 8;
