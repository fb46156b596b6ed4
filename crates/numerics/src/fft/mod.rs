//! Batched fast Fourier transforms (FFT) in one, two, or three dimensions on the CPU.
//!
//! Forward: X\[k\] = Σₙ x\[n\]·e^{−j2πkn/N}; inverse: x\[n\] = Σₖ X\[k\]·e^{+j2πkn/N}. Neither is
//! normalized: forward and inverse in succession multiply by the number of points.
//!
//! Arrays are row-major (last axis fastest), and the transforms of a batch are contiguous. The half
//! spectrum of a real array holds the first n/2 + 1 elements of its last axis; the others follow from
//! conjugate symmetry.
//!
//! All lengths are supported; products of 2, 3, and 5 are fastest, see [`next_good_size`].

mod cpu;
mod error;
mod extent;
mod real;
mod size;

pub use cpu::CpuFft;
pub use error::FftShapeError;
pub use extent::{Extent, FftKind};
pub use real::Real;
pub use size::{is_good_size, next_good_size};
