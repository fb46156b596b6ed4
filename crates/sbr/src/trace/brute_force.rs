//! Reference implementation of the tracer: tests every ray with every triangle.

use std::sync::Arc;

use super::intersection::ShearedRay;
use super::ray::{Hit, Ray};
use super::surface::Surface;
use super::tracer::Tracer;

/// Brute-force tracer that tests every triangle; the reference for the other tracers.
#[derive(Clone, Debug)]
pub struct BruteForceTracer {
    surface: Arc<Surface>,
}

impl BruteForceTracer {
    /// Creates the tracer; needs no acceleration structure.
    #[must_use]
    pub fn new(surface: Arc<Surface>) -> Self {
        Self { surface }
    }
}

impl Tracer for BruteForceTracer {
    fn surface(&self) -> &Surface {
        &self.surface
    }

    fn nearest(&self, ray: &Ray) -> Hit {
        let sheared = ShearedRay::new(ray, self.surface.radius());
        let mut nearest = Hit::MISS;
        let triangles = self.surface.triangles().iter();
        for (number, (corners, &twice_area)) in
            triangles.zip(self.surface.twice_areas()).enumerate()
        {
            let hit = sheared.hit(corners, twice_area, number as u32);
            if hit.precedes(&nearest) {
                nearest = hit;
            }
        }
        nearest
    }
}
