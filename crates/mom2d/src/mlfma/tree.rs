//! Quadtree over the nodes: cells are divided into four until they have the required side, and empty cells are omitted.

use std::collections::HashMap;
use std::ops::Range;

/// Cell that contains nodes.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// Column and row in its level.
    pub(crate) place: [u32; 2],
    /// Index of its parent in the level above.
    pub(crate) parent: usize,
    /// Children in the level below; empty for a leaf.
    pub(crate) children: Range<usize>,
    /// Range of its nodes in tree order.
    pub(crate) nodes: Range<usize>,
}

/// All cells of one size.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// Length of a side, m.
    pub(crate) side: f64,
    pub(crate) cells: Vec<Cell>,
    numbers: HashMap<[u32; 2], usize>,
}

/// Tree, from the root to the leaves.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// Lower left corner, m.
    corner: [f64; 2],
    pub(crate) levels: Vec<Level>,
    /// Node indices in tree order: leaf by leaf, ascending within a leaf.
    pub(crate) order: Vec<usize>,
}

impl Level {
    /// Returns the cell at a column and row, if it is not empty.
    pub(crate) fn at(&self, place: [i64; 2]) -> Option<usize> {
        let place = [u32::try_from(place[0]).ok()?, u32::try_from(place[1]).ok()?];
        self.numbers.get(&place).copied()
    }

    /// Returns a cell and its adjacent cells, by index.
    pub(crate) fn around(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let [x, y] = self.cells[cell].place.map(i64::from);
        (-1..=1).flat_map(move |dy| (-1..=1).filter_map(move |dx| self.at([x + dx, y + dy])))
    }
}

impl Tree {
    /// Creates a tree over points, with leaves of at most the side `leaf`, m.
    pub(crate) fn new(x: &[f64], y: &[f64], leaf: f64) -> Tree {
        let range = |values: &[f64]| {
            values.iter().fold([f64::MAX, f64::MIN], |[low, high], &v| {
                [low.min(v), high.max(v)]
            })
        };
        let ranges = [range(x), range(y)];
        let extent = ranges
            .iter()
            .map(|[low, high]| high - low)
            .fold(0.0, f64::max);
        let depth = (extent / leaf * (1.0 + 1e-9)).log2().ceil().max(0.0) as usize;
        let side = leaf * (1_u64 << depth) as f64;
        // Centered in the root.
        let corner = ranges.map(|[low, high]| 0.5 * (low + high - side));
        let last = (1_i64 << depth) - 1;
        let place = |node: usize| {
            [x[node] - corner[0], y[node] - corner[1]]
                .map(|d| ((d / leaf).floor() as i64).clamp(0, last) as u32)
        };
        let mut keyed: Vec<(u64, usize)> = (0..x.len())
            .map(|node| (interleaved(place(node)), node))
            .collect();
        keyed.sort_unstable();
        let levels = (0..=depth)
            .map(|level| {
                let above = 2 * (depth - level) as u32;
                let mut cells: Vec<Cell> = Vec::new();
                let mut last = None;
                for (at, &(key, node)) in keyed.iter().enumerate() {
                    let key = key >> above;
                    if last != Some(key) {
                        last = Some(key);
                        cells.push(Cell {
                            place: place(node).map(|p| p >> (depth - level)),
                            parent: 0,
                            children: 0..0,
                            nodes: at..at,
                        });
                    }
                    if let Some(cell) = cells.last_mut() {
                        cell.nodes.end = at + 1;
                    }
                }
                Level {
                    side: side / (1_u64 << level) as f64,
                    numbers: (cells.iter().enumerate())
                        .map(|(number, cell)| (cell.place, number))
                        .collect(),
                    cells,
                }
            })
            .collect();
        let mut tree = Tree {
            corner,
            levels,
            order: keyed.into_iter().map(|(_, node)| node).collect(),
        };
        tree.join();
        tree
    }

    /// Links parents and children, both of which are in tree order.
    fn join(&mut self) {
        for level in 1..self.levels.len() {
            let (above, below) = self.levels.split_at_mut(level);
            let (parents, children) = (&mut above[level - 1].cells, &mut below[0].cells);
            let mut child = 0;
            for (number, parent) in parents.iter_mut().enumerate() {
                let first = child;
                while child < children.len() && children[child].nodes.end <= parent.nodes.end {
                    children[child].parent = number;
                    child += 1;
                }
                parent.children = first..child;
            }
        }
    }

    /// Returns the center of a cell, m.
    pub(crate) fn center(&self, level: usize, cell: usize) -> [f64; 2] {
        let Level { side, cells, .. } = &self.levels[level];
        let place = cells[cell].place;
        [0, 1].map(|axis| self.corner[axis] + (f64::from(place[axis]) + 0.5) * side)
    }

    /// Returns the leaves.
    pub(crate) fn leaves(&self) -> &Level {
        &self.levels[self.levels.len() - 1]
    }

    /// Returns the leaves that a circle about a point may intersect.
    pub(crate) fn leaves_within(&self, point: [f64; 2], radius: f64) -> Vec<usize> {
        let leaves = self.leaves();
        let place = |axis: usize, at: f64| ((at - self.corner[axis]) / leaves.side).floor() as i64;
        let range =
            |axis: usize| place(axis, point[axis] - radius)..=place(axis, point[axis] + radius);
        range(1)
            .flat_map(|y| range(0).filter_map(move |x| leaves.at([x, y])))
            .collect()
    }

    /// Returns the interaction list of a cell: cells of its level that are not adjacent, but whose parents are adjacent to its
    /// parent.
    pub(crate) fn interaction_list(&self, level: usize, cell: usize) -> Vec<usize> {
        let (cells, above) = (&self.levels[level].cells, &self.levels[level - 1]);
        let own = cells[cell].place.map(i64::from);
        above
            .around(cells[cell].parent)
            .flat_map(|parent| above.cells[parent].children.clone())
            .filter(|&other| {
                let place = cells[other].place.map(i64::from);
                (0..2).any(|axis| (place[axis] - own[axis]).abs() > 1)
            })
            .collect()
    }
}

/// Returns the Morton code: interleaved bits of column and row, row first.
fn interleaved(place: [u32; 2]) -> u64 {
    let spread = |value: u32| {
        let mut bits = u64::from(value);
        for (shift, mask) in [
            (16, 0x0000_ffff_0000_ffff),
            (8, 0x00ff_00ff_00ff_00ff),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ] {
            bits = (bits | bits << shift) & mask;
        }
        bits
    };
    spread(place[0]) | spread(place[1]) << 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a spiral, which approaches itself and leaves most cells empty.
    fn spiral(count: usize) -> (Vec<f64>, Vec<f64>) {
        (0..count)
            .map(|i| {
                let t = 12.0 * i as f64 / count as f64;
                (t * t.cos(), t * t.sin())
            })
            .unzip()
    }

    #[test]
    fn every_node_lies_in_one_square_of_every_level() {
        let (x, y) = spiral(3000);
        let tree = Tree::new(&x, &y, 0.7);
        let mut nodes = tree.order.clone();
        nodes.sort_unstable();
        assert_eq!(nodes, (0..3000).collect::<Vec<_>>());
        for (number, level) in tree.levels.iter().enumerate() {
            let mut next = 0;
            for (cell, square) in level.cells.iter().enumerate() {
                assert_eq!(square.nodes.start, next);
                next = square.nodes.end;
                let center = tree.center(number, cell);
                for &node in &tree.order[square.nodes.clone()] {
                    for d in [x[node] - center[0], y[node] - center[1]] {
                        assert!(d.abs() <= 0.5 * level.side * (1.0 + 1e-9));
                    }
                }
                assert_eq!(level.at(square.place.map(i64::from)), Some(cell));
            }
            assert_eq!(next, 3000);
        }
    }

    /// Adjacent leaves and the interaction lists of all levels cover each pair of leaves exactly once.
    #[test]
    fn every_pair_of_leaves_meets_once() {
        let (x, y) = spiral(400);
        let tree = Tree::new(&x, &y, 0.7);
        let count = tree.leaves().cells.len();
        let depth = tree.levels.len() - 1;
        let mut met = vec![0; count * count];
        let leaves = |level: usize, cell: usize| {
            let mut cells = cell..cell + 1;
            for level in level..depth {
                let below = &tree.levels[level].cells;
                cells = below[cells.start].children.start..below[cells.end - 1].children.end;
            }
            cells
        };
        for leaf in 0..count {
            for other in tree.leaves().around(leaf) {
                met[leaf * count + other] += 1;
            }
        }
        for level in 1..=depth {
            for cell in 0..tree.levels[level].cells.len() {
                for other in tree.interaction_list(level, cell) {
                    for a in leaves(level, cell) {
                        for b in leaves(level, other) {
                            met[a * count + b] += 1;
                        }
                    }
                }
            }
        }
        assert!(met.iter().all(|&times| times == 1));
    }
}
