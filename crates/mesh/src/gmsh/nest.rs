use std::f64::consts::PI;

use super::DomainError;
use crate::{BoundingBox, TriangleMesh};
use wavefield_numerics::vector::{cross, dot, norm, sub, unit};

/// Returns the winding number of a closed surface around a point: 1 inside, 0 outside, −1 inside a
/// surface that is oriented inward.
///
/// It is the sum of the solid angles of the triangles over 4π. A. van Oosterom, J. Strackee, "The solid
/// angle of a plane triangle", IEEE Transactions on Biomedical Engineering 30 (2), 1983.
fn winding_number(surface: &TriangleMesh, point: [f64; 3]) -> f64 {
    let mut sum = 0.0;
    for t in 0..surface.triangles.len() {
        let [a, b, c] = surface.corners(t).map(|corner| sub(corner, point));
        let [la, lb, lc] = [a, b, c].map(norm);
        let numerator = dot(a, cross(b, c));
        let denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        sum += 2.0 * numerator.atan2(denominator);
    }
    sum / (4.0 * PI)
}

/// Returns whether a point is inside a closed surface.
pub(super) fn inside(surface: &TriangleMesh, point: [f64; 3]) -> bool {
    let around = surface.bounding_box().is_some_and(|bounds| {
        (0..3).all(|axis| (bounds.min[axis]..=bounds.max[axis]).contains(&point[axis]))
    });
    around && winding_number(surface, point).abs() > 0.5
}

/// An enclosure of the bodies with resolved coordinates.
#[derive(Clone)]
pub(super) enum Shell {
    Box(BoundingBox),
    Sphere {
        center: [f64; 3],
        surface: TriangleMesh,
    },
    Surface(TriangleMesh),
}

impl Shell {
    /// Returns points whose convex hull contains the shell.
    pub(super) fn points(&self) -> Vec<[f64; 3]> {
        match self {
            Self::Box(bounds) => (0..8).map(|corner| box_corner(bounds, corner)).collect(),
            Self::Sphere { surface, .. } | Self::Surface(surface) => surface.points.clone(),
        }
    }

    /// Returns the surface mesh, unless the shell is a box.
    pub(super) fn surface(&self) -> Option<&TriangleMesh> {
        match self {
            Self::Box(_) => None,
            Self::Sphere { surface, .. } | Self::Surface(surface) => Some(surface),
        }
    }

    /// Checks that all points are inside.
    pub(super) fn check_holds(
        &self,
        points: &[[f64; 3]],
        inner: &str,
        outer: &str,
    ) -> Result<(), DomainError> {
        let holds: Box<dyn Fn([f64; 3]) -> bool> = match self {
            Self::Box(bounds) => Box::new(|place| {
                (0..3).all(|axis| bounds.min[axis] < place[axis] && place[axis] < bounds.max[axis])
            }),
            Self::Sphere { center, surface } => {
                // Flat facets lie inside the sphere by up to their sagitta; the nearest one decides.
                let depth = (0..surface.triangles.len()).fold(f64::INFINITY, |least, t| {
                    let normal = unit(surface.area_vector(t));
                    least.min(dot(normal, sub(surface.corners(t)[0], *center)))
                });
                Box::new(move |place| norm(sub(place, *center)) < depth)
            }
            Self::Surface(surface) => Box::new(|place| inside(surface, place)),
        };
        match points.iter().find(|place| !holds(**place)) {
            Some(&place) => Err(DomainError::Outside {
                inner: inner.into(),
                outer: outer.into(),
                place,
            }),
            None => Ok(()),
        }
    }
}

/// Returns corner 0 to 7 of a box; bit k selects the end on axis k.
pub(super) fn box_corner(bounds: &BoundingBox, corner: usize) -> [f64; 3] {
    [0, 1, 2].map(|axis| match corner >> axis & 1 {
        0 => bounds.min[axis],
        _ => bounds.max[axis],
    })
}

/// Returns for each body the index of the smallest body around it.
pub(super) fn parents(skins: &[&TriangleMesh]) -> Vec<Option<usize>> {
    let volumes: Vec<f64> = skins.iter().map(|skin| skin.volume().abs()).collect();
    (0..skins.len())
        .map(|body| {
            let point = *skins[body].points.first()?;
            around(skins, &volumes, point, Some(body))
        })
        .collect()
}

/// Returns the smallest body around a point, other than the body that it belongs to.
pub(super) fn innermost(skins: &[&TriangleMesh], point: [f64; 3]) -> Option<usize> {
    let volumes: Vec<f64> = skins.iter().map(|skin| skin.volume().abs()).collect();
    around(skins, &volumes, point, None)
}

fn around(
    skins: &[&TriangleMesh],
    volumes: &[f64],
    point: [f64; 3],
    except: Option<usize>,
) -> Option<usize> {
    (0..skins.len())
        .filter(|&other| Some(other) != except && inside(skins[other], point))
        .min_by(|&a, &b| volumes[a].total_cmp(&volumes[b]))
}
