//! Points on the device, sorted by the tile of the first grid point they touch.
//!
//! Folding and sorting (a stable counting sort) run on the host, once for a set of points. Points that
//! exceed one binding are divided into slices in the caller's order, each sorted separately and spread
//! one after another.

use std::ops::Range;

use num_complex::Complex;
use wavefield_gpu::{Buffer, Gpu};

use super::geometry::Geometry;
use crate::error::NufftError;
use crate::precision::Precision;

/// A slice of the points that fits one binding.
#[derive(Debug)]
pub(super) struct Slice<R> {
    /// Index range in the caller's order.
    pub(super) range: Range<usize>,
    /// First grid points, axis by axis.
    pub(super) firsts: Buffer<u32>,
    /// Positions between grid points, axis by axis.
    pub(super) withins: Buffer<R>,
    /// Index in the caller's order of every sorted point, relative to the range.
    pub(super) order: Buffer<u32>,
    /// Strengths or values in the caller's order.
    pub(super) values: Buffer<Complex<R>>,
    /// Strengths in sorted order.
    pub(super) sorted: Buffer<Complex<R>>,
    /// Index of the first point of every tile, and the number of points.
    pub(super) starts: Vec<u32>,
}

/// Returns the number of points whose arrays fit one binding; the widest are positions and complex
/// numbers.
pub(super) fn points_per_slice<R>(gpu: &Gpu, dimensions: usize) -> usize {
    let limits = gpu.capabilities();
    let binding = limits.max_storage_binding.min(limits.max_buffer);
    let widest = dimensions.max(2) * size_of::<R>();
    usize::try_from(binding / widest as u64)
        .unwrap_or(usize::MAX)
        .clamp(1, u32::MAX as usize / 3)
}

/// Returns the device memory per point in bytes.
pub(super) fn bytes_per_point<R>(dimensions: usize) -> usize {
    dimensions * (size_of::<u32>() + size_of::<R>())
        + size_of::<u32>()
        + 2 * size_of::<Complex<R>>()
}

/// Folds, sorts, and uploads points, slice by slice; coordinates are given axis by axis in the
/// caller's order.
pub(super) fn upload<C: Precision, R: Precision>(
    gpu: &Gpu,
    geometry: &Geometry,
    coordinates: &[&[C]],
    per_slice: usize,
) -> Result<Vec<Slice<R>>, NufftError> {
    let count = coordinates.first().map_or(0, |axis| axis.len());
    (0..count)
        .step_by(per_slice)
        .map(|start| {
            let range = start..count.min(start + per_slice);
            slice(gpu, geometry, coordinates, range)
        })
        .collect()
}

fn slice<C: Precision, R: Precision>(
    gpu: &Gpu,
    geometry: &Geometry,
    coordinates: &[&[C]],
    range: Range<usize>,
) -> Result<Slice<R>, NufftError> {
    let count = range.len();
    let mut places = vec![[(0, R::zero()); 3]; count];
    for (axis, values) in coordinates.iter().enumerate() {
        let own = coordinates.len() - 1 - axis;
        for (place, index) in places.iter_mut().zip(range.clone()) {
            let value = values[index].wide();
            let (first, within) = geometry.place(own, value).ok_or(NufftError::NotFinite {
                what: "a coordinate",
                axis,
                index,
                value,
            })?;
            place[own] = (first, R::narrow(within));
        }
    }
    let tiles: Vec<usize> = places
        .iter()
        .map(|place| geometry.tile_of(place.map(|(first, _)| first)))
        .collect();
    let (starts, order) = sorted_by_tile(&tiles, geometry.tile_count());
    let mut firsts = Vec::with_capacity(coordinates.len() * count);
    let mut withins = Vec::with_capacity(coordinates.len() * count);
    for axis in 0..coordinates.len() {
        for &point in &order {
            let (first, within) = places[point as usize][axis];
            firsts.push(first);
            withins.push(within);
        }
    }
    Ok(Slice {
        range,
        firsts: Buffer::from_slice(gpu, &firsts)?,
        withins: Buffer::from_slice(gpu, &withins)?,
        order: Buffer::from_slice(gpu, &order)?,
        values: Buffer::zeroed(gpu, count)?,
        sorted: Buffer::zeroed(gpu, count)?,
        starts,
    })
}

/// Sorts points by tile (stable counting sort): returns the first point of every tile (and the end), and the permutation of
/// the points.
fn sorted_by_tile(tiles: &[usize], tile_count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; tile_count + 1];
    for &tile in tiles {
        starts[tile + 1] += 1;
    }
    for tile in 0..tile_count {
        starts[tile + 1] += starts[tile];
    }
    let mut next = starts.clone();
    let mut order = vec![0; tiles.len()];
    for (point, &tile) in (0..).zip(tiles) {
        order[next[tile] as usize] = point;
        next[tile] += 1;
    }
    (starts, order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_keeps_the_order_within_a_tile() {
        let (starts, order) = sorted_by_tile(&[2, 0, 2, 3, 0], 4);
        assert_eq!(starts, [0, 2, 2, 4, 5]);
        assert_eq!(order, [1, 4, 0, 2, 3]);
    }
}
