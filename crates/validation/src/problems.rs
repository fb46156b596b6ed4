//! Problems and meshes shared by several cases and benchmarks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wavefield::Error;
use wavefield::problem::Problem;
use wavefield_dgtd::{
    NamedVolumeMaterial, Settings as DgtdSettings, Spec as DgtdSpec, StopSpec, SurfaceKind,
    VolumeMaterial,
};
use wavefield_mesh::primitive::open_tetrahedral_box;
use wavefield_mesh::{MeshFile, MeshUnit, TetrahedralMesh, write_msh_volume};
use wavefield_physics::material::{ComplexNumber, Material, MediumSpec};
use wavefield_physics::quantity::{Angle, Frequency, Length, Time};
use wavefield_physics::sweep::Sweep;
use wavefield_reflectarray::coverage::{CoverageSpec, EllipseUv};
use wavefield_reflectarray::{Element, FeedSpec, Lattice, Spacing, Spec as ReflectarraySpec};
use wavefield_solver::AnySpec;
use wavefield_solver::scene::{Dipole, Excitation, Observation};

/// Mesh file of [`dipole_in_a_box`].
const BOX: &str = "box.msh";

/// Returns a medium from its relative permittivity and permeability, real and imaginary parts.
pub(crate) fn medium(permittivity: [f64; 2], permeability: [f64; 2]) -> Material {
    Material::Medium(MediumSpec {
        permittivity: ComplexNumber::Complex(permittivity),
        permeability: ComplexNumber::Complex(permeability),
        conductivity: None,
    })
}

/// Returns a dipole in a box with a Huygens surface and a PML, observed at a probe and in the far field, run to `max_time`.
pub(crate) fn dipole_in_a_box(order: usize, max_time: Time) -> DgtdSpec {
    let degrees = |angles: &[f64]| -> Sweep<Angle> {
        Sweep::List(
            angles
                .iter()
                .map(|&angle| Angle::from_degrees(angle))
                .collect(),
        )
    };
    let pml = VolumeMaterial::Named(NamedVolumeMaterial::Pml);
    DgtdSpec {
        frequency: Frequency(300e6).into(),
        bodies: Vec::new(),
        excitation: Excitation::dipoles(vec![Dipole {
            position: [0.031, 0.02, 0.04].map(Length::Meters),
            moment: [0.0, 0.3, 1.0],
        }]),
        observation: Some(Observation::far_field(
            degrees(&[30.0, 90.0]),
            degrees(&[10.0]),
        )),
        dgtd: DgtdSettings {
            order,
            mesh: Some(MeshFile {
                file: BOX.to_owned(),
                unit: MeshUnit::Meter,
            }),
            volumes: BTreeMap::from([("layer".to_owned(), pml)]),
            surfaces: BTreeMap::from([
                ("huygens".to_owned(), SurfaceKind::Huygens),
                ("outer".to_owned(), SurfaceKind::Pec),
            ]),
            probes: vec![[0.1, 0.05, -0.07].map(Length::Meters)],
            stop: StopSpec {
                energy_decay: 0.0,
                max_time: Some(max_time),
                extrapolate: false,
            },
            ..DgtdSettings::default()
        },
    }
}

/// Writes the mesh of [`dipole_in_a_box`] to a folder: a cube of `size` meters with `cells` bricks per side and six
/// tetrahedra per brick.
pub(crate) fn write_box(folder: &Path, size: f64, cells: u32) -> Result<TetrahedralMesh, Error> {
    let path = folder.join(BOX);
    let failed = |error: &dyn std::fmt::Display| Error::writing(&path, error);
    let mut file = std::fs::File::create(&path).map_err(|error| failed(&error))?;
    let mesh = open_tetrahedral_box([size; 3], [cells; 3], 1, 1)
        .map_err(|error| Error::runtime(error.to_string()))?;
    write_msh_volume(&mesh, &mut file).map_err(|error| failed(&error))?;
    Ok(mesh)
}

/// Returns a square reflectarray with this number of elements per side and an elliptic coverage.
pub(crate) fn reflectarray(side: usize, spacing: Spacing) -> ReflectarraySpec {
    ReflectarraySpec {
        frequency: Frequency(14.25e9),
        feed: FeedSpec {
            position: [0.0, -0.05, 0.02 * side as f64].map(Length::Meters),
            q: 8.0,
        },
        lattice: Lattice {
            columns: side,
            rows: side,
            spacing,
        },
        element: Element::default(),
        coverage: CoverageSpec {
            ellipse: Some(EllipseUv {
                center: [0.05, -0.02],
                semi_axes: [0.2, 0.1],
                rotation: Angle::from_degrees(20.0),
            }),
            ..CoverageSpec::default()
        },
        sidelobe_mask: None,
    }
}

/// Writes a problem file; returns its path.
pub(crate) fn write(
    folder: &Path,
    name: &str,
    title: &str,
    spec: AnySpec,
) -> Result<PathBuf, Error> {
    let path = folder.join(name).with_extension("toml");
    let text = Problem::new(title, spec, folder).resolved();
    std::fs::write(&path, text).map_err(|error| Error::writing(&path, &error))?;
    Ok(path)
}
