//! Media, PML, and boundary conditions of the physical groups of a mesh.

use wavefield_mesh::{Group, TetrahedralMesh};

use crate::discretization::{PhysicalGroups, PmlShape};
use crate::error::Error;
use crate::medium::Medium;
use crate::spec::{NamedVolumeMaterial, OuterBoundary, Spec, SurfaceKind, VolumeMaterial};
use crate::topology::Boundary;

/// Returns the named surfaces of a kind, with their group numbers.
pub(crate) fn named<'a>(
    mesh: &'a TetrahedralMesh,
    spec: &Spec,
    kind: SurfaceKind,
) -> Vec<(u32, &'a str)> {
    (mesh.surface_groups.iter().zip(0..))
        .filter(|(group, _)| spec.dgtd.surfaces.get(&group.name) == Some(&kind))
        .map(|(group, number)| (number, group.name.as_str()))
        .collect()
}

/// Returns the medium or the boundary condition of every group of a mesh; `lowest` is the lowest wavenumber, rad/m.
pub(crate) fn physical_groups(
    spec: &Spec,
    mesh: &TetrahedralMesh,
    lowest: f64,
) -> Result<PhysicalGroups, Error> {
    let settings = &spec.dgtd;
    for name in settings.volumes.keys() {
        number_of(&mesh.volume_groups, name, || format!("dgtd.volumes.{name}"))?;
    }
    for name in settings.surfaces.keys() {
        number_of(&mesh.surface_groups, name, || {
            format!("dgtd.surfaces.{name}")
        })?;
    }
    let media = (mesh.volume_groups.iter())
        .map(|group| match settings.volumes.get(&group.name) {
            None | Some(VolumeMaterial::Named(_)) => Medium::VACUUM,
            Some(VolumeMaterial::Medium(constants)) => Medium::of(constants),
        })
        .collect();
    let layers = (mesh.volume_groups.iter())
        .map(|group| {
            settings.volumes.get(&group.name)
                == Some(&VolumeMaterial::Named(NamedVolumeMaterial::Pml))
        })
        .collect();
    let surfaces = (mesh.surface_groups.iter())
        .map(|group| match settings.surfaces.get(&group.name)? {
            SurfaceKind::Pec => Some(Boundary::ElectricWall),
            SurfaceKind::Pmc => Some(Boundary::MagneticWall),
            SurfaceKind::Absorbing => Some(Boundary::Absorbing),
            SurfaceKind::Huygens | SurfaceKind::Transparent => None,
        })
        .collect();
    Ok(PhysicalGroups {
        media,
        layers,
        surfaces,
        outside: match settings.outer_boundary {
            OuterBoundary::Pec => Boundary::ElectricWall,
            OuterBoundary::Pmc => Boundary::MagneticWall,
            OuterBoundary::Absorbing => Boundary::Absorbing,
        },
        upwind: settings.upwind,
        layer: PmlShape {
            reflection: settings.pml.reflection,
            exponent: settings.pml.grading_order,
            shift: settings.pml.alpha * lowest,
        },
    })
}

/// Returns the number of a named group; `path` is the key of the problem that names it.
pub(crate) fn number_of(
    groups: &[Group],
    name: &str,
    path: impl FnOnce() -> String,
) -> Result<u32, Error> {
    let number = groups.iter().zip(0..).find(|(group, _)| group.name == name);
    number.map(|(_, number)| number).ok_or_else(|| {
        let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
        Error::UnknownName {
            path: path(),
            name: name.to_owned(),
            names: names.join(", "),
        }
    })
}
