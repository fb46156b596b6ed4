//! A tube of the incident wave: one ray with its cross-section, followed from bounce to bounce with the field of
//! geometrical optics.
//!
//! Between two plane facets a tube is a piece of a plane wave: its cross-section is mirrored, not spread, and
//! the phase over its footprint is linear. First reflections are left to the facets; from the second on a tube
//! knows which part of its surroundings goes its way, so that neighbours can be cut where their ways part.

use crate::coat::Coating;
use crate::optics::{Field, mirrored};
use crate::patch::{Outline, Patch};
use crate::region::{Offset, Region};
use crate::trace::{Hit, Ray, Surface};
use wavefield_numerics::vector::{add, cross, dot, norm, scaled, sub};

/// Tubes know their surroundings so many cells wide: themselves and their neighbours.
const SURROUNDINGS: f64 = 3.0;

/// A tube on its way.
#[derive(Clone, Debug)]
pub(crate) struct Tube {
    /// The ray along its axis.
    pub(crate) ray: Ray,
    /// Sides of the cross-section, at right angles to the ray.
    sides: [[f64; 3]; 2],
    /// Field on the axis, without its phase.
    field: Field,
    /// Phase on the axis at the ray's origin over −k: length of the way from the plane through the origin of
    /// coordinates.
    way: f64,
    /// Its footprint at the last hit, once there is one.
    exit: Option<Patch>,
    /// The facets met so far, as one number.
    number: u64,
    /// The second hit and those after it.
    steps: Vec<Step>,
}

/// A hit after the first.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The facets met so far, as one number.
    pub(crate) number: u64,
    /// The same before this hit.
    pub(crate) before: u64,
    /// The surroundings of the tube that meet the same facets.
    pub(crate) region: Region,
}

/// Where a tube leaves the body after more than one reflection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit<'a> {
    /// Its footprint.
    pub(crate) patch: &'a Patch,
    /// Its hits after the first.
    pub(crate) steps: &'a [Step],
}

impl<'a> Exit<'a> {
    /// The last hit.
    pub(crate) fn last(&self) -> &'a Step {
        &self.steps[self.steps.len() - 1]
    }

    /// The facets met, as one number.
    pub(crate) fn number(&self) -> u64 {
        self.last().number
    }

    /// Whether a step is one of the tube's.
    pub(crate) fn takes(&self, number: u64) -> bool {
        self.steps.iter().any(|step| step.number == number)
    }
}

impl Tube {
    /// A tube of the incident wave; `sides` are at right angles to the ray.
    pub(crate) fn new(ray: Ray, sides: [[f64; 3]; 2], field: Field) -> Tube {
        Tube {
            way: dot(ray.direction, ray.origin),
            ray,
            sides,
            field,
            exit: None,
            number: 0,
            steps: Vec::new(),
        }
    }

    /// Takes a hit and turns back.
    pub(crate) fn reflect(&mut self, surface: &Surface, coating: &Coating, hit: &Hit) {
        let direction = self.ray.direction;
        let normal = surface.normal_against(hit.triangle, direction);
        let steep = -dot(direction, normal);
        let point = self.ray.at(hit.distance);
        let way = self.way + hit.distance;
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
        // Along the ray onto the facet.
        let laid = |side: [f64; 3]| add(side, scaled(direction, dot(side, normal) / steep));
        let (currents, field) = (self.field).reflect(direction, normal, hit.triangle, coating);
        self.exit = Some(Patch {
            triangle: hit.triangle,
            point,
            entry: (self.exit.as_ref()).map_or(point, |before| before.entry),
            way,
            direction,
            outline: Outline::Parallelogram(self.sides.map(laid)),
            area: norm(cross(self.sides[0], self.sides[1])) / steep,
            currents,
        });
        self.sides = self.sides.map(|side| mirrored(side, normal));
        self.field = field;
        let next = surface.reflect(&self.ray, hit);
        // The next ray may begin a little beside the point, to stay clear of the facet's edge: by 10⁻⁶ of the
        // facet, whose phase is that of the place.
        self.way = way + dot(sub(next.origin, point), next.direction);
        self.ray = next;
    }

    /// Where it leaves the body, if it was reflected more than once.
    pub(crate) fn exit(&self) -> Option<Exit<'_>> {
        let patch = self.exit.as_ref().filter(|_| !self.steps.is_empty())?;
        Some(Exit {
            patch,
            steps: &self.steps,
        })
    }
}

/// A triangle as it is seen along a tube, whose axis passes through a point.
fn seen(surface: &Surface, triangle: u32, point: [f64; 3], sides: [[f64; 3]; 2]) -> [Offset; 3] {
    surface.corners(triangle).map(|corner| {
        let offset = sub(corner, point);
        sides.map(|side| dot(offset, side) / dot(side, side))
    })
}
