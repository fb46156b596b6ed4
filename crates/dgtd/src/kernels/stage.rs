//! One Runge–Kutta stage of consecutive blocks.

use std::ops::Range;

use wavefield_numerics::simd::{Instructions, Interleaved, Job, Vector};

use super::blocks::{Blocks, LayerPack};
use super::curls::curls;
use super::fluxes::{Beyond, fluxes, sums_of_fluxes};
use super::lanes::Lanes;
use super::operators::Operators;
use super::products::product;
use super::update::{Factors, Fields, Layer, Loss, Nothing, update};
use super::{ELEMENTS, Number, PACK, Pack};

/// Prefetch distance, in nodes.
const AHEAD: usize = 40;

/// Job that advances consecutive blocks by one stage, all of them outside the PML or all inside.
pub(super) struct Stage<'a, T> {
    pub(super) operators: &'a Operators<T>,
    pub(super) blocks: &'a Blocks<T>,
    /// Range of the blocks.
    pub(super) range: Range<usize>,
    /// Fields of all blocks before the stage.
    pub(super) fields: &'a [Pack<T>],
    /// Fields of these blocks after the stage.
    pub(super) next: &'a mut [Pack<T>],
    /// Runge–Kutta register of these blocks.
    pub(super) register: &'a mut [Pack<T>],
    /// Auxiliary fields of these blocks in the PML.
    pub(super) memory: Option<Memory<'a, T>>,
    pub(super) factors: Factors<T>,
    /// Whether fields are too large for the CPU caches and are written with non-temporal stores.
    pub(super) large: bool,
    pub(super) scratch: &'a mut Scratch<T>,
}

/// Auxiliary fields of PML blocks.
pub(super) struct Memory<'a, T> {
    /// PML coefficients of each component at each node.
    pub(super) terms: &'a [LayerPack<T>],
    /// P and Q, interleaved.
    pub(super) values: &'a mut [Pack<T>],
    /// Runge–Kutta register of P and Q.
    pub(super) register: &'a mut [Pack<T>],
}

/// Buffers between the steps of a stage.
#[derive(Clone, Debug)]
pub(super) struct Scratch<T> {
    /// Addresses of the traces of neighbors.
    places: Vec<usize>,
    fluxes: Vec<Pack<T>>,
    inputs: Vec<Pack<T>>,
    outputs: Vec<Pack<T>>,
}

impl<T: Number> Scratch<T> {
    pub(super) fn new(operators: &Operators<T>) -> Scratch<T> {
        let rows = |count: usize| vec![Pack::ZERO; 3 * count];
        Scratch {
            places: vec![0; ELEMENTS * operators.on_face],
            fluxes: rows(4 * operators.on_face),
            inputs: rows(operators.inputs),
            outputs: rows(operators.nodes),
        }
    }
}

impl<T: Number> Job for Stage<'_, T> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<S: Instructions>(mut self) {
        let packs = self.operators.packs();
        let count = self.range.len();
        assert!(self.next.len() == count * packs && self.register.len() == count * packs);
        assert!(self.fields.len() == self.blocks.neighbors.len() * packs);
        assert!(self.range.end <= self.blocks.neighbors.len());
        if let Some(memory) = &self.memory {
            assert!(memory.terms.len() == count * packs);
            assert!(memory.values.len() == 2 * count * packs);
            assert!(memory.register.len() == 2 * count * packs);
        }
        let mut arrivals = Arrivals::new(self.blocks, self.fields, packs, &self.range);
        let masks = T::Vector::<S>::masks();
        for block in self.range.clone() {
            arrivals.until(block + AHEAD.div_ceil(self.operators.nodes));
            for shift in (0..PACK).step_by(T::Vector::<S>::COUNT) {
                // SAFETY: the CPU supports the instruction set, and the lengths were checked above.
                unsafe { self.block::<T::Vector<S>>(block, shift, masks, &mut arrivals) };
            }
        }
        // SAFETY: the CPU supports the instruction set.
        unsafe { T::Vector::<S>::settle() };
    }
}

impl<T: Number> Stage<'_, T> {
    /// Advances as many elements of a block as fit a SIMD vector, from element `shift`/2 on.
    ///
    /// # Safety
    /// The CPU supports the instruction set of `L`; the block is in the range, and slices are as long as the range.
    #[inline(always)]
    unsafe fn block<L: Lanes<Real = T>>(
        &mut self,
        block: usize,
        shift: usize,
        masks: L::Masks,
        arrivals: &mut Arrivals<T>,
    ) {
        let (operators, blocks) = (self.operators, self.blocks);
        let packs = operators.packs();
        let local = block - self.range.start;
        let inputs: *mut T = self.scratch.inputs.as_mut_ptr().cast();
        let outputs: *mut T = self.scratch.outputs.as_mut_ptr().cast();
        let places = self.scratch.places.as_mut_ptr();
        let fluxes_at: *mut T = self.scratch.fluxes.as_mut_ptr().cast();
        let material = &blocks.materials[blocks.material_of[block] as usize];
        let mirror = blocks.mirror_of[block].map(|at| &blocks.mirrors[at as usize]);
        // SAFETY: the caller's promise; the scratch buffers were allocated for these operators.
        unsafe {
            let shape: *const T = (&raw const blocks.gradients[block]).cast::<T>();
            let mut gradients = [[L::splat(T::ZERO); 3]; 3];
            for k in 0..9 {
                gradients[k / 3][k % 3] = L::load_twice(shape.add(k * ELEMENTS + shift / 2));
            }
            let all: *const T = self.fields.as_ptr().cast();
            let fields = Fields {
                own: all.add(block * packs * PACK + shift),
                next: self
                    .next
                    .as_mut_ptr()
                    .add(local * packs)
                    .cast::<T>()
                    .add(shift),
                register: (self.register.as_mut_ptr().add(local * packs).cast::<T>()).add(shift),
                large: self.large,
            };
            let beyond = Beyond {
                fields: all,
                neighbors: &blocks.neighbors[block],
                mirror,
                soon: fields.register.cast_const().cast(),
            };
            fluxes::<L>(
                operators, gradients, material, fields.own, shift, &beyond, masks, places,
                fluxes_at,
            );
            sums_of_fluxes::<L>(operators, fluxes_at, inputs);
            let rate = L::load(material.rate.0.as_ptr().add(shift));
            curls(operators, gradients, rate, fields.own, inputs);
            let row = 3 * L::COUNT;
            for tile in &operators.tiles {
                product::<L>(
                    tile,
                    operators.entries.as_ptr().add(tile.entries),
                    inputs.add(tile.input * row),
                    [row, L::COUNT],
                    outputs.add(tile.output * row),
                    arrivals.lines(tile.depth),
                );
            }
            let loss = L::load(material.loss.0.as_ptr().add(shift));
            match &mut self.memory {
                Some(memory) => {
                    let first = local * packs;
                    let terms = memory.terms.as_ptr().add(first).cast::<T>();
                    let layer = Layer {
                        loss,
                        terms: terms.add(shift / 2),
                        memory: (memory.values.as_mut_ptr().add(2 * first).cast::<T>()).add(shift),
                        register: (memory.register.as_mut_ptr().add(2 * first).cast::<T>())
                            .add(shift),
                    };
                    update::<L>(operators, outputs, fields, self.factors, layer);
                }
                None if material.lossy => {
                    update::<L>(operators, outputs, fields, self.factors, Loss(loss));
                }
                None => update::<L>(operators, outputs, fields, self.factors, Nothing),
            }
        }
    }
}

/// Prefetcher of fields, block after block in the order of first use.
struct Arrivals<'a, T> {
    blocks: &'a Blocks<T>,
    fields: &'a [Pack<T>],
    /// Packs per block.
    packs: usize,
    /// Last block of the range.
    last: usize,
    /// Index of the block to prefetch, among the arrivals.
    at: usize,
    /// Bytes of that block prefetched so far.
    done: usize,
    /// Index among the arrivals at which prefetching stops.
    until: usize,
}

impl<'a, T> Arrivals<'a, T> {
    fn new(
        blocks: &'a Blocks<T>,
        fields: &'a [Pack<T>],
        packs: usize,
        range: &Range<usize>,
    ) -> Arrivals<'a, T> {
        let before = range.start.checked_sub(1);
        Arrivals {
            blocks,
            fields,
            packs,
            last: range.end.saturating_sub(1),
            at: before.map_or(0, |block| blocks.arrivals_until[block]),
            done: 0,
            until: 0,
        }
    }

    /// Extends prefetching up to what a block needs.
    fn until(&mut self, block: usize) {
        self.until = self.blocks.arrivals_until[block.min(self.last)];
    }

    /// Returns the address of the next `count` cache lines to prefetch; some may lie beyond the block.
    #[inline(always)]
    fn lines(&mut self, count: usize) -> *const u8 {
        if self.at >= self.until {
            return self.fields.as_ptr().cast();
        }
        let block = self.blocks.arrivals[self.at] as usize;
        let first = self.fields[block * self.packs..].as_ptr().cast::<u8>();
        let line = first.wrapping_add(self.done);
        self.done += 64 * count;
        if self.done >= self.packs * size_of::<Pack<T>>() {
            self.at += 1;
            self.done = 0;
        }
        line
    }
}
