//! Construction of the kd-tree by the surface area heuristic (SAH).
//!
//! J. D. MacDonald, K. S. Booth, Heuristics for ray tracing using space subdivision, Visual Computer 6
//! (1990) 153–166. The cost of a plane is that of a traversal step plus that of the tests on either
//! side, weighted by the probability of a ray there; a bonus for empty space cuts it off early.

use super::ropes;
use wavefield_sbr::Surface;

/// Cost of a triangle test, in traversal steps.
const TEST_COST: f64 = 20.0;
/// Relative bonus of a plane with an empty side.
const EMPTY_BONUS: f64 = 0.4;
/// Maximum number of successive planes that increase the cost.
const MAX_BAD_PLANES: usize = 3;

/// Padding of the boxes of triangles, in radii of the surface: far above the rounding error of a point
/// on a ray, so that a hit lies in a leaf that contains its triangle.
pub(super) const PADDING: f64 = 1.0 / (1u64 << 30) as f64;

/// Sentinel: no node.
pub(super) const NIL: u32 = u32::MAX;

/// Node of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// Splitting plane and the children below and above it.
    Interior {
        /// Axis.
        axis: u8,
        /// Position on the axis.
        split: f64,
        /// Children below and above the plane.
        children: [u32; 2],
    },
    /// Index of a leaf.
    Leaf(u32),
}

/// Leaf of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// Range of its triangles in the tree's list.
    pub(super) first: u32,
    pub(super) count: u32,
}

/// Bounding box and ropes of a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
    /// Index of the node on the other side of each face (x, y, z low, then high), or [`NIL`].
    pub(super) ropes: [u32; 6],
}

/// Kd-tree with ropes.
#[derive(Clone, Debug)]
pub(super) struct KdTree {
    /// Nodes; the first is the root.
    pub(super) nodes: Vec<Node>,
    pub(super) leaves: Vec<Leaf>,
    pub(super) cells: Vec<Cell>,
    /// Indices of triangles, by leaf.
    pub(super) members: Vec<u32>,
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
    pub(super) depth: usize,
}

struct Builder {
    low: Vec<[f64; 3]>,
    high: Vec<[f64; 3]>,
    tree: KdTree,
    most_levels: usize,
}

impl KdTree {
    pub(super) fn new(surface: &Surface) -> Self {
        let padding = PADDING * surface.radius();
        let extent = |pick: fn(f64, f64) -> f64, padding: f64| -> Vec<[f64; 3]> {
            (surface.triangles().iter())
                .map(|[a, b, c]| [0, 1, 2].map(|k| pick(pick(a[k], b[k]), c[k]) + padding))
                .collect()
        };
        let (low, high) = (extent(f64::min, -padding), extent(f64::max, padding));
        let whole = |boxes: &[[f64; 3]], pick: fn(f64, f64) -> f64| {
            boxes[1..]
                .iter()
                .fold(boxes[0], |all, one| [0, 1, 2].map(|k| pick(all[k], one[k])))
        };
        let count = surface.count();
        let tree = Self {
            nodes: Vec::new(),
            leaves: Vec::new(),
            cells: Vec::new(),
            members: Vec::new(),
            low: whole(&low, f64::min),
            high: whole(&high, f64::max),
            depth: 0,
        };
        let mut builder = Builder {
            low,
            high,
            tree,
            most_levels: 8 + (1.3 * (count as f64).log2()) as usize,
        };
        let (low, high) = (builder.tree.low, builder.tree.high);
        builder.node((0..count as u32).collect(), low, high, 0, 0);
        let mut tree = builder.tree;
        ropes::tie(&mut tree);
        tree
    }
}

impl Builder {
    fn node(
        &mut self,
        members: Vec<u32>,
        low: [f64; 3],
        high: [f64; 3],
        level: usize,
        mut bad_planes: usize,
    ) -> u32 {
        let number = self.tree.nodes.len() as u32;
        self.tree.depth = self.tree.depth.max(level);
        let plane = (level < self.most_levels && !members.is_empty())
            .then(|| self.best_plane(&members, low, high))
            .flatten();
        let as_leaf = TEST_COST * members.len() as f64;
        if let Some((cost, _, _)) = plane
            && cost > as_leaf
        {
            bad_planes += 1;
        }
        let Some((cost, axis, split)) = plane else {
            return self.leaf(&members, low, high);
        };
        let hopeless = cost > 4.0 * as_leaf && members.len() < 16;
        if hopeless || bad_planes == MAX_BAD_PLANES {
            return self.leaf(&members, low, high);
        }
        // A cell contains the triangles whose padded boxes overlap it.
        let (below, above): (Vec<u32>, Vec<u32>) = {
            let reaches_below = |t: &&u32| self.low[**t as usize][axis] < split;
            let reaches_above = |t: &&u32| self.high[**t as usize][axis] > split;
            (
                members.iter().filter(reaches_below).copied().collect(),
                members.iter().filter(reaches_above).copied().collect(),
            )
        };
        drop(members);
        self.tree.nodes.push(Node::Leaf(NIL));
        let (mut middle_high, mut middle_low) = (high, low);
        middle_high[axis] = split;
        middle_low[axis] = split;
        let below = self.node(below, low, middle_high, level + 1, bad_planes);
        let above = self.node(above, middle_low, high, level + 1, bad_planes);
        self.tree.nodes[number as usize] = Node::Interior {
            axis: axis as u8,
            split,
            children: [below, above],
        };
        number
    }

    fn leaf(&mut self, members: &[u32], low: [f64; 3], high: [f64; 3]) -> u32 {
        let tree = &mut self.tree;
        tree.nodes.push(Node::Leaf(tree.leaves.len() as u32));
        tree.leaves.push(Leaf {
            first: tree.members.len() as u32,
            count: members.len() as u32,
        });
        tree.cells.push(Cell {
            low,
            high,
            ropes: [NIL; 6],
        });
        tree.members.extend_from_slice(members);
        (tree.nodes.len() - 1) as u32
    }

    /// Returns cost, axis, and position of the best plane through a cell among the faces of boxes.
    fn best_plane(
        &self,
        members: &[u32],
        low: [f64; 3],
        high: [f64; 3],
    ) -> Option<(f64, usize, f64)> {
        let size = [0, 1, 2].map(|k| high[k] - low[k]);
        let area = size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
        let mut best: Option<(f64, usize, f64)> = None;
        for axis in 0..3 {
            let mut starts: Vec<f64> = members
                .iter()
                .map(|&t| self.low[t as usize][axis])
                .collect();
            let mut ends: Vec<f64> = members
                .iter()
                .map(|&t| self.high[t as usize][axis])
                .collect();
            starts.sort_unstable_by(f64::total_cmp);
            ends.sort_unstable_by(f64::total_cmp);
            let [p, q] = [size[(axis + 1) % 3], size[(axis + 2) % 3]];
            let (mut started, mut ended) = (0, 0);
            // Merge of both lists by position.
            let (mut i, mut j) = (0, 0);
            loop {
                let place = match (starts.get(i), ends.get(j)) {
                    (Some(&start), Some(&end)) if start <= end => {
                        i += 1;
                        start
                    }
                    (_, Some(&end)) => {
                        j += 1;
                        end
                    }
                    // The last end follows all starts.
                    (_, None) => break,
                };
                if place <= low[axis] || place >= high[axis] {
                    continue;
                }
                while started < starts.len() && starts[started] < place {
                    started += 1;
                }
                while ended < ends.len() && ends[ended] <= place {
                    ended += 1;
                }
                let (below, above) = (started as f64, (members.len() - ended) as f64);
                let half_area = |width: f64| p * q + width * (p + q);
                let tests =
                    half_area(place - low[axis]) * below + half_area(high[axis] - place) * above;
                let bonus = if started == 0 || ended == members.len() {
                    EMPTY_BONUS
                } else {
                    0.0
                };
                let cost = 1.0 + TEST_COST * (1.0 - bonus) * tests / area;
                if best.is_none_or(|(least, _, _)| cost < least) {
                    best = Some((cost, axis, place));
                }
            }
        }
        best
    }
}
