//! 2-D method of moments: scattering of plane waves by long bodies along z, from integral equations on their cross-sections.
//!
//! Outside and inside homogeneous bodies a field follows from its values on the curves between them (Green's theorem);
//! these values satisfy an equation on the curves alone. Nothing is approximated but the solution of that equation, and
//! its error is found out with it.
//!
//! # Formulation
//!
//! E_z (TM) or H_z (TE) on perfect conductors (EFIE, MFIE, CFIE), surface impedances, homogeneous dielectrics with or
//! without loss (Müller), any number of bodies side by side, open strips. `formulation.rs` states them.
//!
//! # Algorithm
//!
//! - Locally corrected Nyström: panels of 1 to 12 Gauss–Legendre nodes, graded toward corners and ends; near panels are
//!   integrated to rounding. L. F. Canino et al., J. Comput. Phys. 146 (1998) 627–663.
//! - Kress' quadrature on circles and ellipses: exponential convergence.
//! - Pulses and point matching, for comparison with textbooks.
//!
//! The matrix is solved by LU factors or by GMRES. For large bodies the multilevel fast multipole algorithm (MLFMA,
//! `mlfma/`) makes products in time N log N without a matrix.
//!
//! [`Plan::execute_on`] factors the matrix on a GPU ([`gpu`]), with solutions as exact as those of the CPU.
//!
//! # Accuracy
//!
//! Every solution carries [`Checks`]: the field that is left inside closed bodies (which an interior resonance betrays),
//! the condition number, the distance from a second solution with half or twice as many panels, the distance from the
//! exact series for a single circle, and a [`Verdict`] in words.
//!
//! ```
//! use wavefield_numerics::observe::Silent;
//! use wavefield_mom2d::{Plan, Spec};
//!
//! let spec: Spec = toml::from_str(r#"
//!     frequency = "300 MHz"
//!     bodies = [{ geometry = { shape = "circle", radius = "0.5 m" }, material = "pec" }]
//!     excitation = { kind = "plane-wave", phi = "180 deg", polarization = "tm" }
//!     observation = { kind = "bistatic", phi = ["0 deg", "90 deg"] }
//! "#)?;
//! let solution = Plan::new(&spec, Vec::new())?.execute(&Silent)?;
//! let case = &solution.cases[0];
//! assert!(case.checks.verdict.is_trusted());
//! assert!(case.checks.exact.unwrap().current_max < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! Bodies do not touch and none lies within another. A strip is a perfect conductor and infinitely thin. Normal
//! incidence. Dense matrices, but for MLFMA: 16 bytes times the square of the number of unknowns.

#![deny(unsafe_code)]

mod boundary;
mod certificate;
mod contract;
mod convergence;
mod correction;
mod curve;
mod error;
mod extension;
mod extinction;
mod factor;
mod field;
mod formulation;
pub mod gpu;
mod interpolation;
mod kernels;
mod kress;
mod layout;
mod mlfma;
mod nystrom;
mod outcome;
mod piece;
mod plan;
mod pulse;
mod result;
mod spec;
mod spline;
mod system;
mod wave;

pub use contract::{Mom2dRun, Mom2dSolver};
pub use convergence::Rung;
pub use error::Error;
pub use gpu::GpuPrecision;
pub use plan::Plan;
pub use result::{Case, Checks, ContourPoint, Deviation, Refinement, Solution, Verdict};
pub use spec::{
    Combination, Density, Equation, ErrorEstimate, Gmres, LinearSolver, Method, Mlfma, Nystrom,
    Settings, Spec,
};
pub use wavefield_physics::exact::cylinder::Polarisation;
