//! What a user may ask of this solver, as it stands in a problem file.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_mesh::MeshFile;
use wavefield_physics::aspects::{Bistatic, Incidence, Observation};
use wavefield_physics::quantity::{Conductivity, Frequency, Length, Time};
use wavefield_physics::sweep::Sweep;

/// Maxwell's equations in time on tetrahedra: scattering of plane waves, radiation of currents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// One frequency or a sweep, of which one run gives all.
    pub frequency: Sweep<Frequency>,
    /// A mesh of tetrahedra from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshFile>,
    /// Bodies in open space, to be meshed; instead of a mesh from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<DomainSpec>,
    /// What each named volume of the mesh is filled with; vacuum where nothing is said.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub volumes: BTreeMap<String, Filling>,
    /// What each named surface of the mesh does; inner ones let waves pass where nothing is said.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub surfaces: BTreeMap<String, SurfaceKind>,
    /// What faces at the end of the mesh do that lie on no named surface.
    #[serde(default)]
    pub outside: Wall,
    /// Where plane waves come from; each incidence is a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incidence: Option<Incidence>,
    /// Which polarisations are sent; each is a run.
    #[serde(default)]
    pub polarisation: SentPolarisations,
    /// Where the scattered field is looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation: Option<Observation>,
    /// Short currents that radiate, instead of an incidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dipoles: Vec<DipoleSpec>,
    /// Lumped ports, instead of an incidence; each is driven in a run of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<PortSpec>,
    /// Where the radiated field is looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directions: Option<Bistatic>,
    /// Frequencies at which the radiated field and currents are looked at; all, if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern_frequency: Option<Sweep<Frequency>>,
    /// Points whose fields are recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<[Length; 3]>,
    /// Polynomial order of the fields in a tetrahedron, 1 to 8.
    #[serde(default = "third")]
    pub order: usize,
    /// How numbers are kept.
    #[serde(default)]
    pub precision: Precision,
    /// How much the flux leans against the wind: 1 for upwind, 0 for central.
    #[serde(default = "one")]
    pub upwind: f64,
    /// Length of a time step over the longest that is stable.
    #[serde(default = "most_of_it")]
    pub time_step: f64,
    /// The lowest and highest frequency of the pulse, where it has a tenth of its peak; around the frequencies asked
    /// for if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub band: Option<[Frequency; 2]>,
    /// Moments at which fields are taken, in the first run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshots: Option<SnapshotSpec>,
    /// Whether currents on conductors are taken, in the first run.
    #[serde(default)]
    pub surface_currents: bool,
    /// When to stop.
    #[serde(default)]
    pub end: EndSpec,
    /// How absorbing layers absorb.
    #[serde(default)]
    pub layer: LayerSpec,
}

/// Bodies in open space: around them a Huygens surface, air, and an absorbing layer, all boxes.
///
/// Wavelengths are those in vacuum at the highest frequency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DomainSpec {
    /// The bodies, which must not touch.
    #[serde(default)]
    pub bodies: Vec<BodySpec>,
    /// A helical antenna above a round plate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub helix: Option<HelixSpec>,
    /// Size of the Huygens surface along x, y and z, where there is nothing to put it around.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<[Length; 3]>,
    /// Edges of tetrahedra in the air.
    pub edge: Length,
    /// From the bodies to the Huygens surface.
    #[serde(default = "quarter_wave")]
    pub margin: Length,
    /// From the Huygens surface to the absorbing layer.
    #[serde(default = "quarter_wave")]
    pub gap: Length,
    /// Thickness of the absorbing layer.
    #[serde(default = "half_wave")]
    pub layer: Length,
    /// Edges of tetrahedra on the outside of the layer, where waves are weak; as in the air if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer_edge: Option<Length>,
}

/// A closed body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodySpec {
    /// Its name in the mesh.
    #[serde(default = "body")]
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// What it is made of.
    pub material: SolidMaterial,
    /// Edges of the triangles on its surface.
    pub edge: Length,
}

/// A conducting helix along +z above a thin conducting plate in z = 0, fed between them.
///
/// Its surfaces are "wire", "ground" and "feed"; a port on "feed" along z drives it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HelixSpec {
    /// From the axis to the middle of the wire.
    pub radius: Length,
    /// The rise in one turn.
    pub pitch: Length,
    /// Number of turns, not necessarily whole; it winds to the right.
    pub turns: f64,
    /// Side of the wire's square cross-section.
    pub width: Length,
    /// From the plate to the wire where it begins.
    pub gap: Length,
    /// Radius of the plate.
    pub ground_radius: Length,
    /// Edges of triangles on the wire and the feed.
    pub edge: Length,
    /// Edges of triangles on the plate away from the feed.
    pub ground_edge: Length,
}

/// The shape of a body around the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Shape {
    /// A sphere.
    Sphere(SphereShape),
    /// A box with sides along the axes.
    Cuboid(CuboidShape),
    /// A circular cylinder along z.
    Cylinder(CylinderShape),
    /// The NASA almond, its tip towards +x.
    Almond(AlmondShape),
    /// A closed surface of triangles from a file, whose edges are kept.
    Surface(SurfaceShape),
}

/// A sphere around the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereShape {
    /// Its radius.
    pub radius: Length,
}

/// A box around the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CuboidShape {
    /// Its sides along x, y and z.
    pub size: [Length; 3],
}

/// A circular cylinder around the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CylinderShape {
    /// Its radius.
    pub radius: Length,
    /// Its length along z.
    pub length: Length,
}

/// The NASA almond.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlmondShape {
    /// Its length along x; 9.936 in is the original.
    pub length: Length,
}

/// A closed surface from a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SurfaceShape {
    /// The file and its unit.
    pub mesh: MeshFile,
}

/// What a body is made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SolidMaterial {
    /// `"pec"`: it conducts perfectly.
    Conductor(Conductor),
    /// A medium by its constants.
    Medium(MediumConstants),
}

/// A perfect conductor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Conductor {
    /// Perfect electric conductor.
    Pec,
}

/// What a volume is filled with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Filling {
    /// Known by name.
    Named(NamedFilling),
    /// A medium by its constants.
    Medium(MediumConstants),
}

/// Fillings known by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NamedFilling {
    /// Nothing.
    Vacuum,
    /// An absorbing layer around the rest, which must be a box.
    Absorber,
}

/// A medium that is the same at all frequencies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MediumConstants {
    /// Relative permittivity.
    pub permittivity: f64,
    /// Relative permeability, 1 if left out.
    #[serde(default = "one")]
    pub permeability: f64,
    /// Electric conductivity, none if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conductivity: Option<Conductivity>,
}

/// What a named surface does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SurfaceKind {
    /// It conducts electric currents perfectly; a thin sheet where it has volumes on both sides.
    Pec,
    /// It is a perfect magnetic wall.
    Pmc,
    /// Waves at normal incidence leave through it.
    Absorbing,
    /// Plane waves enter through it and far fields are taken from it; it must be closed.
    Huygens,
    /// Nothing; it only has a name.
    Transparent,
}

/// What the end of the mesh does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Wall {
    /// It conducts electric currents perfectly.
    #[default]
    Pec,
    /// It is a perfect magnetic wall.
    Pmc,
    /// Waves at normal incidence leave through it.
    Absorbing,
}

/// SentPolarisations of incident waves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SentPolarisations {
    /// V, along θ̂.
    V,
    /// H, along φ̂.
    H,
    /// Both, one after the other.
    #[default]
    Both,
}

/// A short current.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DipoleSpec {
    /// Where it is.
    pub position: [Length; 3],
    /// Current times length along x, y and z, A·m.
    pub moment: [f64; 3],
}

/// A lumped port: a resistor with a source behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PortSpec {
    /// The named surface of the mesh it fills, flat and between two conductors.
    pub surface: String,
    /// The way from one conductor to the other, within the surface.
    pub direction: [f64; 3],
    /// Its resistance in ohms, to which reflections refer.
    #[serde(default = "fifty")]
    pub resistance: f64,
}

/// Fields at some moments: on a plane, for the report; everywhere, in files for viewers of meshes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SnapshotSpec {
    /// The moments; the run goes on to the last of them.
    pub times: Sweep<Time>,
    /// The plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plane: Option<PlaneSpec>,
    /// Whether the fields of the whole mesh are written, as `.vtu` files with a `.pvd` that lists them.
    #[serde(default)]
    pub volume: bool,
}

/// A plane across an axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaneSpec {
    /// The axis it stands across.
    pub normal: AxisName,
    /// Its place along that axis, the origin if left out.
    #[serde(default = "origin")]
    pub at: Length,
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
    /// 0 for x, 1 for y, 2 for z.
    pub fn number(self) -> usize {
        match self {
            AxisName::X => 0,
            AxisName::Y => 1,
            AxisName::Z => 2,
        }
    }
}

/// How numbers are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// In 32 bits: fast, and good to about 10⁻⁵.
    #[default]
    Single,
    /// In 64 bits.
    Double,
}

/// When to stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EndSpec {
    /// Part of the largest energy that may be left.
    pub decay: f64,
    /// Latest time; as long as a wave takes to cross the mesh forty times after the pulse, if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Time>,
    /// Whether spectra are extrapolated where resonances still ring at the latest time.
    pub extrapolate: bool,
}

impl Default for EndSpec {
    fn default() -> EndSpec {
        EndSpec {
            decay: 1e-6,
            time: None,
            extrapolate: false,
        }
    }
}

/// How absorbing layers absorb.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LayerSpec {
    /// What would come back from the outer wall at normal incidence in continuous space, as an amplitude.
    pub reflection: f64,
    /// Power of the depth with which the conductivity rises.
    pub exponent: f64,
    /// The frequency shift α of the stretching over the lowest wavenumber asked for.
    pub shift: f64,
}

impl Default for LayerSpec {
    fn default() -> LayerSpec {
        LayerSpec {
            reflection: 1e-4,
            exponent: 2.0,
            shift: 0.02,
        }
    }
}

fn quarter_wave() -> Length {
    Length::Wavelengths(0.25)
}

fn half_wave() -> Length {
    Length::Wavelengths(0.5)
}

fn body() -> String {
    "body".to_owned()
}

fn origin() -> Length {
    Length::Metres(0.0)
}

fn fifty() -> f64 {
    50.0
}

fn third() -> usize {
    3
}

fn one() -> f64 {
    1.0
}

fn most_of_it() -> f64 {
    0.9
}
