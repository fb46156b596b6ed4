//! 3-D method of moments (MoM): scattering of plane waves by perfect electric conductors (PEC), and antennas driven at ports,
//! from the surface current on flat triangles.
//!
//! # Formulation
//!
//! The tangential electric field vanishes on a conductor (electric-field integral equation, EFIE); on a closed surface the
//! tangential magnetic field just outside equals the current (magnetic-field integral equation, MFIE). Their weighted sum, the
//! combined-field integral equation (CFIE), has no interior resonances and is the default on closed surfaces. Basis and
//! testing functions are Rao–Wilton–Glisson (RWG) functions (Galerkin testing), one per edge between two triangles. `pair.rs`
//! states the equations, `basis.rs` the functions.
//!
//! # Algorithm
//!
//! - Touching pairs of triangles: Sauter–Schwab quadrature (`singular_quadrature.rs`). Near pairs: singularity extraction of
//!   1/R and R in closed form (`extraction.rs`). Far pairs: SIMD quadrature.
//! - Dense LU factorization on the CPU, or on the GPU in single precision ([`Plan::execute_on`]).
//! - Symmetric bodies: one smaller matrix per irreducible representation of the symmetry group (`symmetry/`).
//! - Large bodies: block GMRES with matrix–vector products by the adaptive integral method (AIM, `aim/`), and restricted
//!   additive Schwarz as the preconditioner.
//! - Ports: delta-gap sources (`port.rs`).
//!
//! Every solution carries [`Checks`]: the condition number or the residual, the extinction error (the extinction error inside closed
//! surfaces), and the power balance of the ports.
//!
//! ```
//! use wavefield_numerics::observe::Silent;
//! use wavefield_mom3d::{Plan, Spec};
//!
//! let spec: Spec = toml::from_str(r#"
//!     frequency = "300 MHz"
//!     bodies = [{ geometry = { shape = "sphere", radius = "0.3 m" }, material = "pec" }]
//!     excitation = { kind = "plane-wave", phi = "0 deg" }
//!     observation = { kind = "monostatic" }
//! "#)?;
//! let solution = Plan::new(&spec, None)?.execute(&Silent)?;
//! assert!(solution.checks[0].inside.unwrap() < 0.05);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! Perfect conductors in free space. Triangles are flat: on a curved body the edges must resolve the curvature. A dense matrix
//! takes 16 bytes times the square of the number of unknowns.
//!
//! # References
//!
//! S. M. Rao, D. R. Wilton, A. W. Glisson, IEEE Trans. Antennas Propag. 30 (1982) 409–418. S. A. Sauter, C. Schwab, Boundary
//! Element Methods, Springer 2011. E. Bleszynski, M. Bleszynski, T. Jaroszewicz, Radio Sci. 31 (1996) 1225–1251.

#![deny(unsafe_code)]

mod aim;
mod basis;
mod contract;
mod error;
mod excitation;
mod extinction;
mod extraction;
mod fill;
mod gpu_fill;
mod kernels;
mod near_field;
mod one_frequency;
mod outcome;
mod pair;
mod plan;
mod port;
mod quadrature;
mod result;
mod rhs_basis;
mod scatter;
mod singular_quadrature;
mod solver;
mod spec;
mod symmetry;
mod wave;
mod work;

pub use contract::{Mom3dRun, Mom3dSolver};
pub use error::Error;
pub use plan::Plan;
pub use result::{Checks, Field, Solution, State};
pub use spec::{Aim, Combination, Equation, LinearSolver, NearField, Settings, Spec, SymmetrySpec};
pub use work::Work;
