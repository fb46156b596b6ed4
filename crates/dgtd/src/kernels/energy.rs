//! Energy of blocks of elements: ½ ∫ ε E² + μ H² from q · M q, with the mass matrix M of the reference element.

use std::ops::Range;

use wavefield_numerics::simd::{Instructions, Job};

use super::lanes::Lanes;
use super::operators::{Tile, evenly};
use super::products::product;
use super::triple::{at_node, at_row, dot};
use super::{NODE, Number, PACK, Pack};
use crate::basis::ReferenceElement;

/// Mass matrix in the memory order of the products.
#[derive(Clone, Debug)]
pub(super) struct Mass<T> {
    nodes: usize,
    tiles: Vec<Tile>,
    entries: Vec<T>,
}

impl<T: Number> Mass<T> {
    /// Creates the matrix, in tiles of at most `most` rows.
    pub(super) fn new(reference: &ReferenceElement, most: usize) -> Mass<T> {
        let nodes = reference.nodes();
        let all: Vec<usize> = (0..nodes).collect();
        let mut mass = Mass {
            nodes,
            tiles: Vec::new(),
            entries: Vec::new(),
        };
        for rows in evenly(&all, most) {
            mass.tiles.push(Tile {
                rows: rows.len(),
                entries: mass.entries.len(),
                input: 0,
                depth: nodes,
                output: rows[0],
            });
            for column in 0..nodes {
                let entry = |&row: &usize| T::rounded(reference.mass().row(row)[column]);
                mass.entries.extend(rows.iter().map(entry));
            }
        }
        mass
    }
}

/// Job that computes q · M q of E and H for every element of some consecutive blocks.
pub(super) struct Energy<'a, T> {
    pub(super) mass: &'a Mass<T>,
    /// Fields of all blocks.
    pub(super) fields: &'a [Pack<T>],
    /// Range of the blocks.
    pub(super) range: Range<usize>,
}

impl<T: Number> Job for Energy<'_, T> {
    type Output = Vec<Pack<T>>;

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) -> Vec<Pack<T>> {
        // SAFETY: the caller has the instruction set.
        unsafe { self.all::<T::Vector<S>>() }
    }
}

impl<T: Number> Energy<'_, T> {
    /// # Safety
    /// The CPU supports the instruction set of `L`.
    #[inline(always)]
    unsafe fn all<L: Lanes<Real = T>>(self) -> Vec<Pack<T>> {
        let nodes = self.mass.nodes;
        let fields = &self.fields[self.range.start * 3 * nodes..self.range.end * 3 * nodes];
        let mut scratch = vec![Pack::<T>::ZERO; 3 * nodes];
        let mut energies = vec![Pack::<T>::ZERO; self.range.len()];
        for (block, energy) in fields.chunks_exact(3 * nodes).zip(&mut energies) {
            for part in 0..PACK / L::COUNT {
                // SAFETY: the CPU supports the instruction set; a block has three packs for each node, as has the
                // scratch buffer, and tiles stay within the nodes.
                unsafe {
                    let own = block.as_ptr().cast::<T>().add(part * L::COUNT);
                    let products: *mut T = scratch.as_mut_ptr().cast();
                    for tile in &self.mass.tiles {
                        product::<L>(
                            tile,
                            self.mass.entries.as_ptr().add(tile.entries),
                            own,
                            [NODE, PACK],
                            products.add(tile.output * 3 * L::COUNT),
                            own.cast(),
                        );
                    }
                    let mut sum = L::splat(T::ZERO);
                    for node in 0..nodes {
                        let (q, m) = (at_node::<L>(own, node as u32), at_row(products, node));
                        sum = sum.add(dot(q, m));
                    }
                    sum.store(energy.0.as_mut_ptr().add(part * L::COUNT));
                }
            }
        }
        energies
    }
}
