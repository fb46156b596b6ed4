//! Non-uniform fast Fourier transforms: sums of waves over points that lie anywhere.
//!
//! | type | what | equation |
//! |---|---|---|
//! | 1 | points to modes | f_k = Σ_j c_j e^{±ik·x_j} |
//! | 2 | modes to points | c_j = Σ_k f_k e^{±ik·x_j} |
//! | 3 | points to frequencies | v_k = Σ_j c_j e^{±is_k·x_j} |
//!
//! in one, two and three dimensions, f32 and f64, to a tolerance the caller names. Modes run over
//! −⌊N/2⌋ … ⌈N/2⌉ − 1 on every axis, the last axis fastest; points are in radians and may be any
//! real number. One [`Plan`] serves types 1 and 2 with the same weights: type 2 with the opposite sign
//! is the adjoint of type 1 to rounding. It gives derivatives by the coordinates in the same pass
//! ([`Plan::type2_gradient`], [`Plan::type1_gradient`]). [`Type3`] goes to frequencies anywhere.
//!
//! The method: each point is spread over w grid points of a finer grid by a window (the prolate
//! spheroidal wave function), the grid is transformed, and the window's own transform is divided
//! out. The width is chosen from the window's aliasing error, computed, not fitted.
//! A. Dutt, V. Rokhlin, SIAM J. Sci. Comput. 14 (1993) 1368–1393; A. H. Barnett, J. Magland,
//! L. af Klinteberg, SIAM J. Sci. Comput. 41 (2019) C479–C504.
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
//! The feature `gpu` (default) adds `Plan::new`, which takes a device; without it, nothing of a GPU is compiled.
//!
//! # Limits
//!
//! Derivatives and type 3 are computed on the CPU only. The error is relative, in the root mean
//! square over the result. Rounding of the coordinates adds
//! modes × 1e-16 (f64), which matters beyond a thousand modes per axis at the tightest tolerances.

#![deny(unsafe_code)]

mod choice;
mod cpu;
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
