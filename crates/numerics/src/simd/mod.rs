//! SIMD kernels with run-time dispatch. There are two ways to write a kernel:
//!
//! - As a [`Job`] over [`Vector`]s, which [`InstructionSet::run`] compiles for each instruction set. Every operation is one
//!   instruction: for loops that must reach the peak throughput of the CPU.
//! - As a function over arrays of [`LANES`] numbers, generic over `const FUSED: bool`: whether multiplication and addition
//!   are fused. [`dispatch!`] compiles it for each instruction set, and the compiler vectorizes its loops: for long
//!   formulas.
//!
//! In both cases the kernel is inlined into functions with the target features of an instruction set; everything it calls
//! must be `#[inline(always)]`. Results may differ in the last bits between instruction sets, but not with the number of
//! threads.
//!
//! ```
//! use wavefield_numerics::simd::{InstructionSet, Instructions, Job, Vector};
//!
//! /// Adds a·x to y.
//! struct AddScaled<'a> {
//!     a: f64,
//!     x: &'a [f64],
//!     y: &'a mut [f64],
//! }
//!
//! impl Job for AddScaled<'_> {
//!     type Output = ();
//!
//!     #[inline(always)]
//!     unsafe fn run<S: Instructions>(self) {
//!         let count = S::F64::COUNT;
//!         for (y, x) in self.y.chunks_exact_mut(count).zip(self.x.chunks_exact(count)) {
//!             // SAFETY: the caller has the instruction set, and chunks have as many numbers as a vector.
//!             unsafe {
//!                 let sum = S::F64::load(y.as_ptr()).plus(S::F64::splat(self.a), S::F64::load(x.as_ptr()));
//!                 sum.store(y.as_mut_ptr());
//!             }
//!         }
//!     }
//! }
//!
//! let mut y = [1.0; 16];
//! InstructionSet::widest().run(AddScaled { a: 3.0, x: &[2.0; 16], y: &mut y });
//! assert_eq!(y, [7.0; 16]);
//! ```

mod kernels;

pub use crate::dispatch;
pub use kernels::{
    Accumulate, InstructionSet, Instructions, Interleaved, Job, Lanes, Ordered, Scalar, Vector,
    lane_sums, lane_sums_of_singles, mul_add, polynomial, sine_and_cosine,
};

/// Lanes of array-based kernels.
pub const LANES: usize = 8;
