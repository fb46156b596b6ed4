//! Spreading without atomics: every grid point gathers from the sorted points that touch it.
//!
//! A workgroup owns a tile of the grid, and a thread a column of the tile. A grid value has a single
//! writer, which adds in the order of the sorted points, so that results are bitwise identical on
//! every run. Compared with tiles into which points scatter (Y.-H. Shih et al., "cuFINUFFT", PDSEC
//! 2021), threads process points that miss them, but a tile needs no halo, and windows of any width
//! fit.
//!
//! A workgroup processes one layer of a tile's points. The first layers of all tiles write directly
//! to the grid; further layers of crowded tiles, and all layers of later slices, are gathered
//! concurrently into partial tiles, which are then added to the grid layer by layer, in rounds that
//! bound their memory. Clusters of points are thus distributed over the whole device.

use num_complex::Complex;
use wavefield_gpu::{Access, Bound, Buffer, Commands, DeviceError, Kernel};

use super::geometry::Geometry;
use super::points::Slice;
use super::shader::Shaders;
use crate::precision::Precision;

/// Partition of the points of a tile into layers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layers {
    /// Points per layer.
    pub(super) points: usize,
    /// Partial tiles per round.
    pub(super) round: usize,
}

impl Default for Layers {
    fn default() -> Self {
        Layers {
            // Long enough to amortize a partial tile, short enough to distribute a cluster over the
            // device.
            points: 512,
            // Several workgroups per compute unit of the largest devices.
            round: 8192,
        }
    }
}

#[derive(Debug)]
pub(super) struct Gather<R> {
    first: Kernel,
    layer: Kernel,
    collect: Kernel,
    geometry: Geometry,
    layers: Layers,
    /// For every tile along every axis, the tiles whose points reach it.
    reach: Buffer<[u32; 2]>,
    /// Layers to be gathered from each slice.
    parts: Vec<Part>,
    partials: Buffer<Complex<R>>,
}

/// Points of a slice, by tile.
#[derive(Debug)]
struct Part {
    /// Index of the first point of every tile, and the number of points.
    starts: Buffer<u32>,
    rounds: Vec<Round>,
}

/// Partial tiles in memory at the same time.
#[derive(Debug)]
struct Round {
    /// Tile and layer of every partial tile.
    items: Buffer<[u32; 2]>,
    /// Tiles with partial tiles: tile, first partial tile, count.
    layered: Buffer<[u32; 4]>,
}

impl<R: Precision> Gather<R> {
    pub(super) fn new(
        shaders: &Shaders,
        geometry: &Geometry,
        layers: Layers,
    ) -> Result<Self, DeviceError> {
        let kernel = |entry: &str, read: &[Access]| {
            let texts = [
                include_str!("../kernels/window.wgsl"),
                include_str!("../kernels/spread.wgsl"),
            ];
            let bindings = [&[Access::Read; 6], &[Access::ReadWrite][..], read].concat();
            shaders.kernel(entry, &texts, &bindings)
        };
        let reach: Vec<[u32; 2]> = (0..3)
            .flat_map(|axis| {
                (0..geometry.tiles[axis]).map(move |tile| {
                    let (first, count) = geometry.reach(axis, tile);
                    [first as u32, count as u32]
                })
            })
            .collect();
        Ok(Gather {
            first: kernel("spread", &[])?,
            layer: kernel("spread_layer", &[Access::Read])?,
            collect: shaders.kernel(
                "collect",
                &[include_str!("../kernels/collect.wgsl")],
                &[Access::Read, Access::Read, Access::ReadWrite],
            )?,
            geometry: geometry.clone(),
            layers,
            reach: Buffer::from_slice(shaders.gpu(), &reach)?,
            parts: Vec::new(),
            partials: Buffer::zeroed(shaders.gpu(), 0)?,
        })
    }

    /// Determines the layers of the points and allocates memory for their partial tiles.
    pub(super) fn prepare(&mut self, slices: &[Slice<R>]) -> Result<(), DeviceError> {
        let gpu = self.reach.gpu();
        let parts = slices
            .iter()
            .enumerate()
            .map(|(number, slice)| {
                // The first layers of the first slice overwrite the grid; all others are added to it.
                let done = usize::from(number == 0);
                Ok(Part {
                    starts: Buffer::from_slice(gpu, &slice.starts)?,
                    rounds: self.rounds(&slice.starts, done)?,
                })
            })
            .collect::<Result<Vec<_>, DeviceError>>()?;
        let rounds = parts.iter().flat_map(|part| &part.rounds);
        let most = rounds.map(|round| round.items.len()).max().unwrap_or(0);
        self.partials = Buffer::zeroed(gpu, most * self.geometry.tile_cells())?;
        self.parts = parts;
        Ok(())
    }

    /// Returns an upper bound on the memory in bytes of tiles and partial tiles for `points` points
    /// in `slices` slices.
    pub(super) fn memory(&self, points: usize, slices: usize) -> usize {
        let tiles = self.geometry.tile_count();
        // A full layer of a tile contributes to the tiles it reaches; later slices contribute to any.
        let items = self.geometry.lists() * (points / self.layers.points)
            + slices.saturating_sub(1) * tiles;
        items.min(self.layers.round) * self.geometry.tile_cells() * size_of::<Complex<R>>()
            + items * (size_of::<[u32; 2]>() + size_of::<[u32; 4]>())
            + slices * (tiles + 1) * size_of::<u32>()
            + self.reach.len() * size_of::<[u32; 2]>()
    }

    /// Records gathering from one slice, given the bindings of its arrays over the points.
    pub(super) fn record(
        &self,
        commands: &mut Commands<'_>,
        slice: usize,
        over_points: &[Bound<'_>],
        grid: &Buffer<Complex<R>>,
    ) -> Result<(), DeviceError> {
        let Part { starts, rounds } = &self.parts[slice];
        let read = [over_points, &[starts.bind(), self.reach.bind()]].concat();
        if slice == 0 {
            let arguments = [&read[..], &[grid.bind()]].concat();
            commands.dispatch(&self.first, &arguments, self.geometry.tile_count() as u64)?;
        }
        for Round { items, layered } in rounds {
            let arguments = [&read[..], &[self.partials.bind(), items.bind()]].concat();
            commands.dispatch(&self.layer, &arguments, items.len() as u64)?;
            let arguments = [self.partials.bind(), layered.bind(), grid.bind()];
            commands.dispatch(&self.collect, &arguments, layered.len() as u64)?;
        }
        Ok(())
    }

    /// Returns the layers from `done` on that any tile needs, in rounds.
    fn rounds(&self, starts: &[u32], done: usize) -> Result<Vec<Round>, DeviceError> {
        let layers: Vec<usize> = starts
            .windows(2)
            .map(|pair| ((pair[1] - pair[0]) as usize).div_ceil(self.layers.points))
            .collect();
        if layers.iter().all(|&count| count <= done) {
            return Ok(Vec::new());
        }
        let items: Vec<[u32; 2]> = (0..self.geometry.tile_count())
            .flat_map(|tile| {
                let reaching = self.geometry.reaching(tile);
                let most = reaching.map(|source| layers[source]).max().unwrap_or(0);
                (done..most).map(move |layer| [tile as u32, layer as u32])
            })
            .collect();
        items
            .chunks(self.layers.round)
            .map(|items| {
                let mut layered: Vec<[u32; 4]> = Vec::new();
                for (number, &[tile, _]) in (0..).zip(items) {
                    match layered.last_mut() {
                        Some(last) if last[0] == tile => last[2] += 1,
                        _ => layered.push([tile, number, 1, 0]),
                    }
                }
                Ok(Round {
                    items: Buffer::from_slice(self.reach.gpu(), items)?,
                    layered: Buffer::from_slice(self.reach.gpu(), &layered)?,
                })
            })
            .collect()
    }
}
