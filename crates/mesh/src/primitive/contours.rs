use std::f64::consts::{PI, TAU};

use super::{PrimitiveError, affordable, pieces, positive};
use crate::{Contour, Group};

/// Generates a circle around the origin; all points are at distance `radius`.
pub fn circle(radius: f64, edge: f64) -> Result<Contour, PrimitiveError> {
    let mut circle = ellipse(radius, radius, edge)?;
    circle.groups[0].name = "circle".into();
    Ok(circle)
}

/// Generates an ellipse around the origin with the given semi-axes along x and y.
///
/// Points are at uniform steps of the parameter t in (a cos t, b sin t), so they are denser where the
/// curvature is larger.
pub fn ellipse(half_x: f64, half_y: f64, edge: f64) -> Result<Contour, PrimitiveError> {
    positive("the half-axis", half_x)?;
    positive("the half-axis", half_y)?;
    positive("the edge length", edge)?;
    let longest = TAU * half_x.max(half_y);
    affordable(edge, longest / edge)?;
    let count = pieces(longest, edge).max(3);
    let points = (0..count).map(|k| {
        let (sin, cos) = (TAU * f64::from(k) / f64::from(count)).sin_cos();
        [half_x * cos, half_y * sin]
    });
    Ok(Contour {
        points: points.collect(),
        segments: (0..count).map(|k| [k, (k + 1) % count]).collect(),
        groups: vec![Group::named("ellipse")],
        group_of: vec![0; count as usize],
    })
}

/// Generates a closed polygon with the given corners; the sides are the groups "side 1", "side 2", ….
///
/// The corners may be in either direction; the contour runs counterclockwise.
pub fn polygon(corners: &[[f64; 2]], edge: f64) -> Result<Contour, PrimitiveError> {
    if corners.len() < 3 {
        let corners = corners.len();
        return Err(PrimitiveError::TooFewCorners { corners });
    }
    positive("the edge length", edge)?;
    if let Some(&value) = corners.iter().flatten().find(|c| !c.is_finite()) {
        return Err(PrimitiveError::OutOfRange {
            what: "a coordinate",
            value,
            range: "finite",
        });
    }
    let next = |k: usize| corners[(k + 1) % corners.len()];
    let twice_area: f64 = (corners.iter().enumerate())
        .map(|(k, a)| a[0] * next(k)[1] - a[1] * next(k)[0])
        .sum();
    let mut corners = corners.to_vec();
    if twice_area < 0.0 {
        corners.reverse();
    }
    let mut contour = Contour::default();
    for k in 0..corners.len() {
        let (from, to) = (corners[k], corners[(k + 1) % corners.len()]);
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        positive("the distance between adjacent corners", length)?;
        affordable(edge, contour.points.len() as f64 + length / edge)?;
        let count = pieces(length, edge);
        contour.groups.push(Group::named(format!("side {}", k + 1)));
        for i in 0..count {
            let t = f64::from(i) / f64::from(count);
            let point = [0, 1].map(|axis| from[axis] + t * (to[axis] - from[axis]));
            let number = contour.points.len() as u32;
            contour.points.push(point);
            contour.segments.push([number, number + 1]);
            contour.group_of.push(k as u32);
        }
    }
    if let Some(last) = contour.segments.last_mut() {
        last[1] = 0;
    }
    Ok(contour)
}

/// Generates a regular polygon with corners on a circle around the origin, the first on the +x axis.
pub fn regular_polygon(corners: usize, radius: f64, edge: f64) -> Result<Contour, PrimitiveError> {
    positive("the radius", radius)?;
    affordable(edge, corners as f64)?;
    let corners: Vec<[f64; 2]> = (0..corners)
        .map(|k| {
            let angle = 2.0 * PI * k as f64 / corners as f64;
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect();
    polygon(&corners, edge)
}
