//! A hierarchy of boxes, eight at a time, for vector instructions.
//!
//! Boxes are met in f32 and only cull; triangles are met in f64, eight at once, with the operations of
//! the plain test in their order. Single rays go through nodes of eight boxes nearest first. Parallel
//! rays on a grid go through the hierarchy as tiles: a tile is a rectangle in the plane across the
//! rays, boxes are culled against the whole of it, and leaves are drawn into it like into a picture.

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

/// The fast tracer: a wide hierarchy of boxes and vector instructions found at run time.
#[derive(Clone, Debug)]
pub struct BvhTracer {
    hierarchy: Hierarchy,
    instructions: InstructionSet,
}

impl BvhTracer {
    /// Builds the hierarchy, on the threads of the current pool.
    #[must_use]
    pub fn new(surface: Arc<Surface>) -> Self {
        Self::with(surface, InstructionSet::widest())
    }

    /// Builds the hierarchy for certain vector instructions; the hits are the same for all.
    ///
    /// # Errors
    /// If the processor does not have them.
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

    /// Returns the size of the hierarchy with its copy of the triangles, in bytes.
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
        assert_eq!(rays.len(), hits.len(), "a hit for each ray");
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
        assert_eq!(grid.count(), hits.len(), "a hit for each ray");
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
