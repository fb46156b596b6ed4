//! Projection of the Earth to the direction cosines of a geostationary satellite.
//!
//! The Earth is a sphere of radius R = 6378.137 km, the satellite is at D = 42164 km from its
//! center above the equator. A position appears at direction cosines (u, v) with respect to the
//! nadir, u to the east and v to the north. At the central angle γ from the subsatellite point
//!
//! ```text
//! sin θ = R sin γ / √(R² + D² − 2 R D cos γ),    visible for cos γ ≥ R/D (γ ≤ 81.3°),
//! ```
//!
//! and the disc of the Earth has the radius R/D = 0.1513 in the (u, v) plane.
//!
//! Regions are rings of longitudes and latitudes with edges straight in these coordinates. They are
//! clipped to a box there, clipped to the visible Earth in Lambert's azimuthal equal-area
//! projection around the subsatellite point, and then projected to (u, v).

use geo::algorithm::bool_ops::BooleanOps;
use geo::{
    Area, Centroid, Coord, CoordsIter, Line, LineString, LinesIter, MapCoords, MultiPolygon,
    Polygon, Rect,
};

use super::outline::polygon;
use super::polygons::{ellipse, united};

/// Longitudes and latitudes in degrees; the last position is joined to the first.
pub(super) type Ring = Vec<[f64; 2]>;
/// The exterior ring of a polygon and the rings around its holes.
pub(super) type Rings = Vec<Ring>;

/// Radius of the Earth, km.
const EARTH_RADIUS: f64 = 6378.137;
/// Distance of the satellite from the center of the Earth, km.
const ORBIT_RADIUS: f64 = 42164.0;
/// Cosine of the central angle between nadir and horizon; also the radius of the Earth's disc in
/// the (u, v) plane.
const HORIZON: f64 = EARTH_RADIUS / ORBIT_RADIUS;
/// Maximum length of an edge segment, degrees: an edge straight in longitude and latitude is then
/// within 1e-5 of its chord in the (u, v) plane.
const LONGEST_PIECE: f64 = 0.5;

/// A geostationary satellite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Satellite {
    /// Longitude, degrees.
    pub(super) longitude: f64,
}

/// The visible part of a region.
pub(super) struct View {
    /// Visible part in (u, v).
    pub(super) polygons: MultiPolygon,
    /// Fraction of its area on the Earth beyond the horizon.
    pub(super) hidden: f64,
}

impl Satellite {
    /// Converts a longitude to degrees east of the satellite, between −180 and 180.
    fn east(self, longitude: f64) -> f64 {
        let east = (longitude - self.longitude) % 360.0;
        match east {
            e if e >= 180.0 => e - 360.0,
            e if e < -180.0 => e + 360.0,
            e => e,
        }
    }

    /// Returns the rectangles of a box [west, south, east, north] in degrees east of the satellite
    /// and latitude; two if it crosses the far side.
    pub(super) fn window(self, [west, south, east, north]: [f64; 4]) -> MultiPolygon {
        let width = match (east - west) % 360.0 {
            w if (east - west).abs() >= 360.0 && w == 0.0 => 360.0,
            w if w < 0.0 => w + 360.0,
            w => w,
        };
        let west = self.east(west);
        [0.0, 360.0]
            .into_iter()
            .map(|turn| (west - turn, (west + width - turn).min(180.0)))
            .filter(|(_, east)| *east > -180.0)
            .map(|(west, east)| {
                let corner = |x, y| Coord { x, y };
                Rect::new(corner(west.max(-180.0), south), corner(east, north)).to_polygon()
            })
            .collect()
    }

    /// Returns the rings of a polygon in degrees east of the satellite and latitude, without jumps
    /// at the date line and repeated by 360°, so that every part of the polygon occurs once between
    /// −180 and 180. Points inside an odd number of rings are inside. `None` if a ring winds around
    /// the Earth more than once.
    pub(super) fn unrolled(self, rings: &[Ring]) -> Option<MultiPolygon> {
        let mut copies = Vec::new();
        for ring in rings {
            let ring = self.without_jumps(ring);
            let west = ring.iter().map(|p| p[0]).fold(f64::INFINITY, f64::min);
            let east = ring.iter().map(|p| p[0]).fold(f64::NEG_INFINITY, f64::max);
            if east - west > 540.0 {
                return None;
            }
            let mut turn = ((-180.0 - east) / 360.0).ceil() * 360.0;
            while west + turn < 180.0 {
                let copy: Vec<[f64; 2]> = ring.iter().map(|p| [p[0] + turn, p[1]]).collect();
                copies.push(polygon(&copy));
                turn += 360.0;
            }
        }
        Some(MultiPolygon(copies))
    }

    /// Unwraps the longitudes of a ring. An edge longer than 180° takes the shorter direction,
    /// except one of exactly 360°. A ring around a pole is extended along its last meridian to the
    /// pole and back.
    fn without_jumps(self, ring: &[[f64; 2]]) -> Ring {
        let Some(&first) = ring.first() else {
            return Ring::new();
        };
        let mut continuous = vec![[self.east(first[0]), first[1]]];
        for (from, to) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            let step = to[0] - from[0];
            let step = match step.abs() {
                s if s <= 180.0 || s == 360.0 => step,
                _ => step - 360.0 * (step / 360.0).round(),
            };
            let target = continuous[continuous.len() - 1][0] + step;
            // Equal longitudes are bitwise identical in every ring, so that borders coincide.
            let east = self.east(to[0]);
            continuous.push([east + 360.0 * ((target - east) / 360.0).round(), to[1]]);
        }
        let (start, end) = (continuous[0][0], continuous[continuous.len() - 1][0]);
        if start != end {
            let mean = ring.iter().map(|p| p[1]).sum::<f64>() / ring.len() as f64;
            let pole = 90f64.copysign(mean);
            continuous.extend([[end, pole], [start, pole]]);
        }
        continuous
    }

    /// Projects valid polygons in degrees east of the satellite and latitude, as far as they are
    /// visible.
    pub(super) fn view(self, land: &MultiPolygon) -> View {
        let divided = divided(land);
        if divided.coords_iter().all(|c| lambert(c).is_visible()) {
            return View {
                polygons: divided.map_coords(|c| direction_cosines(lambert(c))),
                hidden: 0.0,
            };
        }
        // The antipode of the nadir has no image in the projection: the far hemisphere is clipped
        // first.
        let near = Rect::new(Coord { x: -90.0, y: -90.0 }, Coord { x: 90.0, y: 90.0 });
        let near = self::divided(&land.intersection(&near.to_polygon()));
        let horizon = (2.0 - 2.0 * HORIZON).sqrt();
        let visible =
            near.map_coords(|c| lambert(c).0)
                .intersection(&ellipse([0.0; 2], [horizon; 2], 0.0));
        let whole = area_on_sphere(land);
        View {
            polygons: united(&visible.map_coords(|c| direction_cosines(Lambert(c)))),
            hidden: (1.0 - visible.unsigned_area() / whole).clamp(0.0, 1.0),
        }
    }

    /// Returns the mean longitude of polygons in degrees east of the satellite and latitude.
    pub(super) fn middle_longitude(self, land: &MultiPolygon) -> f64 {
        let (mut sin, mut cos) = (0.0, 0.0);
        for part in land {
            let east = part.centroid().map_or(0.0, geo::Point::x).to_radians();
            sin += part.unsigned_area() * east.sin();
            cos += part.unsigned_area() * east.cos();
        }
        let greenwich = Satellite { longitude: 0.0 };
        greenwich.east(self.longitude + sin.atan2(cos).to_degrees())
    }
}

/// A position in Lambert's azimuthal equal-area projection around the nadir, in Earth radii; its
/// distance from the origin is 2 sin(γ/2).
struct Lambert(Coord);

impl Lambert {
    fn cos_gamma(&self) -> f64 {
        1.0 - 0.5 * (self.0.x * self.0.x + self.0.y * self.0.y)
    }

    fn is_visible(&self) -> bool {
        self.cos_gamma() >= HORIZON
    }
}

/// Projects degrees east and latitude.
fn lambert(place: Coord) -> Lambert {
    let (sin_east, cos_east) = place.x.to_radians().sin_cos();
    let (sin_latitude, cos_latitude) = place.y.to_radians().sin_cos();
    let scale = (2.0 / (1.0 + cos_latitude * cos_east).max(f64::MIN_POSITIVE)).sqrt();
    Lambert(Coord {
        x: scale * cos_latitude * sin_east,
        y: scale * sin_latitude,
    })
}

/// Returns the direction cosines of a position.
fn direction_cosines(place: Lambert) -> Coord {
    let cos_gamma = place.cos_gamma();
    let slant = (1.0 + HORIZON * HORIZON - 2.0 * HORIZON * cos_gamma).sqrt();
    // sin γ over 2 sin(γ/2) is cos(γ/2).
    let scale = HORIZON * (0.5 * (1.0 + cos_gamma)).sqrt() / slant;
    place.0 * scale
}

/// Returns the number of segments into which an edge is divided.
fn pieces(line: Line) -> f64 {
    (line.dx().hypot(line.dy()) / LONGEST_PIECE).ceil().max(1.0)
}

/// Returns the number of points of the polygons after division of their edges.
pub(super) fn points_to_project(polygons: &MultiPolygon) -> usize {
    polygons.lines_iter().map(pieces).sum::<f64>() as usize
}

/// Divides the edges of polygons into short segments.
fn divided(polygons: &MultiPolygon) -> MultiPolygon {
    let divide = |ring: &LineString| {
        let mut points = Vec::with_capacity(ring.0.len());
        for line in ring.lines() {
            let pieces = pieces(line);
            points.extend(
                (0..pieces as usize)
                    .map(|piece| line.start + line.delta() * (piece as f64 / pieces)),
            );
        }
        LineString(points)
    };
    polygons
        .iter()
        .map(|part| {
            Polygon::new(
                divide(part.exterior()),
                part.interiors().iter().map(divide).collect(),
            )
        })
        .collect()
}

/// Computes the area on the unit sphere of polygons in degrees of longitude and latitude: ∮
/// sin(latitude) along every edge.
fn area_on_sphere(polygons: &MultiPolygon) -> f64 {
    let ring = |ring: &LineString| {
        let sum: f64 = ring
            .lines()
            .map(|line| {
                let (from, to) = (line.start.y.to_radians(), line.end.y.to_radians());
                let half = 0.5 * (to - from);
                let smoothing = if half == 0.0 { 1.0 } else { half.sin() / half };
                line.dx().to_radians() * (0.5 * (from + to)).sin() * smoothing
            })
            .sum();
        sum.abs()
    };
    polygons
        .iter()
        .map(|part| ring(part.exterior()) - part.interiors().iter().map(ring).sum::<f64>())
        .sum()
}
