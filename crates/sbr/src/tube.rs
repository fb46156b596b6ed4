//! A tube of the incident wave: one ray with its cross-section, followed from bounce to bounce with the field of
//! geometrical optics, and the far field of what leaves the body by physical optics.
//!
//! Between two plane facets a tube is a piece of a plane wave: its cross-section is mirrored, not spread, and
//! the phase over its footprint is linear. With E on the axis at the last hit, n the normal on the lit side,
//! d the direction before it and q = k(ŝ − d), the current ηJ = 2 n × (d × E) radiates
//!
//! F = −(jk/4π) (ηJ)_⊥ e^{jkŝ·x} A sinc(q·a/2) sinc(q·b/2),
//!
//! a and b being the sides of the footprint and A its area: Gordon's polygon sum for a parallelogram
//! (W. B. Gordon, IEEE Trans. Antennas Propag. 23 (1975) 590–592).

use num_complex::Complex64;

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
    /// The last hit, once there is one.
    pub(crate) exit: Option<Exit>,
    /// Reflections so far.
    pub(crate) bounces: u32,
}

/// Where a tube leaves the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    /// The facet it leaves from.
    pub(crate) triangle: u32,
    /// The point on the axis.
    point: [f64; 3],
    /// Direction before the hit.
    direction: [f64; 3],
    /// Sides of the footprint on the facet.
    sides: [[f64; 3]; 2],
    area: f64,
    /// Currents ηJ/2 = n × (d × E) for V and H transmitted.
    currents: [[f64; 3]; 2],
    /// Way to the point.
    way: f64,
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
        let mut normal = surface.normal(hit.triangle);
        if dot(normal, direction) > 0.0 {
            normal = scaled(normal, -1.0);
        }
        let steep = -dot(direction, normal);
        let point = self.ray.at(hit.distance);
        let way = self.way + hit.distance;
        let [a, b] = self.sides;
        // Along the ray onto the facet.
        let laid = |side: [f64; 3]| add(side, scaled(direction, dot(side, normal) / steep));
        self.exit = Some(Exit {
            triangle: hit.triangle,
            point,
            direction,
            sides: self.sides.map(laid),
            area: length(cross(a, b)) / steep,
            currents: self
                .fields
                .map(|field| cross(normal, cross(direction, field))),
            way,
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

impl Exit {
    /// How far another tube's exit is from where this one's wave would have it, in metres of way and place, for
    /// a tube `columns` and `rows` cross-sections beside this one.
    pub(crate) fn misfit(&self, other: &Exit, columns: f64, rows: f64) -> f64 {
        let beside = add(scaled(self.sides[0], columns), scaled(self.sides[1], rows));
        let place = sub(sub(other.point, self.point), beside);
        let way = other.way - self.way - dot(self.direction, beside);
        way.abs() + length(place)
    }

    /// Whether two exits face the same way, to within 25 degrees.
    pub(crate) fn faces_like(&self, other: &Exit) -> bool {
        let normal = |exit: &Exit| cross(exit.sides[0], exit.sides[1]);
        let (a, b) = (normal(self), normal(other));
        dot(a, b) > 0.9 * length(a) * length(b)
    }

    /// Adds the far field towards a direction: the amplitude F of E_s = F E_i e^{−jkr}/r for V and H
    /// received (rows) of V and H transmitted (columns).
    pub(crate) fn radiate(&self, k: f64, observer: &Observer, sum: &mut [[Complex64; 2]; 2]) {
        let q = scaled(sub(observer.direction, self.direction), k);
        let spread = sinc(0.5 * dot(q, self.sides[0])) * sinc(0.5 * dot(q, self.sides[1]));
        let phase = k * (dot(observer.direction, self.point) - self.way);
        // −jk/4π · 2.
        let (sine, cosine) = phase.sin_cos();
        let size = 0.5 * std::f64::consts::FRAC_1_PI * k * self.area * spread;
        let wave = Complex64::new(size * sine, -size * cosine);
        for (received, sums) in observer.received.iter().zip(sum) {
            for (current, sum) in self.currents.iter().zip(sums) {
                *sum += wave * dot(*received, *current);
            }
        }
    }
}

/// A direction of observation with its polarisations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observer {
    /// Unit vector towards the observer.
    pub(crate) direction: [f64; 3],
    /// θ̂ and φ̂.
    pub(crate) received: [[f64; 3]; 2],
}

/// sin x/x.
fn sinc(x: f64) -> f64 {
    if x.abs() < 1e-4 {
        1.0 - x * x / 6.0
    } else {
        x.sin() / x
    }
}
