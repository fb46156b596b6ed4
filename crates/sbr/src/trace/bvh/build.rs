//! Binary bounding volume hierarchy by the surface area heuristic (SAH).
//!
//! J. D. MacDonald, K. S. Booth, Heuristics for ray tracing using space subdivision, Visual Computer 6
//! (1990) 153–166; I. Wald, On fast construction of SAH-based bounding volume hierarchies, IEEE
//! Symposium on Interactive Ray Tracing (2007) 33–40.

use super::bounds::Bounds;

/// Number of bins along an axis: one more than the candidate planes.
const BINS: usize = 32;
/// Maximum level of SAH splits; below it, nodes are split at the median, which bounds the depth of any
/// tree.
const SAH_LEVELS: usize = 48;
/// Maximum number of levels of a tree: 32 median splits complete any subtree.
pub(crate) const MAX_LEVELS: usize = SAH_LEVELS + 32;
/// Minimum number of triangles of subtrees that are built in parallel.
const PARALLEL: usize = 4096;

/// Node of the binary tree. The children of node n are n + 1 and `right`; a node without a right child
/// is a leaf with one triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BinaryNode {
    pub(crate) bounds: Bounds,
    /// Index of the second child, or zero.
    pub(crate) right: u32,
    /// Number of triangles of the subtree.
    pub(crate) count: u32,
    /// Index of the first of them in the order of the tree.
    pub(crate) first: u32,
}

/// Binary tree with one triangle per leaf, and the order of its triangles.
pub(crate) struct BinaryTree {
    pub(crate) nodes: Vec<BinaryNode>,
    pub(crate) order: Vec<u32>,
}

/// Triangle during construction.
#[derive(Clone, Copy)]
struct Item {
    bounds: Bounds,
    number: u32,
}

impl Item {
    /// Returns twice the center of its box.
    fn middle(&self, axis: usize) -> f32 {
        self.bounds.low[axis] + self.bounds.high[axis]
    }
}

/// Builds the tree over boxes; requires at least one.
pub(super) fn build(boxes: &[Bounds]) -> BinaryTree {
    let mut items: Vec<Item> = (boxes.iter().enumerate())
        .map(|(number, &bounds)| Item {
            bounds,
            number: number as u32,
        })
        .collect();
    let empty = BinaryNode {
        bounds: Bounds::EMPTY,
        right: 0,
        count: 0,
        first: 0,
    };
    let mut nodes = vec![empty; 2 * items.len() - 1];
    subtree(&mut items, &mut nodes, 0, 0, 0);
    BinaryTree {
        nodes,
        order: items.iter().map(|item| item.number).collect(),
    }
}

/// Fills the 2n − 1 nodes of n triangles; `place` and `first` are their start indices in the whole tree.
fn subtree(items: &mut [Item], nodes: &mut [BinaryNode], place: u32, first: u32, level: usize) {
    let mut bounds = Bounds::EMPTY;
    for item in &*items {
        bounds.include(&item.bounds);
    }
    let count = items.len() as u32;
    nodes[0] = BinaryNode {
        bounds,
        right: 0,
        count,
        first,
    };
    if count == 1 {
        return;
    }
    let left = if level < SAH_LEVELS {
        partition(items).unwrap_or_else(|| halve(items))
    } else {
        halve(items)
    };
    nodes[0].right = place + 2 * left as u32;
    let (left_items, right_items) = items.split_at_mut(left);
    let (left_nodes, right_nodes) = nodes[1..].split_at_mut(2 * left - 1);
    let right_place = place + 2 * left as u32;
    let mut build_left = || subtree(left_items, left_nodes, place + 1, first, level + 1);
    let mut build_right = || {
        let first = first + left as u32;
        subtree(right_items, right_nodes, right_place, first, level + 1);
    };
    if count as usize >= PARALLEL {
        rayon::join(build_left, build_right);
    } else {
        build_left();
        build_right();
    }
}

/// Splits at the median along the axis with the largest spread of centers.
fn halve(items: &mut [Item]) -> usize {
    let (low, high) = spread(items);
    let axis = widest(low, high);
    let half = items.len() / 2;
    items.select_nth_unstable_by(half, |a, b| {
        (a.middle(axis).total_cmp(&b.middle(axis))).then(a.number.cmp(&b.number))
    });
    half
}

fn spread(items: &[Item]) -> ([f32; 3], [f32; 3]) {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for item in items {
        for axis in 0..3 {
            low[axis] = low[axis].min(item.middle(axis));
            high[axis] = high[axis].max(item.middle(axis));
        }
    }
    (low, high)
}

fn widest(low: [f32; 3], high: [f32; 3]) -> usize {
    let width = [0, 1, 2].map(|axis| high[axis] - low[axis]);
    if width[0] >= width[1] && width[0] >= width[2] {
        0
    } else if width[1] >= width[2] {
        1
    } else {
        2
    }
}

/// Partitions the triangles at the plane of minimum cost and returns the size of the first part; `None`
/// if no plane separates them.
fn partition(items: &mut [Item]) -> Option<usize> {
    let (low, high) = spread(items);
    let scale = [0, 1, 2].map(|axis| {
        let width = high[axis] - low[axis];
        if width > 0.0 {
            BINS as f32 / width
        } else {
            0.0
        }
    });
    let bin_of = |item: &Item, axis: usize| {
        (((item.middle(axis) - low[axis]) * scale[axis]) as usize).min(BINS - 1)
    };
    let mut bins = [[(Bounds::EMPTY, 0u32); BINS]; 3];
    for item in &*items {
        for axis in 0..3 {
            let bin = &mut bins[axis][bin_of(item, axis)];
            bin.0.include(&item.bounds);
            bin.1 += 1;
        }
    }
    let mut best = (f32::INFINITY, 0, 0);
    for axis in 0..3 {
        if scale[axis] == 0.0 {
            continue;
        }
        // Cost of everything above each plane, then from below.
        let mut above = [0.0; BINS];
        let (mut bounds, mut count) = (Bounds::EMPTY, 0);
        for bin in (1..BINS).rev() {
            bounds.include(&bins[axis][bin].0);
            count += bins[axis][bin].1;
            above[bin] = if count == 0 {
                f32::INFINITY
            } else {
                bounds.half_area() * count as f32
            };
        }
        (bounds, count) = (Bounds::EMPTY, 0);
        for bin in 1..BINS {
            bounds.include(&bins[axis][bin - 1].0);
            count += bins[axis][bin - 1].1;
            if count == 0 {
                continue;
            }
            let cost = bounds.half_area() * count as f32 + above[bin];
            if cost < best.0 {
                best = (cost, axis, bin);
            }
        }
    }
    let (cost, axis, plane) = best;
    if cost == f32::INFINITY {
        return None;
    }
    let mut left = 0;
    for i in 0..items.len() {
        if bin_of(&items[i], axis) < plane {
            items.swap(left, i);
            left += 1;
        }
    }
    Some(left)
}
