//! First reflections on small facets, facet by facet.
//!
//! Where a body is tessellated finely, a tube is the wrong measure for grazing incidence: within a tube's width of
//! the shadow boundary of a sphere the surface runs on for √(2wR), many wavelengths. There each facet that sees
//! the source, and whose reflection leaves the body, radiates by itself.

use rayon::prelude::*;

use crate::aperture::Wave;
use crate::patch::{Outline, Patch};
use crate::receiver::Receiver;
use crate::trace::{Hit, Ray};
use crate::vector::{cross, dot, scaled, sub};

/// Facets a thread takes at once.
const BLOCK: usize = 4096;
/// Blocks whose sums are held at once.
const BLOCKS: usize = 64;

impl Wave<'_> {
    /// Hands the small facets that radiate to a receiver; the number of rays that it took.
    pub(crate) fn reflect_by_facets<R: Receiver>(&self, receiver: &mut R) -> u64 {
        let surface = self.tracer.surface();
        let direction = self.direction();
        let facets: Vec<u32> = (0..surface.count() as u32)
            .filter(|&triangle| self.small[triangle as usize])
            .collect();
        let mut rays = facets.len() as u64;
        let lit = self.free(facets, |_| self.source);
        rays += lit.len() as u64;
        let leaving = self.free(lit, |triangle| {
            let normal = surface.normal(triangle);
            sub(direction, scaled(normal, 2.0 * dot(direction, normal)))
        });
        for facets in leaving.chunks(BLOCK * BLOCKS) {
            let parts: Vec<R> = facets
                .par_chunks(BLOCK)
                .map(|facets| {
                    let mut part = receiver.empty();
                    for &triangle in facets {
                        part.receive(&self.facet(triangle));
                    }
                    part
                })
                .collect();
            parts.iter().for_each(|part| receiver.join(part));
        }
        rays
    }

    /// Those facets from whose middle a ray leaves the body.
    fn free(&self, facets: Vec<u32>, towards: impl Fn(u32) -> [f64; 3] + Sync) -> Vec<u32> {
        let rays: Vec<Ray> = facets
            .par_iter()
            .map(|&triangle| Ray {
                leaves: triangle,
                ..Ray::new(self.tracer.surface().middle(triangle), towards(triangle))
            })
            .collect();
        let mut hits = vec![Hit::MISS; rays.len()];
        self.tracer.nearest_of(&rays, &mut hits);
        let open = facets.into_iter().zip(hits);
        open.filter(|(_, hit)| hit.is_miss())
            .map(|(triangle, _)| triangle)
            .collect()
    }

    /// A whole facet under the incident wave.
    fn facet(&self, triangle: u32) -> Patch {
        let surface = self.tracer.surface();
        let direction = self.direction();
        let point = surface.middle(triangle);
        let normal = surface.normal_against(triangle, direction);
        Patch {
            triangle,
            point,
            way: dot(direction, point),
            direction,
            outline: Outline::Triangle(surface.corners(triangle).map(|corner| sub(corner, point))),
            area: surface.area(triangle),
            currents: self
                .transmitted
                .map(|field| cross(normal, cross(direction, field))),
        }
    }
}
