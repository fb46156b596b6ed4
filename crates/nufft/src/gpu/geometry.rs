//! Geometry of the kernels: the fine grid, its tiles, and the modes.
//!
//! Axes count from the fastest, the reverse of the caller's order, so that a transform of fewer than
//! three dimensions is one of three whose last axes have a single grid point.

use super::GpuSetup;
use crate::axis::Axis;
use crate::precision::Precision;

/// Threads of a workgroup: the grid points of a tile along its two fastest axes. In smaller tiles
/// fewer of the points that reach the tile miss a thread, but more tiles evaluate the weights of a
/// point; this value balances the two for windows of 5 to 9 grid points.
pub(super) const THREADS: usize = 64;

/// Workgroup memory for the weights of a batch of points: a quarter of the minimum that every device
/// has, so that several workgroups run concurrently.
const BATCH_BYTES: usize = 4096;

/// Sizes that are constants of the kernels.
#[derive(Debug, Clone)]
pub(super) struct Geometry {
    pub(super) dimensions: usize,
    width: usize,
    degree: usize,
    pub(super) modes: [usize; 3],
    pub(super) grid: [usize; 3],
    tile: [usize; 3],
    pub(super) tiles: [usize; 3],
}

impl Geometry {
    pub(super) fn new(setup: &GpuSetup<'_>) -> Geometry {
        let dimensions = setup.grid.len();
        let padded = |lengths: &[usize]| {
            let mut all = [1; 3];
            for (own, &length) in all.iter_mut().zip(lengths.iter().rev()) {
                *own = length;
            }
            all
        };
        let grid = padded(setup.grid);
        let tile = match dimensions {
            1 => [64, 1, 1],
            2 => [8, 8, 1],
            _ => [8, 8, 4],
        };
        Geometry {
            dimensions,
            width: setup.width,
            degree: setup.coefficients.len().saturating_sub(1),
            modes: padded(setup.modes),
            grid,
            tile,
            tiles: [0, 1, 2].map(|axis| grid[axis].div_ceil(tile[axis])),
        }
    }

    /// Returns the number of points of the fine grid.
    pub(super) fn cells(&self) -> usize {
        self.grid.iter().product()
    }

    /// Returns the number of modes.
    pub(super) fn mode_count(&self) -> usize {
        self.modes.iter().product()
    }

    /// Returns the number of grid points of a tile.
    pub(super) fn tile_cells(&self) -> usize {
        self.tile.iter().product()
    }

    /// Returns the number of tiles of the fine grid.
    pub(super) fn tile_count(&self) -> usize {
        self.tiles.iter().product()
    }

    /// Folds a coordinate of x radians onto an axis: returns the first grid point touched and the
    /// position between two grid points as u in [−1, 1], the variable of the window's polynomials.
    /// `None` if x is not finite.
    pub(super) fn place(&self, axis: usize, x: f64) -> Option<(u32, f64)> {
        let (first, fraction) = Axis::new(self.grid[axis], self.width).fold(x);
        (first >= 0.0).then_some((first as u32, 1.0 - 2.0 * fraction))
    }

    /// Returns the index of the tile that holds a grid point.
    pub(super) fn tile_of(&self, cell: [u32; 3]) -> usize {
        let along = |axis: usize| cell[axis] as usize / self.tile[axis];
        (along(2) * self.tiles[1] + along(1)) * self.tiles[0] + along(0)
    }

    /// Returns the range of tiles along an axis whose points reach a tile: the first one and their
    /// number, periodic, each once.
    pub(super) fn reach(&self, axis: usize, tile: usize) -> (usize, usize) {
        if axis >= self.dimensions {
            return (0, 1);
        }
        let (length, size, tiles) = (self.grid[axis], self.tile[axis], self.tiles[axis]);
        let (start, back) = (tile * size, self.width - 1);
        if back <= start {
            let first = (start - back) / size;
            return (first, tile - first + 1);
        }
        let first = (start + length - back) / size;
        // On a small grid the periodic range may end in the tile itself.
        if first <= tile {
            ((tile + 1) % tiles, tiles)
        } else {
            (first, tiles - first + tile + 1)
        }
    }

    /// Returns the tiles whose points reach a tile, in the order of the kernel.
    pub(super) fn reaching(&self, tile: usize) -> impl Iterator<Item = usize> + '_ {
        let [x, y, z] = self.along_axes(tile);
        self.around(2, z).flat_map(move |c| {
            self.around(1, y).flat_map(move |b| {
                self.around(0, x)
                    .map(move |a| (c * self.tiles[1] + b) * self.tiles[0] + a)
            })
        })
    }

    /// Returns the tiles along an axis whose points reach a tile.
    fn around(&self, axis: usize, tile: usize) -> impl Iterator<Item = usize> + use<> {
        let (first, count) = self.reach(axis, tile);
        let tiles = self.tiles[axis];
        (first..first + count).map(move |number| number % tiles)
    }

    fn along_axes(&self, tile: usize) -> [usize; 3] {
        let [x, y, _] = self.tiles;
        [tile % x, tile / x % y, tile / (x * y)]
    }

    /// Returns the maximum number of tiles whose points reach one tile.
    pub(super) fn lists(&self) -> usize {
        (0..3)
            .map(|axis| {
                let counts = (0..self.tiles[axis]).map(|tile| self.reach(axis, tile).1);
                counts.max().unwrap_or(1)
            })
            .product()
    }

    /// Returns the constants of the kernels in WGSL; `layer` is the number of points of a tile per
    /// layer.
    pub(super) fn constants<R: Precision>(&self, layer: usize) -> String {
        let weights = self.dimensions * self.width;
        let fitting = BATCH_BYTES / (weights * size_of::<R>()).max(1);
        let batch = fitting.clamp(1, THREADS);
        let mut text = format!(
            "alias real = f{bits};\n\
             alias complex = vec2<real>;\n\
             const ONE: real = real(1.0);\n",
            bits = 8 * size_of::<R>(),
        );
        let mut define = |name: &str, value: usize| {
            text.push_str(&format!("const {name}: u32 = {value}u;\n"));
        };
        define("THREADS", THREADS);
        define("DIMENSIONS", self.dimensions);
        define("WIDTH", self.width);
        define("DEGREE", self.degree);
        define("LAYER", layer);
        define("LISTS", self.lists());
        define("BATCH", batch);
        define("BATCH_WEIGHTS", batch * weights);
        for axis in 0..3 {
            let width = if axis < self.dimensions {
                self.width
            } else {
                1
            };
            define(&format!("WIDTH_{axis}"), width);
            define(&format!("MODES_{axis}"), self.modes[axis]);
            define(&format!("GRID_{axis}"), self.grid[axis]);
            define(&format!("TILE_{axis}"), self.tile[axis]);
            define(&format!("TILES_{axis}"), self.tiles[axis]);
        }
        text
    }
}
