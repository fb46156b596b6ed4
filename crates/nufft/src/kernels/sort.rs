//! Folds points onto the grid and sorts them by tile with a stable counting sort, so that the order is
//! the same for any number of threads.

use std::mem::MaybeUninit;

use wavefield_numerics::simd::{InstructionSet, Instructions, Job};

use super::memory;
use super::order::Order;
use super::shared::{Shared, Source as _};
use crate::precision::Precision;
use crate::tiles::{Place, Room, Tiles};
use crate::workers::Workers;

/// Minimum number of points per worker.
const MIN_CHUNK: usize = 1 << 14;

/// Returns the points in tile order, the permutation from the caller's order, and the index of the
/// first point of each tile, with the number of points at the end; `None` if a coordinate is not
/// finite.
pub(crate) fn by_tile<R: Precision, const D: usize>(
    coordinates: [&[R]; D],
    tiles: &Tiles<D>,
    workers: Workers,
    instructions: InstructionSet,
    room: Room<D>,
) -> Option<(Vec<Place<D>>, Order, Vec<usize>)> {
    let count = coordinates[0].len();
    let chunk = count.div_ceil(workers.count()).max(MIN_CHUNK);
    let chunks = count.div_ceil(chunk).max(1);
    let part = |number: usize| number * chunk..count.min((number + 1) * chunk);
    let total = tiles.count();

    let Room { places, order } = room;
    // Tile of every point; later its index in tile order.
    let mut keys = memory::with_room(order.into_slots(), count);
    // Number of points of each chunk in each tile; later their indices.
    let mut counters = vec![0u32; chunks * total];
    let mut finite = vec![true; chunks];
    {
        let keys = Shared::new(&mut keys.spare_capacity_mut()[..count]);
        let counters = Shared::new(&mut counters);
        let finite = Shared::new(&mut finite);
        workers.for_each(
            chunks,
            || (),
            |(), number| {
                let range = part(number);
                // SAFETY: the parts of the chunks are disjoint in each array.
                let (keys, counters, finite) = unsafe {
                    (
                        keys.part(range.clone()),
                        counters.part(number * total..(number + 1) * total),
                        finite.part(number..number + 1),
                    )
                };
                let coordinates = coordinates.map(|axis| &axis[range.clone()]);
                let count = Count {
                    coordinates,
                    tiles,
                    keys,
                    counters,
                };
                finite[0] = instructions.run(count);
            },
        );
    }
    if finite.contains(&false) {
        return None;
    }
    // SAFETY: the chunks cover all keys, and each wrote all of its own.
    unsafe { keys.set_len(count) };

    let mut starts = Vec::with_capacity(total + 1);
    let mut next = 0;
    for tile in 0..total {
        starts.push(next as usize);
        for number in 0..chunks {
            let counter = &mut counters[number * total + tile];
            (*counter, next) = (next, next + *counter);
        }
    }
    starts.push(next as usize);

    let mut places = memory::with_room(places, count);
    {
        let places = Shared::new(&mut places.spare_capacity_mut()[..count]);
        let keys = Shared::new(&mut keys);
        let counters = Shared::new(&mut counters);
        workers.for_each(
            chunks,
            || (),
            |(), number| {
                let range = part(number);
                // SAFETY: the keys and counters of the chunks are disjoint.
                let (keys, counters) = unsafe {
                    (
                        keys.part(range.clone()),
                        counters.part(number * total..(number + 1) * total),
                    )
                };
                let place = Put {
                    coordinates: coordinates.map(|axis| &axis[range.clone()]),
                    tiles,
                    keys,
                    counters,
                    places: &places,
                };
                instructions.run(place);
            },
        );
    }
    // SAFETY: the counters run over every index of the array once, and each element was written.
    unsafe { places.set_len(count) };
    // SAFETY: every key is the unique index of its point.
    let order = unsafe { Order::new(keys) };
    Some((places, order, starts))
}

/// Determines the tile of every point of a chunk and counts; returns false if a coordinate is not
/// finite.
struct Count<'a, R, const D: usize> {
    coordinates: [&'a [R]; D],
    tiles: &'a Tiles<D>,
    keys: &'a mut [MaybeUninit<u32>],
    counters: &'a mut [u32],
}

impl<R: Precision, const D: usize> Job for Count<'_, R, D> {
    type Output = bool;

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) -> bool {
        let mut finite = true;
        let mut firsts = [[0.0; BLOCK]; D];
        for (block, keys) in self.keys.chunks_mut(BLOCK).enumerate() {
            let start = block * BLOCK;
            for d in 0..D {
                let (axis, firsts) = (self.tiles.axes[d], &mut firsts[d][..keys.len()]);
                let values = &self.coordinates[d][start..start + keys.len()];
                for (first, x) in firsts.iter_mut().zip(values) {
                    *first = axis.fold(x.wide()).0;
                }
                finite &= firsts.iter().all(|&first| first >= 0.0);
            }
            if !finite {
                return false;
            }
            for (i, key) in keys.iter_mut().enumerate() {
                // SAFETY: finite, and in [0, length) after folding; lengths are below 2³¹.
                let first =
                    std::array::from_fn(|d| unsafe { firsts[d][i].to_int_unchecked::<i32>() });
                let tile = self.tiles.tile(first);
                key.write(tile);
                self.counters[tile as usize] += 1;
            }
        }
        true
    }
}

/// Prefetch distance in points.
const AHEAD: usize = 16;

/// Points folded together, in loops simple enough for the compiler to vectorize.
const BLOCK: usize = 64;

/// Writes every point of a chunk to its index in tile order, and records the index.
struct Put<'a, R, const D: usize> {
    coordinates: [&'a [R]; D],
    tiles: &'a Tiles<D>,
    keys: &'a mut [u32],
    counters: &'a mut [u32],
    places: &'a Shared<'a, MaybeUninit<Place<D>>>,
}

impl<R: Precision, const D: usize> Job for Put<'_, R, D> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<S: Instructions>(self) {
        let mut places = [[0; BLOCK]; D];
        for (block, keys) in self.keys.chunks_mut(BLOCK).enumerate() {
            let start = block * BLOCK;
            for d in 0..D {
                let axis = self.tiles.axes[d];
                let values = &self.coordinates[d][start..start + keys.len()];
                for (place, x) in places[d].iter_mut().zip(values) {
                    let (first, fraction) = axis.fold(x.wide());
                    // SAFETY: coordinates are finite, as `Count` found, and lengths are below 2³¹.
                    let first = unsafe { first.to_int_unchecked::<i32>() };
                    *place = axis.fixed(first, fraction);
                }
            }
            for i in 0..keys.len() {
                if let Some(&later) = keys.get(i + AHEAD) {
                    self.places.prefetch(self.counters[later as usize] as usize);
                }
                let key = &mut keys[i];
                let counter = &mut self.counters[*key as usize];
                let slot = *counter;
                *counter = slot + 1;
                *key = slot;
                // SAFETY: no other point of any chunk has this index.
                unsafe { self.places.at(slot as usize) }
                    .write(std::array::from_fn(|d| places[d][i]));
            }
        }
    }
}
