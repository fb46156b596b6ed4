//! Bodies in open space, meshed by Gmsh, and what the names in that mesh mean to the solver.

use std::path::Path;

use wavefield_compute::observe::Silent;
use wavefield_dgtd::{DomainSpec, Filling, NamedFilling, Shape, SolidMaterial, Spec, SurfaceKind};
use wavefield_mesh::gmsh::{
    Body, Domain, Enclosure, Faces, HUYGENS, Huygens, Interior, LAYER, Layer, OUTER,
};
use wavefield_mesh::{TetrahedralMesh, TriangleMesh, primitive};
use wavefield_physics::quantity::{Frequency, Length};

use crate::failure::Failure;
use crate::{gmsh, mesh_file};

/// The mesh of a domain, and the problem with every volume and surface named.
pub(super) fn meshed(
    spec: &Spec,
    asked: &DomainSpec,
    folder: &Path,
) -> Result<(Spec, TetrahedralMesh), Failure> {
    let frequencies = (spec.frequency.values())
        .map_err(|error| Failure::Input(format!("`frequency`: {error}")))?;
    let highest = frequencies.iter().map(|f| f.0).fold(0.0, f64::max);
    let wavelength = Frequency(highest).wavelength();
    let metres = |what: &str, length: Length| {
        let metres = length.metres(wavelength);
        if metres > 0.0 && metres.is_finite() {
            return Ok(metres);
        }
        Err(Failure::Input(format!(
            "`domain.{what}` must be positive, not {metres} m"
        )))
    };
    let edge = metres("edge", asked.edge)?;
    let mut named = spec.clone();
    let mut bodies = Vec::new();
    for body in &asked.bodies {
        let interior = match body.material {
            SolidMaterial::Conductor(_) => {
                named.surfaces.insert(body.name.clone(), SurfaceKind::Pec);
                Interior::Hollow
            }
            SolidMaterial::Medium(constants) => {
                named
                    .volumes
                    .insert(body.name.clone(), Filling::Medium(constants));
                Interior::Meshed {
                    volume: body.name.clone(),
                }
            }
        };
        bodies.push(Body {
            skin: skin(
                &body.shape,
                metres("bodies.edge", body.edge)?,
                &metres,
                folder,
            )?,
            surface: body.name.clone(),
            interior,
        });
    }
    let around = match (bodies.is_empty(), asked.size) {
        (false, None) => Enclosure::BoxAround {
            margin: metres("margin", asked.margin)?,
        },
        (true, Some([x, y, z])) => {
            let size = [metres("size", x)?, metres("size", y)?, metres("size", z)?];
            Enclosure::Box {
                corner: size.map(|side| -0.5 * side),
                size,
            }
        }
        (true, None) => {
            return Err(Failure::Input(
                "`domain` has no bodies; say its `size` then".to_owned(),
            ));
        }
        (false, Some(_)) => {
            return Err(Failure::Input(
                "`domain.size` is for a domain without bodies; with bodies use `margin`".to_owned(),
            ));
        }
    };
    let domain = Domain {
        bodies,
        sheets: Vec::new(),
        huygens: Some(Huygens {
            shape: around,
            edge,
        }),
        air: Enclosure::BoxAround {
            margin: metres("gap", asked.gap)?,
        },
        air_edge: edge,
        layer: Some(Layer {
            thickness: metres("layer", asked.layer)?,
            edge,
        }),
        faces: Faces::Together,
    };
    named
        .surfaces
        .insert(HUYGENS.to_owned(), SurfaceKind::Huygens);
    named.surfaces.insert(OUTER.to_owned(), SurfaceKind::Pec);
    named
        .volumes
        .insert(LAYER.to_owned(), Filling::Named(NamedFilling::Absorber));
    Ok((named, gmsh::tetrahedra(&domain, &Silent)?))
}

/// The surface of a body in triangles.
fn skin(
    shape: &Shape,
    edge: f64,
    metres: &dyn Fn(&str, Length) -> Result<f64, Failure>,
    folder: &Path,
) -> Result<TriangleMesh, Failure> {
    let made = match shape {
        Shape::Sphere(sphere) => primitive::sphere(metres("bodies.radius", sphere.radius)?, edge),
        Shape::Cuboid(cuboid) => {
            let [x, y, z] = cuboid.size;
            let side = |length| metres("bodies.size", length);
            primitive::cuboid([side(x)?, side(y)?, side(z)?], edge)
        }
        Shape::Cylinder(cylinder) => primitive::cylinder(
            metres("bodies.radius", cylinder.radius)?,
            metres("bodies.length", cylinder.length)?,
            edge,
        ),
        Shape::Almond(almond) => primitive::almond(metres("bodies.length", almond.length)?, edge),
        Shape::Surface(surface) => return mesh_file::read_surface(&surface.mesh, folder),
    };
    made.map_err(|error| Failure::Input(format!("`domain.bodies`: {error}")))
}
