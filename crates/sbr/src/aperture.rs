//! The plane wave cut into tubes, as coarse as the body allows: a cell of the grid is divided where its neighbours
//! went another way.
//!
//! Cells of the first level lie on an even grid over the body's shadow. Where a cell and its neighbours are one
//! plane wave when they leave, to a fraction of a radian, one tube does for it. Where they are not, but each way
//! through the body that they found ends at the edges of the facets it met, the cell is cut along these edges and
//! each part goes its way. What is left, shadows of one part on another and ways that no ray has found, is divided
//! into four. The grid is worked through in tiles, so that memory does not grow with the body.

use crate::cell::{Cell, Level, Neighbour, quarters};
use crate::coat::Coating;
use crate::error::Error;
use crate::neighbourhood::{Neighbourhood, Part, Seen, Share};
use crate::optics::Field;
use crate::receiver::{Receiver, in_blocks};
use crate::trace::{Hit, Ray, RayGrid, Surface, Tracer};
use crate::tube::Tube;
use wavefield_numerics::vector::{add, dot, scaled};

/// Cells of a tile along each side, and those around it that are traced but not counted.
pub(crate) const TILE: usize = 128;
pub(crate) const HALO: usize = 1;
/// How often a cell is divided to find ways that its neighbours do not tell of.
const SEARCHED: usize = 2;
/// How often a cell that several ways share is divided to make sure that there are no more.
const MADE_SURE: usize = 1;
/// Most cells of the first level: hours of tracing for one aspect.
const MOST_CELLS: f64 = 1e11;
/// The grid is turned by this angle in radians: edges of bodies are often horizontal or vertical, and a grid in
/// line with them would count a whole row of cells too many or too few.
pub(crate) const TURNED: f64 = 0.46;
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
        within("spacing", self.step, 1e-3, 10.0)?;
        within("max_subdivisions", f64::from(self.halvings), 0.0, 12.0)?;
        within("tolerance", self.tolerance, 1e-6, 100.0)?;
        within("max_bounces", f64::from(self.bounces), 1.0, 1000.0)
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
    /// Its field, without its phase.
    pub(crate) field: Field,
    /// The shortest wavelength of its frequencies, m.
    pub(crate) wavelength: f64,
    /// The longest edge of every triangle, m.
    pub(crate) lengths: &'a [f64],
    /// What the triangles are coated with.
    pub(crate) coating: &'a Coating<'a>,
}

/// The grid of the first level, and how far it may be divided.
pub(crate) struct Grid {
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

impl Wave<'_> {
    /// Follows the whole wave in tubes and hands the patches they leave from to a receiver, those of the second
    /// and later reflections: the first are taken facet by facet.
    pub(crate) fn reflect_by_tubes<R: Receiver>(&self, grid: &Grid, receiver: &mut R) -> Count {
        let columns = grid.counts[0].div_ceil(TILE);
        let tiles = columns * grid.counts[1].div_ceil(TILE);
        let mut count = Count::default();
        in_blocks(
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

    /// Where the wave goes.
    pub(crate) fn direction(&self) -> [f64; 3] {
        scaled(self.source, -1.0)
    }

    /// The grid over the body's shadow.
    ///
    /// # Errors
    /// More cells than can be numbered.
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
        let number = |column: i64, row: i64| {
            let within = (0..columns as i64).contains(&column) && (0..rows as i64).contains(&row);
            within.then(|| Neighbour {
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
                match Neighbourhood::new(&levels, number, larger).share(grid.tolerance) {
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

    /// Follows tubes until they leave the body: those that are reflected more than once, and of which cells they
    /// are.
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
        // A tube is large: its place is made once.
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

    /// Cells whose rays meet the body, and where.
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

    /// Where rays meet the body.
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
