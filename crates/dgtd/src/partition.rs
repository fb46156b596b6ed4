//! Partition of a mesh among processes.
//!
//! Elements in memory order, along a space-filling curve, are cut into pieces of 64, which are never divided: a process
//! gets whole pieces, and sums over elements are formed piece by piece. Results are therefore bitwise identical for any
//! number of processes.

use std::collections::BTreeMap;
use std::ops::Range;

use wavefield_solver::Graph;

use crate::discretization::Discretization;
use crate::topology::{Boundary, Side, Topology};

/// Maximum number of elements per piece.
pub(crate) const PIECE: usize = 64;

/// Pieces of a mesh and their adjacency, as a graph for a partitioner.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// Elements of each piece; PML elements have pieces of their own.
    pub elements: Vec<Range<usize>>,
    /// Adjacent pieces of each piece, with the number of faces in common.
    pub neighbors: Vec<BTreeMap<u32, u32>>,
    /// Work of a stage in each piece, relative to an element outside the PML.
    pub work: Vec<u32>,
}

/// Measured work of a PML element relative to an element outside the PML.
const LAYER_WORK: f64 = 1.5;

impl Pieces {
    /// Cuts a mesh into pieces.
    pub fn new(d: &Discretization) -> Pieces {
        let cut = |range: Range<usize>| {
            let end = range.end;
            range
                .step_by(PIECE)
                .map(move |start| start..end.min(start + PIECE))
        };
        let elements: Vec<Range<usize>> = cut(0..d.first_layer)
            .chain(cut(d.first_layer..d.elements()))
            .collect();
        let piece_of = piece_of_each(&elements);
        let mut neighbors = vec![BTreeMap::new(); elements.len()];
        for (element, sides) in d.topology.sides.iter().enumerate() {
            let own = piece_of[element];
            for side in sides {
                if let Side::Neighbor { element, .. } = side {
                    let other = piece_of[*element as usize];
                    if other != own {
                        *neighbors[own as usize].entry(other).or_insert(0) += 1;
                    }
                }
            }
        }
        let work = elements.iter().map(|range| {
            let each = if range.start < d.first_layer {
                1.0
            } else {
                LAYER_WORK
            };
            (each * range.len() as f64).round() as u32
        });
        Pieces {
            work: work.collect(),
            neighbors,
            elements,
        }
    }

    /// Returns the graph that a partitioner divides.
    pub fn graph(&self) -> Graph {
        let neighbors = self.neighbors.iter();
        Graph {
            work: self.work.clone(),
            neighbors: neighbors
                .map(|others| {
                    others
                        .iter()
                        .map(|(&piece, &faces)| (piece, faces))
                        .collect()
                })
                .collect(),
        }
    }
}

fn piece_of_each(elements: &[Range<usize>]) -> Vec<u32> {
    (0..)
        .zip(elements)
        .flat_map(|(piece, range)| range.clone().map(move |_| piece))
        .collect()
}

/// Face nodes whose fields are sent to another part, or received from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Border {
    /// Index of the other part.
    pub part: u32,
    /// Elements of this part's local discretization, and nodes.
    pub nodes: Vec<(u32, u16)>,
}

/// Part of one process: its own elements, and ghost copies of adjacent elements of other parts.
#[derive(Clone, Debug)]
pub struct Part {
    /// Discretization of own elements and ghosts: first those outside the PML (interior elements, then elements
    /// adjacent to ghosts, then all ghosts), then own PML elements in the same order.
    pub local: Discretization,
    /// Own elements by their indices in the whole mesh: those outside the PML, and those in it.
    pub own: [Vec<u32>; 2],
    /// Numbers of own elements that are not adjacent to ghosts, outside the PML and in it.
    pub inner: [usize; 2],
    /// Part of each element of the mesh.
    pub part_of: Vec<u32>,
    /// Local index of each element of the mesh; `u32::MAX` for elements of other parts.
    pub place_of: Vec<u32>,
    /// Face nodes whose fields are sent, by receiving part.
    pub sent: Vec<Border>,
    /// Face nodes of ghosts whose fields are received, by sending part.
    pub received: Vec<Border>,
    /// Pieces of the mesh outside the PML.
    pub pieces: Vec<Range<usize>>,
}

impl Part {
    /// Creates one part of a partitioned mesh; `part_of_piece` is the part of every piece.
    pub fn new(d: &Discretization, pieces: &Pieces, part_of_piece: &[u32], part: u32) -> Part {
        let part_of: Vec<u32> = piece_of_each(&pieces.elements)
            .into_iter()
            .map(|piece| part_of_piece[piece as usize])
            .collect();
        let is_own = |element: u32| part_of[element as usize] == part;
        let others = |element: u32| {
            let sides = d.topology.sides[element as usize].iter();
            sides.filter_map(|side| match side {
                Side::Neighbor { element, face } => Some((*element, *face)),
                Side::Boundary(_) => None,
            })
        };
        let touches = |element: u32| others(element).any(|(other, _)| !is_own(other));
        let elements = d.elements() as u32;
        let first_layer = d.first_layer as u32;
        let [plain, layers] = [0..first_layer, first_layer..elements].map(|range| {
            let (border, inner): (Vec<u32>, Vec<u32>) =
                range.filter(|&e| is_own(e)).partition(|&e| touches(e));
            (inner.len(), [inner, border].concat())
        });
        let mut copies: Vec<u32> = ([&plain.1, &layers.1].into_iter().flatten())
            .flat_map(|&element| others(element))
            .map(|(other, _)| other)
            .filter(|&other| !is_own(other))
            .collect();
        copies.sort_unstable();
        copies.dedup();
        let order: Vec<u32> = [&plain.1[..], &copies, &layers.1].concat();
        let mut here = vec![u32::MAX; d.elements()];
        for (place, &element) in (0..).zip(&order) {
            here[element as usize] = place;
        }
        let (sent, received) = borders(d, &part_of, part, &here, &order);
        let mut place_of = here.clone();
        for &copy in &copies {
            place_of[copy as usize] = u32::MAX;
        }
        Part {
            local: local(d, &order, plain.1.len() + copies.len(), &here),
            own: [plain.1, layers.1],
            inner: [plain.0, layers.0],
            part_of,
            place_of,
            sent,
            received,
            pieces: (pieces.elements.iter())
                .filter(|range| range.start < d.first_layer)
                .cloned()
                .collect(),
        }
    }

    /// Returns the bytes sent per stage, with numbers of `number` bytes.
    pub fn bytes_sent(&self, number: usize) -> usize {
        let nodes: usize = self.sent.iter().map(|border| border.nodes.len()).sum();
        6 * number * nodes
    }
}

/// Returns the borders that are sent and received: the fields at the nodes of every face between two parts, in the
/// sender's order of elements and faces.
fn borders(
    d: &Discretization,
    part_of: &[u32],
    part: u32,
    here: &[u32],
    order: &[u32],
) -> (Vec<Border>, Vec<Border>) {
    let mut sent: BTreeMap<u32, Vec<(u32, u8)>> = BTreeMap::new();
    let mut received: BTreeMap<u32, Vec<(u32, u8)>> = BTreeMap::new();
    for &element in order {
        if part_of[element as usize] != part {
            continue;
        }
        for (own_face, side) in (0..).zip(&d.topology.sides[element as usize]) {
            if let Side::Neighbor {
                element: other,
                face,
            } = side
            {
                let owner = part_of[*other as usize];
                if owner != part {
                    sent.entry(owner).or_default().push((element, own_face));
                    received.entry(owner).or_default().push((*other, *face));
                }
            }
        }
    }
    let listed = |borders: BTreeMap<u32, Vec<(u32, u8)>>| {
        borders
            .into_iter()
            .map(|(part, mut faces)| {
                faces.sort_unstable();
                let nodes = faces.into_iter().flat_map(|(element, face)| {
                    let nodes = d.reference.face_nodes(usize::from(face)).iter();
                    nodes.map(move |&node| (here[element as usize], node as u16))
                });
                Border {
                    part,
                    nodes: nodes.collect(),
                }
            })
            .collect()
    };
    (listed(sent), listed(received))
}

/// Returns the discretization of some elements alone; a face to a missing element becomes a boundary.
fn local(d: &Discretization, order: &[u32], first_layer: usize, here: &[u32]) -> Discretization {
    let at = |element: &u32| *element as usize;
    let nodes = d.reference.nodes();
    let side = |side: Side| match side {
        Side::Neighbor { element, face } if here[element as usize] != u32::MAX => Side::Neighbor {
            element: here[element as usize],
            face,
        },
        Side::Neighbor { .. } => Side::Boundary(Boundary::ElectricWall),
        boundary => boundary,
    };
    Discretization {
        reference: d.reference.clone(),
        topology: Topology {
            corners: order.iter().map(|e| d.topology.corners[at(e)]).collect(),
            sides: (order.iter())
                .map(|e| d.topology.sides[at(e)].map(side))
                .collect(),
            surfaces: order.iter().map(|e| d.topology.surfaces[at(e)]).collect(),
        },
        points: d.points.clone(),
        geometry: order.iter().map(|e| d.geometry[at(e)]).collect(),
        media: order.iter().map(|e| d.media[at(e)]).collect(),
        first_layer,
        layer_terms: order[first_layer..]
            .iter()
            .flat_map(|e| {
                let first = (at(e) - d.first_layer) * nodes;
                d.layer_terms[first..first + nodes].to_vec()
            })
            .collect(),
        bounded_layers: d.bounded_layers,
        profile: d.profile,
        upwind: d.upwind,
        original: order.iter().map(|e| d.original[at(e)]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use wavefield_mesh::primitive::open_tetrahedral_box;

    use super::*;
    use crate::PhysicalGroups;

    #[test]
    fn parts_cover_the_mesh_and_agree_about_their_borders() {
        let mesh = open_tetrahedral_box([1.0; 3], [10; 3], 1, 1).unwrap();
        let d = Discretization::new(&mesh, 2, &PhysicalGroups::vacuum(&mesh)).unwrap();
        let pieces = Pieces::new(&d);
        let covered: usize = pieces.elements.iter().map(Range::len).sum();
        assert_eq!(covered, d.elements());
        let division = pieces.graph().contiguous_parts(3);
        let parts: Vec<Part> = (0..3)
            .map(|part| Part::new(&d, &pieces, &division, part))
            .collect();
        let own: usize = parts.iter().flat_map(|p| &p.own).map(Vec::len).sum();
        assert_eq!(own, d.elements());
        for (number, part) in parts.iter().enumerate() {
            let [inner, own] = [part.inner.iter().sum::<usize>(), part.own.concat().len()];
            assert!(0 < inner && inner < own, "{inner} of {own}");
            for border in &part.sent {
                let other = &parts[border.part as usize];
                let back = other.received.iter().find(|b| b.part == number as u32);
                let back = back.unwrap();
                assert_eq!(back.nodes.len(), border.nodes.len());
                // Both refer to the same positions.
                for (a, b) in border.nodes.iter().zip(&back.nodes) {
                    let place = |d: &Discretization, n: &(u32, u16)| {
                        d.position(n.0 as usize, usize::from(n.1))
                    };
                    assert_eq!(place(&part.local, a), place(&other.local, b));
                }
            }
        }
    }
}
