//! Cross-sections of bodies as curves of smooth pieces.

use std::f64::consts::{PI, TAU};

use wavefield_mesh::Contour;
use wavefield_physics::quantity::Length;
use wavefield_solver::scene::{Geometry, MeshGeometry};

use crate::error::Error;
use crate::piece::{Piece, cross, dot, minus, norm};
use crate::spline;

/// Change of the tangent direction at a joint above which it is a corner, rad.
const CORNER: f64 = 1e-4;

/// Chords of a curved piece in the search for self-intersections.
const CHORDS: usize = 8;

/// Closed curve, oriented counterclockwise, or open strip.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) closed: bool,
}

impl Curve {
    /// Creates a closed curve, reversed if it is clockwise.
    fn closed(pieces: Vec<Piece>) -> Curve {
        let mut curve = Curve {
            pieces,
            closed: true,
        };
        if curve.area() < 0.0 {
            curve.pieces = curve.pieces.iter().rev().map(Piece::reversed).collect();
        }
        curve
    }

    fn open(pieces: Vec<Piece>) -> Curve {
        Curve {
            pieces,
            closed: false,
        }
    }

    /// Returns the enclosed area by a polygon; only its sign is used.
    fn area(&self) -> f64 {
        let points = self.polyline(16);
        let origin = points[0];
        (0..points.len())
            .map(|i| {
                let [a, b] = [points[i], points[(i + 1) % points.len()]].map(|p| minus(p, origin));
                0.5 * cross(a, b)
            })
            .sum()
    }

    /// Returns points along the curve, `count` per piece.
    pub(crate) fn polyline(&self, count: usize) -> Vec<[f64; 2]> {
        let mut points: Vec<[f64; 2]> = self
            .pieces
            .iter()
            .flat_map(|piece| (0..count).map(|i| piece.position(i as f64 / count as f64)))
            .collect();
        if !self.closed {
            points.extend(self.pieces.last().map(|piece| piece.position(1.0)));
        }
        points
    }

    /// Returns a point at which the curve crosses itself, to the resolution of a polyline.
    fn self_intersection(&self) -> Option<[f64; 2]> {
        let straight = (self.pieces.iter()).all(|piece| matches!(piece, Piece::Line { .. }));
        // An ellipse does not cross itself.
        if matches!(self.pieces[..], [Piece::Arc { .. }]) {
            return None;
        }
        let points = self.polyline(if straight { 1 } else { CHORDS });
        let count = points.len();
        let chords = count - usize::from(!self.closed);
        let ends = |chord: usize| [points[chord], points[(chord + 1) % count]];
        let reach = |chord: usize| {
            let [a, b] = ends(chord);
            [a[0].min(b[0]), a[0].max(b[0])]
        };
        // In order of their left ends, a chord is compared only with those that begin before it ends.
        let mut order: Vec<usize> = (0..chords).collect();
        order.sort_by(|&a, &b| reach(a)[0].total_cmp(&reach(b)[0]));
        for (number, &first) in order.iter().enumerate() {
            let right = reach(first)[1];
            for &second in order[number + 1..]
                .iter()
                .take_while(|&&s| reach(s)[0] <= right)
            {
                let apart = first.abs_diff(second);
                let adjacent = apart == 1 || (self.closed && apart == chords - 1);
                if adjacent {
                    continue;
                }
                if let Some(point) = crossing(ends(first), ends(second)) {
                    return Some(point);
                }
            }
        }
        None
    }

    /// Returns the angle by which the curve turns at the start and at the end of a piece, positive to the left; π at an end,
    /// and `None` where the curve is smooth.
    pub(crate) fn turns(&self, piece: usize) -> [Option<f64>; 2] {
        let count = self.pieces.len();
        let joint = |before: usize, after: usize| {
            let arriving = self.pieces[before].velocity(1.0);
            let leaving = self.pieces[after].velocity(0.0);
            let turn = cross(arriving, leaving).atan2(dot(arriving, leaving));
            (turn.abs() > CORNER).then_some(turn)
        };
        let begin = match piece.checked_sub(1) {
            Some(before) => joint(before, piece),
            None if self.closed => joint(count - 1, 0),
            None => Some(PI),
        };
        let end = if piece + 1 < count {
            joint(piece, piece + 1)
        } else if self.closed {
            joint(count - 1, 0)
        } else {
            Some(PI)
        };
        [begin, end]
    }

    /// Returns whether the curve has no corner and no end.
    pub(crate) fn is_smooth(&self) -> bool {
        (0..self.pieces.len()).all(|piece| self.turns(piece) == [None; 2])
    }

    /// Returns whether a point lies inside a closed curve: by the number of crossings of a ray with its polyline, and near the
    /// curve by the side of the nearest point on it.
    pub(crate) fn holds(&self, point: [f64; 2], polyline: &[[f64; 2]]) -> bool {
        if !self.closed {
            return false;
        }
        let count = polyline.len();
        let (mut nearest, mut distance, mut step) = (0, f64::INFINITY, 0.0_f64);
        let mut inside = false;
        for i in 0..count {
            let a = minus(polyline[i], point);
            let b = minus(polyline[(i + 1) % count], point);
            if (a[1] > 0.0) != (b[1] > 0.0) {
                inside ^= (cross(a, b) > 0.0) == (b[1] > a[1]);
            }
            step = step.max(norm(minus(b, a)));
            if norm(a) < distance {
                (nearest, distance) = (i, norm(a));
            }
        }
        if distance > step {
            return inside;
        }
        let each = count / self.pieces.len();
        let piece = &self.pieces[nearest / each];
        match foot(piece, (nearest % each) as f64 / each as f64, point) {
            Some(t) => {
                let away = minus(point, piece.position(t));
                let velocity = piece.velocity(t);
                dot(away, [velocity[1], -velocity[0]]) < 0.0
            }
            None => inside,
        }
    }
}

/// Returns the point at which two chords cross.
fn crossing([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2]) -> Option<[f64; 2]> {
    let (along, other) = (minus(b, a), minus(d, c));
    let area = cross(along, other);
    let between = minus(c, a);
    let (s, t) = (cross(between, other) / area, cross(between, along) / area);
    let inside = |x: f64| (0.0..=1.0).contains(&x);
    (inside(s) && inside(t)).then(|| [a[0] + s * along[0], a[1] + s * along[1]])
}

/// Returns the parameter near t of the point of a piece nearest to a point, by Newton's method; `None` if it leaves the piece.
fn foot(piece: &Piece, t: f64, point: [f64; 2]) -> Option<f64> {
    let mut t = t;
    for _ in 0..20 {
        let away = minus(piece.position(t), point);
        let velocity = piece.velocity(t);
        let derivative = dot(velocity, velocity) + dot(away, piece.acceleration(t));
        let change = dot(away, velocity) / derivative;
        t -= change;
        if change.abs() < 1e-15 {
            break;
        }
    }
    // A full turn has no ends; t may leave the interval slightly.
    let round = matches!(piece, Piece::Arc { from, to, .. } if (to - from).abs() >= TAU);
    (round || (0.0..=1.0).contains(&t)).then_some(t)
}

/// Returns the curves of the body with index `number`.
pub(crate) fn of_body(
    number: usize,
    geometry: &Geometry,
    wavelength: f64,
    contour: Option<&Contour>,
) -> Result<Vec<Curve>, Error> {
    let meters = |lengths: &[Length; 2]| lengths.map(|length| length.meters(wavelength));
    let checked = |points: &[[Length; 2]], closed: bool| {
        let mut points: Vec<[f64; 2]> = points.iter().map(meters).collect();
        // Many files repeat the first point of a closed curve.
        if closed && points.len() > 3 && points.first() == points.last() {
            points.pop();
        }
        distinct(number, &points, closed)?;
        Ok::<_, Error>(points)
    };
    let curves = match geometry {
        Geometry::Circle(circle) => {
            let radius = circle.radius.meters(wavelength);
            vec![ellipse([radius; 2], 0.0, meters(&circle.center))]
        }
        Geometry::Ellipse(shape) => {
            let axes = meters(&shape.semi_axes);
            vec![ellipse(axes, shape.rotation.0, meters(&shape.center))]
        }
        Geometry::Polygon(polygon) => {
            let points = checked(&polygon.points, true)?;
            vec![Curve::closed(straight(&points, true))]
        }
        Geometry::Spline(shape) => {
            let points = checked(&shape.points, true)?;
            vec![Curve::closed(match shape.corner_angle {
                Some(angle) => between_corners(&points, true, angle.0),
                None => spline::through(&points, true),
            })]
        }
        Geometry::Strip(strip) => {
            let points = checked(&strip.points, false)?;
            vec![Curve::open(if strip.smooth {
                spline::through(&points, false)
            } else {
                straight(&points, false)
            })]
        }
        Geometry::Mesh(mesh) => {
            let contour = contour.ok_or(Error::MeshMissing { body: number })?;
            from_mesh(number, mesh, contour)?
        }
        other => unreachable!("the shape {:?} is not supported", other.shape()),
    };
    for curve in &curves {
        if let Some(point) = curve.self_intersection() {
            return Err(Error::SelfIntersection {
                body: number,
                x: point[0],
                y: point[1],
            });
        }
    }
    Ok(curves)
}

/// Refuses consecutive points that coincide.
fn distinct(body: usize, points: &[[f64; 2]], closed: bool) -> Result<(), Error> {
    let joints = points.len() - usize::from(!closed);
    let repeated = (0..joints).find(|&i| {
        let step = norm(minus(points[(i + 1) % points.len()], points[i]));
        step.is_nan() || step <= 0.0
    });
    match repeated {
        Some(i) => Err(Error::RepeatedPoint { body, first: i + 1 }),
        None => Ok(()),
    }
}

fn ellipse(semi_axes: [f64; 2], rotation: f64, center: [f64; 2]) -> Curve {
    let (sin, cos) = rotation.sin_cos();
    Curve::closed(vec![Piece::Arc {
        center,
        axes: [
            [semi_axes[0] * cos, semi_axes[0] * sin],
            [-semi_axes[1] * sin, semi_axes[1] * cos],
        ],
        from: 0.0,
        to: TAU,
    }])
}

fn straight(points: &[[f64; 2]], closed: bool) -> Vec<Piece> {
    let count = points.len();
    (0..count - usize::from(!closed))
        .map(|i| Piece::Line {
            start: points[i],
            end: points[(i + 1) % count],
        })
        .collect()
}

/// Returns the curves of a mesh, or of one of its groups.
fn from_mesh(number: usize, mesh: &MeshGeometry, contour: &Contour) -> Result<Vec<Curve>, Error> {
    let bad = |reason: String| Error::BadContour {
        body: number,
        reason,
    };
    contour.validate().map_err(|error| bad(error.to_string()))?;
    let wanted = match &mesh.group {
        None => None,
        Some(name) => Some(
            contour
                .groups
                .iter()
                .position(|group| &group.name == name)
                .ok_or_else(|| bad(format!("it has no group named \"{name}\"")))?,
        ),
    };
    let mut curves = Vec::new();
    for curve in contour.curves() {
        let belongs = |s: &u32| wanted.is_none_or(|w| contour.group_of[*s as usize] as usize == w);
        if !curve.segments.iter().any(belongs) {
            continue;
        }
        if !curve.segments.iter().all(belongs) {
            return Err(bad(
                "a curve belongs to several groups; assign it to one group".to_owned(),
            ));
        }
        let mut points: Vec<[f64; 2]> = curve
            .segments
            .iter()
            .map(|&s| contour.ends(s as usize)[0])
            .collect();
        if !curve.closed {
            points.extend(curve.segments.last().map(|&s| contour.ends(s as usize)[1]));
        }
        let least = if curve.closed { 3 } else { 2 };
        if points.len() < least {
            return Err(Error::TooFewPoints {
                body: number,
                found: points.len(),
                least,
            });
        }
        distinct(number, &points, curve.closed)?;
        let pieces = between_corners(&points, curve.closed, mesh.corner_angle.0);
        curves.push(if curve.closed {
            Curve::closed(pieces)
        } else {
            Curve::open(pieces)
        });
    }
    if curves.is_empty() {
        return Err(bad("it has no curve".to_owned()));
    }
    Ok(curves)
}

/// Returns splines between corners, or one periodic spline if there is no corner.
fn between_corners(points: &[[f64; 2]], closed: bool, angle: f64) -> Vec<Piece> {
    let count = points.len();
    let turn = |i: usize| {
        let before = minus(points[i], points[(i + count - 1) % count]);
        let after = minus(points[(i + 1) % count], points[i]);
        cross(before, after).atan2(dot(before, after)).abs()
    };
    let mut corners: Vec<usize> = (0..count)
        .filter(|&i| {
            let end = !closed && (i == 0 || i == count - 1);
            end || turn(i) > angle
        })
        .collect();
    if corners.is_empty() {
        return spline::through(points, true);
    }
    if closed {
        corners.push(corners[0] + count);
    }
    corners
        .windows(2)
        .flat_map(|pair| {
            let run: Vec<[f64; 2]> = (pair[0]..=pair[1]).map(|i| points[i % count]).collect();
            spline::through(&run, false)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(clockwise: bool) -> Curve {
        let mut points = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        if clockwise {
            points.reverse();
        }
        Curve::closed(straight(&points, true))
    }

    #[test]
    fn closed_curves_run_counterclockwise_however_they_are_given() {
        for clockwise in [false, true] {
            let curve = square(clockwise);
            assert!((curve.area() - 1.0).abs() < 1e-12);
            for turn in curve.turns(0) {
                assert!((turn.unwrap() - PI / 2.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn inside_and_outside_are_told_apart() {
        let curve = square(false);
        let line = curve.polyline(8);
        assert!(curve.holds([0.5, 0.9], &line));
        assert!(!curve.holds([0.5, 1.1], &line));
        let round = ellipse([2.0, 1.0], 0.3, [0.1, 0.2]);
        let line = round.polyline(60);
        for i in 0..50 {
            let at = |scale: f64| {
                let [x, y] = round.pieces[0].position(f64::from(i) / 50.0);
                [0.1 + scale * (x - 0.1), 0.2 + scale * (y - 0.2)]
            };
            assert!(round.holds(at(1.0 - 1e-10), &line));
            assert!(!round.holds(at(1.0 + 1e-10), &line));
        }
    }

    #[test]
    fn a_mesh_of_a_circle_is_smooth_and_one_of_a_square_has_four_corners() {
        let ring: Vec<[f64; 2]> = (0..40)
            .map(|i| (TAU * f64::from(i) / 40.0).sin_cos())
            .map(|(sin, cos)| [cos, sin])
            .collect();
        let curve = Curve::closed(between_corners(&ring, true, 0.4));
        assert!(curve.is_smooth());
        let side = |i: i32| f64::from(i) / 5.0;
        let mut box_: Vec<[f64; 2]> = (0..5).map(|i| [side(i), 0.0]).collect();
        box_.extend((0..5).map(|i| [1.0, side(i)]));
        box_.extend((0..5).map(|i| [1.0 - side(i), 1.0]));
        box_.extend((0..5).map(|i| [0.0, 1.0 - side(i)]));
        let curve = Curve::closed(between_corners(&box_, true, 0.4));
        let corners = (0..curve.pieces.len())
            .filter(|&i| curve.turns(i)[0].is_some())
            .count();
        assert_eq!(corners, 4);
    }
}
