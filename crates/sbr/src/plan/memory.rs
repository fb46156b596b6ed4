//! Memory of a run, predicted from a survey of its incident waves.
//!
//! A thread processes one tile of a wave, or one facet, at a time. A tile needs most memory where its rays are
//! reflected back onto the body and become tubes. A sparse grid of rays estimates their number.

use std::ops::Range;

use wavefield_physics::direction::Direction;

use super::{Plan, threads_of_wave};
use crate::aperture::{HALO, TILE, TURNED};
use crate::facet::{MAX_PIECES, PIECE};
use crate::patch::Amplitude;
use crate::receiver::{BLOCKS, Threads};
use crate::trace::{Ray, Tracer as _};
use wavefield_numerics::vector::{add, dot, norm, scaled, sub};

/// Memory of a cell during tracing, bytes, measured.
const BYTES_OF_CELL: f64 = 170.0;
/// Additional memory of a cell whose ray hits the body, bytes.
const BYTES_OF_HIT: f64 = 120.0;
/// Additional memory of a cell whose ray is reflected onto the body, bytes.
const BYTES_OF_TUBE: f64 = 1000.0;
/// Additional memory of a tube that is divided, because a neighbor is no tube, bytes.
const BYTES_OF_RIM: f64 = 1000.0;
/// Memory of a lattice point of a facet during tracing, bytes.
const BYTES_OF_POINT: f64 = 110.0;
/// Memory of an incident wave and of a result, including its row in the report, bytes.
const BYTES_OF_WAVE: usize = 450;
const BYTES_OF_RESULT: usize = 340;

/// Maximum number of survey rays per side of the grid, and maximum number of surveyed waves.
const MAX_RAYS: usize = 64;
const MAX_SURVEYS: usize = 6;
/// Distance of the ray origins of a survey from the center of the body, in radii.
const BEFORE: f64 = 2.0;

impl Plan {
    /// Predicts the memory of a run on a number of threads in addition to the plan, bytes.
    pub fn memory(&self, threads: usize) -> usize {
        let waves = self.waves.len();
        let (mut tile, mut tiles) = (0.0_f64, 1);
        let surveys = waves.min(MAX_SURVEYS);
        for number in 0..surveys {
            let (from, _) = self.waves[number * (waves - 1) / (surveys - 1).max(1)];
            let survey = Survey::new(self, from);
            tile = tile.max(survey.largest_tile());
            tiles = tiles.max(survey.tiles());
        }
        let at_once = threads.min(waves.saturating_mul(tiles)).max(1);
        let work = at_once as f64 * tile.max(self.largest_facet());
        let observers = self.waves.iter().map(|(_, to)| to.len()).max();
        let blocks = match threads_of_wave(waves, threads) {
            Threads::One => 1,
            Threads::All => BLOCKS.min(tiles),
        };
        let fields = threads.min(waves) * blocks * size_of::<Amplitude>();
        let received = fields * self.frequencies.len() * observers.unwrap_or(0);
        work as usize + received + BYTES_OF_WAVE * waves + BYTES_OF_RESULT * self.aspects()
    }

    /// Returns the direction of incidence of every wave.
    pub(crate) fn incidences(&self) -> Vec<Direction> {
        self.waves.iter().map(|(from, _)| *from).collect()
    }

    /// Predicts the memory of the facet with most pieces, bytes.
    fn largest_facet(&self) -> f64 {
        let sides = (0..self.mesh.triangles.len()).flat_map(|triangle| {
            let [a, b, c] = self.mesh.corners(triangle);
            [sub(b, a), sub(c, b), sub(a, c)]
        });
        let longest = sides.map(norm).fold(0.0, f64::max);
        let pieces = (longest / (PIECE * self.step())).ceil();
        let pieces = pieces.clamp(1.0, MAX_PIECES);
        BYTES_OF_POINT * 0.5 * (pieces + 1.0) * (pieces + 2.0)
    }
}

/// Sparse grid of rays of one incident wave.
struct Survey {
    /// Number of cells of the wave per side, and number of cells between survey rays.
    cells: [f64; 2],
    between: [f64; 2],
    /// Number of survey rays per side.
    rays: [usize; 2],
    /// Whether each ray hits the body, and whether its reflection hits the body again.
    met: Vec<bool>,
    again: Vec<bool>,
}

impl Survey {
    fn new(plan: &Plan, from: Direction) -> Survey {
        let tracer = plan.body.tracer();
        let surface = tracer.surface();
        let (source, theta, phi) = (from.unit(), from.theta_hat(), from.phi_hat());
        // Same rotation as the grid of the wave.
        let (sine, cosine) = TURNED.sin_cos();
        let axes = [
            add(scaled(phi, cosine), scaled(theta, sine)),
            add(scaled(theta, cosine), scaled(phi, -sine)),
        ];
        let extents = axes.map(|axis| {
            let places = plan.mesh.points.iter().map(|point| dot(*point, axis));
            places.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], place| {
                [low.min(place), high.max(place)]
            })
        });
        let cells = extents.map(|[low, high]| ((high - low) / plan.step()).ceil() + 1.0);
        let rays = cells.map(|count| (count as usize).min(MAX_RAYS));
        let before = dot(surface.center(), source) + BEFORE * surface.radius();
        let mut survey = Survey {
            cells,
            between: [0, 1].map(|axis| cells[axis] / rays[axis] as f64),
            rays,
            met: Vec::new(),
            again: Vec::new(),
        };
        for row in 0..rays[1] {
            for column in 0..rays[0] {
                let mut origin = scaled(source, before);
                for (axis, number) in [column, row].into_iter().enumerate() {
                    let [low, high] = extents[axis];
                    let part = (number as f64 + 0.5) / rays[axis] as f64;
                    origin = add(origin, scaled(axes[axis], low + (high - low) * part));
                }
                let ray = Ray::new(origin, scaled(source, -1.0));
                let hit = tracer.nearest(&ray);
                let again =
                    !hit.is_miss() && !tracer.nearest(&surface.reflect(&ray, &hit)).is_miss();
                survey.met.push(!hit.is_miss());
                survey.again.push(again);
            }
        }
        survey
    }

    /// Returns the number of tiles of the wave.
    fn tiles(&self) -> usize {
        let along = self.cells.map(|count| (count / TILE as f64).ceil());
        (along[0] * along[1]) as usize
    }

    /// Predicts the memory of the largest tile, bytes.
    fn largest_tile(&self) -> f64 {
        let [columns, rows] = [0, 1].map(|axis| self.windows(axis));
        let tiles =
            (rows.iter()).flat_map(|row| columns.iter().map(|column| self.tile(column, row)));
        tiles.fold(0.0, f64::max)
    }

    /// Returns the range of survey rays of every tile along an axis, at least one each, and its number of cells.
    fn windows(&self, axis: usize) -> Vec<(Range<usize>, f64)> {
        let (cells, between, rays) = (self.cells[axis], self.between[axis], self.rays[axis]);
        let (tile, halo) = (TILE as f64, HALO as f64);
        let tiles = (cells / tile).ceil() as usize;
        if tiles >= rays {
            // The survey is sparser than the tiles: each ray represents one tile.
            return (0..rays)
                .map(|ray| (ray..ray + 1, tile + 2.0 * halo))
                .collect();
        }
        let window = |number: usize| {
            let first = number as f64 * tile;
            let last = (first + tile).min(cells);
            let start = (first / between).round() as usize;
            let end = ((last / between).round() as usize).clamp(start + 1, rays.max(start + 1));
            (
                start.min(rays - 1)..end.min(rays),
                last - first + 2.0 * halo,
            )
        };
        (0..tiles).map(window).collect()
    }

    fn tile(
        &self,
        (columns, width): &(Range<usize>, f64),
        (rows, height): &(Range<usize>, f64),
    ) -> f64 {
        let at = |column: usize, row: usize| row * self.rays[0] + column;
        let (mut met, mut again, mut rim) = (0.0, 0.0, 0.0);
        for row in rows.clone() {
            for column in columns.clone() {
                met += f64::from(u8::from(self.met[at(column, row)]));
                let here = self.again[at(column, row)];
                again += f64::from(u8::from(here));
                if column > columns.start && self.again[at(column - 1, row)] != here {
                    rim += self.between[1];
                }
                if row > rows.start && self.again[at(column, row - 1)] != here {
                    rim += self.between[0];
                }
            }
        }
        let cells = width * height;
        let of_ray = cells / (columns.len() * rows.len()) as f64;
        cells * BYTES_OF_CELL
            + of_ray * (met * BYTES_OF_HIT + again * BYTES_OF_TUBE)
            + rim * BYTES_OF_RIM
    }
}
