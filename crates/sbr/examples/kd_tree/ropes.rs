//! Ropes: links from each face of a leaf to the adjacent node.
//!
//! S. Popov, J. Günther, H.-P. Seidel, P. Slusallek, Stackless kd-tree traversal for high performance GPU
//! ray tracing, Comput. Graph. Forum 26 (2007) 415–424. A rope points to the smallest node that contains
//! all neighbors of its face.

use super::build::{Cell, KdTree, NIL, Node};

/// Sets the ropes of every leaf.
pub(super) fn tie(tree: &mut KdTree) {
    let mut open = vec![(0_u32, [NIL; 6])];
    while let Some((node, ropes)) = open.pop() {
        match tree.nodes[node as usize] {
            Node::Interior { axis, children, .. } => {
                let axis = axis as usize;
                let (mut below, mut above) = (ropes, ropes);
                below[3 + axis] = children[1];
                above[axis] = children[0];
                open.push((children[0], below));
                open.push((children[1], above));
            }
            Node::Leaf(leaf) => {
                let cell = tree.cells[leaf as usize];
                let pulled = std::array::from_fn(|face| pull(tree, ropes[face], face, &cell));
                tree.cells[leaf as usize].ropes = pulled;
            }
        }
    }
}

fn pull(tree: &KdTree, mut rope: u32, face: usize, cell: &Cell) -> u32 {
    while rope != NIL
        && let Node::Interior {
            axis,
            split,
            children,
        } = tree.nodes[rope as usize]
    {
        let axis = axis as usize;
        rope = if axis == face % 3 {
            // The upper half of the neighbor on the low side touches the face.
            children[usize::from(face < 3)]
        } else if split >= cell.high[axis] {
            children[0]
        } else if split <= cell.low[axis] {
            children[1]
        } else {
            break;
        };
    }
    rope
}
