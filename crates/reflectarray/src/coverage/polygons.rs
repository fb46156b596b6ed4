//! Set operations on polygons in a plane: repair, union, offset, simplification.
//!
//! The set operations are those of the `geo` crate. They use an integer grid of about 1e-9 of the
//! bounding box and therefore never fail on nearly coincident edges.

use std::f64::consts::{PI, TAU};

use geo::algorithm::bool_ops::{BooleanOps, unary_union};
use geo::algorithm::buffer::{Buffer, BufferStyle, LineJoin};
use geo::orient::Direction;
use geo::{
    Area, BoundingRect, Coord, CoordsIter, Line, LineString, LinesIter, MultiPolygon, Orient,
    Polygon,
};
use rstar::RTree;
use rstar::primitives::{GeomWithData, Rectangle};

use super::outline::polygon;
use crate::error::Error;

/// Maximum number of points of all rings; all countries together have 8 × 10⁴.
pub(super) const MAX_POINTS: usize = 1_000_000;
/// Maximum number of edge crossings; the run time grows with its square.
const MAX_CROSSINGS: usize = 3000;
/// Maximum number of pairs of edges with intersecting bounding boxes, except neighbors along an
/// outline.
const MAX_MEETINGS: usize = 100_000;
/// Number of such pairs per edge that is typical of coasts.
const MEETINGS_PER_EDGE: usize = 50;
/// Fraction of the bounding box below which edges may touch by roundoff of the set operations.
const NEAR: f64 = 1e-8;
/// Sides of a polygon that approximates a circle to 1e-5 of the radius.
const SIDES: usize = 720;
/// Number of steps of a margin; the first is 2⁻⁸ of it.
const DOUBLINGS: u32 = 8;
/// Detail that may be lost at each step, direction cosines: 36 m at nadir.
const DROWNED: f64 = 1e-6;
/// Angle between the points of a round join, 16 points per right angle.
const JOIN: f64 = PI / 32.0;

/// Rejects rings with so many points or edge crossings that their union would take too long; the
/// number of crossings may grow with the square of the number of points.
pub(super) fn bearable(key: &'static str, rings: &MultiPolygon) -> Result<(), Error> {
    countable(key, rings.coords_count())?;
    let Some(bounds) = rings.bounding_rect() else {
        return Ok(());
    };
    near_edges_bearable(key, rings, bounds.width().max(bounds.height()) * NEAR)
}

/// Rejects rings with too many crossing or nearly touching edges.
fn near_edges_bearable(key: &'static str, rings: &MultiPolygon, near: f64) -> Result<(), Error> {
    let edges: Vec<_> = rings
        .lines_iter()
        .map(|line| {
            let (a, b) = (line.start, line.end);
            let low = [a.x.min(b.x) - near, a.y.min(b.y) - near];
            let high = [a.x.max(b.x) + near, a.y.max(b.y) + near];
            GeomWithData::new(Rectangle::from_corners(low, high), line)
        })
        .collect();
    let most = MAX_MEETINGS + MEETINGS_PER_EDGE * edges.len();
    let tree = RTree::bulk_load(edges);
    let (mut meetings, mut crossings) = (0, 0);
    // Every pair occurs twice.
    for (one, other) in tree.intersection_candidates_with_other_tree(&tree) {
        meetings += 1;
        crossings += usize::from(cross(one.data, other.data));
        if meetings > most || crossings > 2 * MAX_CROSSINGS {
            let most = MAX_CROSSINGS;
            return Err(Error::Tangled { key, most });
        }
    }
    Ok(())
}

/// Returns whether two edges cross, not counting a touch.
fn cross(one: Line, other: Line) -> bool {
    let side = |line: Line, point: Coord| {
        let off = point - line.start;
        line.dx() * off.y - line.dy() * off.x
    };
    side(one, other.start) * side(one, other.end) < 0.0
        && side(other, one.start) * side(other, one.end) < 0.0
}

/// Rejects too many points.
pub(super) fn countable(key: &'static str, count: usize) -> Result<(), Error> {
    if count > MAX_POINTS {
        return Err(Error::TooManyPoints {
            key,
            count,
            most: MAX_POINTS,
        });
    }
    Ok(())
}

/// Returns the points inside an odd number of rings: holes are respected and self-intersections
/// repaired.
pub(super) fn enclosed(rings: &MultiPolygon) -> MultiPolygon {
    rings.union(&MultiPolygon(Vec::new()))
}

/// Returns the union of valid polygons.
pub(super) fn united(polygons: &MultiPolygon) -> MultiPolygon {
    unary_union(&polygons.orient(Direction::Default))
}

/// Removes parts and fills holes smaller than the given area.
pub(super) fn without_small_parts(polygons: &MultiPolygon, smallest: f64) -> MultiPolygon {
    let large =
        |ring: &LineString| Polygon::new(ring.clone(), Vec::new()).unsigned_area() >= smallest;
    polygons
        .iter()
        .filter(|part| part.unsigned_area() >= smallest)
        .map(|part| {
            let holes = part.interiors().iter().filter(|hole| large(hole));
            Polygon::new(part.exterior().clone(), holes.cloned().collect())
        })
        .collect()
}

/// Returns all points within `margin` of the polygons.
///
/// The offset of a winding coast intersects itself wherever details are smaller than the margin, at
/// a cost that grows with the square of their number. The margin is therefore applied in doubling
/// steps, and details lost in a step are removed before the next.
pub(super) fn widened(polygons: &MultiPolygon, margin: f64) -> Result<MultiPolygon, Error> {
    let mut region = simplified(polygons, DROWNED);
    let mut step = margin / f64::from(1 << DOUBLINGS);
    near_edges_bearable("coverage", &region, step)?;
    for doubling in 0..=DOUBLINGS {
        let style = BufferStyle::new(step).line_join(LineJoin::Round(JOIN));
        region = simplified(&region.buffer_with_style(style), DROWNED);
        if doubling > 0 {
            step *= 2.0;
        }
    }
    Ok(region)
}

/// Returns the polygon with shape and area of an ellipse.
pub(super) fn ellipse(center: [f64; 2], semi_axes: [f64; 2], rotation: f64) -> Polygon {
    // The area of a polygon inscribed in the ellipse is smaller by this factor.
    let step = TAU / SIDES as f64;
    let scale = (step / step.sin()).sqrt();
    let (sin, cos) = rotation.sin_cos();
    let points: Vec<[f64; 2]> = (0..SIDES)
        .map(|side| {
            let (s, c) = (side as f64 * step).sin_cos();
            let (along, across) = (scale * semi_axes[0] * c, scale * semi_axes[1] * s);
            [
                center[0] + along * cos - across * sin,
                center[1] + along * sin + across * cos,
            ]
        })
        .collect();
    polygon(&points)
}

/// Simplifies polygons; no point of the outline moves by more than `tolerance`.
///
/// D. H. Douglas, T. K. Peucker, Cartographica 10 (1973) 112–122, for each ring between its
/// westernmost point and the point farthest from that one.
pub(super) fn simplified(polygons: &MultiPolygon, tolerance: f64) -> MultiPolygon {
    let rings: MultiPolygon = polygons
        .iter()
        .map(|part| {
            Polygon::new(
                thinned(part.exterior(), tolerance),
                part.interiors()
                    .iter()
                    .map(|hole| thinned(hole, tolerance))
                    .collect(),
            )
        })
        .collect();
    united(&enclosed(&rings))
}

fn thinned(ring: &LineString, tolerance: f64) -> LineString {
    let mut points = ring.0.clone();
    points.pop();
    if points.len() < 4 {
        return ring.clone();
    }
    let west = (0..points.len())
        .min_by(|&a, &b| {
            (points[a].x.total_cmp(&points[b].x)).then(points[a].y.total_cmp(&points[b].y))
        })
        .unwrap_or(0);
    points.rotate_left(west);
    points.push(points[0]);
    let far = farthest(&points, 0, points.len() - 1).0;
    let mut kept = vec![false; points.len()];
    for end in [0, far, points.len() - 1] {
        kept[end] = true;
    }
    let mut spans = vec![(0, far), (far, points.len() - 1)];
    while let Some((first, last)) = spans.pop() {
        let (middle, distance) = farthest(&points, first, last);
        if distance > tolerance {
            kept[middle] = true;
            spans.extend([(first, middle), (middle, last)]);
        }
    }
    let mut keep = kept.iter();
    points.retain(|_| keep.next() == Some(&true));
    LineString(points)
}

/// Returns the point between two others that is farthest from the segment joining them.
fn farthest(points: &[Coord], first: usize, last: usize) -> (usize, f64) {
    (first + 1..last)
        .map(|index| (index, distance(points[index], points[first], points[last])))
        .fold(
            (first, 0.0),
            |best, next| if next.1 > best.1 { next } else { best },
        )
}

/// Returns the distance of a point from a segment.
pub(super) fn distance(point: Coord, start: Coord, end: Coord) -> f64 {
    let (along, off) = (end - start, point - start);
    let squared = along.x * along.x + along.y * along.y;
    let t = if squared > 0.0 {
        ((off.x * along.x + off.y * along.y) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (off.x - t * along.x).hypot(off.y - t * along.y)
}
