//! Statistics of the tree and its traversal: tables I and II of Tao, Lin, and Bao (2010).

use super::KdTracer;
use super::build::{Cell, KdTree, Leaf, Node};
use super::traverse::span;
use wavefield_sbr::{Hit, Ray, ShearedRay, Surface, Tracer};

/// Counter of traversal events.
pub(super) trait Count {
    /// Counts a step at an interior node.
    fn interior(&mut self);
    /// Counts a leaf with a number of triangles.
    fn leaf(&mut self, triangles: u32);
}

/// Counter that discards all events.
pub(super) struct Uncounted;

impl Count for Uncounted {
    fn interior(&mut self) {}
    fn leaf(&mut self, _: u32) {}
}

/// Size of a kd-tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TreeStatistics {
    /// Number of triangles of the surface.
    pub(crate) triangles: usize,
    /// Number of nodes, including leaves.
    pub(crate) nodes: usize,
    /// Number of leaves, including empty ones.
    pub(crate) leaves: usize,
    /// Number of leaves without a triangle.
    pub(crate) empty_leaves: usize,
    /// Number of steps from the root to the deepest leaf.
    pub(crate) depth: usize,
    /// Mean number of triangles of a nonempty leaf.
    pub(crate) mean_triangles: f64,
    /// Memory of the triangles, bytes.
    pub(crate) triangle_memory: usize,
    /// Memory of nodes, leaves, and their lists of triangles, bytes.
    pub(crate) basic_memory: usize,
    /// Memory of the leaves' boxes and ropes, bytes.
    pub(crate) rope_memory: usize,
}

/// Total traversal cost of rays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WalkStatistics {
    /// Number of rays.
    pub(crate) rays: u64,
    /// Number of rays with a hit.
    pub(crate) hits: u64,
    /// Number of steps at interior nodes with ropes.
    pub(crate) steps: u64,
    /// Number of steps from the root with a stack.
    pub(crate) standard_steps: u64,
    /// Number of leaves visited with ropes.
    pub(crate) leaves: u64,
    /// Number of triangles tested with ropes.
    pub(crate) tests: u64,
}

impl Count for WalkStatistics {
    fn interior(&mut self) {
        self.steps += 1;
    }

    fn leaf(&mut self, triangles: u32) {
        self.leaves += 1;
        self.tests += u64::from(triangles);
    }
}

impl KdTracer {
    /// Returns the size of the tree (table I).
    #[must_use]
    pub(crate) fn tree_statistics(&self) -> TreeStatistics {
        let tree = &self.tree;
        let empty_leaves = tree.leaves.iter().filter(|leaf| leaf.count == 0).count();
        let full = tree.leaves.len() - empty_leaves;
        TreeStatistics {
            triangles: self.surface.count(),
            nodes: tree.nodes.len(),
            leaves: tree.leaves.len(),
            empty_leaves,
            depth: tree.depth,
            mean_triangles: tree.members.len() as f64 / full.max(1) as f64,
            triangle_memory: self.surface.count() * size_of::<[[f64; 3]; 3]>(),
            basic_memory: tree.nodes.len() * size_of::<Node>()
                + tree.leaves.len() * size_of::<Leaf>()
                + tree.members.len() * size_of::<u32>(),
            rope_memory: tree.cells.len() * size_of::<Cell>(),
        }
    }

    /// Returns the traversal cost (table II): of the given rays, then of all their reflections up to
    /// `most` hits.
    #[must_use]
    pub(crate) fn walk_statistics(&self, rays: &[Ray], most: usize) -> [WalkStatistics; 2] {
        let mut counts = [WalkStatistics::default(); 2];
        for ray in rays {
            let mut ray = *ray;
            let mut last = None;
            for bounce in 0..most {
                let count = &mut counts[bounce.min(1)];
                count.rays += 1;
                count.standard_steps += standard(&self.tree, self.surface(), &ray).1;
                let (hit, leaf) = self.step(&ray, last, count);
                if hit.is_miss() {
                    break;
                }
                count.hits += 1;
                ray = self.surface().reflect(&ray, &hit);
                last = leaf;
            }
        }
        counts
    }
}

/// Returns the nearest hit by the standard traversal, from the root with a stack, and its number of
/// steps at interior nodes.
pub(super) fn standard(tree: &KdTree, surface: &Surface, ray: &Ray) -> (Hit, u64) {
    let mut steps = 0;
    let mut best = Hit::MISS;
    let sheared = ShearedRay::new(ray, surface.radius());
    let (near, far) = span(ray, tree.low, tree.high);
    let mut open = vec![(0, near, far)];
    while let Some((node, near, far)) = open.pop() {
        if near > far || near > best.distance {
            continue;
        }
        match tree.nodes[node as usize] {
            Node::Leaf(leaf) => {
                tree.test(surface, &sheared, leaf, &mut best, &mut Uncounted);
            }
            Node::Interior {
                axis,
                split,
                children,
            } => {
                steps += 1;
                let axis = axis as usize;
                let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
                let above = origin > split || (origin == split && direction > 0.0);
                let first = children[usize::from(above)];
                let second = children[usize::from(!above)];
                let plane = (split - origin) / direction;
                if direction == 0.0 || plane <= 0.0 || plane > far {
                    open.push((first, near, far));
                } else if plane < near {
                    open.push((second, near, far));
                } else {
                    open.push((second, plane, far));
                    open.push((first, near, plane));
                }
            }
        }
    }
    (best, steps)
}
