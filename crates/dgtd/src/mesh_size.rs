//! Estimate of the number of tetrahedra of a domain before Gmsh runs, since a length in the wrong unit would occupy
//! Gmsh for days.

use wavefield_mesh::gmsh::{Domain, Enclosure};
use wavefield_mesh::{BoundingBox, TriangleMesh};
use wavefield_solver::Error;

/// Maximum estimated number of tetrahedra: an hour of Gmsh, and tens of gigabytes.
const MAX: f64 = 3e7;

/// Volume of a regular tetrahedron of unit edge length: √2/12.
const REGULAR: f64 = std::f64::consts::SQRT_2 / 12.0;

/// Returns an error if the domain would have too many tetrahedra.
pub(crate) fn check(domain: &Domain) -> Result<(), Error> {
    let Some([inside, whole]) = sizes(domain) else {
        return Ok(());
    };
    let volume = |[x, y, z]: [f64; 3]| x * y * z;
    let layer_edge = (domain.layer.as_ref()).map_or(domain.air_edge, |layer| layer.edge);
    let count = (volume(inside) / domain.air_edge.powi(3)
        + (volume(whole) - volume(inside)) / layer_edge.powi(3))
        / REGULAR;
    if count <= MAX {
        return Ok(());
    }
    let [x, y, z] = whole;
    let message = format!(
        "`dgtd.domain` would have about {count:.0e} tetrahedra, more than the limit of {MAX:.0e}: with its PML \
         it is {x:.3} m × {y:.3} m × {z:.3} m, and `dgtd.domain.mesh_size` is {:.4} m. Increase `mesh_size`, or check \
         the unit of a mesh",
        domain.air_edge
    );
    Err(Error::input(message).at("dgtd.domain.mesh_size"))
}

/// Returns the side lengths of the domain without and with the PML, m.
fn sizes(domain: &Domain) -> Option<[[f64; 3]; 2]> {
    let points: Vec<[f64; 3]> = (domain.bodies.iter().map(|body| &body.skin))
        .chain(domain.sheets.iter())
        .filter_map(TriangleMesh::bounding_box)
        .flat_map(|bounds| [bounds.min, bounds.max])
        .collect();
    let around = |shape: &Enclosure, inner: Option<[f64; 3]>| match shape {
        Enclosure::BoxAround { margin } => inner.map(|sides| sides.map(|side| side + 2.0 * margin)),
        Enclosure::Box { size, .. } => Some(*size),
        // The solver generates boxes only.
        Enclosure::SphereAround { .. } | Enclosure::Sphere { .. } | Enclosure::Surface(_) => inner,
    };
    let bodies = BoundingBox::of(&points).map(|bounds| bounds.size());
    let huygens = match &domain.huygens {
        Some(huygens) => around(&huygens.shape, bodies),
        None => bodies,
    };
    let air = around(&domain.air, huygens)?;
    let thickness = domain.layer.as_ref().map_or(0.0, |layer| layer.thickness);
    Some([air, air.map(|side| side + 2.0 * thickness)])
}

#[cfg(test)]
mod tests {
    use wavefield_mesh::gmsh::{Body, Faces, Huygens, Interior, Layer};
    use wavefield_mesh::primitive;

    use super::*;

    fn domain(radius: f64, edge: f64) -> Domain {
        Domain {
            bodies: vec![Body {
                skin: primitive::sphere(radius, 0.5 * radius).unwrap(),
                surface: "sphere".to_owned(),
                interior: Interior::Hollow,
            }],
            sheets: Vec::new(),
            huygens: Some(Huygens {
                shape: Enclosure::BoxAround { margin: 0.1 },
                edge,
            }),
            air: Enclosure::BoxAround { margin: 0.1 },
            air_edge: edge,
            layer: Some(Layer {
                thickness: 0.3,
                edge,
            }),
            faces: Faces::Together,
        }
    }

    #[test]
    fn a_body_a_thousand_times_too_large_is_refused_with_its_size() {
        assert!(check(&domain(0.1, 0.05)).is_ok());
        let refused = check(&domain(100.0, 0.05)).unwrap_err().to_string();
        assert!(
            refused.contains("m × 196.8") && refused.contains("unit"),
            "{refused}"
        );
    }
}
