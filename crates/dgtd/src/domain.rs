//! Meshing of bodies in free space with Gmsh, and the boundary conditions of the resulting mesh.

use std::f64::consts::PI;

use wavefield_mesh::gmsh::{
    Body, Domain, Enclosure, Faces, HUYGENS, Huygens, Interior, LAYER, Layer, OUTER,
};
use wavefield_mesh::{TetrahedralMesh, TriangleMesh, primitive};
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_numerics::vector::{cross, dot, norm, scaled};
use wavefield_physics::material::Material;
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_solver::scene::{self, Geometry, GeometryError};
use wavefield_solver::{Error, Inputs};

use crate::mesh_size;
use crate::plan::swept;
use crate::spec::{DomainSpec, NamedVolumeMaterial, Settings, Spec, SurfaceKind, VolumeMaterial};

/// Surface groups of a helical antenna.
const WIRE: &str = "wire";
const GROUND: &str = "ground";
const FEED: &str = "feed";

/// Meshes a domain; returns the mesh, and the specification with a filling or condition for every volume and surface.
pub(crate) fn meshed(
    spec: &Spec,
    asked: &DomainSpec,
    inputs: &dyn Inputs,
    observer: &dyn Observer,
) -> Result<(Spec, TetrahedralMesh), Error> {
    let frequencies = swept("frequency", &spec.frequency)?;
    let highest = frequencies.iter().map(|f| f.0).fold(0.0, f64::max);
    let wavelength = Frequency(highest).wavelength();
    let meters = |length: Length| length.meters(wavelength);
    let mut named = spec.clone();
    let mut bodies = Vec::new();
    let mut sheets = Vec::new();
    for (index, body) in spec.bodies.iter().enumerate() {
        let path = format!("bodies.{index}");
        let edge = meters(asked.mesh_size_on(body));
        if let Geometry::Helix(helix) = &body.geometry {
            let surfaces = primitive::helix_antenna(&helix.antenna(wavelength, edge))
                .map_err(|error| of_geometry(&path, &error))?;
            bodies.push(Body {
                skin: surfaces.wire,
                surface: WIRE.to_owned(),
                interior: Interior::Hollow,
            });
            sheets.push(surfaces.sheet);
            name_helix(&mut named.dgtd);
            continue;
        }
        let name = body.name(index);
        let interior = match &body.material {
            Material::Medium(medium) => {
                (named.dgtd.volumes).insert(name.clone(), VolumeMaterial::Medium(medium.clone()));
                Interior::Meshed {
                    volume: name.clone(),
                }
            }
            material if material.is_pec() => {
                named.dgtd.surfaces.insert(name.clone(), SurfaceKind::Pec);
                Interior::Hollow
            }
            Material::Named(_) | Material::Surface(_) => {
                let path = format!("{path}.material");
                return Err(Error::input(format!("`{path}` must be \"pec\" or a medium")).at(path));
            }
        };
        let file = (inputs.geometry(&body.geometry, edge, observer)).map_err(|error| {
            // The inputs report an unknown group without the key of the body.
            if error.path().is_some() {
                error.at(format!("{path}.geometry.group"))
            } else {
                error
            }
        })?;
        bodies.push(Body {
            skin: skin(body, file, wavelength, edge).map_err(|error| of_geometry(&path, &error))?,
            surface: name,
            interior,
        });
    }
    let edge = meters(asked.mesh_size);
    let around = match asked.size {
        Some(size) if bodies.is_empty() => {
            let size = size.map(meters);
            Enclosure::Box {
                corner: size.map(|side| -0.5 * side),
                size,
            }
        }
        _ => Enclosure::BoxAround {
            margin: meters(asked.huygens_margin),
        },
    };
    let domain = Domain {
        bodies,
        sheets,
        huygens: Some(Huygens {
            shape: around,
            edge,
        }),
        air: Enclosure::BoxAround {
            margin: meters(asked.pml_gap),
        },
        air_edge: edge,
        layer: Some(Layer {
            thickness: meters(asked.pml_thickness),
            edge: meters(asked.pml_mesh_size.unwrap_or(asked.mesh_size)),
        }),
        faces: Faces::Together,
    };
    let Settings {
        surfaces, volumes, ..
    } = &mut named.dgtd;
    surfaces.insert(HUYGENS.to_owned(), SurfaceKind::Huygens);
    surfaces.insert(OUTER.to_owned(), SurfaceKind::Pec);
    volumes.insert(
        LAYER.to_owned(),
        VolumeMaterial::Named(NamedVolumeMaterial::Pml),
    );
    mesh_size::check(&domain)?;
    observer.progress(&Progress::new("mesh", 0, 1));
    let mesh = inputs.tetrahedra(&domain, observer)?;
    observer.progress(&Progress::new("mesh", 1, 1));
    Ok((named, mesh))
}

/// Sets the boundary conditions of the surfaces of a helical antenna.
fn name_helix(settings: &mut Settings) {
    for conductor in [WIRE, GROUND] {
        (settings.surfaces).insert(conductor.to_owned(), SurfaceKind::Pec);
    }
    (settings.surfaces).insert(FEED.to_owned(), SurfaceKind::Transparent);
}

/// Returns the error of an invalid geometry, at its key.
fn of_geometry(path: &str, error: &dyn std::fmt::Display) -> Error {
    let path = format!("{path}.geometry");
    Error::input(format!("`{path}`: {error}")).at(path)
}

/// Returns the triangulated surface of a body, with the exact volume if the body is round; `file` is the mesh of its
/// file.
fn skin(
    body: &scene::Body,
    file: Option<TriangleMesh>,
    wavelength: f64,
    edge: f64,
) -> Result<TriangleMesh, String> {
    let skin = (body.geometry)
        .surface(file, wavelength, |_| edge)
        .map_err(|error| match error {
            GeometryError::Primitive(error) => error.to_string(),
            error => error.to_string(),
        })?;
    let meters = |length: Length| length.meters(wavelength);
    Ok(match &body.geometry {
        Geometry::Sphere(sphere) => of_sectors(skin, meters(sphere.radius)),
        Geometry::Cylinder(cylinder) => {
            let radius = meters(cylinder.radius);
            let volume = PI * radius * radius * meters(cylinder.length);
            of_volume(skin, volume, &[0, 1])
        }
        Geometry::Almond(almond) => of_volume(
            skin,
            primitive::almond_volume(meters(almond.length)),
            &[1, 2],
        ),
        _ => skin,
    })
}

/// Iterations of [`of_sectors`]; three reduce the volume error to about 10⁻⁴ of the initial one.
const ROUNDS: usize = 8;

/// Moves the corners of a triangulated sphere so that the triangles around each corner enclose the volume of the sphere
/// below them.
///
/// Larger triangles cut off more volume. Under uniform scaling the sphere would be too small over patches of large
/// triangles as wide as a wavelength, which splits its sharp resonances. The triangles themselves are too small to be
/// resolved.
fn of_sectors(mut skin: TriangleMesh, radius: f64) -> TriangleMesh {
    let sectors = sectors(&skin, radius);
    for _ in 0..ROUNDS {
        let held = under_corners(&skin, &sectors);
        for (point, [wanted, found]) in skin.points.iter_mut().zip(held) {
            *point = scaled(*point, (wanted / found).cbrt());
        }
    }
    skin
}

/// Returns the volume of the sphere below each triangle, m³.
fn sectors(skin: &TriangleMesh, radius: f64) -> Vec<f64> {
    (skin.triangles.iter())
        .map(|corners| solid_angle(corners.map(|corner| skin.points[corner as usize])))
        .map(|angle| angle * radius.powi(3) / 3.0)
        .collect()
}

/// Returns for each corner the volumes below the triangles around it: that of the sphere, and that of the triangles,
/// m³.
fn under_corners(skin: &TriangleMesh, sectors: &[f64]) -> Vec<[f64; 2]> {
    let mut held = vec![[0.0; 2]; skin.points.len()];
    for (corners, sector) in skin.triangles.iter().zip(sectors) {
        let [a, b, c] = corners.map(|corner| skin.points[corner as usize]);
        let volume = dot(a, cross(b, c)) / 6.0;
        for &corner in corners {
            held[corner as usize][0] += sector;
            held[corner as usize][1] += volume;
        }
    }
    held
}

/// Returns the solid angle of a triangle from the origin: tan Ω/2 = a·(b×c) / (abc + (a·b)c + (b·c)a + (c·a)b).
///
/// A. van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125–126.
fn solid_angle([a, b, c]: [[f64; 3]; 3]) -> f64 {
    let [la, lb, lc] = [a, b, c].map(norm);
    let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    2.0 * dot(a, cross(b, c)).atan2(below)
}

/// Scales a surface to a volume along the axes in which the body is round.
///
/// Flat triangles with corners on a round body enclose less than its volume, and scatter as a body of their own volume.
fn of_volume(mut skin: TriangleMesh, volume: f64, round: &[usize]) -> TriangleMesh {
    let factor = (volume / skin.volume()).powf(1.0 / round.len() as f64);
    for point in &mut skin.points {
        for &axis in round {
            point[axis] *= factor;
        }
    }
    skin
}

#[cfg(test)]
mod tests {
    use wavefield_mesh::gmsh::Task;
    use wavefield_mesh::{AnyMesh, MeshUnit};
    use wavefield_numerics::observe::Silent;
    use wavefield_physics::quantity::Angle;
    use wavefield_solver::scene::{Excitation, MeshGeometry};
    use wavefield_solver::{NoInputs, Solver};

    use crate::DgtdSolver;

    use super::*;

    /// Inputs with one triangle as the mesh file.
    struct Triangle;

    impl Inputs for Triangle {
        fn file(&self, _: &str) -> Result<Vec<u8>, Error> {
            Ok(b"v 0 0 0\nv 1 0 0\nv 0 1 0\ng skin\nf 1 2 3\n".to_vec())
        }

        fn generate_mesh(&self, task: &Task, observer: &dyn Observer) -> Result<AnyMesh, Error> {
            NoInputs.generate_mesh(task, observer)
        }
    }

    #[test]
    fn errors_name_the_body() {
        let mut geometry = MeshGeometry::new("body.obj", MeshUnit::Meter);
        geometry.group = Some("wing".to_owned());
        let second = scene::Body::pec(Geometry::Mesh(geometry));
        let first = scene::Body::pec(Geometry::sphere(Length::Meters(0.1)));
        let mut spec = Spec {
            frequency: Frequency(1e9).into(),
            bodies: vec![first, second],
            excitation: Excitation::plane_wave(Angle(0.0), Angle(0.0)),
            observation: None,
            dgtd: Settings {
                domain: Some(DomainSpec::new(Length::Wavelengths(0.2))),
                ..Settings::default()
            },
        };
        let path = |spec: &Spec| {
            let planned = DgtdSolver.plan(spec, &Triangle, &Silent);
            planned
                .err()
                .and_then(|error| error.path().map(str::to_owned))
        };
        assert_eq!(path(&spec).unwrap(), "bodies.1.geometry.group");
        let huge = scene::Body::pec(Geometry::almond(Length::Meters(1e6)));
        spec.bodies[1] = huge;
        assert_eq!(path(&spec).unwrap(), "bodies.1.geometry");
    }

    #[test]
    fn triangles_of_a_sphere_hold_what_lies_under_them() {
        let radius = 0.3;
        let skin = primitive::sphere(radius, 0.07).unwrap();
        let shortfall = |skin: &TriangleMesh| -> f64 {
            let held = under_corners(skin, &sectors(skin, radius));
            let apart = held
                .iter()
                .map(|[wanted, found]| (found / wanted - 1.0).abs());
            apart.fold(0.0, f64::max)
        };
        let whole: f64 = (skin.triangles.iter())
            .map(|corners| solid_angle(corners.map(|corner| skin.points[corner as usize])))
            .sum();
        assert!((whole - 4.0 * PI).abs() < 1e-12);
        let volume = 4.0 / 3.0 * PI * radius.powi(3);
        let uniform = of_volume(skin.clone(), volume, &[0, 1, 2]);
        let sectors = of_sectors(skin, radius);
        println!("{} {}", shortfall(&uniform), shortfall(&sectors));
        assert!(shortfall(&sectors) < 0.05 * shortfall(&uniform));
        assert!((sectors.volume() / volume - 1.0).abs() < 1e-4);
    }
}
