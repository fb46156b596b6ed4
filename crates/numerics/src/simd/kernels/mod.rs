//! SIMD vectors, run-time dispatch, and kernels that several solvers use.

#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
mod arm;
mod array;
mod dispatch;
#[cfg(target_arch = "x86_64")]
mod halves;
mod instructions;
mod lane_sums;
mod sine;
#[cfg(test)]
mod tests;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use instructions::{InstructionSet, Instructions, Job};
pub use lane_sums::{Accumulate, lane_sums, lane_sums_of_singles};
pub use sine::{Lanes, mul_add, polynomial, sine_and_cosine};
pub use vector::{Interleaved, Ordered, Scalar, Vector};
