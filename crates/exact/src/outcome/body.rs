//! The body in the three-dimensional view: the mesh of the problem file, or a generated one.

use wavefield_mesh::{TriangleMesh, primitive};

use wavefield_numerics::worst::Worst;
use wavefield_solver::Error;
use wavefield_solver::outcome::{Check, Outcome};

/// Adds the mesh to the view, and a check of the distance of a given mesh from the exact surface.
pub(super) fn show(
    outcome: &mut Outcome,
    given: Option<&TriangleMesh>,
    radius: f64,
    is_sphere: bool,
) -> Result<(), Error> {
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
            own = made.map_err(|error| Error::runtime(error.to_string()))?;
            (if is_sphere { "sphere" } else { "cylinder" }, &own)
        }
    };
    outcome.show_mesh(name, mesh);
    Ok(())
}

/// Checks the largest distance of a vertex from the exact surface, relative to the radius.
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
        name: "distance of mesh vertices from the exact surface, relative to the radius".to_owned(),
        value: Worst::of(mesh.points.iter().map(distance)),
        // A distance of 1 % of the radius indicates another body.
        limit: 1e-2,
        against: "exact surface".to_owned(),
        remedy: "compare with a mesh of the same body, and check its unit".to_owned(),
    }
}
