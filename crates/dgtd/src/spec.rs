//! The specification of a problem, as a problem file states it.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_mesh::MeshFile;
use wavefield_mesh::gmsh::HUYGENS;
use wavefield_physics::material::{Material, MediumSpec};
use wavefield_physics::quantity::{Frequency, Length, Time};
use wavefield_physics::sweep::Sweep;
use wavefield_solver::scene::{
    Body, Excitation, Feature, Geometry, InvalidSpec, Issues, Observation, Polarization, Scene,
};

use crate::basis::HIGHEST_ORDER;
use crate::medium::Medium;

/// The name of the solver in problem files.
pub(crate) const NAME: &str = "dgtd";

/// The features of a scene that the solver supports.
pub(crate) const FEATURES: &[Feature] = &[
    Feature::Shape("sphere"),
    Feature::Shape("cuboid"),
    Feature::Shape("cylinder"),
    Feature::Shape("almond"),
    Feature::Shape("helix"),
    Feature::Shape("mesh"),
    Feature::Shape("step"),
    Feature::SeveralBodies,
    Feature::Pec,
    Feature::Medium,
    Feature::Remeshing,
    Feature::MeshGroup,
    Feature::PlaneWave,
    Feature::LinearPolarization,
    Feature::LumpedPort,
    Feature::Dipole,
];

/// Discontinuous Galerkin time domain: scattering of plane waves, radiation of ports and dipoles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// One frequency or a sweep; one run covers all of them.
    pub frequency: Sweep<Frequency>,
    /// Bodies in free space, meshed as `dgtd.domain` states; none if the mesh is in a file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<Body>,
    /// Excitation: a run for every direction of incidence and polarization, or for every port, or one for all dipoles.
    pub excitation: Excitation,
    /// Observation of far fields. Plane waves are observed monostatically by default, ports and dipoles not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation: Option<Observation>,
    /// Settings of this solver.
    #[serde(default)]
    pub dgtd: Settings,
}

/// Settings of the DGTD solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// A tetrahedral mesh from a file; instead of a domain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshFile>,
    /// The computational domain around the bodies, to be meshed by Gmsh; instead of a mesh from a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<DomainSpec>,
    /// Filling of each named volume of the mesh; vacuum by default.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub volumes: BTreeMap<String, VolumeMaterial>,
    /// Boundary condition on each named surface of the mesh; inner surfaces are transparent by default.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub surfaces: BTreeMap<String, SurfaceKind>,
    /// Boundary condition where the mesh ends on no named surface.
    pub outer_boundary: OuterBoundary,
    /// Frequencies of the radiation pattern and of surface currents of ports and dipoles; every `frequency` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern_frequency: Option<Sweep<Frequency>>,
    /// Points at which the fields are recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<[Length; 3]>,
    /// Polynomial order of the basis functions, 1 to 8.
    pub order: usize,
    /// Floating-point precision of the fields.
    pub precision: Precision,
    /// Upwind parameter of the numerical flux: 1 upwind, 0 central.
    pub upwind: f64,
    /// CFL number: the time step relative to the largest stable one.
    pub cfl: f64,
    /// Lowest and highest frequency of the excitation pulse, at which its spectrum is a tenth of its peak; a band around
    /// `frequency` by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub band: Option<[Frequency; 2]>,
    /// Snapshots of the fields, in the first run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshots: Option<SnapshotSpec>,
    /// Whether surface currents on conductors are computed, in the first run.
    pub surface_currents: bool,
    /// Whether lumped ports are solved at the next lower `order` too, to estimate the error of the S-parameters; takes 25 to
    /// 60 % of the time in addition.
    pub port_convergence: bool,
    /// Stopping criteria.
    pub stop: StopSpec,
    /// Perfectly matched layer (PML).
    pub pml: PmlSpec,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            mesh: None,
            domain: None,
            volumes: BTreeMap::new(),
            surfaces: BTreeMap::new(),
            outer_boundary: OuterBoundary::Pec,
            pattern_frequency: None,
            probes: Vec::new(),
            order: 3,
            precision: Precision::Single,
            upwind: 1.0,
            cfl: 0.9,
            band: None,
            snapshots: None,
            surface_currents: false,
            port_convergence: true,
            stop: StopSpec::default(),
            pml: PmlSpec::default(),
        }
    }
}

/// The computational domain, from inside out: bodies, a Huygens surface, air, and a perfectly matched layer (PML), all boxes.
///
/// Wavelengths are those in vacuum at the highest frequency.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DomainSpec {
    /// Maximum edge length of tetrahedra in the air.
    pub mesh_size: Length,
    /// Maximum edge length on bodies without a `mesh_size` of their own; as in the air by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_mesh_size: Option<Length>,
    /// Distance from the bodies to the Huygens surface.
    #[serde(default = "quarter_wave")]
    pub huygens_margin: Length,
    /// Distance from the Huygens surface to the PML.
    #[serde(default = "quarter_wave")]
    pub pml_gap: Length,
    /// Thickness of the PML.
    #[serde(default = "half_wave")]
    pub pml_thickness: Length,
    /// Maximum edge length on the outside of the PML, where waves are weak; as in the air by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pml_mesh_size: Option<Length>,
    /// Size of the Huygens surface along x, y, and z, if there are no bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<[Length; 3]>,
}

impl DomainSpec {
    /// Creates a domain with edges of this length, a Huygens margin and a PML gap of λ/4, and a PML of λ/2.
    pub fn new(mesh_size: Length) -> DomainSpec {
        DomainSpec {
            mesh_size,
            body_mesh_size: None,
            huygens_margin: quarter_wave(),
            pml_gap: quarter_wave(),
            pml_thickness: half_wave(),
            pml_mesh_size: None,
            size: None,
        }
    }

    /// Returns the longest edge on a body.
    pub fn mesh_size_on(&self, body: &Body) -> Length {
        (body.mesh_size.or(self.body_mesh_size)).unwrap_or(self.mesh_size)
    }
}

/// Filling of a volume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum VolumeMaterial {
    /// A named filling.
    Named(NamedVolumeMaterial),
    /// A medium with real constants.
    Medium(MediumSpec),
}

/// Named fillings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NamedVolumeMaterial {
    /// Vacuum.
    Vacuum,
    /// Perfectly matched layer (PML) around all other volumes, which must form a box.
    Pml,
}

/// Boundary condition on a named surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SurfaceKind {
    /// Perfect electric conductor; a thin sheet where it has volumes on both sides.
    Pec,
    /// Perfect magnetic conductor.
    Pmc,
    /// First-order absorbing boundary (Silver–Müller).
    Absorbing,
    /// Closed Huygens surface for the total-field/scattered-field (TF/SF) source and the far-field transformation.
    Huygens,
    /// Transparent: no boundary condition.
    Transparent,
}

/// Boundary condition at the end of the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OuterBoundary {
    /// Perfect electric conductor.
    #[default]
    Pec,
    /// Perfect magnetic conductor.
    Pmc,
    /// First-order absorbing boundary (Silver–Müller).
    Absorbing,
}

/// Snapshots of the fields: on a plane, for the report; in the whole mesh, in files for mesh viewers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SnapshotSpec {
    /// Times of the snapshots; the run continues to the last of them.
    pub times: Sweep<Time>,
    /// The plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plane: Option<PlaneSpec>,
    /// Whether the fields of the whole mesh are written, as `.vtu` files with a `.pvd` that lists them.
    #[serde(default)]
    pub volume: bool,
}

/// A plane normal to an axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaneSpec {
    /// The axis normal to it.
    pub normal: AxisName,
    /// Its position along that axis, the origin by default.
    #[serde(default = "origin")]
    pub position: Length,
}

/// An axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AxisName {
    /// x.
    X,
    /// y.
    Y,
    /// z.
    Z,
}

impl AxisName {
    /// Returns 0 for x, 1 for y, 2 for z.
    pub fn number(self) -> usize {
        match self {
            AxisName::X => 0,
            AxisName::Y => 1,
            AxisName::Z => 2,
        }
    }
}

/// Floating-point precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// 32 bits: fast, with a relative error of about 10⁻⁵.
    #[default]
    Single,
    /// 64 bits.
    Double,
}

/// Stopping criteria.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StopSpec {
    /// Energy at which the run stops, relative to its peak.
    pub energy_decay: f64,
    /// Maximum time; the duration of the pulse and forty crossings of the mesh by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_time: Option<Time>,
    /// Whether spectra are extrapolated if resonances have not decayed at the maximum time.
    pub extrapolate: bool,
}

impl Default for StopSpec {
    fn default() -> StopSpec {
        StopSpec {
            energy_decay: 1e-6,
            max_time: None,
            extrapolate: false,
        }
    }
}

/// Perfectly matched layer (PML).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PmlSpec {
    /// Theoretical PML reflection coefficient at normal incidence.
    pub reflection: f64,
    /// Exponent of the polynomial grading of the conductivity.
    pub grading_order: f64,
    /// Frequency shift α of the complex-frequency-shifted (CFS) stretching, relative to the lowest wavenumber.
    pub alpha: f64,
}

impl Default for PmlSpec {
    fn default() -> PmlSpec {
        PmlSpec {
            reflection: 1e-4,
            grading_order: 2.0,
            alpha: 0.02,
        }
    }
}

impl Spec {
    /// Returns the parts of the problem that are common to all solvers.
    pub fn scene(&self) -> Scene<'_> {
        Scene {
            frequency: Some(&self.frequency),
            bodies: &self.bodies,
            excitation: Some(&self.excitation),
            observation: self.observation.as_ref(),
        }
    }

    /// Returns the polarization of the incident waves.
    pub(crate) fn polarization(&self) -> Polarization {
        let wave = self.excitation.as_plane_wave();
        wave.map_or(Polarization::Both, |wave| wave.polarization)
    }

    /// Adds the issues of the solver's settings that can be found without reading a file.
    pub fn check(&self, issues: &mut Issues) {
        match (&self.dgtd.mesh, &self.dgtd.domain) {
            (Some(_), None) => {
                if !self.bodies.is_empty() {
                    issues.add_with_help(
                        "bodies",
                        "`bodies` cannot be combined with `dgtd.mesh`",
                        "name the bodies of the mesh in `dgtd.volumes` and `dgtd.surfaces`, or mesh a `dgtd.domain`",
                    );
                }
                self.check_huygens(issues);
            }
            (None, Some(domain)) => self.check_domain(domain, issues),
            (None, None) => issues.add("dgtd", MESH_OR_DOMAIN),
            (Some(_), Some(_)) => issues.add("dgtd.mesh", MESH_OR_DOMAIN),
        }
        self.check_settings(issues);
    }

    /// Validates a specification whose mesh is given and whose surfaces are all named.
    pub(crate) fn validate_meshed(&self) -> Result<(), InvalidSpec> {
        let mut issues = Issues::default();
        self.scene().check_for_solver(NAME, FEATURES, &mut issues);
        self.check_huygens(&mut issues);
        self.check_settings(&mut issues);
        issues.into_result()
    }

    fn check_domain(&self, domain: &DomainSpec, issues: &mut Issues) {
        let lengths = [
            ("mesh_size", Some(domain.mesh_size)),
            ("body_mesh_size", domain.body_mesh_size),
            ("huygens_margin", Some(domain.huygens_margin)),
            ("pml_gap", Some(domain.pml_gap)),
            ("pml_thickness", Some(domain.pml_thickness)),
            ("pml_mesh_size", domain.pml_mesh_size),
        ];
        let sides = domain.size.iter().flatten().map(|side| ("size", *side));
        let given = lengths
            .into_iter()
            .filter_map(|(key, length)| Some((key, length?)));
        for (key, length) in given.chain(sides) {
            // Only the sign matters, so the wavelength may be one meter.
            let value = length.meters(1.0);
            if !(value > 0.0 && value.is_finite()) {
                let path = format!("dgtd.domain.{key}");
                let message = format!("`{path}` must be positive and finite, not {length}");
                issues.add(path, message);
            }
        }
        match (self.bodies.is_empty(), domain.size) {
            (true, None) => issues.add(
                "dgtd.domain.size",
                "a domain without `bodies` requires `dgtd.domain.size`",
            ),
            (false, Some(_)) => issues.add_with_help(
                "dgtd.domain.size",
                "`dgtd.domain.size` applies only to a domain without `bodies`",
                "set `dgtd.domain.huygens_margin`",
            ),
            (true, Some(_)) | (false, None) => {}
        }
        let helices = (self.bodies.iter().enumerate())
            .filter(|(_, body)| matches!(body.geometry, Geometry::Helix(_)));
        for (number, (index, body)) in helices.enumerate() {
            if number > 0 {
                issues.add(
                    format!("bodies.{index}.geometry.shape"),
                    "a domain supports one helix only, whose surfaces are named \"wire\", \"ground\", and \"feed\"",
                );
            }
            if !body.material.is_pec() {
                let path = format!("bodies.{index}.material");
                let message = format!("`{path}` of a helix must be \"pec\"");
                issues.add(path, message);
            }
        }
    }

    /// Requires a Huygens surface among the named surfaces if there are plane waves or far fields.
    fn check_huygens(&self, issues: &mut Issues) {
        let needed = self.excitation.as_plane_wave().is_some() || self.observation.is_some();
        let mut kinds = self.dgtd.surfaces.values();
        if needed && !kinds.any(|kind| *kind == SurfaceKind::Huygens) {
            issues.add_with_help(
                "dgtd.surfaces",
                "plane waves and far fields require a closed Huygens surface around the bodies",
                "set `dgtd.surfaces.NAME = \"huygens\"` for a surface of the mesh",
            );
        }
    }

    fn check_settings(&self, issues: &mut Issues) {
        let settings = &self.dgtd;
        for (index, body) in self.bodies.iter().enumerate() {
            // Constants that are invalid in every solver are issues of the scene.
            if let Material::Medium(medium) = &body.material
                && medium.permittivity.value().im == 0.0
                && medium.permeability.value().im == 0.0
                && body.material.check(1.0).is_ok()
            {
                check_medium(&format!("bodies.{index}.material"), medium, issues);
            }
        }
        for (name, filling) in &settings.volumes {
            if let VolumeMaterial::Medium(medium) = filling {
                check_medium(&format!("dgtd.volumes.{name}"), medium, issues);
            }
        }
        let huygens: BTreeSet<&str> = (settings.surfaces.iter())
            .filter(|(_, kind)| **kind == SurfaceKind::Huygens)
            .map(|(name, _)| name.as_str())
            .chain(settings.domain.map(|_| HUYGENS))
            .collect();
        if let Some(second) = huygens.iter().nth(1) {
            let path = format!("dgtd.surfaces.{second}");
            let message = format!("only one Huygens surface is supported, not {huygens:?}");
            issues.add(path, message);
        }
        if let Some(pattern) = &settings.pattern_frequency {
            let path = "dgtd.pattern_frequency";
            if self.excitation.as_plane_wave().is_some() {
                issues.add(
                    path,
                            "`dgtd.pattern_frequency` applies to ports and dipoles only; scattering is computed at every `frequency`",
                );
            }
            for frequency in issues.sweep(path, pattern) {
                issues.positive(path, frequency.0, "Hz");
            }
        }
        issues.range(
            "dgtd.order",
            settings.order as f64,
            1.0,
            HIGHEST_ORDER as f64,
        );
        issues.range("dgtd.upwind", settings.upwind, 0.0, 1.0);
        issues.range("dgtd.cfl", settings.cfl, 1e-3, 1.0);
        if let Some([Frequency(low), Frequency(high)]) = settings.band
            && !(0.0 <= low && low < high && high.is_finite())
        {
            issues.add(
                "dgtd.band",
                "`dgtd.band` must be a low and a high frequency, in rising order",
            );
        }
        if let Some(snapshots) = &settings.snapshots {
            let path = "dgtd.snapshots.times";
            for time in issues.sweep(path, &snapshots.times) {
                issues.range(path, time.0, 0.0, 1.0);
            }
        }
        issues.range(
            "dgtd.stop.energy_decay",
            settings.stop.energy_decay,
            0.0,
            1.0,
        );
        if let Some(time) = settings.stop.max_time {
            issues.positive("dgtd.stop.max_time", time.0, "s");
        }
        issues.range("dgtd.pml.reflection", settings.pml.reflection, 1e-12, 0.5);
        issues.range(
            "dgtd.pml.grading_order",
            settings.pml.grading_order,
            0.0,
            8.0,
        );
        issues.range("dgtd.pml.alpha", settings.pml.alpha, 0.0, 10.0);
    }
}

/// Message for a problem with neither or both of `dgtd.mesh` and `dgtd.domain`.
pub(crate) const MESH_OR_DOMAIN: &str = "set either `dgtd.mesh`, a tetrahedral mesh, or `dgtd.domain`, which is meshed around the `bodies`";

/// Adds an issue unless the medium has real and positive constants and a nonnegative conductivity.
fn check_medium(path: &str, medium: &MediumSpec, issues: &mut Issues) {
    let real = medium.permittivity.value().im == 0.0 && medium.permeability.value().im == 0.0;
    if !real || !Medium::of(medium).is_sound() {
        issues.add(
            path,
            format!(
                "`{path}`: permittivity and permeability must be real, positive, and finite, and the conductivity nonnegative"
            ),
        );
    }
}

fn quarter_wave() -> Length {
    Length::Wavelengths(0.25)
}

fn half_wave() -> Length {
    Length::Wavelengths(0.5)
}

fn origin() -> Length {
    Length::Meters(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DgtdSolver;
    use wavefield_solver::validate;

    fn paths(check: &Result<(), InvalidSpec>) -> Vec<&str> {
        let issues = check.as_ref().err().map_or(&[][..], |invalid| &invalid.0);
        issues.iter().map(|issue| issue.path.as_str()).collect()
    }

    #[test]
    fn every_issue_is_found_at_its_key() {
        let spec: Spec = toml::from_str(
            r#"
            frequency = "1 GHz"
            [[bodies]]
            geometry = { shape = "helix", radius = "5 mm", pitch = "8 mm", turns = 3.0, width = "3 mm", gap = "1 mm", ground_radius = "10 mm", ground_mesh_size = "2 mm" }
            material = { permittivity = -2.0 }
            [[bodies]]
            geometry = { shape = "plate", width = "1 m", height = "1 m" }
            material = "vacuum"
            [excitation]
            kind = "plane-wave"
            phi = "0 deg"
            polarization = "tm"
            [dgtd]
            order = 9
            pattern_frequency = "1 GHz"
            band = ["2 GHz", "1 GHz"]
            volumes = { glass = { permittivity = [2.0, -0.1] } }
            surfaces = { second = "huygens" }
            pml = { reflection = 0.9 }
            [dgtd.domain]
            mesh_size = "0 mm"
            size = ["1 m", "1 m", "1 m"]
            "#,
        )
        .unwrap();
        assert_eq!(
            paths(&validate(&DgtdSolver, &spec)),
            [
                "bodies.1.geometry.shape",
                "bodies.1.material",
                "excitation.polarization",
                "dgtd.domain.mesh_size",
                "dgtd.domain.size",
                "bodies.0.material",
                "bodies.0.material",
                "dgtd.volumes.glass",
                "dgtd.surfaces.second",
                "dgtd.pattern_frequency",
                "dgtd.order",
                "dgtd.band",
                "dgtd.pml.reflection",
            ]
        );
    }

    #[test]
    fn a_mesh_from_a_file_needs_a_huygens_surface_for_plane_waves() {
        let mut spec: Spec = toml::from_str(
            r#"
            frequency = "1 GHz"
            excitation = { kind = "plane-wave", phi = "0 deg" }
            dgtd.mesh = { file = "box.msh", unit = "m" }
            "#,
        )
        .unwrap();
        assert_eq!(paths(&validate(&DgtdSolver, &spec)), ["dgtd.surfaces"]);
        let huygens = ("box".to_owned(), SurfaceKind::Huygens);
        spec.dgtd.surfaces.extend([huygens]);
        assert_eq!(validate(&DgtdSolver, &spec), Ok(()));
        spec.dgtd.mesh = None;
        assert_eq!(paths(&validate(&DgtdSolver, &spec)), ["dgtd"]);
        assert_eq!(spec.validate_meshed(), Ok(()));
    }

    #[test]
    fn edges_on_a_body_are_its_own_or_those_of_the_domain() {
        let meters = |x| Length::Meters(x);
        let mut body = Body::pec(Geometry::sphere(meters(0.1)));
        let mut domain = DomainSpec::new(meters(0.05));
        assert_eq!(domain.mesh_size_on(&body), meters(0.05));
        domain.body_mesh_size = Some(meters(0.03));
        assert_eq!(domain.mesh_size_on(&body), meters(0.03));
        body.mesh_size = Some(meters(0.02));
        assert_eq!(domain.mesh_size_on(&body), meters(0.02));
    }
}
