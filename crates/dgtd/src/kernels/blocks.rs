//! Blocks of eight elements: geometry, neighbors, media, PML coefficients.

use std::collections::HashMap;

use super::{ELEMENTS, Number, Pack};
use crate::discretization::Discretization;
use crate::topology::Side;

/// Returns the number of blocks per parallel task: about 200,000 field values, few enough to balance the load, and
/// enough for most neighbors to be in the same task.
pub(super) fn together(nodes: usize) -> usize {
    (4096 / nodes).max(32)
}

/// Assignment of elements to blocks; PML elements begin a new block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    /// Number of elements outside the PML.
    first_layer: usize,
    /// Number of elements.
    elements: usize,
}

impl Places {
    /// Creates the assignment of a discretization.
    pub(super) fn new(d: &Discretization) -> Places {
        Places {
            first_layer: d.first_layer,
            elements: d.elements(),
        }
    }

    /// Returns the position of an element: eight times its block plus its lane.
    pub(super) fn of(&self, element: usize) -> usize {
        if element < self.first_layer {
            element
        } else {
            self.plain_blocks() * ELEMENTS + element - self.first_layer
        }
    }

    /// Returns the element at a position, if there is one.
    pub(super) fn element(&self, place: usize) -> Option<usize> {
        let plain = self.plain_blocks() * ELEMENTS;
        if place < plain {
            Some(place).filter(|&e| e < self.first_layer)
        } else {
            Some(self.first_layer + place - plain).filter(|&e| e < self.elements)
        }
    }

    /// Returns the number of blocks outside the PML.
    pub(super) fn plain_blocks(&self) -> usize {
        self.first_layer.div_ceil(ELEMENTS)
    }

    /// Returns the number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.plain_blocks() + (self.elements - self.first_layer).div_ceil(ELEMENTS)
    }
}

/// Material of a block: coefficients of curls, fluxes, and losses.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Material<T> {
    /// Coefficients 1/ε and −1/μ of the curls.
    pub(super) rate: Pack<T>,
    /// Coefficients of n × ΔH, and with a minus sign of n × ΔE, for each face.
    pub(super) cross: [Pack<T>; 4],
    /// Coefficients of the tangential parts of ΔE and ΔH, for each face.
    pub(super) penalty: [Pack<T>; 4],
    /// Decay rates σ/ε and σ*/μ.
    pub(super) loss: Pack<T>,
    /// Whether any decay rate is nonzero.
    pub(super) lossy: bool,
}

/// PML coefficients of one component at one node of a block, the same for E and H.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(super) struct LayerPack<T> {
    /// c₀, b₁, b₂, α + σ, α of [`PmlTerms`](crate::PmlTerms).
    pub(super) terms: [[T; ELEMENTS]; 5],
}

/// Geometry, topology, and media of all blocks, which are constant during a run.
#[derive(Clone, Debug)]
pub(super) struct Blocks<T> {
    /// Components x, y, z of ∇r, then of ∇s and ∇t.
    pub(super) gradients: Vec<[[T; ELEMENTS]; 9]>,
    /// For each face 4 × the position of the neighbor + its face; a face on a boundary refers to itself.
    pub(super) neighbors: Vec<[[u32; ELEMENTS]; 4]>,
    /// Index of each block's material.
    pub(super) material_of: Vec<u32>,
    /// Materials; equal blocks share one.
    pub(super) materials: Vec<Material<T>>,
    /// Index of each block's mirror factors, if it has a face on a boundary.
    pub(super) mirror_of: Vec<Option<u32>>,
    /// Factors of E and H beyond each face (mirror principle).
    pub(super) mirrors: Vec<[Pack<T>; 4]>,
    /// PML coefficients, component after component, node after node.
    pub(super) layers: Vec<LayerPack<T>>,
    /// Blocks in the order of their first use by a task, block after block.
    pub(super) arrivals: Vec<u32>,
    /// End of each block's entries in `arrivals`.
    pub(super) arrivals_until: Vec<usize>,
}

impl<T: Number> Blocks<T> {
    /// Lays out a discretization in blocks.
    pub(super) fn new(d: &Discretization, places: Places) -> Blocks<T> {
        let mut blocks = Blocks {
            gradients: Vec::with_capacity(places.blocks()),
            neighbors: Vec::with_capacity(places.blocks()),
            material_of: Vec::with_capacity(places.blocks()),
            materials: Vec::new(),
            mirror_of: Vec::with_capacity(places.blocks()),
            mirrors: Vec::new(),
            layers: Vec::new(),
            arrivals: Vec::new(),
            arrivals_until: Vec::new(),
        };
        let mut known = HashMap::new();
        for block in 0..places.blocks() {
            // Incomplete blocks are padded with copies of their first element that are their own neighbors; their
            // fields stay zero.
            let element = |lane: usize| {
                let place = block * ELEMENTS;
                let first = places.element(place).unwrap_or(0);
                places.element(place + lane).unwrap_or(first)
            };
            let filled = |lane: usize| places.element(block * ELEMENTS + lane).is_some();
            blocks.gradients.push(std::array::from_fn(|at| {
                std::array::from_fn(|lane| {
                    let gradients = d.geometry[element(lane)].reference_gradients();
                    T::rounded(gradients[at / 3][at % 3])
                })
            }));
            let side = |lane: usize, face: usize| d.topology.sides[element(lane)][face];
            let code = |lane: usize, face: usize| match side(lane, face) {
                Side::Neighbor { element, face } if filled(lane) => {
                    4 * places.of(element as usize) + face as usize
                }
                _ => 4 * (block * ELEMENTS + lane) + face,
            };
            blocks.neighbors.push(std::array::from_fn(|face| {
                std::array::from_fn(|lane| code(lane, face) as u32)
            }));
            let mirror = |face: usize, lane: usize, kind: usize| match side(lane, face) {
                Side::Boundary(boundary) if filled(lane) => boundary.mirror()[kind],
                _ => 1.0,
            };
            let at_boundary = (0..4).any(|face| {
                (0..ELEMENTS).any(|lane| [0, 1].map(|k| mirror(face, lane, k)) != [1.0; 2])
            });
            blocks.mirror_of.push(at_boundary.then(|| {
                blocks.mirrors.push(std::array::from_fn(|face| {
                    Pack::from_fn(|lane, kind| mirror(face, lane, kind))
                }));
                (blocks.mirrors.len() - 1) as u32
            }));
            let material = Material::new(d, element);
            let number = *known.entry(material.bits()).or_insert_with(|| {
                blocks.materials.push(material);
                (blocks.materials.len() - 1) as u32
            });
            blocks.material_of.push(number);
            if block >= places.plain_blocks() {
                let nodes = d.reference.nodes();
                for at in 0..3 * nodes {
                    let terms: [_; ELEMENTS] = std::array::from_fn(|lane| {
                        let row = (element(lane) - d.first_layer) * nodes + at / 3;
                        let terms = d.layer_terms[row][at % 3];
                        [
                            terms.own,
                            terms.first,
                            terms.second,
                            terms.first_decay,
                            terms.second_decay,
                        ]
                    });
                    blocks.layers.push(LayerPack {
                        terms: std::array::from_fn(|k| terms.map(|of_lane| T::rounded(of_lane[k]))),
                    });
                }
            }
        }
        blocks.note_arrivals(places, together(d.reference.nodes()));
        blocks
    }

    /// Records the order in which the tasks first need the blocks, for prefetching.
    fn note_arrivals(&mut self, places: Places, together: usize) {
        let mut last_seen_by = vec![usize::MAX; places.blocks()];
        let parts = [
            0..places.plain_blocks(),
            places.plain_blocks()..places.blocks(),
        ];
        let mut thread = 0;
        for part in parts {
            for (i, block) in part.enumerate() {
                if i.is_multiple_of(together) {
                    thread += 1;
                }
                let others = self.neighbors[block].iter().flatten();
                let others = others.map(|&code| code as usize / (4 * ELEMENTS));
                for needed in std::iter::once(block).chain(others) {
                    if std::mem::replace(&mut last_seen_by[needed], thread) != thread {
                        self.arrivals.push(needed as u32);
                    }
                }
                self.arrivals_until.push(self.arrivals.len());
            }
        }
    }

    /// Returns the memory of all arrays, in bytes.
    pub(super) fn memory(&self) -> usize {
        fn of<V>(values: &[V]) -> usize {
            size_of_val(values)
        }
        of(&self.gradients)
            + of(&self.neighbors)
            + of(&self.material_of)
            + of(&self.materials)
            + of(&self.mirror_of)
            + of(&self.mirrors)
            + of(&self.layers)
            + of(&self.arrivals)
            + of(&self.arrivals_until)
    }
}

impl<T: Number> Material<T> {
    fn new(d: &Discretization, element: impl Fn(usize) -> usize) -> Material<T> {
        let medium = |lane: usize| d.media[element(lane)];
        let flux = |lane: usize, face: usize| d.flux(element(lane), face);
        let loss = |lane: usize, kind: usize| match kind {
            0 => medium(lane).electric_loss / medium(lane).permittivity,
            _ => medium(lane).magnetic_loss / medium(lane).permeability,
        };
        Material {
            rate: Pack::from_fn(|lane, kind| match kind {
                0 => medium(lane).permittivity.recip(),
                _ => -medium(lane).permeability.recip(),
            }),
            cross: std::array::from_fn(|face| {
                Pack::from_fn(|lane, kind| [1.0, -1.0][kind] * flux(lane, face).cross[kind])
            }),
            penalty: std::array::from_fn(|face| {
                Pack::from_fn(|lane, kind| flux(lane, face).penalty[kind])
            }),
            loss: Pack::from_fn(loss),
            lossy: (0..ELEMENTS).any(|lane| loss(lane, 0) != 0.0 || loss(lane, 1) != 0.0),
        }
    }

    /// Returns all coefficients as bits, the key by which equal materials are found.
    fn bits(&self) -> Vec<u64> {
        let packs = [&self.rate, &self.loss].into_iter();
        let packs = packs.chain(&self.cross).chain(&self.penalty);
        packs
            .flat_map(|pack| pack.0.map(|x| Into::<f64>::into(x).to_bits()))
            .collect()
    }
}
