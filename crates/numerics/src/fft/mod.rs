//! Fast Fourier transforms in one, two, or three dimensions, in batches, on the CPU.
//!
//! Forward: X\[k\] = Σₙ x\[n\]·e^{−j2πkn/N}; inverse: x\[n\] = Σₖ X\[k\]·e^{+j2πkn/N}. Neither is
//! normalized: forward and inverse in succession multiply by the number of points.
//!
//! Arrays are row-major with the last axis fastest, one transform after the other. The spectrum of a real
//! array keeps the first n/2 + 1 elements of its last axis; the others are their complex conjugates.
//!
//! Any length is transformed; products of 2, 3, and 5 are fastest, see [`next_good_size`].

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
