//! LU decomposition of dense complex matrices on the GPU with partial pivoting: in single precision with iterative
//! refinement to double precision, or in double precision if the device supports it.
//!
//! A matrix is copied from the CPU or filled on the device ([`GpuMatrix`]). It may exceed one buffer, but not the
//! memory of the device. Results are bitwise identical on every run of the same device.
//!
//! ```no_run
//! use num_complex::Complex64;
//! use wavefield_gpu::Gpu;
//! use wavefield_gpu::lu::GpuFactors;
//! use wavefield_numerics::dense::Matrix;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let matrix = Matrix::from_fn(100, 100, |i, j| Complex64::cis(i as f64 * j as f64) + f64::from(u8::from(i == j)));
//! let factors = GpuFactors::new(&Gpu::open(None)?, &matrix)?;
//! let mut x = vec![Complex64::ONE; 100];
//! assert!(factors.solve_refined(&matrix, &mut x)?.residual < 1e-12);
//! # Ok(())
//! # }
//! ```

mod decomposition;
mod error;
mod factors;
mod matrix;
mod number;

pub use decomposition::{Kernels, memory};
pub use error::GpuLuError;
pub use factors::{GpuFactors, Refined};
pub use matrix::{GpuMatrix, Slab};
pub use number::Number;
