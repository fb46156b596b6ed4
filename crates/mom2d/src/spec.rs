//! What a user may ask of this solver, as it stands in a problem file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_mesh::MeshFile;
use wavefield_physics::aspects::{Incidence, Observation};
use wavefield_physics::material::{ComplexNumber, Material};
use wavefield_physics::quantity::{Angle, Frequency, Length};
use wavefield_physics::sweep::Sweep;

/// Scattering of plane waves by long bodies along z, from an integral equation on their cross-sections.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// One frequency or a sweep.
    pub frequency: Sweep<Frequency>,
    /// Which field lies along the bodies.
    pub polarisation: Polarisations,
    /// The bodies that scatter; none touches another.
    pub bodies: Vec<Body>,
    /// The contour of bodies of shape "mesh".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshFile>,
    /// Where the waves come from.
    pub incidence: Incidence,
    /// Where the scattered field is looked at.
    pub observation: Observation,
    /// Which equation is solved on conductors; if left out, the CFIE on closed curves and the EFIE on strips.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equation: Option<Equation>,
    /// How the equation is made finite.
    #[serde(default)]
    pub method: Method,
    /// How the matrix is solved.
    #[serde(default)]
    pub linear_solver: LinearSolver,
    /// How the error is found out.
    #[serde(default)]
    pub certificate: Certificate,
}

/// Which field component lies along the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Polarisations {
    /// E along z.
    Tm,
    /// H along z.
    Te,
    /// One after the other.
    Both,
}

/// A body by its cross-section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "kebab-case")]
pub enum Body {
    /// A circle.
    Circle(Circle),
    /// An ellipse.
    Ellipse(Ellipse),
    /// A polygon with sharp corners.
    Polygon(Polygon),
    /// A smooth closed curve through points.
    Spline(Spline),
    /// An open strip, straight or bent, infinitely thin and perfectly conducting.
    Strip(Strip),
    /// Curves of the mesh.
    Mesh(MeshBody),
}

/// A circle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Circle {
    /// Radius.
    pub radius: Length,
    /// Centre, [x, y]; the origin if left out.
    #[serde(default = "origin")]
    pub centre: [Length; 2],
    /// What it is made of.
    pub material: BodyMaterial,
}

/// An ellipse.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ellipse {
    /// Half the widths along its own x and y axes.
    pub semi_axes: [Length; 2],
    /// Angle by which it is turned, anticlockwise.
    #[serde(default = "unturned")]
    pub rotation: Angle,
    /// Centre, [x, y]; the origin if left out.
    #[serde(default = "origin")]
    pub centre: [Length; 2],
    /// What it is made of.
    pub material: BodyMaterial,
}

/// A polygon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Polygon {
    /// Its corners in walking order, either way round; the last is joined to the first.
    pub points: Vec<[Length; 2]>,
    /// What it is made of.
    pub material: BodyMaterial,
}

/// A smooth closed curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spline {
    /// Points on it in walking order, either way round; the last is joined to the first. The curve through
    /// them is a cubic spline with continuous curvature.
    pub points: Vec<[Length; 2]>,
    /// What it is made of.
    pub material: BodyMaterial,
}

/// An open strip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Strip {
    /// Points on it, from end to end.
    pub points: Vec<[Length; 2]>,
    /// Whether the strip runs smoothly through its points (a cubic spline) or straight from each to the next.
    #[serde(default)]
    pub smooth: bool,
}

/// Curves of the mesh. Points at which the direction turns by more than an angle are corners; between corners a
/// spline runs through the points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshBody {
    /// The group of the mesh; all curves if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The angle of turning that makes a corner, 25 degrees if left out.
    #[serde(default = "corner")]
    pub corner: Angle,
    /// What it is made of; open curves must be conductors.
    pub material: BodyMaterial,
}

/// What a body is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum BodyMaterial {
    /// `"pec"`, or a homogeneous medium.
    Material(Material),
    /// A surface impedance.
    Impedance(SurfaceImpedance),
}

/// A surface on which E is the impedance times the surface current.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SurfaceImpedance {
    /// Surface impedance over that of vacuum: a number, or [real, imaginary] with a real part not below zero.
    pub impedance: ComplexNumber,
}

/// Which equation is solved on conductors and impedance surfaces; dielectric bodies always use Müller's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Equation {
    /// The tangential electric field.
    Efie,
    /// The tangential magnetic field; closed curves only.
    Mfie,
    /// Both together: free of interior resonances; closed curves only.
    Cfie(Combination),
}

/// The share of the two fields in the CFIE.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Combination {
    /// Share of the electric field, between 0 and 1.
    #[serde(default = "half")]
    pub alpha: f64,
}

/// How the equation is made finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Method {
    /// Locally corrected Nyström on panels of Gauss–Legendre nodes.
    Nystrom(Nystrom),
    /// Kress' quadrature with exponential convergence; circles and ellipses only.
    Kress(Density),
    /// Pulses and point matching: the textbook's method of moments, TM EFIE on conductors only.
    Pulse(Density),
}

/// Locally corrected Nyström.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nystrom {
    /// Nodes in each panel, 1 to 12.
    #[serde(default = "order")]
    pub order: usize,
    /// Nodes for each wavelength in the denser medium.
    #[serde(default = "points_per_wavelength")]
    pub points_per_wavelength: f64,
    /// Panels on each body before grading, in place of `points_per_wavelength`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panels: Option<usize>,
    /// How often the panel at a corner or an end is halved towards it.
    #[serde(default = "grading")]
    pub grading: usize,
}

/// How many unknowns there are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Density {
    /// Unknowns for each wavelength in the denser medium.
    #[serde(default = "points_per_wavelength")]
    pub points_per_wavelength: f64,
    /// Unknowns on each body, in place of `points_per_wavelength`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknowns: Option<usize>,
}

/// How the matrix is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LinearSolver {
    /// LU factors with partial pivoting, for all right-hand sides at once.
    #[default]
    Lu,
    /// GMRES for each right-hand side.
    Gmres(Gmres),
    /// GMRES with products in time N log N by the multilevel fast multipole algorithm (MLFMA); for panels of Gauss–Legendre
    /// nodes and media without loss.
    Fast(Fast),
}

/// Restarted GMRES.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gmres {
    /// Residual over the right-hand side at which it stops.
    #[serde(default = "tolerance")]
    pub tolerance: f64,
    /// Products after which it starts afresh.
    #[serde(default = "restart")]
    pub restart: usize,
    /// Products after which it gives up.
    #[serde(default = "most_iterations")]
    pub iterations: usize,
}

/// Restarted GMRES with products by MLFMA.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fast {
    /// Part of a product that may be wrong.
    #[serde(default = "accuracy")]
    pub accuracy: f64,
    /// Residual over the right-hand side at which it stops.
    #[serde(default = "fast_tolerance")]
    pub tolerance: f64,
    /// Products after which it starts afresh.
    #[serde(default = "fast_restart")]
    pub restart: usize,
    /// Products after which it gives up.
    #[serde(default = "most_iterations")]
    pub iterations: usize,
}

/// How the error is found out. Checks that cost little (extinction inside closed bodies, the condition number,
/// exact series for a single circle) are always made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Certificate {
    /// No second solution.
    None,
    /// A second solution with half as many panels: an eighth of the work, and a bound far on the safe side.
    #[default]
    Coarser,
    /// A second solution with twice as many panels: eight times the work, and an estimate close to the error.
    Finer,
}

fn origin() -> [Length; 2] {
    [Length::Metres(0.0); 2]
}

fn unturned() -> Angle {
    Angle(0.0)
}

fn corner() -> Angle {
    Angle::from_degrees(25.0)
}

fn half() -> f64 {
    0.5
}

fn order() -> usize {
    8
}

fn points_per_wavelength() -> f64 {
    16.0
}

fn grading() -> usize {
    24
}

fn tolerance() -> f64 {
    1e-10
}

fn accuracy() -> f64 {
    1e-7
}

fn fast_tolerance() -> f64 {
    1e-6
}

fn fast_restart() -> usize {
    100
}

fn restart() -> usize {
    200
}

fn most_iterations() -> usize {
    2000
}

impl Default for Method {
    fn default() -> Self {
        Method::Nystrom(Nystrom::default())
    }
}

impl Default for Nystrom {
    fn default() -> Self {
        Nystrom {
            order: order(),
            points_per_wavelength: points_per_wavelength(),
            panels: None,
            grading: grading(),
        }
    }
}

impl Default for Density {
    fn default() -> Self {
        Density {
            points_per_wavelength: points_per_wavelength(),
            unknowns: None,
        }
    }
}

impl Default for Combination {
    fn default() -> Self {
        Combination { alpha: half() }
    }
}

impl Default for Fast {
    fn default() -> Self {
        Fast {
            accuracy: accuracy(),
            tolerance: fast_tolerance(),
            restart: fast_restart(),
            iterations: most_iterations(),
        }
    }
}

impl Default for Gmres {
    fn default() -> Self {
        Gmres {
            tolerance: tolerance(),
            restart: restart(),
            iterations: most_iterations(),
        }
    }
}
