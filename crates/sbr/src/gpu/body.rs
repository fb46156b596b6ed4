//! Body in GPU memory: triangles and a stackless bounding volume hierarchy (BVH).
//!
//! Nodes are in depth-first order with skip links: a ray that misses a node continues with the node after its
//! subtree. Lengths are in radii of the body, positions relative to its center.

use wavefield_gpu::{Buffer, DeviceError, Gpu};

use super::arithmetic::{Arithmetic, filled};
use crate::trace::{BinaryTree, Bounds, Surface, binary_tree};
use wavefield_numerics::vector::{cross, norm, scaled, sub};

/// Maximum number of triangles per leaf; the kernels support up to seven.
const LEAF: u32 = 4;

/// Buffers of triangles and nodes.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) nodes: Buffer<[u32; 8]>,
    /// Triangles in the order of the nodes, in single precision.
    pub(super) slots: Buffer<[u32; 12]>,
    /// The same triangles in the arithmetic of the phases, with twice their areas.
    pub(super) facets: Buffer<[u32; 20]>,
}

impl Body {
    pub(super) fn new(
        gpu: &Gpu,
        surface: &Surface,
        arithmetic: Arithmetic,
    ) -> Result<Body, DeviceError> {
        let tree = binary_tree(surface);
        let nodes = flattened(&tree);
        let seen = |corner: [f64; 3]| scaled(sub(corner, surface.center()), 1.0 / surface.radius());
        let (slots, facets): (Vec<[u32; 12]>, Vec<[u32; 20]>) = tree
            .order
            .iter()
            .map(|&triangle| {
                let corners = surface.corners(triangle).map(seen);
                let [a, b, c] = corners.map(|corner| corner.map(|value| (value as f32).to_bits()));
                let twice_area = norm(cross(
                    sub(corners[1], corners[0]),
                    sub(corners[2], corners[0]),
                )) as f32;
                (
                    [
                        a[0], a[1], a[2], triangle, b[0], b[1], b[2], 0, c[0], c[1], c[2], 0,
                    ],
                    filled(
                        corners
                            .into_iter()
                            .flat_map(|corner| arithmetic.place(corner))
                            .chain([twice_area.to_bits()]),
                    ),
                )
            })
            .unzip();
        bindable(gpu, "the BVH nodes of a body", size_of_val(&nodes[..]))?;
        bindable(gpu, "the triangles of a body", size_of_val(&facets[..]))?;
        Ok(Body {
            nodes: Buffer::from_slice(gpu, &nodes)?,
            slots: Buffer::from_slice(gpu, &slots)?,
            facets: Buffer::from_slice(gpu, &facets)?,
        })
    }
}

/// Returns an error if a buffer exceeds the maximum storage binding.
fn bindable(gpu: &Gpu, what: &'static str, bytes: usize) -> Result<(), DeviceError> {
    let limit = gpu.capabilities().max_storage_binding;
    if bytes as u64 > limit {
        return Err(DeviceError::TooLarge {
            what,
            bytes: bytes as u64,
            limit,
        });
    }
    Ok(())
}

/// Returns the nodes in depth-first order; subtrees of few triangles are collapsed into leaves.
fn flattened(tree: &BinaryTree) -> Vec<[u32; 8]> {
    // Ends of open subtrees, as indices of the binary tree.
    let mut stops = Vec::new();
    let mut at = 0;
    while at < tree.nodes.len() {
        stops.push(at);
        let count = tree.nodes[at].count;
        at += if count <= LEAF { size(count) } else { 1 };
    }
    let mut numbers = vec![0; tree.nodes.len() + 1];
    numbers[tree.nodes.len()] = stops.len() as u32;
    for (number, &stop) in (0..).zip(&stops) {
        numbers[stop] = number;
    }
    let of_stop = |&stop: &usize| {
        let node = &tree.nodes[stop];
        let skip = numbers[stop + size(node.count)];
        let leaf = if node.count <= LEAF {
            8 * node.first + node.count
        } else {
            0
        };
        words(&node.bounds, skip, leaf)
    };
    stops.iter().map(of_stop).collect()
}

/// Returns the number of nodes of a subtree with one triangle per leaf.
fn size(triangles: u32) -> usize {
    2 * triangles as usize - 1
}

fn words(bounds: &Bounds, skip: u32, leaf: u32) -> [u32; 8] {
    let [low, high] = [bounds.low, bounds.high].map(|corner| corner.map(f32::to_bits));
    [
        low[0], low[1], low[2], skip, high[0], high[1], high[2], leaf,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_mesh::primitive;

    #[test]
    fn a_walk_that_misses_nothing_meets_every_triangle_once() {
        let mesh = primitive::sphere(1.0, 0.2).unwrap();
        let surface = Surface::new(&mesh).unwrap();
        let tree = binary_tree(&surface);
        let nodes = flattened(&tree);
        let mut met = vec![0; surface.count()];
        let mut at = 0;
        while at < nodes.len() {
            let [.., skip, _, _, _, leaf] = nodes[at];
            let (first, count) = ((leaf / 8) as usize, (leaf % 8) as usize);
            for &triangle in &tree.order[first..first + count] {
                met[triangle as usize] += 1;
            }
            assert!(skip as usize > at && skip as usize <= nodes.len());
            at = if count > 0 { skip as usize } else { at + 1 };
        }
        assert!(met.iter().all(|&times| times == 1));
    }
}
