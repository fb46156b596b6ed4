//! Adaptive subdivision of the incident plane wave into ray tubes.
//!
//! Cells of the coarsest level form a uniform grid over the projected area of the body. Where a cell and its
//! neighbors leave the body as one plane wave, to a fraction of a radian, one tube represents the cell. Where they
//! do not, but every path that they found ends at the edges of the facets on it, the cell is clipped at these
//! edges and each part follows its own path. Remaining cells, with shadow boundaries or with paths that no ray has
//! found, are divided into four. The grid is processed in tiles, which bounds the memory for any size of the body.

use crate::cell::{Cell, Level, Neighbor, quarters};
use crate::coating::Coating;
use crate::error::Error;
use crate::neighborhood::{Neighborhood, Part, Seen, Share};
use crate::optics::Field;
use crate::receiver::{Receiver, Threads, in_blocks};
use crate::trace::{Hit, Ray, RayGrid, Surface, Tracer};
use crate::tube::Tube;
use wavefield_numerics::vector::{add, dot, scaled};

/// Cells per side of a tile, and width of its halo of cells that are traced but do not radiate.
pub(crate) const TILE: usize = 128;
pub(crate) const HALO: usize = 1;
/// Number of subdivisions of a cell that search for paths unknown to its neighbors.
const SEARCHED: usize = 2;
/// Number of subdivisions of a cell with several paths that confirm there are no others.
const MADE_SURE: usize = 1;
/// Maximum number of cells of the coarsest level: hours of tracing per aspect.
pub(crate) const MAX_CELLS: f64 = 1e11;
/// Rotation of the grid, rad: edges of bodies are often horizontal or vertical, and an aligned grid would gain or
/// lose a whole row of cells at them.
pub(crate) const TURNED: f64 = 0.46;
/// Distance of the ray origins from the center of the body, in radii.
const BEFORE: f64 = 1.5;

/// Density of the ray tubes of a wave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Density {
    /// Side of a cell of the coarsest level, in wavelengths of the highest frequency.
    pub step: f64,
    /// Maximum number of times a cell is halved.
    pub halvings: u32,
    /// Phase mismatch between neighbors above which a cell is divided, in radians of the highest frequency.
    pub tolerance: f64,
    /// Maximum number of reflections of a tube.
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
    /// Returns a uniform grid without subdivision.
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
        within("spacing", self.step, 1e-3, 10.0)?;
        within("max_subdivisions", f64::from(self.halvings), 0.0, 12.0)?;
        within("tolerance", self.tolerance, 1e-6, 100.0)?;
        within("max_bounces", f64::from(self.bounces), 1.0, 1000.0)
    }
}

/// Ray count of a wave.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Count {
    /// Number of traced rays, reflections included.
    pub(crate) rays: u64,
    /// Number of tubes truncated at the maximum number of reflections.
    pub(crate) unfinished: u64,
}

/// Plane wave incident on a body.
pub(crate) struct Wave<'a> {
    pub(crate) tracer: &'a dyn Tracer,
    pub(crate) threads: Threads,
    /// Unit vector toward the source.
    pub(crate) source: [f64; 3],
    /// Transmitted polarizations: θ̂ and φ̂ of the direction to the source.
    pub(crate) transmitted: [[f64; 3]; 2],
    /// Field without its phase.
    pub(crate) field: Field,
    /// Wavelength of the highest frequency, m.
    pub(crate) wavelength: f64,
    /// Longest edge of every triangle, m.
    pub(crate) lengths: &'a [f64],
    /// Coatings of the triangles.
    pub(crate) coating: &'a Coating<'a>,
}

/// Grid of the coarsest level with the limits of its subdivision.
pub(crate) struct Grid {
    /// Center of the cell in column 0 and row 0.
    origin: [f64; 3],
    axes: [[f64; 3]; 2],
    step: f64,
    counts: [usize; 2],
    direction: [f64; 3],
    /// Maximum number of times a cell is halved.
    halvings: u32,
    /// Mismatch of path length and position between neighbors above which a cell is divided, m.
    tolerance: f64,
    /// Maximum number of reflections.
    bounces: u32,
}

impl Wave<'_> {
    /// Traces the whole wave as tubes and passes their exit patches of the second and later reflections to a
    /// receiver; the facets contribute the first reflection.
    pub(crate) fn reflect_by_tubes<R: Receiver>(&self, grid: &Grid, receiver: &mut R) -> Count {
        let columns = grid.counts[0].div_ceil(TILE);
        let tiles = columns * grid.counts[1].div_ceil(TILE);
        let mut count = Count::default();
        in_blocks(
            self.threads,
            tiles,
            receiver,
            |number, part| self.tile(grid, [number % columns, number / columns], part),
            |of_tile| {
                count.rays += of_tile.rays;
                count.unfinished += of_tile.unfinished;
            },
        );
        count
    }

    /// Returns the direction of propagation.
    pub(crate) fn direction(&self) -> [f64; 3] {
        scaled(self.source, -1.0)
    }

    /// Returns the grid over the projected area of the body.
    ///
    /// # Errors
    /// Returns an error if the number of cells exceeds the limit.
    pub(crate) fn grid(&self, density: Density) -> Result<Grid, Error> {
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
        if cells[0] * cells[1] > MAX_CELLS {
            return Err(Error::TooManyRays {
                count: cells[0] * cells[1],
                most: MAX_CELLS,
            });
        }
        let counts = cells.map(|count| count as usize);
        let before = scaled(
            self.source,
            dot(surface.center(), self.source) + BEFORE * surface.radius(),
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

    /// Processes the tubes of one tile and of its subdivisions.
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
        let number = |column: i64, row: i64| {
            let within = (0..columns as i64).contains(&column) && (0..rows as i64).contains(&row);
            within.then(|| Neighbor {
                level: 0,
                number: (row * columns as i64 + column) as u32,
            })
        };
        let mut cells: Vec<Cell> = (0..rows as i64)
            .flat_map(|row| (0..columns as i64).map(move |column| (column, row)))
            .map(|(column, row)| Cell {
                level: 0,
                column: first[0] + column,
                row: first[1] + row,
                counted: inner(first[0] + column, tile_column, 0)
                    && inner(first[1] + row, tile_row, 1),
                around: Cell::AROUND.map(|(beside, below)| number(column + beside, row + below)),
            })
            .collect();
        let mut levels: Vec<Level> = Vec::new();
        let mut inherited: Vec<Vec<Seen>> = vec![Vec::new(); cells.len()];
        loop {
            let (of_cell, tubes) = self.follow(grid, &cells, &mut count);
            levels.push(Level::new(cells, &of_cell, tubes));
            let last = levels.len() > grid.halvings as usize;
            let here = &levels[levels.len() - 1];
            let mut divided = Vec::new();
            for (number, (cell, larger)) in here.cells.iter().zip(&inherited).enumerate() {
                match Neighborhood::new(&levels, number, larger).share(grid.tolerance) {
                    Share::Unclear(known) if !last => divided.push((number, known)),
                    Share::SomeParts(_, known) if !last && levels.len() <= SEARCHED => {
                        divided.push((number, known));
                    }
                    Share::Parts(_, known) if !last && levels.len() <= MADE_SURE => {
                        divided.push((number, known));
                    }
                    _ if !cell.counted => {}
                    Share::Nothing => {}
                    Share::Parts(parts, _) | Share::SomeParts(parts, _) => {
                        for patch in parts.iter().flat_map(Part::patches) {
                            receiver.receive(&patch);
                        }
                    }
                    Share::Whole | Share::Unclear(_) => {
                        if let Some(exit) = here.exit(number) {
                            receiver.receive(exit.patch);
                        }
                    }
                }
            }
            if divided.is_empty() {
                return count;
            }
            (cells, inherited) = quarters(&here.cells, &divided);
        }
    }

    /// Traces tubes until they leave the body; returns those with more than one reflection and the indices of
    /// their cells.
    fn follow(&self, grid: &Grid, cells: &[Cell], count: &mut Count) -> (Vec<usize>, Vec<Tube>) {
        let surface = self.tracer.surface();
        let met = self.first_hits(grid, cells, count);
        let reflected: Vec<Ray> = met
            .iter()
            .map(|(cell, hit)| surface.reflect(&grid.ray(&cells[*cell]), hit))
            .collect();
        let again = self.hits(&reflected, count);
        let met_again = met.iter().zip(&again).filter(|(_, hit)| !hit.is_miss());
        let counted = |cell: usize| u64::from(cells[cell].counted);
        if grid.bounces == 1 {
            count.unfinished += met_again.map(|((cell, _), _)| counted(*cell)).sum::<u64>();
            return (Vec::new(), Vec::new());
        }
        // Tubes are large: allocate once.
        let mut tubes: Vec<Tube> = Vec::with_capacity(met_again.clone().count());
        let mut of_cell = Vec::with_capacity(tubes.capacity());
        for ((cell, first), second) in met_again {
            let side = grid.step / f64::from(1_u32 << cells[*cell].level);
            let sides = grid.axes.map(|axis| scaled(axis, side));
            let ray = grid.ray(&cells[*cell]);
            let mut tube = Tube::new(ray, sides, self.field.clone());
            tube.reflect(surface, self.coating, first);
            tube.reflect(surface, self.coating, second);
            tubes.push(tube);
            of_cell.push(*cell);
        }
        let mut under_way: Vec<usize> = (0..tubes.len()).collect();
        for bounce in 2..=grid.bounces {
            let rays: Vec<Ray> = under_way.iter().map(|&i| tubes[i].ray).collect();
            let hits = self.hits(&rays, count);
            let hit = under_way.iter().zip(&hits).filter(|(_, h)| !h.is_miss());
            if bounce == grid.bounces {
                count.unfinished += hit.map(|(i, _)| counted(of_cell[*i])).sum::<u64>();
                break;
            }
            under_way = hit
                .map(|(&i, hit)| {
                    tubes[i].reflect(surface, self.coating, hit);
                    i
                })
                .collect();
        }
        (of_cell, tubes)
    }

    /// Returns the cells whose rays hit the body, with their hits.
    fn first_hits(&self, grid: &Grid, cells: &[Cell], count: &mut Count) -> Vec<(usize, Hit)> {
        let hits = match grid.even(cells) {
            Some(even) => {
                let mut hits = vec![Hit::MISS; cells.len()];
                self.tracer.nearest_of_grid(&even, &mut hits);
                count.rays += cells.len() as u64;
                hits
            }
            None => {
                let rays: Vec<Ray> = cells.iter().map(|cell| grid.ray(cell)).collect();
                self.hits(&rays, count)
            }
        };
        let met = hits.into_iter().enumerate();
        met.filter(|(_, hit)| !hit.is_miss()).collect()
    }

    /// Returns the nearest hits of rays.
    fn hits(&self, rays: &[Ray], count: &mut Count) -> Vec<Hit> {
        let mut hits = vec![Hit::MISS; rays.len()];
        if !rays.is_empty() {
            self.tracer.nearest_of(rays, &mut hits);
            count.rays += rays.len() as u64;
        }
        hits
    }
}

impl Grid {
    /// Returns the ray through the center of a cell.
    fn ray(&self, cell: &Cell) -> Ray {
        // The first cell has its center at 0 and its corner at −½; cells of a level start there.
        let side = self.step / f64::from(1_u32 << cell.level);
        let place = |number: i64| (number as f64 + 0.5) * side - 0.5 * self.step;
        let across = add(
            scaled(self.axes[0], place(cell.column)),
            scaled(self.axes[1], place(cell.row)),
        );
        Ray::new(add(self.origin, across), self.direction)
    }

    /// Returns the cells as one uniform grid of rays if all are of the coarsest level, row by row.
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

/// Returns the extent of a surface along an axis.
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
