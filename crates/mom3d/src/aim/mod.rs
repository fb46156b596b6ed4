//! Adaptive integral method (AIM), also known as the precorrected FFT: matrix–vector products in O(N log N) without a dense
//! matrix. Currents and charges are projected onto point sources on a grid, whose fields are FFT convolutions (`grid.rs`);
//! near-field interactions are integrated, and the grid's approximation of them is subtracted (`near.rs`). `equivalent.rs` has
//! the references and the differences from them.

mod equivalent;
mod grid;
mod near;
mod projection;
mod schwarz;
#[cfg(test)]
mod tests;

use num_complex::{Complex32, Complex64};
use rayon::prelude::*;
use std::f64::consts::TAU;
use std::sync::Mutex;
use wavefield_mesh::BoundingBox;
use wavefield_numerics::krylov::Operator;
use wavefield_numerics::observe::Observer;
use wavefield_numerics::vector::Vector;

use self::equivalent::{Equivalent, POINTS};
use self::grid::{Grid, Room};
use self::near::{Near, NearCount, Neighbors};
use self::projection::{BoxFields, Projected, Slabs};
pub(crate) use self::schwarz::Schwarz;
use crate::basis::Basis;
use crate::error::Error;
use crate::kernels::ACROSS;
use crate::pair::{Combination, Pairs};

/// Zero in single precision.
const NOTHING: Complex32 = Complex32::new(0.0, 0.0);
/// Values that a thread clears at a time.
const CHUNK: usize = 1 << 16;
/// Bytes of a thread: scratch of its FFTs and quadratures (measured).
const OF_THREAD: usize = 1 << 19;

/// Lengths of the AIM, in wavelengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lengths {
    /// Grid step.
    pub(crate) step: f64,
    /// Distance of centroids below which pairs are integrated.
    pub(crate) near: f64,
    /// Radius of the collocation sphere.
    pub(crate) sphere: f64,
}

impl Lengths {
    /// Returns the lengths for a relative error of a matrix–vector product.
    pub(crate) fn for_accuracy(accuracy: f64) -> Lengths {
        // Measured on spheres: the error falls by a factor of ten per grid step of near-field radius, and the best collocation
        // radius is two thirds of it.
        let steps = match accuracy {
            1e-3.. => 3.7,
            1e-4.. => 4.5,
            _ => 6.0,
        };
        Lengths {
            step: 0.1,
            near: 0.1 * steps,
            sphere: 0.065 * steps,
        }
    }
}

/// AIM matrix–vector product of a basis.
pub(crate) struct AimOperator<'a> {
    basis: &'a Basis,
    wavenumber: f64,
    grid: Grid,
    projected: Vec<Projected>,
    slabs: Slabs,
    near: Near,
    /// Weights of the EFIE and the MFIE on every triangle.
    weights: Vec<[f64; 2]>,
    /// Arrays of the previous product, for reuse.
    lent: Mutex<Option<Grids>>,
}

/// Arrays of a product: the field of each component of the current and of the charge, and the FFT workspace.
struct Grids {
    fields: Vec<Vec<Complex32>>,
    room: Room,
}

impl Grids {
    fn new(grid: &Grid) -> Grids {
        Grids {
            fields: vec![vec![NOTHING; grid.len()]; 4],
            room: grid.room(),
        }
    }
}

impl<'a> AimOperator<'a> {
    /// Creates the grid and integrates near pairs.
    ///
    /// # Errors
    /// A preconditioner block is singular, or the run was cancelled.
    pub(crate) fn new(
        pairs: &Pairs<'a>,
        lengths: Lengths,
        observer: &dyn Observer,
    ) -> Result<(AimOperator<'a>, Schwarz), Error> {
        let (basis, wavenumber) = (pairs.basis(), pairs.wavenumber());
        let wavelength = TAU / wavenumber;
        let near = lengths.near * wavelength;
        let step = lengths.step * wavelength;
        let grid = Grid::new(wavenumber, step, bounds(basis));
        let equivalent = Equivalent::new(wavenumber, step, lengths.sphere * wavelength);
        let projected = Projected::all(pairs, &grid, &equivalent);
        let neighbors = Neighbors::new(basis, near);
        let (near, inverse) = Near::new(pairs, &grid, &projected, &neighbors, observer)?;
        let weights = (basis.triangles.iter())
            .map(|triangle| {
                let weights = pairs.weights(triangle);
                [weights.electric, weights.magnetic]
            })
            .collect();
        let operator = AimOperator {
            basis,
            wavenumber,
            slabs: Slabs::new(&projected, &grid),
            lent: Mutex::new(None),
            grid,
            projected,
            near,
            weights,
        };
        Ok((operator, inverse))
    }

    /// Returns the bytes of the operator with its preconditioner: in use, and while it is built on `threads` threads.
    pub(crate) fn memory(
        basis: &Basis,
        wavenumber: f64,
        lengths: Lengths,
        combination: Combination,
        threads: usize,
    ) -> [usize; 2] {
        let wavelength = TAU / wavenumber;
        let count = NearCount::new(basis, combination, lengths.near * wavelength);
        let triangles = basis.triangles.len();
        let closed = basis.triangles.iter().filter(|t| t.closed).count();
        let turned = if combination.magnetic == 0.0 {
            0
        } else {
            closed
        };
        // Weights and slabs included, which are small.
        let projected = triangles * (size_of::<[f64; 2]>() + size_of::<u32>())
            + turned * Projected::memory(true)
            + (triangles - turned) * Projected::memory(false);
        // Small lists: the allocator keeps their memory for reuse after they are freed.
        let neighbors = triangles * size_of::<Vec<u32>>()
            + (count.triangles * (triangles * size_of::<u32>()) as f64) as usize;
        let [spectrum, room] = Grid::memory(lengths.step * wavelength, bounds(basis));
        let [near, near_filled] = Near::memory(basis, count);
        let [inverse, inverting] = Schwarz::memory(basis.size, count.spread);
        let tables = near::tables_memory(lengths.near / lengths.step);
        let common = spectrum + projected + neighbors + threads * OF_THREAD;
        [
            common + near + inverse + room + 2 * triangles * size_of::<[Complex64; 3]>(),
            // A third of the tables' memory is not reused, nor gaps of 4 % between rows (measured).
            common
                + near_filled
                + near_filled / 25
                + tables.max(tables / 3 + inverse + threads * inverting),
        ]
    }

    /// Returns the number of near pairs, and the FFT points of a product, as counted by [`Grid::transformed`].
    pub(crate) fn work(
        basis: &Basis,
        wavenumber: f64,
        lengths: Lengths,
        combination: Combination,
    ) -> (f64, f64) {
        let wavelength = TAU / wavenumber;
        let near = NearCount::new(basis, combination, lengths.near * wavelength).triangles;
        let transformed = Grid::transformed(lengths.step * wavelength, bounds(basis));
        (near * basis.triangles.len() as f64, 4.0 * transformed)
    }
}

/// Rounds to single precision, in which the grid and near entries are stored.
fn single(value: Complex64) -> Complex32 {
    Complex32::new(value.re as f32, value.im as f32)
}

/// Returns the bounding box of all centroids, m.
fn bounds(basis: &Basis) -> [Vector; 2] {
    let centers: Vec<Vector> = basis.triangles.iter().map(|t| t.center).collect();
    let nothing = [f64::INFINITY, f64::NEG_INFINITY].map(|edge| [edge; 3]);
    BoundingBox::of(&centers).map_or(nothing, |bounds| [bounds.min, bounds.max])
}

impl Operator for AimOperator<'_> {
    fn size(&self) -> usize {
        self.basis.size
    }

    fn apply(&self, x: &[Complex64], y: &mut [Complex64]) {
        let mut images = [y.to_vec()];
        self.apply_many(&[x.to_vec()], &mut images);
        y.copy_from_slice(&images[0]);
    }

    fn apply_many(&self, x: &[Vec<Complex64>], y: &mut [Vec<Complex64>]) {
        for (x, y) in x.iter().zip(&mut *y) {
            self.through_grid(x, y);
        }
        self.near.add_products(x, y);
    }
}

impl AimOperator<'_> {
    /// Computes the far-field interactions of all pairs through the grid.
    fn through_grid(&self, x: &[Complex64], y: &mut [Complex64]) {
        let halves: Vec<[Complex64; 3]> = (0..self.basis.triangles.len())
            .into_par_iter()
            .map(|triangle| {
                let mut halves = [Complex64::ZERO; 3];
                for share in self.basis.shares(triangle) {
                    halves[share.corner as usize] += share.weight * x[share.function as usize];
                }
                halves
            })
            .collect();
        // Of two concurrent products, the second allocates its own arrays.
        let lent = self.lent.lock().ok().and_then(|mut lent| lent.take());
        let mut grids = lent.unwrap_or_else(|| Grids::new(&self.grid));
        for (component, values) in grids.fields.iter_mut().enumerate() {
            values
                .par_chunks_mut(CHUNK)
                .for_each(|part| part.fill(NOTHING));
            (self.slabs).spread(&self.projected, &halves, component, &self.grid, values);
            self.grid.convolve(values, &mut grids.room);
        }
        let [_, ny, nz] = self.grid.shape;
        let tested: Vec<[Complex64; 3]> = (self.projected.par_iter().zip(&self.weights))
            .map(|(triangle, &[electric, magnetic])| {
                let [x, y, z] = triangle.cell.map(|at| at as usize);
                let mut fields: BoxFields = [[[0.0; POINTS]; 2]; 4];
                for ([re, im], values) in fields.iter_mut().zip(&grids.fields) {
                    for row in 0..ACROSS * ACROSS {
                        let (i, j) = (row / ACROSS, row % ACROSS);
                        let at = ((x + i) * ny + y + j) * nz + z;
                        for (column, value) in values[at..at + ACROSS].iter().enumerate() {
                            re[row * ACROSS + column] = value.re;
                            im[row * ACROSS + column] = value.im;
                        }
                    }
                }
                triangle.tested(&fields, self.wavenumber, electric, magnetic)
            })
            .collect();
        if let Ok(mut lent) = self.lent.lock() {
            *lent = Some(grids);
        }
        (y.par_iter_mut().zip(&self.basis.sides)).for_each(|(y, sides)| {
            *y = (sides.iter())
                .map(|side| side.weight * tested[side.triangle as usize][side.corner as usize])
                .sum();
        });
    }
}
