//! The points on the device, sorted by the tile of the first grid point they touch.
//!
//! Folding to the grid and sorting (a stable counting sort) are done on the host, once for a set of
//! points. More points than a kernel can see at once are cut into slices of the caller's order, each
//! sorted for itself and spread one after the other.

use std::ops::Range;

use num_complex::Complex;
use wavefield_gpu::{Buffer, Gpu};

use super::geometry::Geometry;
use crate::error::NufftError;
use crate::precision::Precision;

/// Some of the points, at most as many as a kernel can see.
#[derive(Debug)]
pub(super) struct Slice<R> {
    /// Which of the caller's points.
    pub(super) range: Range<usize>,
    /// First grid points, axis by axis.
    pub(super) firsts: Buffer<u32>,
    /// Positions between grid points, axis by axis.
    pub(super) withins: Buffer<R>,
    /// The caller's number of every sorted point, within the range.
    pub(super) order: Buffer<u32>,
    /// Strengths or values in the caller's order.
    pub(super) values: Buffer<Complex<R>>,
    /// Strengths in the order of the sorted points.
    pub(super) sorted: Buffer<Complex<R>>,
    /// First point of every tile, and the number of points.
    pub(super) starts: Vec<u32>,
}

/// Points whose arrays a kernel can see at once; the widest are positions and complex numbers.
pub(super) fn points_per_slice<R>(gpu: &Gpu, dimensions: usize) -> usize {
    let limits = gpu.capabilities();
    let binding = limits.max_storage_binding.min(limits.max_buffer);
    let widest = dimensions.max(2) * size_of::<R>();
    usize::try_from(binding / widest as u64)
        .unwrap_or(usize::MAX)
        .clamp(1, u32::MAX as usize / 3)
}

/// Bytes on the device for each point.
pub(super) fn bytes_per_point<R>(dimensions: usize) -> usize {
    dimensions * (size_of::<u32>() + size_of::<R>())
        + size_of::<u32>()
        + 2 * size_of::<Complex<R>>()
}

/// Folds, sorts and uploads points, so many at a time; coordinates axis by axis in the caller's order.
pub(super) fn upload<R: Precision>(
    gpu: &Gpu,
    geometry: &Geometry,
    coordinates: &[&[R]],
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

fn slice<R: Precision>(
    gpu: &Gpu,
    geometry: &Geometry,
    coordinates: &[&[R]],
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

/// Stable counting sort: the first point of every tile (and the end), and the points in order.
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
