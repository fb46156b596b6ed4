//! Specification: the keys of a problem file that the 2-D method of moments reads.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::exact::sphere::Core;
use wavefield_physics::material::Material;
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::Sweep;
use wavefield_solver::scene::{
    Body, Excitation, Geometry, Issues, Observation, Polarization, Scene,
};

use crate::grading::MAX_BISECTIONS;
use crate::layout::most_unknowns;
use crate::plan::MAX_ASPECTS;
use crate::wave::Wave;

/// Scattering of plane waves by infinite cylinders along z, from an integral equation on their cross-sections.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// One frequency or a sweep.
    pub frequency: Sweep<Frequency>,
    /// The bodies by their cross-sections; none touches another.
    pub bodies: Vec<Body>,
    /// Plane waves.
    pub excitation: Excitation,
    /// Where the scattered field is observed.
    pub observation: Observation,
    /// Settings of the solver.
    #[serde(default)]
    pub mom2d: Settings,
}

/// Settings of the 2-D method of moments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Integral equation on conductors and impedance surfaces; by default the CFIE on closed curves and the EFIE on strips.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equation: Option<Equation>,
    /// Discretization.
    pub method: Method,
    /// Solver of the linear system.
    pub linear_solver: LinearSolver,
    /// Second solution that estimates the error.
    pub error_estimate: ErrorEstimate,
}

/// Integral equation on conductors and impedance surfaces; dielectric bodies always use the Müller formulation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Equation {
    /// Electric-field integral equation.
    Efie,
    /// Magnetic-field integral equation; closed curves only.
    Mfie,
    /// Combined-field integral equation, free of interior resonances; closed curves only.
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

/// Discretization.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Method {
    /// Locally corrected Nyström method on panels of Gauss–Legendre nodes.
    Nystrom(Nystrom),
    /// Kress' quadrature with exponential convergence; circles and ellipses only.
    Kress(Density),
    /// Pulse basis functions and point matching; TM EFIE on conductors only.
    Pulse(Density),
}

/// Locally corrected Nyström method.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nystrom {
    /// Number of nodes of a panel, 1 to 12.
    #[serde(default = "order")]
    pub order: usize,
    /// Nodes per wavelength in the denser medium.
    #[serde(default = "points_per_wavelength")]
    pub points_per_wavelength: f64,
    /// Panels on each body before grading, in place of `points_per_wavelength`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panels: Option<usize>,
    /// Number of bisections of the panels toward every corner and end, in place of one by its angle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grading: Option<usize>,
}

/// Density of unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Density {
    /// Unknowns per wavelength in the denser medium.
    #[serde(default = "points_per_wavelength")]
    pub points_per_wavelength: f64,
    /// Unknowns on each body, in place of `points_per_wavelength`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknowns: Option<usize>,
}

/// Solver of the linear system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LinearSolver {
    /// LU factorization with partial pivoting, for all right-hand sides at once.
    #[default]
    Lu,
    /// GMRES for each right-hand side.
    Gmres(Gmres),
    /// GMRES with matrix–vector products in O(N log N) by the multilevel fast multipole algorithm (MLFMA); Nyström method and
    /// lossless media only.
    Mlfma(Mlfma),
}

/// Restarted GMRES.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gmres {
    /// Relative residual at which the iteration stops.
    #[serde(default = "tolerance")]
    pub tolerance: f64,
    /// Iterations between restarts.
    #[serde(default = "restart")]
    pub restart: usize,
    /// Maximum number of iterations.
    #[serde(default = "max_iterations")]
    pub max_iterations: usize,
}

/// Restarted GMRES with matrix–vector products by the MLFMA.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mlfma {
    /// Relative error of a matrix–vector product.
    #[serde(default = "accuracy")]
    pub accuracy: f64,
    /// Relative residual at which the iteration stops.
    #[serde(default = "mlfma_tolerance")]
    pub tolerance: f64,
    /// Iterations between restarts.
    #[serde(default = "mlfma_restart")]
    pub restart: usize,
    /// Maximum number of iterations.
    #[serde(default = "max_iterations")]
    pub max_iterations: usize,
}

/// Second solution that estimates the error. The inexpensive checks (extinction error inside closed bodies, condition number,
/// exact series of a single circle) are always computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorEstimate {
    /// No second solution.
    None,
    /// A second solution with half as many panels: an eighth of the cost, and a conservative bound.
    #[default]
    Coarser,
    /// A second solution with twice as many panels: eight times the cost, and an estimate close to the error.
    Finer,
}

impl Spec {
    /// Creates a specification with default settings.
    pub fn new(
        frequency: impl Into<Sweep<Frequency>>,
        bodies: Vec<Body>,
        excitation: Excitation,
        observation: Observation,
    ) -> Spec {
        Spec {
            frequency: frequency.into(),
            bodies,
            excitation,
            observation,
            mom2d: Settings::default(),
        }
    }

    /// Returns the keys shared by all solvers.
    pub fn scene(&self) -> Scene<'_> {
        Scene {
            frequency: Some(&self.frequency),
            bodies: &self.bodies,
            excitation: Some(&self.excitation),
            observation: Some(&self.observation),
        }
    }

    /// Returns the polarization of the incident waves.
    pub(crate) fn polarization(&self) -> Polarization {
        (self.excitation.as_plane_wave()).map_or(Polarization::Both, |wave| wave.polarization)
    }

    /// Adds the issues of the settings and of their combination with the scene.
    pub fn check(&self, issues: &mut Issues) {
        if self.bodies.is_empty() {
            issues.add("bodies", "`bodies` needs a body");
        }
        for (index, body) in self.bodies.iter().enumerate() {
            check_body(body, &format!("bodies.{index}"), issues);
        }
        self.check_equation(issues);
        self.check_method(issues);
        self.check_linear_solver(issues);
        self.scene().check_normal_incidence(issues);
        self.scene().check_aspects(MAX_ASPECTS, issues);
    }

    fn check_equation(&self, issues: &mut Issues) {
        let Some(equation) = self.mom2d.equation else {
            return;
        };
        if let Equation::Cfie(Combination { alpha }) = equation {
            issues.range("mom2d.equation.alpha", alpha, 0.0, 1.0);
        }
        let strip = |body: &Body| matches!(body.geometry, Geometry::Strip(_));
        if self.mom2d.alpha() < 1.0 && self.bodies.iter().any(strip) {
            issues.add_with_help(
                "mom2d.equation",
                "the MFIE and CFIE need closed curves, and a body is an open strip",
                "omit `equation`, or set `kind = \"efie\"`",
            );
        }
    }

    fn check_method(&self, issues: &mut Issues) {
        let most = most_unknowns(self.mom2d.linear_solver) as f64;
        match self.mom2d.method {
            Method::Nystrom(nystrom) => {
                issues.range("mom2d.method.order", nystrom.order as f64, 1.0, 12.0);
                let (grading, most_grading) = (nystrom.grading.unwrap_or(0), MAX_BISECTIONS);
                issues.range(
                    "mom2d.method.grading",
                    grading as f64,
                    0.0,
                    most_grading as f64,
                );
                let panels = nystrom.panels.unwrap_or(2) as f64;
                issues.range("mom2d.method.panels", panels, 2.0, most);
                let density = nystrom.points_per_wavelength;
                issues.positive("mom2d.method.points_per_wavelength", density, "");
            }
            Method::Kress(density) | Method::Pulse(density) => {
                let unknowns = density.unknowns.unwrap_or(4) as f64;
                issues.range("mom2d.method.unknowns", unknowns, 4.0, most);
                let density = density.points_per_wavelength;
                issues.positive("mom2d.method.points_per_wavelength", density, "");
            }
        }
        let smooth =
            |body: &Body| matches!(body.geometry, Geometry::Circle(_) | Geometry::Ellipse(_));
        match self.mom2d.method {
            Method::Kress(_) if !self.bodies.iter().all(smooth) => issues.add_with_help(
                "mom2d.method.kind",
                "Kress' quadrature supports circles and ellipses only",
                "set `kind = \"nystrom\"`",
            ),
            Method::Pulse(_)
                if self.polarization() != Polarization::Tm
                    || self.mom2d.alpha() < 1.0
                    || !self.bodies.iter().all(|body| body.material.is_pec()) =>
            {
                issues.add_with_help(
                    "mom2d.method.kind",
                    "pulse basis functions support the TM EFIE of perfect conductors only",
                    "set `excitation.polarization = \"tm\"` and `equation = { kind = \"efie\" }`, or `kind = \"nystrom\"`",
                );
            }
            _ => {}
        }
    }

    fn check_linear_solver(&self, issues: &mut Issues) {
        let path = |key: &str| format!("mom2d.linear_solver.{key}");
        let most = most_unknowns(self.mom2d.linear_solver) as f64;
        let (tolerance, restart, iterations) = match self.mom2d.linear_solver {
            LinearSolver::Lu => return,
            LinearSolver::Gmres(gmres) => (gmres.tolerance, gmres.restart, gmres.max_iterations),
            LinearSolver::Mlfma(mlfma) => (mlfma.tolerance, mlfma.restart, mlfma.max_iterations),
        };
        issues.range(&path("tolerance"), tolerance, 1e-15, 0.1);
        issues.range(&path("restart"), restart as f64, 1.0, most);
        issues.range(&path("max_iterations"), iterations as f64, 1.0, 1e9);
        let LinearSolver::Mlfma(mlfma) = self.mom2d.linear_solver else {
            return;
        };
        issues.range(&path("accuracy"), mlfma.accuracy, 1e-10, 1e-2);
        if !matches!(self.mom2d.method, Method::Nystrom(_)) {
            issues.add_with_help(
                path("kind"),
                "MLFMA needs the Nyström method",
                "set `method = { kind = \"nystrom\" }`, or `kind = \"lu\"` or \"gmres\"",
            );
        }
        let frequencies = self.scene().frequencies();
        let lossy = |body: &Body| frequencies.iter().any(|&f| is_lossy(&body.material, f));
        if self.bodies.iter().any(lossy) {
            issues.add_with_help(
                path("kind"),
                "MLFMA supports lossless media only",
                "set `kind = \"lu\"` or \"gmres\"",
            );
        }
    }
}

fn check_body(body: &Body, path: &str, issues: &mut Issues) {
    if body.mesh_size.is_some() {
        issues.add_with_help(
            format!("{path}.mesh_size"),
            "the mom2d solver has panels instead of a mesh",
            "omit `mesh_size`; `mom2d.method.points_per_wavelength` sets the density",
        );
    }
    let mut finite = |key: &str, lengths: &[Length]| {
        if lengths.iter().any(|length| !length.meters(1.0).is_finite()) {
            let path = format!("{path}.geometry.{key}");
            issues.add(&path, format!("`{path}` must be finite"));
        }
    };
    match &body.geometry {
        Geometry::Circle(circle) => {
            finite("radius", &[circle.radius]);
            finite("center", &circle.center);
        }
        Geometry::Ellipse(ellipse) => {
            finite("semi_axes", &ellipse.semi_axes);
            finite("center", &ellipse.center);
        }
        // The scene check reports fewer points.
        Geometry::Spline(spline) if spline.points.len() == 3 => issues.add(
            format!("{path}.geometry.points"),
            "a spline needs at least 4 points, not 3",
        ),
        Geometry::Strip(_) if !body.material.is_pec() => issues.add_with_help(
            format!("{path}.material"),
            "an open strip must be a perfect conductor",
            "set `material = \"pec\"`",
        ),
        _ => {}
    }
}

/// Returns whether waves are attenuated in a material.
fn is_lossy(material: &Material, frequency: f64) -> bool {
    match material.core(frequency) {
        Ok(Core::Medium(medium)) => {
            matches!(Wave::new(medium.wavenumber(frequency)), Wave::Lossy(_))
        }
        _ => false,
    }
}

impl Settings {
    /// Returns the weight of the EFIE on closed curves; on strips it is always 1.
    pub(crate) fn alpha(&self) -> f64 {
        match self.equation {
            Some(Equation::Efie) => 1.0,
            Some(Equation::Mfie) => 0.0,
            Some(Equation::Cfie(Combination { alpha })) => alpha,
            None => match self.method {
                Method::Pulse(_) => 1.0,
                _ => Combination::default().alpha,
            },
        }
    }
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

fn tolerance() -> f64 {
    1e-10
}

fn accuracy() -> f64 {
    1e-7
}

fn mlfma_tolerance() -> f64 {
    1e-6
}

fn mlfma_restart() -> usize {
    100
}

fn restart() -> usize {
    200
}

fn max_iterations() -> usize {
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
            grading: None,
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

impl Default for Mlfma {
    fn default() -> Self {
        Mlfma {
            accuracy: accuracy(),
            tolerance: mlfma_tolerance(),
            restart: mlfma_restart(),
            max_iterations: max_iterations(),
        }
    }
}

impl Default for Gmres {
    fn default() -> Self {
        Gmres {
            tolerance: tolerance(),
            restart: restart(),
            max_iterations: max_iterations(),
        }
    }
}
