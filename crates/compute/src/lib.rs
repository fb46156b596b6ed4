//! The engine under Wavefield's solvers: where to compute, and the few operations they all share.
//!
//! | module | what it gives |
//! |---|---|
//! | [`Device`] | the processor's cores or a graphics card, as the user chose |
//! | [`cpu`] | a thread pool of a chosen size, and which vector instructions there are |
//! | [`gpu`] | adapters, typed buffers, kernels in WGSL; every fault is an error |
//! | [`fft`] | Fourier transforms in one to three dimensions, on either device |
//! | [`dense`] | LU decomposition of dense complex matrices, systems with many right-hand sides |
//! | [`mod@sum`] | sums whose bits do not depend on the number of threads |
//! | [`memory`] | large arrays on large pages |
//! | [`observe`] | progress out of a solver, cancellation into it |
//! | [`checkpoint`] | what a run has finished, kept by the caller |
//! | [`tasks`] | tasks that need nothing of each other, done by whom the caller chooses |
//! | [`transport`] | what several processes need to work on one problem |
//!
//! Three promises hold throughout. The same input gives the same bits for any number of threads: work
//! is cut into fixed blocks and added in a fixed tree. The GPU agrees with the CPU to a tolerance that tests hold.
//! And a device that fails says so: no number computed after a fault is handed out.
//!
//! A tone of five periods has one line in its spectrum, and Parseval's theorem holds for it:
//!
//! ```
//! use num_complex::Complex;
//! use wavefield_compute::{
//!     Device, DeviceChoice,
//!     fft::{FftKind, FftPlan},
//!     sum,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let device = Device::open(&"cpu".parse::<DeviceChoice>()?, Some(2))?;
//! let points = 240;
//! let mut field: Vec<Complex<f64>> = (0..points)
//!     .map(|n| Complex::cis(std::f64::consts::TAU * 5.0 * n as f64 / points as f64))
//!     .collect();
//! let energy = sum::sum_by(points, |n| field[n].norm_sqr());
//!
//! let plan = FftPlan::new(&device, &[points], 1, FftKind::Complex)?;
//! plan.forward(&mut field)?;
//! assert!((field[5] - points as f64).norm() < 1e-10);
//!
//! // Neither direction is normalised, so the spectrum holds `points` times the energy.
//! let in_spectrum = sum::dot(&field, &field).re / points as f64;
//! assert!((in_spectrum - energy).abs() < 1e-10);
//! # Ok(())
//! # }
//! ```
#![deny(unsafe_code)]

pub mod checkpoint;
pub mod cpu;
pub mod dense;
mod device;
mod error;
pub mod fft;
pub mod gpu;
pub mod memory;
pub mod observe;
pub mod sum;
pub mod tasks;
pub mod transport;

pub use device::{Device, DeviceChoice, ParseDeviceError};
pub use error::DeviceError;
