//! A polygon with holes in the (u, v) plane.

use geo::{Coord, LineString, MultiPolygon, Polygon};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_solver::scene::Issues;

/// A polygon with holes in the (u, v) plane. The last point of a ring is joined to its first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outline {
    /// Points (u, v) of the exterior ring, direction cosines.
    pub exterior: Vec<[f64; 2]>,
    /// Points (u, v) of the rings around its holes, direction cosines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<Vec<[f64; 2]>>,
}

impl Outline {
    /// Adds everything that is wrong with the rings, apart from an area of zero.
    pub(super) fn check(&self, path: &str, issues: &mut Issues) {
        let exterior = (format!("{path}.exterior"), &self.exterior);
        let holes = self.holes.iter().enumerate();
        let holes = holes.map(|(index, hole)| (format!("{path}.holes.{index}"), hole));
        for (path, ring) in std::iter::once(exterior).chain(holes) {
            if ring.len() < 3 {
                issues.add(
                    &path,
                    format!("`{path}`: a ring needs three points, not {}", ring.len()),
                );
            }
            let is_direction = |[u, v]: &[f64; 2]| u.hypot(*v) <= 1.0;
            if let Some([u, v]) = ring.iter().find(|point| !is_direction(point)) {
                issues.add(
                    &path,
                    format!(
                        "`{path}`: [{u}, {v}] is not a visible direction; u² + v² must not exceed 1"
                    ),
                );
            }
        }
    }

    /// Returns the exterior ring and the rings around the holes.
    pub fn rings(&self) -> impl Iterator<Item = &[[f64; 2]]> {
        std::iter::once(&self.exterior)
            .chain(&self.holes)
            .map(Vec::as_slice)
    }

    /// Converts polygons of the `geo` crate to outlines.
    pub(super) fn of(polygons: &MultiPolygon) -> Vec<Outline> {
        polygons
            .iter()
            .map(|polygon| Outline {
                exterior: points(polygon.exterior()),
                holes: polygon.interiors().iter().map(points).collect(),
            })
            .collect()
    }

    /// Converts outlines to polygons of the `geo` crate.
    pub(super) fn polygons(outlines: &[Outline]) -> MultiPolygon {
        outlines
            .iter()
            .map(|outline| {
                let holes = outline.holes.iter().map(|hole| line(hole)).collect();
                Polygon::new(line(&outline.exterior), holes)
            })
            .collect()
    }
}

/// Returns the points of a ring without the repeated last one.
fn points(ring: &LineString) -> Vec<[f64; 2]> {
    let distinct = ring.0.len().saturating_sub(1);
    ring.0[..distinct].iter().map(|c| [c.x, c.y]).collect()
}

/// Returns the polygon of one ring.
pub(super) fn polygon(ring: &[[f64; 2]]) -> Polygon {
    Polygon::new(line(ring), Vec::new())
}

/// Returns a ring as an open line; a polygon closes it.
fn line(ring: &[[f64; 2]]) -> LineString {
    LineString(ring.iter().map(|&[x, y]| Coord { x, y }).collect())
}
