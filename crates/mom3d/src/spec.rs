//! What a user may ask of this solver, as it stands in a problem file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_mesh::Target;
use wavefield_physics::aspects::{Bistatic, Incidence, Observation};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::Sweep;

use crate::error::{Error, positive};

/// Perfectly conducting surfaces, by an integral equation on their triangles: scattering of plane waves, or antennas driven at
/// ports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// One frequency or a sweep.
    pub frequency: Sweep<Frequency>,
    /// The body.
    pub target: Target,
    /// Where plane waves come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incidence: Option<Incidence>,
    /// Where the scattered field is looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation: Option<Observation>,
    /// Gaps at which the body is driven, instead of an incidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<PortSpec>,
    /// Where the field that ports radiate is looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directions: Option<Bistatic>,
    /// Points at which the whole field is wanted, for the first wave or with the first port driven, at the first frequency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near_field: Option<NearFieldSpec>,
    /// Longest edge of the triangles of a shape, wavelengths being those of the highest frequency. A mesh from a file is
    /// taken as it is unless `remesh` is set.
    #[serde(default = "tenth")]
    pub edge: Length,
    /// Whether a mesh from a file is covered with new triangles of about this edge length (by Gmsh), as files from CAD
    /// programs need, whose triangles are as large as the shape allows.
    #[serde(default)]
    pub remesh: bool,
    /// The equation that is solved.
    #[serde(default)]
    pub equation: Equation,
    /// Motions that bring the body onto itself, triangle by triangle: with n images the largest matrix has 1/n of the unknowns.
    /// They must commute, as mirrors across each other and turns about one axis do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symmetry: Vec<SymmetrySpec>,
    /// How its matrix is solved.
    #[serde(default)]
    pub linear_solver: LinearSolver,
}

impl Spec {
    /// The edge length in metres.
    ///
    /// # Errors
    /// It, or a frequency, is not positive.
    pub fn edge_length(&self) -> Result<f64, Error> {
        let frequencies = self.frequency.values()?;
        let highest = frequencies.iter().map(|f| f.0).fold(0.0, f64::max);
        positive(
            "edge",
            self.edge
                .metres(SPEED_OF_LIGHT / positive("frequency", highest)?),
        )
    }
}

fn tenth() -> Length {
    Length::Wavelengths(0.1)
}

/// A gap of no width with a voltage across it. Edges of triangles lie along it: those it passes through are divided.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PortSpec {
    /// A point of the gap, or amid a gap around a tube.
    pub at: [Length; 3],
    /// The way on which its current leaves; the gap lies in the plane across.
    pub direction: [f64; 3],
    /// How far from the point the gap reaches.
    pub radius: Length,
    /// The resistance in ohms to which reflections refer.
    #[serde(default = "fifty")]
    pub resistance: f64,
}

fn fifty() -> f64 {
    50.0
}

/// A motion that brings the body onto itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SymmetrySpec {
    /// A plane through the origin in which it is mirrored.
    Mirror {
        /// The direction across the plane.
        normal: [f64; 3],
    },
    /// An axis through the origin about which it is turned.
    Rotation {
        /// The direction of the axis.
        axis: [f64; 3],
        /// Number of equal turns that make a full one.
        fold: usize,
    },
}

/// Points of a box, a plane or a line, evenly spaced along the axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NearFieldSpec {
    /// The first corner.
    pub from: [Length; 3],
    /// The corner opposite.
    pub to: [Length; 3],
    /// Points along x, y and z; one where both corners are the same.
    pub points: [usize; 3],
}

/// Which equation is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Equation {
    /// The combined field on closed surfaces, the electric field on open ones and with ports.
    #[default]
    Auto,
    /// The electric field everywhere; at resonances of the inside of a closed surface its currents are wrong.
    Efie,
    /// Both fields together on closed surfaces, which has no resonances.
    Cfie(Share),
}

/// Shares of the two equations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// Weight of the electric field, between 0 and 1; the rest is that of the magnetic field.
    #[serde(default = "half")]
    pub electric: f64,
}

fn half() -> f64 {
    0.5
}

/// How the matrix is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LinearSolver {
    /// LU factors of the whole matrix, for all waves at once.
    #[default]
    Lu,
    /// GMRES with products in time N log N, far triangles speaking to each other through a grid (adaptive integral method).
    Fft(Fft),
}

/// GMRES with products by fast Fourier transforms.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Fft {
    /// Part of a product that may be wrong.
    pub accuracy: f64,
    /// Residual over the right-hand side at which it stops.
    pub tolerance: f64,
    /// Waves that are solved for together: they need fewer products each, and as much more memory.
    pub block: usize,
    /// Steps of products after which it starts afresh.
    pub restart: usize,
    /// Steps after which it gives up.
    pub iterations: usize,
}

impl Default for Fft {
    fn default() -> Fft {
        Fft {
            accuracy: 1e-4,
            tolerance: 1e-4,
            block: 32,
            restart: 100,
            iterations: 1000,
        }
    }
}
