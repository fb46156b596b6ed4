//! A mesh in parts, one for each of several processes.
//!
//! Elements are cut along the curve they follow in memory into pieces of 64, which are never divided: a process
//! takes whole pieces, and sums over elements are made piece by piece. The bits of a result therefore do not depend on
//! how many processes there are.

use std::collections::BTreeMap;
use std::ops::Range;

use wavefield_solver::Graph;

use crate::discretisation::Discretisation;
use crate::topology::{Boundary, Side, Topology};

/// Elements of a piece.
pub(crate) const PIECE: usize = 64;

/// Pieces and how they touch, as a graph to be divided.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The elements of each piece; those of layers have pieces of their own.
    pub elements: Vec<Range<usize>>,
    /// For each piece those it touches, with the number of faces between them.
    pub neighbours: Vec<BTreeMap<u32, u32>>,
    /// The work of a stage in each piece, in elements outside layers.
    pub work: Vec<u32>,
}

/// What the memory of a layer adds to the work of an element, by measured times: a half.
const LAYER_WORK: f64 = 1.5;

impl Pieces {
    /// The pieces of a mesh.
    pub fn new(d: &Discretisation) -> Pieces {
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
        let mut neighbours = vec![BTreeMap::new(); elements.len()];
        for (element, sides) in d.topology.sides.iter().enumerate() {
            let own = piece_of[element];
            for side in sides {
                if let Side::Neighbour { element, .. } = side {
                    let other = piece_of[*element as usize];
                    if other != own {
                        *neighbours[own as usize].entry(other).or_insert(0) += 1;
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
            neighbours,
            elements,
        }
    }

    /// Returns the graph that a partitioner divides.
    pub fn graph(&self) -> Graph {
        let neighbors = self.neighbours.iter();
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

/// Nodes of faces whose fields go to another part, or come from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Border {
    /// The other part.
    pub part: u32,
    /// Elements of this part's own discretisation, and nodes.
    pub nodes: Vec<(u32, u16)>,
}

/// The part of one process: its own elements, and copies of those of others that touch them.
#[derive(Clone, Debug)]
pub struct Part {
    /// Own elements and copies: first those outside layers (those that touch no copy, then those that do, then all
    /// copies), then own ones of layers in the same order.
    pub local: Discretisation,
    /// Own elements, by their numbers in the whole mesh, outside layers and in them.
    pub own: [Vec<u32>; 2],
    /// How many of them touch no copy.
    pub inner: [usize; 2],
    /// For each element of the mesh the part it belongs to.
    pub part_of: Vec<u32>,
    /// For each element of the mesh its number here; `u32::MAX` if it is not an own one.
    pub place_of: Vec<u32>,
    /// What is sent.
    pub sent: Vec<Border>,
    /// What is received, into copies.
    pub received: Vec<Border>,
    /// The pieces of the mesh outside layers.
    pub pieces: Vec<Range<usize>>,
}

impl Part {
    /// One of the parts of a mesh whose pieces have been given out.
    pub fn new(d: &Discretisation, pieces: &Pieces, part_of_piece: &[u32], part: u32) -> Part {
        let part_of: Vec<u32> = piece_of_each(&pieces.elements)
            .into_iter()
            .map(|piece| part_of_piece[piece as usize])
            .collect();
        let is_own = |element: u32| part_of[element as usize] == part;
        let others = |element: u32| {
            let sides = d.topology.sides[element as usize].iter();
            sides.filter_map(|side| match side {
                Side::Neighbour { element, face } => Some((*element, *face)),
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

    /// Bytes that are sent in a stage, with numbers of so many bytes.
    pub fn bytes_sent(&self, number: usize) -> usize {
        let nodes: usize = self.sent.iter().map(|border| border.nodes.len()).sum();
        6 * number * nodes
    }
}

/// What is sent and received: the fields at the nodes of every face between two parts, in the order of elements and
/// faces of whoever sends, which both know.
fn borders(
    d: &Discretisation,
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
            if let Side::Neighbour {
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

/// The discretisation of some elements alone; a face to an element that is not there ends the domain.
fn local(d: &Discretisation, order: &[u32], first_layer: usize, here: &[u32]) -> Discretisation {
    let at = |element: &u32| *element as usize;
    let nodes = d.reference.nodes();
    let side = |side: Side| match side {
        Side::Neighbour { element, face } if here[element as usize] != u32::MAX => {
            Side::Neighbour {
                element: here[element as usize],
                face,
            }
        }
        Side::Neighbour { .. } => Side::Boundary(Boundary::ElectricWall),
        boundary => boundary,
    };
    Discretisation {
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
        upwind: d.upwind,
        original: order.iter().map(|e| d.original[at(e)]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use wavefield_mesh::primitive::open_tetrahedral_box;

    use super::*;
    use crate::Meaning;

    #[test]
    fn parts_cover_the_mesh_and_agree_about_their_borders() {
        let mesh = open_tetrahedral_box([1.0; 3], [10; 3], 1, 1).unwrap();
        let d = Discretisation::new(&mesh, 2, &Meaning::vacuum(&mesh)).unwrap();
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
                // Both name the same places in space.
                for (a, b) in border.nodes.iter().zip(&back.nodes) {
                    let place = |d: &Discretisation, n: &(u32, u16)| {
                        d.position(n.0 as usize, usize::from(n.1))
                    };
                    assert_eq!(place(&part.local, a), place(&other.local, b));
                }
            }
        }
    }
}
