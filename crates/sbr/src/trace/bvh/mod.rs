//! Wide bounding volume hierarchy (BVH) with SIMD kernels.
//!
//! Boxes are tested in f32 and only cull; triangles are tested in f64, eight at once, with the
//! operations of the scalar test in the same order. Single rays traverse nodes of eight boxes nearest
//! first. Parallel rays of a grid traverse the BVH in tiles: a tile is a rectangle in the plane
//! perpendicular to the rays, boxes are culled against the whole tile, and leaves are rasterized into
//! it.

pub(super) mod bounds;
pub(super) mod build;
mod collapse;
pub(super) mod hierarchy;
pub(super) mod wide;

use std::sync::Arc;

use rayon::prelude::*;
use wavefield_numerics::cpu::Simd;
use wavefield_numerics::simd::InstructionSet;

pub(crate) use bounds::Bounds;
pub(crate) use build::BinaryTree;
use hierarchy::Hierarchy;
pub(crate) use hierarchy::binary_tree;

use super::kernels::bundle::Bundles;
use super::kernels::single::{Single, Stack};
use super::kernels::tile::{self, Tiles};
use super::ray::{Hit, Ray, RayGrid};
use super::surface::Surface;
use super::tracer::{BLOCK, Tracer};
use crate::error::Error;

/// Ray tracer with a wide BVH and SIMD instructions selected at run time.
#[derive(Clone, Debug)]
pub struct BvhTracer {
    hierarchy: Hierarchy,
    instructions: InstructionSet,
}

impl BvhTracer {
    /// Builds the BVH in parallel on the current thread pool.
    #[must_use]
    pub fn new(surface: Arc<Surface>) -> Self {
        Self::with(surface, InstructionSet::widest())
    }

    /// Builds the BVH for given SIMD instructions; the hits are bitwise identical for all.
    ///
    /// # Errors
    /// Returns an error if the CPU does not support them.
    pub fn with_simd(surface: Arc<Surface>, simd: Simd) -> Result<Self, Error> {
        let instructions = InstructionSet::request(simd).ok_or_else(|| Error::Instructions {
            wanted: simd.to_string(),
        })?;
        Ok(Self::with(surface, instructions))
    }

    fn with(surface: Arc<Surface>, instructions: InstructionSet) -> Self {
        Self {
            hierarchy: Hierarchy::new(surface),
            instructions,
        }
    }

    /// Returns the memory of the BVH with its copy of the triangles, bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.hierarchy.memory()
    }
}

impl Tracer for BvhTracer {
    fn surface(&self) -> &Surface {
        self.hierarchy.surface()
    }

    fn nearest(&self, ray: &Ray) -> Hit {
        let mut hit = Hit::MISS;
        let job = Single {
            hierarchy: &self.hierarchy,
            ray,
            hit: &mut hit,
        };
        self.instructions.run(job);
        hit
    }

    fn nearest_of(&self, rays: &[Ray], hits: &mut [Hit]) {
        assert_eq!(
            rays.len(),
            hits.len(),
            "`hits` and `rays` must have equal lengths"
        );
        hits.par_chunks_mut(BLOCK)
            .zip(rays.par_chunks(BLOCK))
            .for_each(|(hits, rays)| {
                let job = Bundles {
                    hierarchy: &self.hierarchy,
                    rays,
                    hits,
                    stack: &mut Stack::new(),
                };
                self.instructions.run(job);
            });
    }

    fn nearest_of_grid(&self, grid: &RayGrid, hits: &mut [Hit]) {
        assert_eq!(
            grid.count(),
            hits.len(),
            "`hits` must have one entry per ray"
        );
        let Some(across) = tile::Across::new(grid, self.surface()) else {
            let rays: Vec<Ray> = (0..grid.count())
                .map(|number| grid.ray(number % grid.columns, number / grid.columns))
                .collect();
            return self.nearest_of(&rays, hits);
        };
        hits.par_chunks_mut(tile::SIDE * grid.columns)
            .enumerate()
            .for_each(|(band, hits)| {
                let mut stack = Stack::new();
                self.instructions.run(Tiles {
                    hierarchy: &self.hierarchy,
                    across: &across,
                    first_row: band * tile::SIDE,
                    hits,
                    stack: &mut stack,
                });
            });
    }
}
