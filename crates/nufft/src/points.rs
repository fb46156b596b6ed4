//! Points sorted by tile of the fine grid, so that the grid points touched by consecutive points are
//! in cache.
//!
//! Tiles along the first axis form strips. A strip is at least as high as the window is wide, so that
//! every second strip can be processed concurrently without overlap on the grid.

use std::ops::Range;

use wavefield_numerics::simd::InstructionSet;

use crate::error::NufftError;
use crate::kernels::order::Order;
use crate::kernels::sort;
use crate::precision::Precision;
use crate::tiles::{Place, Room, Tiles};
use crate::workers::Workers;

/// Points of a transform in tile order.
#[derive(Debug)]
pub(crate) struct Sorted<const D: usize> {
    places: Vec<Place<D>>,
    order: Order,
    /// Index of the first point of each strip, and the number of points.
    strips: Vec<usize>,
    tiles: Tiles<D>,
}

impl<const D: usize> Sorted<D> {
    pub(crate) fn new<R: Precision>(
        coordinates: [&[R]; D],
        tiles: Tiles<D>,
        workers: Workers,
        instructions: InstructionSet,
        room: Room<D>,
    ) -> Result<Self, NufftError> {
        let count = coordinates[0].len();
        if u32::try_from(count).is_err() {
            return Err(NufftError::TooManyPoints { found: count });
        }
        let (places, order, starts) =
            sort::by_tile(coordinates, &tiles, workers, instructions, room).ok_or_else(|| {
                // The sort reports only that a coordinate is not finite; find the first.
                coordinates
                    .iter()
                    .enumerate()
                    .find_map(|(axis, values)| {
                        let index = values.iter().position(|x| !x.wide().is_finite())?;
                        Some(NufftError::NotFinite {
                            what: "a coordinate",
                            axis,
                            index,
                            value: values[index].wide(),
                        })
                    })
                    .unwrap_or(NufftError::TooManyPoints { found: count })
            })?;
        let per_strip = tiles.count() / tiles.counts[0] * tiles.rows_per_strip();
        let mut strips: Vec<usize> = starts.into_iter().step_by(per_strip).collect();
        strips.truncate(tiles.strips());
        strips.push(count);
        Ok(Sorted {
            places,
            order,
            strips,
            tiles,
        })
    }

    /// Returns the arrays for reuse.
    pub(crate) fn into_room(self) -> Room<D> {
        Room {
            places: self.places,
            order: self.order,
        }
    }

    /// Returns all points in tile order. Every grid point is in [0, length) of its axis.
    pub(crate) fn places(&self) -> &[Place<D>] {
        &self.places
    }

    /// Returns the index range of the points of a strip.
    pub(crate) fn strip(&self, strip: usize) -> Range<usize> {
        self.strips[strip]..self.strips[strip + 1]
    }

    /// Returns the permutation between the caller's order and tile order.
    pub(crate) fn order(&self) -> &Order {
        &self.order
    }

    /// Returns the tiles of the grid.
    pub(crate) fn tiles(&self) -> &Tiles<D> {
        &self.tiles
    }
}

/// Sorted points of one, two, or three axes.
#[derive(Debug)]
pub(crate) enum Points {
    One(Sorted<1>),
    Two(Sorted<2>),
    Three(Sorted<3>),
}

/// Evaluates an expression with the sorted points, for any number of axes.
macro_rules! with_sorted {
    ($points:expr, $sorted:ident => $run:expr) => {
        match $points {
            $crate::points::Points::One($sorted) => $run,
            $crate::points::Points::Two($sorted) => $run,
            $crate::points::Points::Three($sorted) => $run,
        }
    };
}
pub(crate) use with_sorted;

impl Points {
    /// Sorts points for a fine grid, reusing the arrays of earlier points.
    pub(crate) fn sort<R: Precision>(
        coordinates: &[&[R]],
        grid: &[usize],
        width: usize,
        workers: Workers,
        instructions: InstructionSet,
        earlier: Option<Points>,
    ) -> Result<Points, NufftError> {
        let count = coordinates.first().map_or(0, |axis| axis.len());
        if let Some(other) = coordinates.iter().find(|axis| axis.len() != count) {
            return Err(NufftError::Length {
                what: "an axis of coordinates",
                expected: count,
                found: other.len(),
            });
        }
        match (coordinates, grid) {
            (&[x], &[n]) => {
                let room = match earlier {
                    Some(Points::One(sorted)) => sorted.into_room(),
                    _ => Room::default(),
                };
                let tiles = Tiles::new([n], width);
                Ok(Points::One(Sorted::new(
                    [x],
                    tiles,
                    workers,
                    instructions,
                    room,
                )?))
            }
            (&[x, y], &[n, m]) => {
                let room = match earlier {
                    Some(Points::Two(sorted)) => sorted.into_room(),
                    _ => Room::default(),
                };
                let tiles = Tiles::new([n, m], width);
                Ok(Points::Two(Sorted::new(
                    [x, y],
                    tiles,
                    workers,
                    instructions,
                    room,
                )?))
            }
            (&[x, y, z], &[n, m, l]) => {
                let room = match earlier {
                    Some(Points::Three(sorted)) => sorted.into_room(),
                    _ => Room::default(),
                };
                let tiles = Tiles::new([n, m, l], width);
                Ok(Points::Three(Sorted::new(
                    [x, y, z],
                    tiles,
                    workers,
                    instructions,
                    room,
                )?))
            }
            _ => Err(NufftError::Length {
                what: "the list of axes",
                expected: grid.len(),
                found: coordinates.len(),
            }),
        }
    }

    /// Returns the number of points.
    pub(crate) fn count(&self) -> usize {
        with_sorted!(self, sorted => sorted.places().len())
    }

    /// Returns the memory per point in bytes.
    pub(crate) fn bytes(axes: usize) -> usize {
        axes * size_of::<u64>() + size_of::<u32>()
    }

    /// Returns the permutation between the caller's order and tile order.
    pub(crate) fn order(&self) -> &Order {
        with_sorted!(self, sorted => sorted.order())
    }
}
