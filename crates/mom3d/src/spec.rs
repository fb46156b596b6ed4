//! Specification: the keys of a problem file that the 3-D method of moments reads.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::Sweep;
use wavefield_solver::scene::{Body, DeltaGap, Excitation, Issues, Observation, Port, Scene};

use crate::near_field;
use crate::plan::MAX_ASPECTS;

/// Scattering and radiation of perfect electric conductors by a surface integral equation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// One frequency or a sweep.
    pub frequency: Sweep<Frequency>,
    /// The body.
    pub bodies: Vec<Body>,
    /// Plane waves, or delta-gap ports.
    pub excitation: Excitation,
    /// Where the far field is observed. Plane waves need it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation: Option<Observation>,
    /// Points at which the total field is observed, for the first plane wave or with the first port excited, at each
    /// frequency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near_field: Option<NearField>,
    /// Settings of the solver.
    #[serde(default)]
    pub mom3d: Settings,
}

/// Settings of the 3-D method of moments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Maximum edge length of the triangles of bodies without a `mesh_size`; wavelengths are those of the highest frequency. A
    /// mesh from a file is used as it is unless `remesh` is set.
    pub max_edge_length: Length,
    /// The integral equation.
    pub equation: Equation,
    /// Symmetry operations that map the mesh onto itself, triangle by triangle: with n images the largest matrix has 1/n of
    /// the unknowns. They must commute, as perpendicular mirrors and rotations about one axis do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub symmetry: Vec<SymmetrySpec>,
    /// The solver of the linear system.
    pub linear_solver: LinearSolver,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            max_edge_length: Length::Wavelengths(0.1),
            equation: Equation::Auto,
            symmetry: Vec::new(),
            linear_solver: LinearSolver::Lu,
        }
    }
}

/// Points of a box, a plane, or a line, evenly spaced along the axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NearField {
    /// The first corner.
    pub start: [Length; 3],
    /// The opposite corner.
    pub stop: [Length; 3],
    /// Number of points along x, y, and z; one where both corners agree.
    pub points: [usize; 3],
}

/// A symmetry operation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SymmetrySpec {
    /// A mirror plane through the origin.
    Mirror {
        /// Normal of the plane.
        normal: [f64; 3],
    },
    /// A rotation about an axis through the origin.
    Rotation {
        /// Direction of the axis.
        axis: [f64; 3],
        /// Order of the axis: the number of equal rotations in a full turn.
        fold: usize,
    },
}

/// The integral equation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Equation {
    /// CFIE on closed surfaces, EFIE on open ones and with ports.
    #[default]
    Auto,
    /// Electric-field integral equation; its currents are wrong at interior resonances of closed surfaces.
    Efie,
    /// Combined-field integral equation on closed surfaces, free of interior resonances.
    Cfie(Combination),
}

/// Weights of the CFIE.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Combination {
    /// Weight α of the EFIE, between 0 and 1; the MFIE has 1 − α.
    #[serde(default = "half")]
    pub alpha: f64,
}

fn half() -> f64 {
    0.5
}

/// The solver of the linear system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LinearSolver {
    /// LU factorization of the dense matrix, for all right-hand sides at once.
    #[default]
    Lu,
    /// Block GMRES with matrix–vector products by the adaptive integral method (AIM) in O(N log N).
    Aim(Aim),
}

/// Block GMRES with matrix–vector products by the AIM.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Aim {
    /// Relative error of a matrix–vector product.
    pub accuracy: f64,
    /// Relative residual at which the iteration stops.
    pub tolerance: f64,
    /// Right-hand sides per block: larger blocks need fewer matrix–vector products per right-hand side and proportionally more
    /// memory.
    pub block_size: usize,
    /// Iterations between restarts.
    pub restart: usize,
    /// Maximum number of iterations.
    pub max_iterations: usize,
}

impl Default for Aim {
    fn default() -> Aim {
        Aim {
            accuracy: 1e-4,
            tolerance: 1e-4,
            block_size: 32,
            restart: 100,
            max_iterations: 1000,
        }
    }
}

impl Spec {
    /// Creates the specification of one body with default settings.
    pub fn new(
        frequency: impl Into<Sweep<Frequency>>,
        body: Body,
        excitation: Excitation,
        observation: impl Into<Option<Observation>>,
    ) -> Spec {
        Spec {
            frequency: frequency.into(),
            bodies: vec![body],
            excitation,
            observation: observation.into(),
            near_field: None,
            mom3d: Settings::default(),
        }
    }

    /// Returns the keys shared by all solvers.
    pub fn scene(&self) -> Scene<'_> {
        Scene {
            frequency: Some(&self.frequency),
            bodies: &self.bodies,
            excitation: Some(&self.excitation),
            observation: self.observation.as_ref(),
        }
    }

    /// Returns the wavelength of the highest frequency, m.
    pub(crate) fn wavelength(&self) -> f64 {
        SPEED_OF_LIGHT / self.scene().frequencies().into_iter().fold(0.0, f64::max)
    }

    /// Returns the maximum edge length on the body, m.
    pub(crate) fn edge_length(&self) -> f64 {
        let size = self.bodies.first().and_then(|body| body.mesh_size);
        size.unwrap_or(self.mom3d.max_edge_length)
            .meters(self.wavelength())
    }

    /// Returns the delta-gap ports.
    pub(crate) fn delta_gaps(&self) -> Vec<DeltaGap> {
        let Excitation::Ports(ports) = &self.excitation else {
            return Vec::new();
        };
        let gap = |port: &Port| match port {
            Port::DeltaGap(gap) => Some(*gap),
            Port::Lumped(_) => None,
        };
        ports.ports.iter().filter_map(gap).collect()
    }

    /// Adds the issues of the settings and of their combination with the scene.
    pub fn check(&self, issues: &mut Issues) {
        if self.bodies.is_empty() {
            issues.add("bodies", "`bodies` needs a body");
        }
        let settings = &self.mom3d;
        let length = settings.max_edge_length.meters(1.0);
        issues.positive("mom3d.max_edge_length", length, "");
        let ports = matches!(self.excitation, Excitation::Ports(_));
        if let Equation::Cfie(Combination { alpha }) = settings.equation {
            issues.range("mom3d.equation.alpha", alpha, 0.0, 1.0);
            if ports {
                issues.add_with_help(
                    "mom3d.equation",
                    "ports need the EFIE: the magnetic field of a delta gap is undefined",
                    "omit `equation`, or set `kind = \"efie\"`",
                );
            }
        }
        if let LinearSolver::Aim(aim) = settings.linear_solver {
            let path = |key: &str| format!("mom3d.linear_solver.{key}");
            issues.range(&path("accuracy"), aim.accuracy, 1e-6, 1e-2);
            // Matrix–vector products are in single precision.
            issues.range(&path("tolerance"), aim.tolerance, 1e-6, 0.1);
            issues.range(&path("block_size"), aim.block_size as f64, 1.0, 256.0);
            issues.range(&path("restart"), aim.restart as f64, 1.0, 1e4);
            issues.range(&path("max_iterations"), aim.max_iterations as f64, 1.0, 1e6);
            if !settings.symmetry.is_empty() {
                issues.add_with_help(
                    "mom3d.symmetry",
                    "symmetry needs the linear solver \"lu\"",
                    "omit `symmetry`, or set `linear_solver = { kind = \"lu\" }`",
                );
            }
        }
        if let Some(near_field) = &self.near_field {
            near_field::check(near_field, issues);
        }
        if self.excitation.as_plane_wave().is_some() && self.observation.is_none() {
            issues.add_with_help(
                "observation",
                "plane waves need an `observation`",
                "add `[observation]` with `kind = \"monostatic\"` or \"bistatic\"",
            );
        }
        let scene = self.scene();
        let frequencies = scene.frequencies().len();
        if frequencies > 0 {
            scene.check_aspects(MAX_ASPECTS / frequencies as f64, issues);
        }
    }
}
