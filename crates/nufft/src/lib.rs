//! Non-uniform fast Fourier transforms (NUFFT) of types 1, 2, and 3 in one to three dimensions, in f32 and f64.
//!
//! | type | transform | definition |
//! |---|---|---|
//! | 1 | non-uniform points to uniform modes | f_k = Σ_j c_j e^{±ik·x_j} |
//! | 2 | uniform modes to non-uniform points | c_j = Σ_k f_k e^{±ik·x_j} |
//! | 3 | non-uniform points to non-uniform frequencies | v_k = Σ_j c_j e^{±is_k·x_j} |
//!
//! The tolerance is given by the caller. Modes run over −⌊N/2⌋ … ⌈N/2⌉ − 1 on every axis, the last axis fastest;
//! points are in radians and may be any real numbers. One [`Plan`] computes types 1 and 2 with the same weights,
//! so that type 2 with the opposite sign is the adjoint of type 1 to rounding. It evaluates derivatives with
//! respect to the coordinates in the same pass ([`Plan::type2_gradient`], [`Plan::type1_gradient`]). [`Type3`]
//! computes type 3.
//!
//! # Algorithm
//!
//! Type 1: spreading of each point over w points of an upsampled (fine) grid with a window (spreading kernel),
//! an FFT of that grid, and deconvolution, the division of the modes by the Fourier transform of the window.
//! Type 2 is the transpose: deconvolution, FFT, and interpolation from the grid to the points. The window is the
//! prolate spheroidal wave function, or the Kaiser–Bessel window of Fourmont. The width w and the upsampling
//! factor are chosen by a cost model among the pairs whose aliasing error, computed from the window, keeps the
//! tolerance. Points are sorted by tile of the grid, and results are bitwise identical for any number of
//! threads.
//!
//! A. Dutt, V. Rokhlin, SIAM J. Sci. Comput. 14 (1993) 1368–1393; A. H. Barnett, J. Magland, L. af Klinteberg,
//! SIAM J. Sci. Comput. 41 (2019) C479–C504.
//!
//! ```
//! use num_complex::Complex64;
//! use wavefield_numerics::cpu::CpuPool;
//! use wavefield_nufft::{Options, Plan, Sign, direct};
//!
//! let pool = CpuPool::new(Some(1))?;
//! let mut plan = Plan::on_cpu(&pool, &[16], &Options { tolerance: 1e-9, ..Options::default() })?;
//! let x = [0.1, -2.0, 3.0];
//! let strengths = [Complex64::new(1.0, 0.0), Complex64::new(0.0, 2.0), Complex64::new(-1.0, 1.0)];
//! plan.set_points(&[&x])?;
//! let mut modes = vec![Complex64::new(0.0, 0.0); 16];
//! plan.type1(&strengths, &mut modes)?;
//! let exact = direct::type1(&[16], &[&x], &strengths, Sign::Plus);
//! assert!(modes.iter().zip(&exact).all(|(a, b)| (a - b).norm() < 1e-8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `gpu` (default) adds `Plan::new` and `Type3::new`, which take a device.
//! Without it, wgpu is not a dependency.
//!
//! # Limitations
//!
//! Derivatives are computed on the CPU only. The tolerance is the relative error in the root mean
//! square over the result.

#![deny(unsafe_code)]

mod axis;
mod choice;
mod cpu;
mod cpu_type3;
pub mod direct;
mod error;
#[cfg(feature = "gpu")]
mod gpu;
mod grid;
mod kernel;
mod kernels;
mod options;
mod plan;
mod points;
mod precision;
mod prolate;
mod spare;
mod spreader;
mod tiles;
mod type3;
mod workers;

pub use error::NufftError;
pub use kernel::Window;
pub use options::{Options, Sign};
pub use plan::Plan;
pub use precision::Precision;
pub use spreader::Spreader;
pub use type3::Type3;
