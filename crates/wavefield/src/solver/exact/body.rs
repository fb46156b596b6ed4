//! The body in the three-dimensional view: the user's mesh, or one of our own.

use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_physics::direction::{Direction, scaled};

use crate::failure::Failure;
use crate::measure::Worst;
use crate::outcome::{Array, ArrowView, Check, Data, MeshView, Outcome};

/// Adds the mesh to the view, and a check of how far the user's is from the exact surface.
pub(super) fn show(
    outcome: &mut Outcome,
    given: Option<&TriangleMesh>,
    radius: f64,
    is_sphere: bool,
) -> Result<(), Failure> {
    let own;
    let (name, mesh) = match given {
        Some(mesh) => {
            outcome
                .checks
                .push(distance_from_body(mesh, radius, is_sphere));
            ("mesh", mesh)
        }
        None => {
            let made = if is_sphere {
                primitive::sphere(radius, radius / 8.0)
            } else {
                primitive::cylinder(radius, 4.0 * radius, radius / 6.0)
            };
            own = made.map_err(|error| Failure::Runtime(error.to_string()))?;
            (if is_sphere { "sphere" } else { "cylinder" }, &own)
        }
    };
    let points: Vec<f64> = mesh.points.iter().flatten().copied().collect();
    outcome
        .arrays
        .push(Array::real("mesh/points", points).reshaped(&[mesh.points.len(), 3]));
    outcome.arrays.push(Array {
        name: "mesh/triangles".to_owned(),
        shape: vec![mesh.triangles.len(), 3],
        data: Data::Index(mesh.triangles.iter().flatten().copied().collect()),
    });
    outcome.view.meshes.push(MeshView {
        name: name.to_owned(),
        points: "mesh/points".to_owned(),
        triangles: "mesh/triangles".to_owned(),
    });
    Ok(())
}

/// Largest distance of a vertex from the exact surface, relative to the radius.
fn distance_from_body(mesh: &TriangleMesh, radius: f64, is_sphere: bool) -> Check {
    let distance = |p: &[f64; 3]| {
        let across = p[0].hypot(p[1]);
        let from_axis = if is_sphere {
            across.hypot(p[2])
        } else {
            across
        };
        (from_axis / radius - 1.0).abs()
    };
    Check {
        name: "mesh vertices off the exact surface, relative to the radius".to_owned(),
        value: Worst::of(mesh.points.iter().map(distance)),
        // A vertex a hundredth of the radius away belongs to another body.
        limit: 1e-2,
        against: "the exact body".to_owned(),
    }
}

/// The incident wave, V-polarised, as it is drawn.
pub(super) fn incident_wave(from: Direction) -> ArrowView {
    ArrowView {
        name: "incident wave".to_owned(),
        direction: scaled(from.unit(), -1.0),
        polarisation: Some(from.theta_hat()),
    }
}
