//! Ropes: from each face of a leaf to what lies behind it.
//!
//! S. Popov, J. Günther, H.-P. Seidel, P. Slusallek, Stackless kd-tree traversal for high performance GPU
//! ray tracing, Comput. Graph. Forum 26 (2007) 415–424. A rope is pulled down to the smallest node that
//! holds all the neighbours of its face.

use super::build::{Cell, KdTree, NIL, Node};

/// Ties the ropes of every leaf.
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
            // Of the neighbour on the low side the upper half touches the face.
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
