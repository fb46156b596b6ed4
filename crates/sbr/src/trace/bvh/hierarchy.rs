//! Wide BVH of a surface, the data structure of the kernels.

use std::sync::Arc;

use super::bounds::Bounds;
use super::build::{self, BinaryTree};
use super::collapse;
use super::wide::{TriangleBlock, WideNode};
use crate::trace::surface::Surface;

/// Wide BVH with blocks of triangles as leaves.
#[derive(Clone, Debug)]
pub(crate) struct Hierarchy {
    surface: Arc<Surface>,
    nodes: Vec<WideNode>,
    blocks: Vec<TriangleBlock>,
    /// Bounding box of each block.
    leaf_bounds: Vec<Bounds>,
    per_radius: f64,
}

impl Hierarchy {
    /// Builds the BVH in parallel on the current thread pool.
    pub(super) fn new(surface: Arc<Surface>) -> Hierarchy {
        let radius = surface.radius();
        let tree = binary_tree(&surface);
        let collapsed = collapse::collapse(&tree, &surface);
        Hierarchy {
            surface,
            nodes: collapsed.nodes,
            blocks: collapsed.blocks,
            leaf_bounds: collapsed.leaf_bounds,
            per_radius: 1.0 / radius,
        }
    }

    /// Returns the memory, bytes.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&self.nodes[..])
            + size_of_val(&self.blocks[..])
            + size_of_val(&self.leaf_bounds[..])
    }

    pub(crate) fn surface(&self) -> &Surface {
        &self.surface
    }

    pub(crate) fn nodes(&self) -> &[WideNode] {
        &self.nodes
    }

    pub(crate) fn blocks(&self) -> &[TriangleBlock] {
        &self.blocks
    }

    pub(crate) fn leaf_bounds(&self) -> &[Bounds] {
        &self.leaf_bounds
    }

    /// Returns the reciprocal of the radius of the surface, 1/m.
    pub(crate) fn per_radius(&self) -> f64 {
        self.per_radius
    }
}

/// Builds the binary BVH of a surface with one triangle per leaf.
pub(crate) fn binary_tree(surface: &Surface) -> BinaryTree {
    let (center, radius) = (surface.center(), surface.radius());
    let boxes: Vec<Bounds> = (surface.triangles().iter())
        .map(|corners| Bounds::of_triangle(corners, center, radius))
        .collect();
    build::build(&boxes)
}
