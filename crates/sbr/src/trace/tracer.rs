//! What every tracer can do.

use rayon::prelude::*;

use super::ray::{Hit, Ray, RayGrid};
use super::surface::Surface;

/// Rays a thread takes at once.
pub(super) const BLOCK: usize = 1024;

/// Finds where rays meet a surface.
///
/// All tracers give the same hits, bit for bit, for any number of threads: the nearest of all triangles
/// by the test of one ray with one triangle in f64, and of equally near ones that of smallest number. This
/// holds for rays that start within 10⁶ radii of the surface; from further away boxes may cull what
/// rounding alone would hit. A ray with a coordinate that is not finite, or without direction, misses.
pub trait Tracer: Sync {
    /// What is traced.
    fn surface(&self) -> &Surface;

    /// The first hit of one ray, or [`Hit::MISS`].
    fn nearest(&self, ray: &Ray) -> Hit;

    /// The first hits of many rays, on the threads of the current pool.
    ///
    /// # Panics
    /// If there are not as many hits as rays.
    fn nearest_of(&self, rays: &[Ray], hits: &mut [Hit]) {
        assert_eq!(rays.len(), hits.len(), "a hit for each ray");
        hits.par_chunks_mut(BLOCK)
            .zip(rays.par_chunks(BLOCK))
            .for_each(|(hits, rays)| {
                for (hit, ray) in hits.iter_mut().zip(rays) {
                    *hit = self.nearest(ray);
                }
            });
    }

    /// The first hits of parallel rays, in the order of their numbers, on the threads of the current
    /// pool.
    ///
    /// # Panics
    /// If there are not as many hits as rays.
    fn nearest_of_grid(&self, grid: &RayGrid, hits: &mut [Hit]) {
        assert_eq!(grid.count(), hits.len(), "a hit for each ray");
        if grid.columns == 0 {
            return;
        }
        hits.par_chunks_mut(grid.columns)
            .enumerate()
            .for_each(|(row, hits)| {
                for (column, hit) in hits.iter_mut().enumerate() {
                    *hit = self.nearest(&grid.ray(column, row));
                }
            });
    }

    /// Follows a ray through at most `most` reflections, appends its hits, and returns the ray that
    /// leaves the surface, or the one after the last reflection counted.
    fn path(&self, ray: &Ray, most: usize, hits: &mut Vec<Hit>) -> Ray {
        let mut ray = *ray;
        for _ in 0..most {
            let hit = self.nearest(&ray);
            if hit.is_miss() {
                break;
            }
            hits.push(hit);
            ray = self.surface().reflect(&ray, &hit);
        }
        ray
    }
}
