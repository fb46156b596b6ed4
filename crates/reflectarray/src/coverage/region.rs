//! Coverage: outlines, measures, and classification of directions.

use std::borrow::Cow;
use std::f64::consts::PI;
use wavefield_physics::far_field::power_db;

use geo::{Area, BoundingRect, Centroid};

use super::assembly::{Assembly, assemble};
use super::boundary::Boundary;
use super::outline::Outline;
use super::polygons::widened;
use super::spec::CoverageSpec;
use crate::error::Error;

/// Maximum number of points of a grid or an outline.
const MAX_POINTS: f64 = 1e8;

/// A region in the (u, v) plane that a beam must cover.
#[derive(Clone, Debug)]
pub struct Coverage {
    outlines: Vec<Outline>,
    land: Vec<Outline>,
    hidden: f64,
    clipped: Vec<Clipped>,
    area: f64,
    centroid: [f64; 2],
    bounds: [[f64; 2]; 2],
    boundary: Boundary,
}

impl Coverage {
    /// Builds the coverage of a specification; `geojson` is the text of its GeoJSON file, if it
    /// names one.
    pub fn new(spec: &CoverageSpec, geojson: Option<&str>) -> Result<Coverage, Error> {
        let Assembly {
            region,
            land,
            hidden,
            clipped,
        } = assemble(spec, geojson)?;
        let (Some(centroid), Some(rect)) = (region.centroid(), region.bounding_rect()) else {
            return Err(Error::NoArea {
                key: "coverage",
                boxed: false,
            });
        };
        let outlines = Outline::of(&region);
        Ok(Coverage {
            boundary: Boundary::of(&outlines),
            outlines,
            land: Outline::of(&land),
            hidden,
            clipped,
            area: region.unsigned_area(),
            centroid: [centroid.x(), centroid.y()],
            bounds: [rect.min().into(), rect.max().into()],
        })
    }

    /// Returns the polygons of the region, which do not overlap. Exterior rings are
    /// counterclockwise, holes clockwise.
    pub fn outlines(&self) -> &[Outline] {
        &self.outlines
    }

    /// Returns the visible land of the countries and the GeoJSON file, without margin and with
    /// every island, for drawing. Empty if only (u, v) shapes are specified.
    pub fn land(&self) -> &[Outline] {
        &self.land
    }

    /// Returns the fraction of the specified area on the Earth beyond the horizon.
    pub fn hidden_fraction(&self) -> f64 {
        self.hidden
    }

    /// Returns the countries and GeoJSON geometries cut by the horizon.
    pub fn clipped(&self) -> &[Clipped] {
        &self.clipped
    }

    /// Returns the area ∫ du dv of the region.
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Returns the solid angle ∫ du dv / √(1 − u² − v²) of the region, sr.
    pub fn solid_angle(&self) -> f64 {
        self.outlines
            .iter()
            .flat_map(Outline::rings)
            .flat_map(edges)
            .map(|(start, end)| solid_angle_below(start, end))
            .sum()
    }

    /// Returns 10 log₁₀(4π/Ω), dBi: the directivity for uniform radiation into the region only, an
    /// upper bound on the mean directivity of any antenna over the region.
    pub fn ideal_directivity_dbi(&self) -> f64 {
        power_db(4.0 * PI / self.solid_angle())
    }

    /// Returns the centroid (u, v) of the area.
    pub fn centroid(&self) -> [f64; 2] {
        self.centroid
    }

    /// Returns the minimum and the maximum (u, v).
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        self.bounds
    }

    /// Returns whether a direction lies in the region; the result is undefined exactly on the edge.
    pub fn contains(&self, u: f64, v: f64) -> bool {
        self.boundary.contains(u, v)
    }

    /// Returns the distance from the edge of the region in the (u, v) plane, negative inside.
    pub fn distance(&self, u: f64, v: f64) -> f64 {
        let distance = self.boundary.distance(u, v);
        if self.contains(u, v) {
            -distance
        } else {
            distance
        }
    }

    /// Returns the points of the grid (i·step, j·step) in the region, row by row from south to
    /// north and from west to east in a row.
    pub fn interior_points(&self, step: f64) -> Result<Vec<[f64; 2]>, Error> {
        countable(step, self.area / step / step)?;
        let [[_, south], [_, north]] = self.bounds;
        let rows = (south / step).ceil() as i64..=(north / step).floor() as i64;
        countable(step, rows.clone().count() as f64)?;
        let mut points = Vec::new();
        for row in rows {
            let v = row as f64 * step;
            for [west, east] in self.boundary.spans(v) {
                let columns = (west / step).ceil() as i64..=(east / step).floor() as i64;
                points.extend(columns.map(|column| [column as f64 * step, v]));
            }
        }
        Ok(points)
    }

    /// Returns points along the outlines at most `step` apart, including every vertex, since the
    /// extrema of a pattern over the region often lie on vertices.
    pub fn boundary_points(&self, step: f64) -> Result<Vec<[f64; 2]>, Error> {
        along(&self.outlines, step, with_vertices)
    }

    /// Returns points along the outlines, evenly spaced by at most `step` along each ring,
    /// independent of its vertices: few on finely drawn outlines, and unsuited to extrema.
    pub fn boundary_samples(&self, step: f64) -> Result<Vec<[f64; 2]>, Error> {
        along(&self.outlines, step, spaced)
    }

    /// Returns points along the outer edge of a transition of the given width, at most `step`
    /// apart, including every vertex. Round corners are approximated by chords, at most 0.2 % of
    /// the width inside.
    pub fn transition_points(&self, transition: f64, step: f64) -> Result<Vec<[f64; 2]>, Error> {
        along(&self.around(transition)?, step, with_vertices)
    }

    /// Returns points along the outer edge of a transition, evenly spaced by at most `step` along
    /// each ring.
    pub fn transition_samples(&self, transition: f64, step: f64) -> Result<Vec<[f64; 2]>, Error> {
        along(&self.around(transition)?, step, spaced)
    }

    /// Returns the outer edge of a transition of the given width.
    fn around(&self, transition: f64) -> Result<Cow<'_, [Outline]>, Error> {
        if transition.is_nan() || transition <= 0.0 {
            return Ok(Cow::Borrowed(&self.outlines));
        }
        let around = widened(&Outline::polygons(&self.outlines), transition)?;
        Ok(Cow::Owned(Outline::of(&around)))
    }

    /// Returns a classifier of directions for a transition of the given width around the region.
    pub fn masks(&self, transition: f64) -> Masks<'_> {
        Masks {
            coverage: self,
            transition,
        }
    }
}

/// A named part of a coverage cut by the horizon.
#[derive(Clone, Debug, PartialEq)]
pub struct Clipped {
    /// Name of the country, or path in the GeoJSON file.
    pub name: String,
    /// Fraction of its area on the Earth beyond the horizon.
    pub hidden: f64,
}

/// Zone of a direction with respect to a coverage and its transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// Inside the coverage, where the directivity is maximized.
    Inside,
    /// In the transition, where the directivity is unconstrained.
    Transition,
    /// Outside the transition, where the directivity is limited.
    Outside,
}

/// A coverage with a transition around it.
#[derive(Clone, Copy, Debug)]
pub struct Masks<'a> {
    coverage: &'a Coverage,
    transition: f64,
}

impl Masks<'_> {
    /// Returns the zone of a direction.
    pub fn zone(&self, u: f64, v: f64) -> Zone {
        let coverage = self.coverage;
        if coverage.contains(u, v) {
            Zone::Inside
        } else if coverage.boundary.distance(u, v) <= self.transition {
            Zone::Transition
        } else {
            Zone::Outside
        }
    }

    /// Returns the zones of many directions.
    pub fn zones(&self, points: &[[f64; 2]]) -> Vec<Zone> {
        points.iter().map(|&[u, v]| self.zone(u, v)).collect()
    }
}

fn countable(step: f64, count: f64) -> Result<(), Error> {
    if step.is_nan() || step <= 0.0 {
        return Err(Error::Step { step });
    }
    if count <= MAX_POINTS {
        Ok(())
    } else {
        Err(Error::TooFine {
            step,
            count,
            most: MAX_POINTS,
        })
    }
}

/// Returns the edges of a ring.
fn edges(ring: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
    ring.iter()
        .copied()
        .zip(ring.iter().copied().cycle().skip(1))
}

fn length(ring: &[[f64; 2]]) -> f64 {
    edges(ring)
        .map(|(start, end)| (end[0] - start[0]).hypot(end[1] - start[1]))
        .sum()
}

/// Samples all rings of outlines by `on_ring` with a maximum step.
fn along(
    outlines: &[Outline],
    step: f64,
    on_ring: impl Fn(&[[f64; 2]], f64) -> Vec<[f64; 2]>,
) -> Result<Vec<[f64; 2]>, Error> {
    let rings = || outlines.iter().flat_map(Outline::rings);
    let total: f64 = rings().map(length).sum();
    countable(step, total / step)?;
    Ok(rings().flat_map(|ring| on_ring(ring, step)).collect())
}

/// Returns the vertices of a ring, and points that divide its edges evenly into segments of at most
/// `step`.
fn with_vertices(ring: &[[f64; 2]], step: f64) -> Vec<[f64; 2]> {
    edges(ring)
        .flat_map(|(start, end)| {
            let along = [end[0] - start[0], end[1] - start[1]];
            let pieces = (along[0].hypot(along[1]) / step).ceil().max(1.0);
            (0..pieces as usize).map(move |piece| {
                let t = piece as f64 / pieces;
                [start[0] + t * along[0], start[1] + t * along[1]]
            })
        })
        .collect()
}

/// Returns points on a ring, evenly spaced by at most `step`.
fn spaced(ring: &[[f64; 2]], step: f64) -> Vec<[f64; 2]> {
    let total = length(ring);
    let count = (total / step).ceil().max(1.0);
    let spacing = total / count;
    let mut points = Vec::with_capacity(count as usize);
    let mut passed = 0.0;
    for (start, end) in edges(ring) {
        let along = [end[0] - start[0], end[1] - start[1]];
        let edge = along[0].hypot(along[1]);
        while (points.len() as f64) < count && points.len() as f64 * spacing < passed + edge {
            let t = (points.len() as f64 * spacing - passed) / edge;
            points.push([start[0] + t * along[0], start[1] + t * along[1]]);
        }
        passed += edge;
    }
    points
}

/// Returns the signed solid angle of the triangle between the nadir and an edge.
///
/// With w = √(1 − u² − v²) the solid angle is ∮ (u dv − v du)/(1 + w). On a line at the distance d
/// from the origin let h² = 1 − d² and s = h sin ψ along it; then w = h cos ψ, and the integral is
/// d ψ − 2 atan(d tan(ψ/2)/(1 + h)).
fn solid_angle_below([u0, v0]: [f64; 2], [u1, v1]: [f64; 2]) -> f64 {
    let (du, dv) = (u1 - u0, v1 - v0);
    let edge = du.hypot(dv);
    if edge == 0.0 {
        return 0.0;
    }
    let d = (u0 * v1 - u1 * v0) / edge;
    let h = (1.0 - d * d).max(0.0).sqrt();
    let primitive = |u: f64, v: f64| {
        let psi = ((u * du + v * dv) / (edge * h)).clamp(-1.0, 1.0).asin();
        d * psi - 2.0 * (d * (0.5 * psi).tan() / (1.0 + h)).atan()
    };
    if h == 0.0 {
        return 0.0;
    }
    primitive(u1, v1) - primitive(u0, v0)
}
