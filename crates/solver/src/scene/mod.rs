//! The scene: frequency, bodies, excitation, and observation, in one vocabulary for every solver.
//!
//! A specification contains these types under common keys, and a table of settings under the name of its solver, so
//! that one problem file runs in every solver that supports its [`Feature`]s:
//!
//! ```toml
//! frequency = "1 GHz"
//!
//! [[bodies]]
//! geometry = { shape = "sphere", radius = "20 cm" }
//! material = "pec"
//!
//! [excitation]
//! kind = "plane-wave"
//! theta = "90 deg"
//! phi = "0 deg"
//!
//! [observation]
//! kind = "bistatic"
//! theta = "90 deg"
//! phi = { start = "0 deg", stop = "180 deg", step = "2 deg" }
//! ```

pub mod aspects;
mod body;
mod check;
mod excitation;
mod feature;
mod geometry;
mod issue;
mod observation;

use wavefield_physics::quantity::Frequency;
use wavefield_physics::sweep::Sweep;

pub use body::{Body, Coating, CoatingLayer};
pub use excitation::{
    DeltaGap, Dipole, Dipoles, Excitation, LumpedPort, PlaneWave, Polarization, Port, Ports,
};
pub use feature::{Feature, unsupported};
pub use geometry::{
    Almond, Circle, Cuboid, Cylinder, Dihedral, Ellipse, Face, Geometry, GeometryError, Helix,
    MeshGeometry, Plate, Polygon, Sphere, Spline, StepGeometry, Strip, Trihedral, least_triangles,
};
pub use issue::{InvalidSpec, Issue, Issues};
pub use observation::{Directions, Observation};

/// The parts of a specification that are common to all solvers; absent parts are `None` or empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scene<'a> {
    /// One frequency or a sweep.
    pub frequency: Option<&'a Sweep<Frequency>>,
    /// Bodies.
    pub bodies: &'a [Body],
    /// Excitation of the fields.
    pub excitation: Option<&'a Excitation>,
    /// Observation of the fields.
    pub observation: Option<&'a Observation>,
}

impl Scene<'_> {
    /// Returns the frequencies, Hz; empty if the sweep is absent or invalid.
    pub fn frequencies(&self) -> Vec<f64> {
        let values = self.frequency.and_then(|sweep| sweep.values().ok());
        let values = values.unwrap_or_default().into_iter();
        values.map(|frequency| frequency.0).collect()
    }
}
