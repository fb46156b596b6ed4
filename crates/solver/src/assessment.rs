//! Assessment of a planned run: whether mesh and frequency suit the method, each quantity with a verdict and a remedy.

use wavefield_mesh::{Inspection, TriangleMesh};

use crate::scene::Geometry;

/// Verdict on a quantity of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Within the range of the method.
    Ok,
    /// The result may be inaccurate, or the run longer than intended.
    Warning,
    /// The result would be meaningless, or the run cannot succeed; it is refused.
    Error,
}

impl Verdict {
    /// Returns the verdict in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Warning => "warning",
            Verdict::Error => "error",
        }
    }

    /// Returns the verdict on a value that should not exceed `warning`, and must not exceed `error`.
    pub fn at_most(value: f64, [warning, error]: [f64; 2]) -> Verdict {
        // Written so that NaN is an error.
        if value <= warning {
            Verdict::Ok
        } else if value <= error {
            Verdict::Warning
        } else {
            Verdict::Error
        }
    }

    /// Returns the verdict on a value that should not fall below `warning`, and must not fall below `error`.
    pub fn at_least(value: f64, [warning, error]: [f64; 2]) -> Verdict {
        Verdict::at_most(-value, [-warning, -error])
    }
}

/// Quantity of a plan with its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// Name of the quantity.
    pub quantity: &'static str,
    /// Value with its unit.
    pub value: String,
    /// Verdict on the value.
    pub verdict: Verdict,
    /// Remedy, as an imperative that names the key to change; empty if the verdict is ok.
    pub remedy: String,
}

impl Assessment {
    /// Creates an assessment; the remedy of a value that is ok is dropped.
    pub fn new(
        quantity: &'static str,
        value: impl Into<String>,
        verdict: Verdict,
        remedy: impl Into<String>,
    ) -> Assessment {
        Assessment {
            quantity,
            value: value.into(),
            verdict,
            remedy: match verdict {
                Verdict::Ok => String::new(),
                Verdict::Warning | Verdict::Error => remedy.into(),
            },
        }
    }
}

/// Limits of a method for surfaces, in wavelengths of the highest frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceLimits {
    /// Diagonals of the body below which the verdict is a warning and an error.
    pub electrical_size: [f64; 2],
    /// Edge lengths above which the verdict is a warning and an error; `None` for a method whose facets may be large.
    pub edge_length: Option<[f64; 2]>,
}

/// Distance below which vertices coincide, relative to the diagonal of the body.
const SAME_POINT: f64 = 1e-9;

/// Assesses the surface of a body, before the solver orients it, at the shortest wavelength (m) of a run.
pub fn of_surface(
    mesh: &TriangleMesh,
    geometry: &Geometry,
    wavelength: f64,
    limits: SurfaceLimits,
) -> Vec<Assessment> {
    let bounds = mesh.bounding_box();
    let diagonal = bounds.map_or(0.0, |bounds| bounds.diagonal());
    let extent = bounds.map_or(0.0, |bounds| bounds.size().into_iter().fold(0.0, f64::max));
    let mut mesh = mesh.clone();
    // A mesh that cannot be welded is invalid, which planning reports.
    let _ = mesh.weld(SAME_POINT * diagonal);
    let found = mesh.inspect();
    let mut assessments = vec![
        electrical_size(extent, geometry, wavelength, limits.electrical_size),
        edge_length(&found, geometry, wavelength, limits.edge_length),
    ];
    if let Geometry::Mesh(_) | Geometry::Step(_) = geometry {
        assessments.extend(topology(&mesh, &found, geometry));
    }
    assessments
}

fn electrical_size(
    extent: f64,
    geometry: &Geometry,
    wavelength: f64,
    limits: [f64; 2],
) -> Assessment {
    let size = extent / wavelength;
    Assessment::new(
        "electrical size",
        format!(
            "{} wavelengths ({} m)",
            significant(size),
            significant(extent)
        ),
        Verdict::at_least(size, limits),
        match geometry {
            Geometry::Mesh(_) => {
                "the method is inaccurate for so small a body; check `bodies.0.geometry.unit` and `frequency`"
            }
            _ => {
                "the method is inaccurate for so small a body; check `bodies.0.geometry` and `frequency`"
            }
        },
    )
}

fn edge_length(
    found: &Inspection,
    geometry: &Geometry,
    wavelength: f64,
    limits: Option<[f64; 2]>,
) -> Assessment {
    let [shortest, longest] = [found.shortest_edge, found.longest_edge].map(|l| l / wavelength);
    let from_file = matches!(geometry, Geometry::Mesh(mesh) if !mesh.remesh);
    Assessment::new(
        "edge length",
        format!(
            "{} to {} wavelengths",
            significant(shortest),
            significant(longest)
        ),
        limits.map_or(Verdict::Ok, |limits| Verdict::at_most(longest, limits)),
        if from_file {
            "the mesh is too coarse for the wavelength; set `bodies.0.geometry.remesh = true`, or check \
             `bodies.0.geometry.unit` and `frequency`"
        } else {
            "the mesh is too coarse for the wavelength; reduce `bodies.0.mesh_size`"
        },
    )
}

/// Assesses the topology of a surface from a file.
fn topology(mesh: &TriangleMesh, found: &Inspection, geometry: &Geometry) -> [Assessment; 3] {
    let open = matches!(geometry, Geometry::Mesh(mesh) if mesh.open);
    let boundary = match (found.open_edges, open) {
        (0, false) => (Verdict::Ok, ""),
        (0, true) => (
            Verdict::Warning,
            "the surface is closed; omit `bodies.0.geometry.open`",
        ),
        (_, true) => (Verdict::Ok, ""),
        (_, false) => (
            Verdict::Error,
            "the surface has holes; close them (`wavefield convert --heal`), or set `bodies.0.geometry.open = true` \
             if the body is an infinitely thin sheet",
        ),
    };
    let inward = found.outward == Some(false);
    let (normals, verdict, remedy) = if found.inconsistent_edges > 0 {
        let unorientable = mesh.clone().orient().unorientable_edges;
        let value = format!("{} edges with opposite normals", found.inconsistent_edges);
        if unorientable > 0 {
            let remedy = "the surface has no two sides; correct the file";
            (value, Verdict::Warning, remedy)
        } else {
            let remedy =
                "the solver orients the surface; correct the file with `wavefield convert --heal`";
            (value, Verdict::Warning, remedy)
        }
    } else if inward {
        let remedy =
            "the solver orients the surface; correct the file with `wavefield convert --heal`";
        ("inward".to_owned(), Verdict::Warning, remedy)
    } else {
        ("consistent".to_owned(), Verdict::Ok, "")
    };
    [
        Assessment::new(
            "open edges",
            found.open_edges.to_string(),
            boundary.0,
            boundary.1,
        ),
        Assessment::new(
            "non-manifold edges",
            found.non_manifold_edges.to_string(),
            if found.non_manifold_edges == 0 {
                Verdict::Ok
            } else {
                Verdict::Warning
            },
            "more than two triangles share an edge; correct the file unless sheets meet there",
        ),
        Assessment::new("normals", normals, verdict, remedy),
    ]
}

/// Formats a number with three significant digits.
pub fn significant(value: f64) -> String {
    let digits = value.abs().log10();
    if (-3.0..6.0).contains(&digits) {
        let decimals = (2.0 - digits.floor()).max(0.0) as usize;
        format!("{value:.decimals$}")
    } else if value == 0.0 {
        "0".to_owned()
    } else {
        format!("{value:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use wavefield_mesh::{MeshUnit, primitive};

    use super::*;
    use crate::scene::MeshGeometry;

    const LIMITS: SurfaceLimits = SurfaceLimits {
        electrical_size: [1.0, 0.1],
        edge_length: Some([0.2, 0.5]),
    };

    fn verdicts(mesh: &TriangleMesh, geometry: &Geometry, wavelength: f64) -> Vec<&'static str> {
        let assessed = of_surface(mesh, geometry, wavelength, LIMITS);
        assessed.iter().map(|a| a.verdict.name()).collect()
    }

    #[test]
    fn a_closed_sphere_of_fine_edges_is_ok() {
        let sphere = primitive::sphere(0.5, 0.1).unwrap();
        let file = Geometry::mesh("sphere.stl", MeshUnit::Meter);
        assert_eq!(verdicts(&sphere, &file, 0.9), ["ok"; 5]);
    }

    #[test]
    fn a_wrong_unit_is_seen_at_both_ends() {
        let sphere = primitive::sphere(0.5, 0.1).unwrap();
        let file = Geometry::mesh("sphere.stl", MeshUnit::Meter);
        assert_eq!(verdicts(&sphere, &file, 1e-3)[1], "error");
        assert_eq!(verdicts(&sphere, &file, 1e3)[0], "error");
    }

    #[test]
    fn a_hole_is_an_error_unless_the_body_is_open() {
        let mut sphere = primitive::sphere(0.5, 0.1).unwrap();
        sphere.triangles.pop();
        sphere.group_of.pop();
        let file = |open| {
            Geometry::Mesh(MeshGeometry {
                open,
                ..MeshGeometry::new("sphere.stl", MeshUnit::Meter)
            })
        };
        assert_eq!(verdicts(&sphere, &file(false), 1.0)[2], "error");
        assert_eq!(verdicts(&sphere, &file(true), 1.0)[2], "ok");
    }

    #[test]
    fn flipped_and_inward_normals_are_warnings() {
        let file = Geometry::mesh("sphere.stl", MeshUnit::Meter);
        let mut sphere = primitive::sphere(0.5, 0.1).unwrap();
        sphere.triangles[7].swap(1, 2);
        assert_eq!(verdicts(&sphere, &file, 1.0)[4], "warning");
        let mut inward = primitive::sphere(0.5, 0.1).unwrap();
        for triangle in &mut inward.triangles {
            triangle.swap(1, 2);
        }
        assert_eq!(verdicts(&inward, &file, 1.0)[4], "warning");
    }

    #[test]
    fn numbers_have_three_digits() {
        let texts = [0.0, 1e-30, 0.01234, 1.5, 168.24, 123_456.0, 1e308].map(significant);
        assert_eq!(
            texts,
            [
                "0", "1.00e-30", "0.0123", "1.50", "168", "123456", "1.00e308"
            ]
        );
    }
}
