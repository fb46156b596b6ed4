//! Features of a scene, so that an unsupported one is reported before planning.

use std::fmt::{self, Display};

use wavefield_physics::material::Material;

use super::{Excitation, Geometry, Issue, Observation, Polarization, Port, Scene};

/// A feature of a scene that a solver may or may not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A shape, by its name in problem files.
    Shape(&'static str),
    /// More than one body.
    SeveralBodies,
    /// A perfect electric conductor.
    Pec,
    /// A body of vacuum.
    Vacuum,
    /// A homogeneous medium with real permittivity and permeability, and optionally a conductivity.
    Medium,
    /// A homogeneous medium with a complex permittivity or permeability.
    ComplexMedium,
    /// A surface impedance.
    SurfaceImpedance,
    /// Coatings of a whole body.
    Coating,
    /// Coatings of mesh groups, several coatings, or coatings with a separate backing.
    PartialCoating,
    /// Remeshing of a surface from a file.
    Remeshing,
    /// One group of a mesh file.
    MeshGroup,
    /// An open surface from a file.
    OpenSurface,
    /// Plane waves.
    PlaneWave,
    /// A single polarization V or H.
    LinearPolarization,
    /// A single polarization TM or TE.
    TransversePolarization,
    /// Delta-gap ports.
    DeltaGap,
    /// Lumped ports.
    LumpedPort,
    /// Dipoles.
    Dipole,
}

impl Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Feature::Shape(name) => return write!(f, "the shape \"{name}\""),
            Feature::SeveralBodies => "several bodies",
            Feature::Pec => "perfect electric conductors",
            Feature::Vacuum => "bodies of vacuum",
            Feature::Medium => "penetrable bodies",
            Feature::ComplexMedium => "complex permittivity or permeability",
            Feature::SurfaceImpedance => "surface impedance",
            Feature::Coating => "coatings",
            Feature::PartialCoating => "coatings by group or with a backing",
            Feature::Remeshing => "remeshing",
            Feature::MeshGroup => "single groups of a mesh file",
            Feature::OpenSurface => "open surfaces from a file",
            Feature::PlaneWave => "plane waves",
            Feature::LinearPolarization => "the polarizations \"v\" and \"h\"",
            Feature::TransversePolarization => "the polarizations \"tm\" and \"te\"",
            Feature::DeltaGap => "delta-gap ports",
            Feature::LumpedPort => "lumped ports",
            Feature::Dipole => "dipoles",
        })
    }
}

impl Scene<'_> {
    /// Returns the features that the scene requires, with the paths of the keys.
    pub fn features(&self) -> Vec<(String, Feature)> {
        let mut found = Vec::new();
        for (index, body) in self.bodies.iter().enumerate() {
            let path = |key: &str| format!("bodies.{index}.{key}");
            found.push((
                path("geometry.shape"),
                Feature::Shape(body.geometry.shape()),
            ));
            if let Geometry::Mesh(mesh) = &body.geometry {
                if mesh.remesh {
                    found.push((path("geometry.remesh"), Feature::Remeshing));
                }
                if mesh.group.is_some() {
                    found.push((path("geometry.group"), Feature::MeshGroup));
                }
                if mesh.open {
                    found.push((path("geometry.open"), Feature::OpenSurface));
                }
            }
            found.push((path("material"), of_material(&body.material)));
            match body.coatings.as_slice() {
                [] => {}
                [one] if one.group.is_none() && one.backing.is_none() => {
                    found.push((path("coatings"), Feature::Coating));
                }
                _ => found.push((path("coatings"), Feature::PartialCoating)),
            }
        }
        if self.bodies.len() > 1 {
            found.push(("bodies.1".to_owned(), Feature::SeveralBodies));
        }
        match self.excitation {
            None => {}
            Some(Excitation::PlaneWave(wave)) => {
                found.push(("excitation.kind".to_owned(), Feature::PlaneWave));
                let polarization = match wave.polarization {
                    Polarization::V | Polarization::H => Some(Feature::LinearPolarization),
                    Polarization::Tm | Polarization::Te => Some(Feature::TransversePolarization),
                    Polarization::Both => None,
                };
                let path = "excitation.polarization".to_owned();
                found.extend(polarization.map(|feature| (path, feature)));
            }
            Some(Excitation::Ports(ports)) => {
                let feature = |(index, port): (usize, &Port)| {
                    let feature = match port {
                        Port::DeltaGap(_) => Feature::DeltaGap,
                        Port::Lumped(_) => Feature::LumpedPort,
                    };
                    (format!("excitation.ports.{index}.kind"), feature)
                };
                found.extend(ports.ports.iter().enumerate().map(feature));
            }
            Some(Excitation::Dipoles(_)) => {
                found.push(("excitation.kind".to_owned(), Feature::Dipole));
            }
        }
        found
    }
}

fn of_material(material: &Material) -> Feature {
    if material.is_pec() {
        return Feature::Pec;
    }
    match material {
        Material::Named(_) => Feature::Vacuum,
        Material::Surface(_) => Feature::SurfaceImpedance,
        Material::Medium(medium)
            if medium.permittivity.value().im == 0.0 && medium.permeability.value().im == 0.0 =>
        {
            Feature::Medium
        }
        Material::Medium(_) => Feature::ComplexMedium,
    }
}

/// Returns an issue for every feature of a scene that is not in `supported`.
pub fn unsupported(
    solver: &str,
    scene: &Scene<'_>,
    supported: &[Feature],
) -> Vec<(Feature, Issue)> {
    let missing = |(path, feature): (String, Feature)| {
        let issue = Issue {
            path,
            message: format!("the {solver} solver does not support {feature}"),
            help: None,
        };
        (feature, issue)
    };
    let lacking = |(_, feature): &(String, Feature)| !supported.contains(feature);
    let found = scene.features().into_iter().filter(lacking);
    found.map(missing).collect()
}

impl Observation {
    /// Returns whether the observation is of scattering.
    pub fn is_scattering(&self) -> bool {
        !matches!(self, Observation::FarField(_))
    }
}
