//! Surfaces in space: scattering of plane waves by perfect conductors and antennas driven at ports, from the current on
//! their triangles.
//!
//! The tangential electric field vanishes on a conductor (EFIE); on a closed one the magnetic field just outside is the
//! current (MFIE). Their sum (CFIE) has no resonances of the inside. `pair.rs` states the equations, `basis.rs` the
//! functions of the current.
//!
//! ```
//! use wavefield_compute::observe::Silent;
//! use wavefield_mom::surface::{Plan, Spec};
//!
//! let spec: Spec = toml::from_str(r#"
//!     frequency = "300 MHz"
//!     target = { shape = "sphere", radius = "0.3 m" }
//!     incidence = { phi = "0 deg" }
//!     observation = { kind = "monostatic" }
//! "#)?;
//! let solution = Plan::new(&spec, None)?.execute(&Silent)?;
//! assert!(solution.checks[0].inside.unwrap() < 0.05);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod basis;
mod card;
mod drive;
mod error;
mod extinction;
mod extraction;
mod fft;
mod fill;
mod independent;
mod near_field;
mod one_frequency;
mod pair;
mod plan;
mod port;
mod quadrature;
mod result;
mod scatter;
mod solver;
mod spec;
mod symmetry;
mod touching;
mod wave;
mod work;

pub use error::Error;
pub use plan::Plan;
pub use result::{Checks, Field, Solution, State};
pub use spec::{Equation, Fft, LinearSolver, NearFieldSpec, PortSpec, Share, Spec, SymmetrySpec};
pub use work::Work;
