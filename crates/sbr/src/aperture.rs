//! The plane wave cut into tubes, as coarse as the body allows: a cell of the grid is divided where its neighbours
//! went another way.
//!
//! Cells of the first level lie on an even grid over the body's shadow. A cell is divided into four when a
//! neighbour met other numbers of facets, left from another facet that is not in line with its own, or missed
//! the body: at silhouettes, edges and strong curvature. Elsewhere the phase over a cell is linear and one tube
//! does for it. The grid is worked through in tiles, so that memory does not grow with the body.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::error::Error;
use crate::receiver::Receiver;
use crate::trace::{Hit, Ray, RayGrid, Surface, Tracer};
use crate::tube::Tube;
use crate::vector::{add, dot, scaled};

/// Cells of a tile along each side, and those around it that are traced but not counted.
const TILE: usize = 128;
const HALO: usize = 1;
/// Tiles whose sums are held at once.
const TILES: usize = 64;
/// Most cells of the first level: hours of tracing for one aspect.
const MOST_CELLS: f64 = 1e11;
/// The grid is turned by this angle in radians: edges of bodies are often horizontal or vertical, and a grid in
/// line with them would count a whole row of cells too many or too few.
const TURNED: f64 = 0.46;
/// The wave starts so many radii before the middle of the body.
const BEFORE: f64 = 1.5;

/// How finely a wave is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Density {
    /// Side of a cell of the first level, in wavelengths of the highest frequency.
    pub step: f64,
    /// How often a cell may be halved.
    pub halvings: u32,
    /// Departure from a plane wave between neighbours, in radians of the highest frequency, that divides a
    /// cell.
    pub tolerance: f64,
    /// Most reflections of a tube.
    pub bounces: u32,
}

impl Default for Density {
    fn default() -> Density {
        Density {
            step: 0.25,
            halvings: 4,
            tolerance: 0.5,
            bounces: 8,
        }
    }
}

impl Density {
    /// An even grid: no cell is divided.
    #[must_use]
    pub fn even(step: f64) -> Density {
        Density {
            step,
            halvings: 0,
            ..Density::default()
        }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        let within = |key, value: f64, least: f64, most: f64| {
            if (least..=most).contains(&value) {
                return Ok(());
            }
            Err(Error::Range {
                key,
                value,
                least,
                most,
            })
        };
        within("step", self.step, 1e-3, 10.0)?;
        within("halvings", f64::from(self.halvings), 0.0, 12.0)?;
        within("tolerance", self.tolerance, 1e-6, 100.0)?;
        within("bounces", f64::from(self.bounces), 1.0, 1000.0)
    }
}

/// What it took to follow a wave.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Count {
    /// Rays that were traced, reflections included.
    pub(crate) rays: u64,
    /// Tubes that were still bouncing after the last reflection allowed.
    pub(crate) unfinished: u64,
}

/// A plane wave on its way to a body.
pub(crate) struct Wave<'a> {
    pub(crate) tracer: &'a dyn Tracer,
    /// Unit vector towards the source.
    pub(crate) source: [f64; 3],
    /// Polarisations transmitted, θ̂ and φ̂ of the source's direction.
    pub(crate) transmitted: [[f64; 3]; 2],
    /// The shortest wavelength of its frequencies, m.
    pub(crate) wavelength: f64,
    /// Triangles whose first reflections are taken facet by facet, not tube by tube.
    pub(crate) small: &'a [bool],
}

/// The grid of the first level, and how far it may be divided.
struct Grid {
    /// The middle of the cell of column 0 and row 0.
    origin: [f64; 3],
    axes: [[f64; 3]; 2],
    step: f64,
    counts: [usize; 2],
    direction: [f64; 3],
    /// How often a cell may be halved.
    halvings: u32,
    /// Misfit between neighbours that divides a cell, m.
    tolerance: f64,
    /// Most reflections.
    bounces: u32,
}

/// A cell by its level and numbers.
#[derive(Clone, Copy, Debug)]
struct Cell {
    level: u32,
    column: i64,
    row: i64,
    /// Whether it belongs to the tile and not to its surroundings.
    counted: bool,
}

impl Wave<'_> {
    /// Follows the whole wave in tubes and hands the patches they leave from to a receiver, but for those of
    /// small facets.
    ///
    /// # Errors
    /// More cells than can be numbered.
    pub(crate) fn reflect_by_tubes<R: Receiver>(
        &self,
        density: Density,
        receiver: &mut R,
    ) -> Result<Count, Error> {
        let grid = self.grid(density)?;
        let columns = grid.counts[0].div_ceil(TILE);
        let tiles = columns * grid.counts[1].div_ceil(TILE);
        let mut count = Count::default();
        for first in (0..tiles).step_by(TILES) {
            let parts: Vec<(R, Count)> = (first..(first + TILES).min(tiles))
                .into_par_iter()
                .map(|number| {
                    let mut part = receiver.empty();
                    let tile = [number % columns, number / columns];
                    let count = self.tile(&grid, tile, &mut part);
                    (part, count)
                })
                .collect();
            for (part, of_part) in &parts {
                receiver.join(part);
                count.rays += of_part.rays;
                count.unfinished += of_part.unfinished;
            }
        }
        Ok(count)
    }

    /// Where the wave goes.
    pub(crate) fn direction(&self) -> [f64; 3] {
        scaled(self.source, -1.0)
    }

    /// The grid over the body's shadow.
    fn grid(&self, density: Density) -> Result<Grid, Error> {
        let surface = self.tracer.surface();
        let [theta, phi] = self.transmitted;
        let (sine, cosine) = TURNED.sin_cos();
        let axes = [
            add(scaled(phi, cosine), scaled(theta, sine)),
            add(scaled(theta, cosine), scaled(phi, -sine)),
        ];
        let step = density.step * self.wavelength;
        let shadow = axes.map(|axis| shadow(surface, axis));
        let cells = shadow.map(|[low, high]| ((high - low) / step).ceil() + 1.0);
        if cells[0] * cells[1] > MOST_CELLS {
            return Err(Error::TooManyRays {
                count: cells[0] * cells[1],
                most: MOST_CELLS,
            });
        }
        let counts = cells.map(|count| count as usize);
        let before = scaled(
            self.source,
            dot(surface.centre(), self.source) + BEFORE * surface.radius(),
        );
        let origin =
            axes.iter()
                .zip(shadow)
                .zip(counts)
                .fold(before, |at, ((axis, [low, high]), count)| {
                    let first = 0.5 * (low + high) - 0.5 * step * (count - 1) as f64;
                    add(at, scaled(*axis, first))
                });
        Ok(Grid {
            origin,
            axes,
            step,
            counts,
            direction: self.direction(),
            halvings: density.halvings,
            tolerance: density.tolerance * self.wavelength * 0.5 * std::f64::consts::FRAC_1_PI,
            bounces: density.bounces,
        })
    }

    /// The tubes of one tile and those they are divided into.
    fn tile<R: Receiver>(
        &self,
        grid: &Grid,
        [tile_column, tile_row]: [usize; 2],
        receiver: &mut R,
    ) -> Count {
        let mut count = Count::default();
        let first = [tile_column, tile_row].map(|tile| (tile * TILE) as i64 - HALO as i64);
        let wide = |axis: usize| {
            let last = (first[axis] + (TILE + 2 * HALO) as i64).min(grid.counts[axis] as i64 + 1);
            (last - first[axis]) as usize
        };
        let (columns, rows) = (wide(0), wide(1));
        let inner = |number: i64, tile: usize, axis: usize| {
            let low = (tile * TILE) as i64;
            (low..low + TILE as i64).contains(&number) && number < grid.counts[axis] as i64
        };
        let mut cells: Vec<Cell> = (0..rows as i64)
            .flat_map(|row| (0..columns as i64).map(move |column| (column, row)))
            .map(|(column, row)| {
                let (column, row) = (first[0] + column, first[1] + row);
                Cell {
                    level: 0,
                    column,
                    row,
                    counted: inner(column, tile_column, 0) && inner(row, tile_row, 1),
                }
            })
            .collect();
        for level in 0..=grid.halvings {
            let tubes = self.follow(grid, &cells, &mut count);
            let numbers: HashMap<(i64, i64), usize> = cells
                .iter()
                .enumerate()
                .map(|(number, cell)| ((cell.column, cell.row), number))
                .collect();
            let beside = |cell: &Cell, (column, row): (i64, i64)| -> Option<&Tube> {
                let number = numbers.get(&(cell.column + column, cell.row + row));
                number.map(|&number| &tubes[number])
            };
            let last = level == grid.halvings;
            let mut next = Vec::new();
            for (cell, tube) in cells.iter().zip(&tubes) {
                let near = |step| beside(cell, step);
                if !last && self.divides(tube, grid.tolerance, near) {
                    next.extend(cell.quarters());
                } else if let (true, false, Some(exit)) =
                    (cell.counted, self.by_facets(tube), &tube.exit)
                {
                    receiver.receive(exit);
                }
            }
            cells = next;
        }
        count
    }

    /// Follows tubes until they leave the body.
    fn follow(&self, grid: &Grid, cells: &[Cell], count: &mut Count) -> Vec<Tube> {
        let surface = self.tracer.surface();
        let mut tubes: Vec<Tube> = cells
            .iter()
            .map(|cell| {
                let side = grid.step / f64::from(1_u32 << cell.level);
                let sides = grid.axes.map(|axis| scaled(axis, side));
                Tube::new(grid.ray(cell), sides, self.transmitted)
            })
            .collect();
        let mut under_way: Vec<usize> = (0..tubes.len()).collect();
        let mut even = grid.even(cells);
        for bounce in 0..=grid.bounces {
            if under_way.is_empty() {
                break;
            }
            let rays: Vec<Ray> = under_way.iter().map(|&i| tubes[i].ray).collect();
            let mut hits = vec![Hit::MISS; rays.len()];
            match even.take() {
                Some(even) => self.tracer.nearest_of_grid(&even, &mut hits),
                None => self.tracer.nearest_of(&rays, &mut hits),
            }
            count.rays += rays.len() as u64;
            let hit = under_way.iter().zip(&hits).filter(|(_, h)| !h.is_miss());
            if bounce == grid.bounces {
                count.unfinished += hit.filter(|(i, _)| cells[**i].counted).count() as u64;
                break;
            }
            under_way = hit
                .map(|(&i, hit)| {
                    tubes[i].reflect(surface, hit);
                    i
                })
                .collect();
        }
        tubes
    }

    /// Whether a tube's field is taken from its facet instead.
    fn by_facets(&self, tube: &Tube) -> bool {
        let first = tube.exit.as_ref().filter(|_| tube.bounces == 1);
        first.is_some_and(|exit| self.small[exit.triangle as usize])
    }

    /// Whether a cell must be divided: it differs from a neighbour of the same level.
    fn divides<'a>(
        &self,
        tube: &Tube,
        tolerance: f64,
        beside: impl Fn((i64, i64)) -> Option<&'a Tube>,
    ) -> bool {
        // What radiates as a tube: the body missed and a small facet's own field need no finer cells.
        let heard = |tube: &Tube| tube.exit.is_some() && !self.by_facets(tube);
        AROUND.iter().any(|&(column, row)| {
            let Some(other) = beside((column, row)) else {
                return false;
            };
            if !heard(tube) && !heard(other) {
                return false;
            }
            match (&tube.exit, &other.exit) {
                (Some(exit), Some(neighbour)) => {
                    tube.bounces != other.bounces
                        || !exit.faces_like(neighbour)
                        || exit.misfit(neighbour, column as f64, row as f64) > tolerance
                }
                _ => true,
            }
        })
    }
}

/// The eight neighbours of a cell.
const AROUND: [(i64, i64); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

impl Grid {
    /// The ray through the middle of a cell.
    fn ray(&self, cell: &Cell) -> Ray {
        // The first cell's middle is at 0, its corner at −½; cells of a level begin there.
        let side = self.step / f64::from(1_u32 << cell.level);
        let place = |number: i64| (number as f64 + 0.5) * side - 0.5 * self.step;
        let across = add(
            scaled(self.axes[0], place(cell.column)),
            scaled(self.axes[1], place(cell.row)),
        );
        Ray::new(add(self.origin, across), self.direction)
    }

    /// The cells as one grid of rays, if they are all of the first level, row by row.
    fn even(&self, cells: &[Cell]) -> Option<RayGrid> {
        let first = cells.first().filter(|cell| cell.level == 0)?;
        let columns = cells
            .iter()
            .take_while(|cell| cell.row == first.row)
            .count();
        Some(RayGrid {
            origin: self.ray(first).origin,
            column_step: scaled(self.axes[0], self.step),
            row_step: scaled(self.axes[1], self.step),
            direction: self.direction,
            columns,
            rows: cells.len() / columns,
        })
    }
}

impl Cell {
    fn quarters(&self) -> [Cell; 4] {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(column, row)| Cell {
            level: self.level + 1,
            column: 2 * self.column + column,
            row: 2 * self.row + row,
            counted: self.counted,
        })
    }
}

/// The extent of a surface along an axis.
fn shadow(surface: &Surface, axis: [f64; 3]) -> [f64; 2] {
    let mut extent = [f64::INFINITY, f64::NEG_INFINITY];
    for triangle in 0..surface.count() as u32 {
        for corner in surface.corners(triangle) {
            let place = dot(corner, axis);
            extent = [extent[0].min(place), extent[1].max(place)];
        }
    }
    extent
}
