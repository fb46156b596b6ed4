//! Exact scattering as a solver: the series of Mie for spheres (perfectly conducting, dielectric,
//! coated) and of Rayleigh for infinite circular cylinders, over sweeps of frequency and angle.
//!
//! It is the smallest solver of Wavefield and shows the shape all of them have:
//! [`Spec`] (the problem) → [`Plan`] (everything laid out, memory known) →
//! [`Plan::execute`] (with progress and cancellation) → [`Solution`] (typed results). It touches
//! no disk, no terminal and no clock.
//!
//! # Equation and limits
//!
//! Time-harmonic Maxwell's equations for a plane wave and a layered sphere or a cylinder,
//! separated in spherical or cylindrical coordinates; see `wavefield_physics::exact`. A cylinder
//! needs normal incidence. The radius is that of the outer surface, coatings included. Bodies up to
//! ka = 10⁵; the relative error is that of the special functions, 1e-13, growing with the rounding
//! of the phase ka.
//!
//! ```
//! use wavefield_numerics::observe::Silent;
//! use wavefield_exact::{Plan, Scattering, Spec};
//!
//! let spec: Spec = toml::from_str(r#"
//!     frequency = "1 GHz"
//!     bodies = [{ geometry = { shape = "sphere", radius = "30 cm" }, material = "pec" }]
//!     excitation = { kind = "plane-wave", phi = "0 deg" }
//!     observation = { kind = "monostatic" }
//! "#)?;
//! let solution = Plan::new(&spec)?.execute(&Silent)?;
//! let Scattering::Sphere { matrices, .. } = solution.scattering else { unreachable!() };
//! assert!((matrices[0].vv.norm_sqr() - 0.285).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod contract;
mod error;
mod outcome;
mod plan;
mod result;
mod spec;

pub use contract::{ExactRun, ExactSolver};
pub use error::Error;
pub use plan::Plan;
pub use result::{
    AtFrequency, CrossSections, CylinderAmplitude, Pattern, Scattering, Solution, SurfaceCurrent,
};
pub use spec::{Settings, Spec};
pub use wavefield_solver::scene::aspects::Aspect;
