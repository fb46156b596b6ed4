//! Conversion of a binary BVH into nodes of eight children and leaves of up to eight triangles.
//!
//! Dynamic programming over the SAH cost of a random ray selects the boxes that are retained:
//! H. Ylitie, T. Karras, S. Laine, Efficient incoherent ray traversal on GPUs through compressed wide
//! BVHs, High-Performance Graphics (2017), section 3.

use wavefield_numerics::simd::LANES;

use super::bounds::Bounds;
use super::build::{BinaryNode, BinaryTree};
use super::wide::{Child, TriangleBlock, WideNode};
use crate::trace::surface::Surface;

/// Cost of testing eight boxes and sorting those hit.
const NODE_COST: f32 = 1.0;
/// Cost of testing up to eight triangles.
const LEAF_COST: f32 = 2.5;

/// Minimum cost of a subtree with up to 1, 2, …, 7 slots in a node above it.
type Costs = [f32; LANES - 1];

struct Collapse<'a> {
    tree: &'a BinaryTree,
    costs: Vec<Costs>,
    surface: &'a Surface,
    made: Collapsed,
}

/// Nodes (the first is the root), leaves, and boxes of the leaves.
#[derive(Default)]
pub(super) struct Collapsed {
    pub(super) nodes: Vec<WideNode>,
    pub(super) blocks: Vec<TriangleBlock>,
    pub(super) leaf_bounds: Vec<Bounds>,
}

/// Collapses a binary tree.
pub(super) fn collapse(tree: &BinaryTree, surface: &Surface) -> Collapsed {
    let mut costs = vec![[0.0; LANES - 1]; tree.nodes.len()];
    // Children follow their parents.
    for (place, node) in tree.nodes.iter().enumerate().rev() {
        costs[place] = costs_of(tree, &costs, place, node);
    }
    let mut collapse = Collapse {
        tree,
        costs,
        surface,
        made: Collapsed::default(),
    };
    collapse.node(0);
    collapse.made
}

fn leaf_cost(node: &BinaryNode) -> f32 {
    if node.count as usize <= LANES {
        node.bounds.half_area() * LEAF_COST
    } else {
        f32::INFINITY
    }
}

/// Returns the optimal distribution of `places` slots over the two children of a node: cost and slots
/// of the first.
fn shared(costs: &[Costs], left: usize, right: usize, places: usize) -> (f32, usize) {
    let mut best = (f32::INFINITY, 1);
    for of_left in 1..places {
        let cost = costs[left][of_left - 1] + costs[right][places - of_left - 1];
        if cost < best.0 {
            best = (cost, of_left);
        }
    }
    best
}

fn costs_of(tree: &BinaryTree, costs: &[Costs], place: usize, node: &BinaryNode) -> Costs {
    let leaf = leaf_cost(node);
    if node.right == 0 {
        return [leaf; LANES - 1];
    }
    let (left, right) = (place + 1, tree.nodes[place].right as usize);
    let as_node = shared(costs, left, right, LANES).0 + node.bounds.half_area() * NODE_COST;
    let mut own = [leaf.min(as_node); LANES - 1];
    for places in 2..LANES {
        own[places - 1] = own[places - 2].min(shared(costs, left, right, places).0);
    }
    own
}

impl Collapse<'_> {
    /// Creates a wide node of the subtree at `place` and returns its index.
    fn node(&mut self, place: usize) -> u32 {
        let number = self.made.nodes.len();
        self.made.nodes.push(WideNode::EMPTY);
        let mut children = Vec::with_capacity(LANES);
        let right = self.tree.nodes[place].right as usize;
        if right == 0 {
            children.push(place);
        } else {
            let (_, of_left) = shared(&self.costs, place + 1, right, LANES);
            self.gather(place + 1, of_left, &mut children);
            self.gather(right, LANES - of_left, &mut children);
        }
        for (lane, place) in children.into_iter().enumerate() {
            let node = self.tree.nodes[place];
            let child = if self.is_leaf(place) {
                Child::leaf(self.block(&node))
            } else {
                Child::node(self.node(place))
            };
            self.made.nodes[number].set(lane, &node.bounds, child);
        }
        number as u32
    }

    /// Collects the subtrees that fill up to `places` slots of a node.
    fn gather(&self, place: usize, places: usize, found: &mut Vec<usize>) {
        let costs = &self.costs[place];
        // Minimum number of slots with the same cost.
        let places = (1..=places)
            .find(|&fewer| costs[fewer - 1] == costs[places - 1])
            .unwrap_or(places);
        if places == 1 {
            found.push(place);
            return;
        }
        let right = self.tree.nodes[place].right as usize;
        let (_, of_left) = shared(&self.costs, place + 1, right, places);
        self.gather(place + 1, of_left, found);
        self.gather(right, places - of_left, found);
    }

    fn is_leaf(&self, place: usize) -> bool {
        leaf_cost(&self.tree.nodes[place]) == self.costs[place][0]
    }

    fn block(&mut self, node: &BinaryNode) -> u32 {
        let range = node.first as usize..(node.first + node.count) as usize;
        let block = TriangleBlock::new(&self.tree.order[range], self.surface);
        self.made.blocks.push(block);
        self.made.leaf_bounds.push(node.bounds);
        (self.made.blocks.len() - 1) as u32
    }
}
