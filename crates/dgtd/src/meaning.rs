//! What the names of a mesh stand for in a problem.

use wavefield_mesh::TetrahedralMesh;
use wavefield_physics::constants::VACUUM_IMPEDANCE;

use crate::discretisation::{LayerShape, Meaning};
use crate::error::Error;
use crate::medium::Medium;
use crate::spec::{Filling, NamedFilling, Spec, SurfaceKind, Wall};
use crate::topology::Boundary;

/// Named surfaces of a kind, with their numbers.
pub(crate) fn named<'a>(
    mesh: &'a TetrahedralMesh,
    spec: &Spec,
    kind: SurfaceKind,
) -> Vec<(u32, &'a str)> {
    (mesh.surface_groups.iter().zip(0..))
        .filter(|(group, _)| spec.surfaces.get(&group.name) == Some(&kind))
        .map(|(group, number)| (number, group.name.as_str()))
        .collect()
}

/// What the names of a mesh stand for.
pub(crate) fn meaning(spec: &Spec, mesh: &TetrahedralMesh, lowest: f64) -> Result<Meaning, Error> {
    let known = |names: Vec<&str>, key: &'static str, asked: &String| {
        if names.contains(&asked.as_str()) {
            return Ok(());
        }
        Err(Error::UnknownName {
            key,
            name: asked.clone(),
            names: names.join(", "),
        })
    };
    for asked in spec.volumes.keys() {
        let names = mesh.volume_groups.iter().map(|g| g.name.as_str());
        known(names.collect(), "volumes", asked)?;
    }
    for asked in spec.surfaces.keys() {
        let names = mesh.surface_groups.iter().map(|g| g.name.as_str());
        known(names.collect(), "surfaces", asked)?;
    }
    let media = (mesh.volume_groups.iter())
        .map(|group| match spec.volumes.get(&group.name) {
            None | Some(Filling::Named(_)) => Ok(Medium::VACUUM),
            Some(Filling::Medium(constants)) => {
                let medium = Medium {
                    permittivity: constants.permittivity,
                    permeability: constants.permeability,
                    electric_loss: VACUUM_IMPEDANCE * constants.conductivity.map_or(0.0, |c| c.0),
                    magnetic_loss: 0.0,
                };
                let sound = [medium.permittivity, medium.permeability]
                    .iter()
                    .all(|x| x.is_finite() && *x > 0.0);
                if sound && medium.electric_loss.is_finite() && medium.electric_loss >= 0.0 {
                    Ok(medium)
                } else {
                    Err(Error::Medium {
                        name: group.name.clone(),
                    })
                }
            }
        })
        .collect::<Result<_, _>>()?;
    let layers = (mesh.volume_groups.iter())
        .map(|group| spec.volumes.get(&group.name) == Some(&Filling::Named(NamedFilling::Absorber)))
        .collect();
    let surfaces = (mesh.surface_groups.iter())
        .map(|group| match spec.surfaces.get(&group.name)? {
            SurfaceKind::Pec => Some(Boundary::ElectricWall),
            SurfaceKind::Pmc => Some(Boundary::MagneticWall),
            SurfaceKind::Absorbing => Some(Boundary::Absorbing),
            SurfaceKind::Huygens | SurfaceKind::Transparent => None,
        })
        .collect();
    Ok(Meaning {
        media,
        layers,
        surfaces,
        outside: match spec.outside {
            Wall::Pec => Boundary::ElectricWall,
            Wall::Pmc => Boundary::MagneticWall,
            Wall::Absorbing => Boundary::Absorbing,
        },
        upwind: spec.upwind,
        layer: LayerShape {
            reflection: spec.layer.reflection,
            exponent: spec.layer.exponent,
            shift: spec.layer.shift * lowest,
        },
    })
}
