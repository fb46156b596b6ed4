//! Interface of the ray tracers.

use rayon::prelude::*;

use super::ray::{Hit, Ray, RayGrid};
use super::surface::Surface;

/// Number of rays per block of a thread.
pub(super) const BLOCK: usize = 1024;

/// Ray tracer: finds the nearest hits of rays on a surface.
///
/// The hits of all tracers are bitwise identical for any number of threads: the nearest over all triangles
/// by the single-ray intersection test in f64, and the smallest index among equal distances. This holds
/// for rays that start within 10⁶ radii of the surface; from farther away, BVH nodes may cull hits that
/// are due to rounding alone. A ray with a non-finite coordinate or a zero direction misses.
pub trait Tracer: Sync {
    /// Returns the traced surface.
    fn surface(&self) -> &Surface;

    /// Returns the nearest hit of one ray, or [`Hit::MISS`].
    fn nearest(&self, ray: &Ray) -> Hit;

    /// Finds the nearest hits of many rays in parallel on the current thread pool.
    ///
    /// # Panics
    /// Panics if `hits` and `rays` differ in length.
    fn nearest_of(&self, rays: &[Ray], hits: &mut [Hit]) {
        assert_eq!(
            rays.len(),
            hits.len(),
            "`hits` and `rays` must have equal lengths"
        );
        hits.par_chunks_mut(BLOCK)
            .zip(rays.par_chunks(BLOCK))
            .for_each(|(hits, rays)| {
                for (hit, ray) in hits.iter_mut().zip(rays) {
                    *hit = self.nearest(ray);
                }
            });
    }

    /// Finds the nearest hits of parallel rays, in the order of their indices, in parallel on the current
    /// thread pool.
    ///
    /// # Panics
    /// Panics if the length of `hits` is not the number of rays.
    fn nearest_of_grid(&self, grid: &RayGrid, hits: &mut [Hit]) {
        assert_eq!(
            grid.count(),
            hits.len(),
            "`hits` must have one entry per ray"
        );
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

    /// Traces a ray through at most `most` reflections, appends its hits, and returns the ray that leaves
    /// the surface, or the one after the last reflection.
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
