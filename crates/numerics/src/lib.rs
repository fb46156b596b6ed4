//! Numerical building blocks of Wavefield's solvers on the CPU; no GPU, no file access, no clock.
//!
//! | module | content |
//! |---|---|
//! | [`cpu`] | thread pool of a chosen size, run-time detection of SIMD instruction sets (AVX-512, AVX2, NEON) |
//! | [`fft`] | fast Fourier transforms (FFT) in one to three dimensions, real and complex, batched |
//! | [`dense`] | LU decomposition of dense complex matrices with partial pivoting, many right-hand sides, condition number |
//! | [`krylov`] | restarted GMRES for one or several right-hand sides, preconditioner, any [`krylov::Operator`] |
//! | [`simd`] | kernels compiled for each SIMD instruction set, with run-time dispatch |
//! | [`special`] | Bessel, Hankel, Riccati–Bessel, Legendre, and Fresnel functions; Gauss–Legendre quadrature |
//! | [`random`] | reproducible random numbers |
//! | [`mod@sum`] | sums that are bitwise identical for any number of threads |
//! | [`vector`] | vectors of three components |
//! | [`memory`] | large arrays on huge pages |
//! | [`observe`] | progress reporting and cancellation |
//!
//! Results are bitwise identical for any number of threads: work is divided into fixed blocks, and partial results are
//! added in a fixed binary tree. They depend on the SIMD instruction set, since some fuse multiplication and addition.
//!
//! A tone of five periods has a single line in its spectrum, and Parseval's theorem holds:
//!
//! ```
//! use num_complex::Complex;
//! use wavefield_numerics::{
//!     cpu::CpuPool,
//!     fft::{CpuFft, FftKind},
//!     sum,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let pool = CpuPool::new(Some(2))?;
//! let points = 240;
//! let mut field: Vec<Complex<f64>> = (0..points)
//!     .map(|n| Complex::cis(std::f64::consts::TAU * 5.0 * n as f64 / points as f64))
//!     .collect();
//! let energy = sum::sum_by(points, |n| field[n].norm_sqr());
//!
//! let plan = CpuFft::new(&pool, &[points], 1, FftKind::Complex)?;
//! plan.forward(&mut field)?;
//! assert!((field[5] - points as f64).norm() < 1e-10);
//!
//! // Transforms are not normalized, so the spectrum holds `points` times the energy.
//! let in_spectrum = sum::dot(&field, &field).re / points as f64;
//! assert!((in_spectrum - energy).abs() < 1e-10);
//! # Ok(())
//! # }
//! ```
#![deny(unsafe_code)]

pub mod cpu;
pub mod dense;
pub mod fft;
pub mod krylov;
pub mod memory;
pub mod observe;
pub mod random;
pub mod simd;
pub mod special;
pub mod sum;
pub mod vector;
pub mod worst;
