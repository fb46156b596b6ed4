//! Analytical scattering as a solver: Mie series for spheres (PEC, dielectric, coated) and
//! cylindrical wave series for infinite circular cylinders, TM and TE, over sweeps of frequency and
//! angle.
//!
//! It is the smallest solver of Wavefield and has the structure of all solvers: [`Spec`] (the
//! problem) → [`Plan`] (sweeps and bodies resolved, memory predicted) → [`Plan::execute`] (with
//! progress and cancellation) → [`Solution`] (typed results). It does not access the disk, the
//! terminal, or the clock.
//!
//! # Formulation and limits
//!
//! Time-harmonic Maxwell's equations for a plane wave and a layered sphere or a cylinder, separated
//! in spherical or cylindrical coordinates; see `wavefield_physics::exact`. Results are monostatic
//! and bistatic radar cross sections (RCS), scattering widths, surface currents, and extinction and
//! total scattering cross sections. Incidence on a cylinder must be normal. The radius is that of
//! the outer surface, coatings included. The limit of the electrical size is ka = 10⁵; the relative
//! error is that of the special functions, 1e-13, plus the rounding error of the phase ka.
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
