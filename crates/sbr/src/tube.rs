//! Ray tube of the incident wave: one ray with its cross-section, traced from reflection to reflection with the
//! field of geometrical optics.
//!
//! Between two plane facets a tube is a piece of a plane wave: reflections mirror its cross-section without
//! divergence, and the phase over its footprint is linear. Facets contribute the first reflection. From the
//! second on, a tube records the part of its surroundings that shares its path, which defines where neighboring
//! tubes separate.

use crate::coating::Coating;
use crate::optics::{Field, mirrored};
use crate::patch::{Outline, Patch};
use crate::region::{Offset, Region};
use crate::trace::{Hit, Ray, Surface};
use wavefield_numerics::vector::{add, cross, dot, norm, scaled, sub};

/// Width of the surroundings of a tube, in cells: the cell itself and its neighbors.
const SURROUNDINGS: f64 = 3.0;

/// Ray tube during tracing.
#[derive(Clone, Debug)]
pub(crate) struct Tube {
    /// Ray along the axis.
    pub(crate) ray: Ray,
    /// Sides of the cross-section, perpendicular to the ray.
    sides: [[f64; 3]; 2],
    /// Field on the axis, without its phase.
    field: Field,
    /// Phase on the axis at the ray's origin divided by −k: path length from the plane through the origin of
    /// coordinates, m.
    path_length: f64,
    /// Footprint at the last hit, if any.
    exit: Option<Patch>,
    /// Hash of the sequence of facets hit so far.
    number: u64,
    /// Second and later hits.
    steps: Vec<Step>,
}

/// Hit after the first.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Hash of the sequence of facets hit so far.
    pub(crate) number: u64,
    /// Hash before this hit.
    pub(crate) before: u64,
    /// Part of the surroundings of the tube that hits the same facets.
    pub(crate) region: Region,
}

/// Exit of a tube from the body after more than one reflection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit<'a> {
    /// Footprint.
    pub(crate) patch: &'a Patch,
    /// Hits after the first.
    pub(crate) steps: &'a [Step],
}

impl<'a> Exit<'a> {
    /// Returns the last hit.
    pub(crate) fn last(&self) -> &'a Step {
        &self.steps[self.steps.len() - 1]
    }

    /// Returns the hash of the sequence of facets.
    pub(crate) fn number(&self) -> u64 {
        self.last().number
    }

    /// Returns whether a step belongs to the tube.
    pub(crate) fn takes(&self, number: u64) -> bool {
        self.steps.iter().any(|step| step.number == number)
    }
}

impl Tube {
    /// Creates a tube of the incident wave; `sides` are perpendicular to the ray.
    pub(crate) fn new(ray: Ray, sides: [[f64; 3]; 2], field: Field) -> Tube {
        Tube {
            path_length: dot(ray.direction, ray.origin),
            ray,
            sides,
            field,
            exit: None,
            number: 0,
            steps: Vec::new(),
        }
    }

    /// Reflects the tube at a hit.
    pub(crate) fn reflect(&mut self, surface: &Surface, coating: &Coating, hit: &Hit) {
        let direction = self.ray.direction;
        let normal = surface.normal_against(hit.triangle, direction);
        let steep = -dot(direction, normal);
        let point = self.ray.at(hit.distance);
        let path_length = self.path_length + hit.distance;
        let number = (self.number ^ u64::from(hit.triangle))
            .wrapping_add(1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
        if let Some(first) = &self.exit {
            let before = self.steps.last().map(|step| step.region.clone());
            let before = before.unwrap_or_else(|| {
                let normal = surface.normal(first.triangle);
                let sides = self.sides.map(|side| mirrored(side, normal));
                let all = Region::square(SURROUNDINGS);
                all.within_corners(&seen(surface, first.triangle, first.point, sides))
            });
            self.steps.push(Step {
                number,
                before: self.number,
                region: before.within_corners(&seen(surface, hit.triangle, point, self.sides)),
            });
        }
        self.number = number;
        // Projection along the ray onto the facet.
        let laid = |side: [f64; 3]| add(side, scaled(direction, dot(side, normal) / steep));
        let (currents, field) = (self.field).reflect(direction, normal, hit.triangle, coating);
        self.exit = Some(Patch {
            triangle: hit.triangle,
            point,
            entry: (self.exit.as_ref()).map_or(point, |before| before.entry),
            path_length,
            direction,
            outline: Outline::Parallelogram(self.sides.map(laid)),
            area: norm(cross(self.sides[0], self.sides[1])) / steep,
            currents,
        });
        self.sides = self.sides.map(|side| mirrored(side, normal));
        self.field = field;
        let next = surface.reflect(&self.ray, hit);
        // The next ray may start up to 10⁻⁶ of the facet size beside the hit, clear of the facet's edge; the
        // path length includes the offset.
        self.path_length = path_length + dot(sub(next.origin, point), next.direction);
        self.ray = next;
    }

    /// Returns the exit from the body, if the tube was reflected more than once.
    pub(crate) fn exit(&self) -> Option<Exit<'_>> {
        let patch = self.exit.as_ref().filter(|_| !self.steps.is_empty())?;
        Some(Exit {
            patch,
            steps: &self.steps,
        })
    }
}

/// Projects a triangle along a tube, whose axis passes through a point, into the cross-section.
fn seen(surface: &Surface, triangle: u32, point: [f64; 3], sides: [[f64; 3]; 2]) -> [Offset; 3] {
    surface.corners(triangle).map(|corner| {
        let offset = sub(corner, point);
        sides.map(|side| dot(offset, side) / dot(side, side))
    })
}
