//! A tube of the incident wave: one ray with its cross-section, followed from bounce to bounce with the field of
//! geometrical optics.
//!
//! Between two plane facets a tube is a piece of a plane wave: its cross-section is mirrored, not spread, and
//! the phase over its footprint is linear.

use crate::patch::{Outline, Patch};
use crate::trace::{Hit, Ray, Surface};
use crate::vector::{add, cross, dot, length, scaled, sub};

/// A tube on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tube {
    /// The ray along its axis.
    pub(crate) ray: Ray,
    /// Sides of the cross-section, at right angles to the ray.
    sides: [[f64; 3]; 2],
    /// Field on the axis for V and for H transmitted, without its phase.
    fields: [[f64; 3]; 2],
    /// Phase on the axis at the ray's origin over −k: length of the way from the plane through the origin of
    /// coordinates.
    way: f64,
    /// Its footprint at the last hit, once there is one.
    pub(crate) exit: Option<Patch>,
    /// Reflections so far.
    pub(crate) bounces: u32,
}

impl Tube {
    /// A tube of the incident wave; `sides` are at right angles to the ray, `fields` its two polarisations.
    pub(crate) fn new(ray: Ray, sides: [[f64; 3]; 2], fields: [[f64; 3]; 2]) -> Tube {
        Tube {
            way: dot(ray.direction, ray.origin),
            ray,
            sides,
            fields,
            exit: None,
            bounces: 0,
        }
    }

    /// Takes a hit on a perfect conductor and turns back: E_r = −E + 2(n·E)n.
    pub(crate) fn reflect(&mut self, surface: &Surface, hit: &Hit) {
        let direction = self.ray.direction;
        let normal = surface.normal_against(hit.triangle, direction);
        let steep = -dot(direction, normal);
        let point = self.ray.at(hit.distance);
        let way = self.way + hit.distance;
        // Along the ray onto the facet.
        let laid = |side: [f64; 3]| add(side, scaled(direction, dot(side, normal) / steep));
        self.exit = Some(Patch {
            triangle: hit.triangle,
            point,
            way,
            direction,
            outline: Outline::Parallelogram(self.sides.map(laid)),
            area: length(cross(self.sides[0], self.sides[1])) / steep,
            currents: self
                .fields
                .map(|field| cross(normal, cross(direction, field))),
        });
        let mirrored = |v: [f64; 3]| sub(v, scaled(normal, 2.0 * dot(v, normal)));
        self.sides = self.sides.map(mirrored);
        self.fields = self.fields.map(|field| scaled(mirrored(field), -1.0));
        let next = surface.reflect(&self.ray, hit);
        // The next ray may begin a little beside the point, to stay clear of the facet's edge: by 10⁻⁶ of the
        // facet, whose phase is that of the place.
        self.way = way + dot(sub(next.origin, point), next.direction);
        self.ray = next;
        self.bounces += 1;
    }
}
