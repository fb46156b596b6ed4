//! 2-D method of moments (MoM): scattering of plane waves by infinite cylinders along z, from boundary integral equations on
//! their cross-sections.
//!
//! Outside and inside homogeneous bodies the field follows from its boundary values on the contours (Green's theorem), which
//! satisfy an integral equation on the contours alone. The only approximation is the discretization of that equation, and its
//! error is estimated with every solution.
//!
//! # Formulation
//!
//! E_z (TM) or H_z (TE) on perfect conductors by the electric-, magnetic-, or combined-field integral equation (EFIE, MFIE, or
//! CFIE, which has no interior resonances), on surface impedances, and on homogeneous dielectrics with or without loss (Müller
//! formulation); any number of separate bodies; open strips. `formulation.rs` states the equations.
//!
//! # Algorithm
//!
//! - Locally corrected Nyström method (LCN): panels of 1 to 12 Gauss–Legendre nodes, graded toward corners and ends; near
//!   panels are integrated to rounding error. L. F. Canino et al., J. Comput. Phys. 146 (1998) 627–663.
//! - Kress' quadrature on circles and ellipses: exponential convergence.
//! - Pulse basis functions and point matching, for comparison with textbooks.
//!
//! The linear system is solved by LU factorization or by restarted GMRES. For large bodies the multilevel fast multipole
//! algorithm (MLFMA, `mlfma/`: aggregation, translation operators, disaggregation) evaluates matrix–vector products in O(N log
//! N) without a matrix, with an analytical preconditioner on smooth curves.
//!
//! [`Plan::execute_on`] factors the matrix on a GPU ([`gpu`]) and refines the solutions to double precision.
//!
//! # Accuracy
//!
//! Every solution carries [`Checks`]: the extinction error (the extinction error inside closed bodies, which reveals interior
//! resonances), the condition number, the deviation from a second solution with half or twice as many panels, the deviation
//! from the exact series for a single circle, and a [`Verdict`]. Results are far-field amplitudes and scattering widths.
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
//! Bodies do not touch, and none lies within another. A strip is a perfect conductor of zero thickness. Normal incidence.
//! Dense matrices, except with MLFMA: 16 bytes times the square of the number of unknowns.

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
mod grading;
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
pub use wavefield_physics::exact::cylinder::Polarization;
