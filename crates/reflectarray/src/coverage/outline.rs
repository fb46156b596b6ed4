//! A polygon with holes in the (u, v) plane.

use geo::{Coord, LineString, MultiPolygon, Polygon};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A polygon with holes in the (u, v) plane. The last point of a ring is joined to its first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outline {
    /// Points (u, v) of the ring around it, in direction cosines.
    pub exterior: Vec<[f64; 2]>,
    /// Points (u, v) of the rings around its holes, in direction cosines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<Vec<[f64; 2]>>,
}

impl Outline {
    /// The ring around the polygon and the rings around its holes.
    pub fn rings(&self) -> impl Iterator<Item = &[[f64; 2]]> {
        std::iter::once(&self.exterior)
            .chain(&self.holes)
            .map(Vec::as_slice)
    }

    /// The outlines of polygons that know how to be united and cut.
    pub(super) fn of(polygons: &MultiPolygon) -> Vec<Outline> {
        polygons
            .iter()
            .map(|polygon| Outline {
                exterior: points(polygon.exterior()),
                holes: polygon.interiors().iter().map(points).collect(),
            })
            .collect()
    }

    /// The polygons of outlines.
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

/// A ring without its repeated last point.
fn points(ring: &LineString) -> Vec<[f64; 2]> {
    let distinct = ring.0.len().saturating_sub(1);
    ring.0[..distinct].iter().map(|c| [c.x, c.y]).collect()
}

/// The polygon of one ring.
pub(super) fn polygon(ring: &[[f64; 2]]) -> Polygon {
    Polygon::new(line(ring), Vec::new())
}

/// A ring as a line; a polygon closes it.
fn line(ring: &[[f64; 2]]) -> LineString {
    LineString(ring.iter().map(|&[x, y]| Coord { x, y }).collect())
}
