//! Cartesian grid around a surface, and the field of point sources on it at all its points.
//!
//! The sum Σ_b G(x_a − x_b) s_b over the grid is a convolution, evaluated by zero-padded FFTs of twice the length. Zero halves
//! are not transformed; the last axis is transformed, multiplied, and transformed back line by line; and one octant of the
//! even spectrum of the kernel is stored. All arrays are in single precision, as are the weights of the sources.

use num_complex::{Complex32, Complex64};
use rayon::prelude::*;
use rustfft::Fft;
use std::sync::Arc;
use wavefield_numerics::fft::{Real, next_good_size};
use wavefield_numerics::vector::{Vector, sub};

use super::single;
use crate::kernels::ACROSS;
use crate::pair::green;

/// Lines processed together.
const LINES: usize = 16;

/// Workspace of a convolution, reused because faulting in new pages costs as much as the transforms.
pub(crate) struct Room {
    /// Transforms along z and y, plane by plane.
    planes: Vec<Complex32>,
    /// The same transforms with y slowest.
    pieces: Vec<Complex32>,
}

/// Grid and spectrum of its kernel.
pub(crate) struct Grid {
    /// Position of the first point, m.
    corner: Vector,
    pub(crate) step: f64,
    /// Number of points along each axis.
    pub(crate) shape: [usize; 3],
    /// Lengths of the padded transforms.
    padded: [usize; 3],
    lines: [[Arc<dyn Fft<f32>>; 2]; 3],
    /// Spectrum of the kernel over its first half along each axis, in the order y, z, x.
    spectrum: Vec<Complex32>,
}

/// Returns G between points of a grid, zero at the origin.
pub(crate) fn kernel(wavenumber: f64, step: f64, offset: [usize; 3]) -> Complex64 {
    let square: usize = offset.iter().map(|x| x * x).sum();
    if square == 0 {
        return Complex64::new(0.0, 0.0);
    }
    green(wavenumber, step * (square as f64).sqrt()).0
}

/// Returns the shape of a grid around two corners, and the lengths of its transforms.
fn shapes(step: f64, [least, most]: [Vector; 2]) -> ([usize; 3], [usize; 3]) {
    let shape: [usize; 3] =
        std::array::from_fn(|axis| ((most[axis] - least[axis]) / step).floor() as usize + ACROSS);
    (shape, shape.map(|points| next_good_size(2 * points - 1)))
}

impl Grid {
    /// Creates a grid around points between two corners, with room for boxes around any of them.
    pub(crate) fn new(wavenumber: f64, step: f64, corners: [Vector; 2]) -> Grid {
        let (shape, padded) = shapes(step, corners);
        // A box begins one point before the cell of its center.
        let corner = corners[0].map(|x| x - step * (ACROSS / 2 - 1) as f64);
        let mut grid = Grid {
            corner,
            step,
            shape,
            padded,
            lines: padded.map(f32::plan_line),
            spectrum: Vec::new(),
        };
        grid.spectrum = grid.transform_kernel(wavenumber);
        grid
    }

    /// Returns the number of points of the grid.
    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Returns the bytes of the spectrum, and the bytes of the arrays of a matrix–vector product: four fields and the
    /// workspace.
    pub(crate) fn memory(step: f64, corners: [Vector; 2]) -> [usize; 2] {
        let (shape, padded) = shapes(step, corners);
        let half: usize = padded.iter().map(|length| length / 2 + 1).product();
        let room = shape[0] * padded[1] * padded[2];
        let filled = 2 * room + 4 * shape.iter().product::<usize>();
        [half, filled].map(|count| size_of::<Complex32>() * count)
    }

    /// Returns the FFT points of a convolution, times log₂ of their number.
    pub(crate) fn transformed(step: f64, corners: [Vector; 2]) -> f64 {
        let (_, padded) = shapes(step, corners);
        let points = padded.iter().product::<usize>() as f64;
        points * points.log2()
    }

    /// Returns the index of the first point of the box around a position.
    pub(crate) fn cell(&self, at: Vector) -> [usize; 3] {
        let from = sub(at, self.corner);
        std::array::from_fn(|axis| {
            let place = (from[axis] / self.step).floor() as usize;
            (place + 1)
                .saturating_sub(ACROSS / 2)
                .min(self.shape[axis] - ACROSS)
        })
    }

    /// Returns the center of the box that begins at a grid point.
    pub(crate) fn middle(&self, cell: [usize; 3]) -> Vector {
        std::array::from_fn(|axis| {
            self.corner[axis] + self.step * (cell[axis] as f64 + 0.5 * (ACROSS - 1) as f64)
        })
    }

    pub(crate) fn room(&self) -> Room {
        let count = self.shape[0] * self.padded[1] * self.padded[2];
        Room {
            planes: vec![Complex32::ZERO; count],
            pieces: vec![Complex32::ZERO; count],
        }
    }

    /// Replaces sources at the points by their field; the workspace need not be initialized.
    pub(crate) fn convolve(&self, values: &mut [Complex32], room: &mut Room) {
        let [nx, ny, nz] = self.shape;
        let [_, py, pz] = self.padded;
        let (plane, wide) = (ny * nz, py * pz);
        let Room { planes, pieces } = room;
        // Along z and y, plane by plane.
        planes
            .par_chunks_mut(wide)
            .zip(values.par_chunks(plane))
            .for_each(|(out, values)| {
                for (line, values) in out.chunks_mut(pz).zip(values.chunks(nz)) {
                    line[..nz].copy_from_slice(values);
                    line[nz..].fill(Complex32::ZERO);
                }
                self.lines[2][0].process(&mut out[..ny * pz]);
                columns(out, pz, [ny, py], &*self.lines[1][0]);
            });
        // Along x, times the kernel, and back; planes are now those of constant y.
        let half = [0, 1, 2].map(|axis| self.padded[axis] / 2 + 1);
        pieces
            .par_chunks_mut(nx * pz)
            .enumerate()
            .for_each(|(y, piece)| {
                for x in 0..nx {
                    let from = x * wide + y * pz;
                    piece[x * pz..(x + 1) * pz].copy_from_slice(&planes[from..from + pz]);
                }
                let y = y.min(py - y);
                self.filter(&self.spectrum[y * half[2] * half[0]..], piece);
            });
        planes
            .par_chunks_mut(wide)
            .zip(values.par_chunks_mut(plane))
            .enumerate()
            .for_each(|(x, (out, values))| {
                for y in 0..py {
                    let from = y * nx * pz + x * pz;
                    out[y * pz..(y + 1) * pz].copy_from_slice(&pieces[from..from + pz]);
                }
                columns(out, pz, [py, ny], &*self.lines[1][1]);
                self.lines[2][1].process(&mut out[..ny * pz]);
                for (line, values) in out.chunks_mut(pz).zip(values.chunks_mut(nz)) {
                    values.copy_from_slice(&line[..nz]);
                }
            });
    }

    /// Filters the lines along x of one y: transform, multiplication by the kernel, inverse transform.
    fn filter(&self, spectrum: &[Complex32], piece: &mut [Complex32]) {
        let ([nx, ..], [px, _, pz]) = (self.shape, self.padded);
        let kept = px / 2 + 1;
        let mut room = vec![Complex32::ZERO; LINES * px];
        for first in (0..pz).step_by(LINES) {
            let count = LINES.min(pz - first);
            let room = &mut room[..count * px];
            gather(room, px, nx, &piece[first..], pz);
            self.lines[0][0].process(room);
            for (line, values) in room.chunks_mut(px).enumerate() {
                let z = (first + line).min(pz - first - line);
                let factors = &spectrum[z * kept..(z + 1) * kept];
                let (rising, falling) = values.split_at_mut(kept);
                for (value, factor) in rising.iter_mut().zip(factors) {
                    *value *= factor;
                }
                for (value, factor) in falling.iter_mut().rev().zip(&factors[1..]) {
                    *value *= factor;
                }
            }
            self.lines[0][1].process(room);
            scatter(room, px, nx, &mut piece[first..], pz);
        }
    }

    /// Returns the spectrum of the kernel over the number of points; it is even along each axis, and the first half of each is
    /// stored.
    fn transform_kernel(&self, wavenumber: f64) -> Vec<Complex32> {
        let [px, py, pz] = self.padded;
        let [hx, hy, hz] = self.padded.map(|length| length / 2 + 1);
        let double = Complex64::new(0.0, 0.0);
        let lines = self.padded.map(|length| f64::plan_line(length)[0].clone());
        let points = self.padded.iter().product::<usize>() as f64;
        // Along z and y for every x of the first half.
        let mut planes = vec![double; hx * hy * hz];
        planes
            .par_chunks_mut(hy * hz)
            .enumerate()
            .for_each(|(x, out)| {
                let mut plane = vec![double; hy * pz];
                for (y, line) in plane.chunks_mut(pz).enumerate() {
                    for z in 0..hz {
                        line[z] = kernel(wavenumber, self.step, [x, y, z]);
                        line[(pz - z) % pz] = line[z];
                    }
                    lines[2].process(line);
                }
                let mut column = vec![double; py];
                for z in 0..hz {
                    for y in 0..hy {
                        column[y] = plane[y * pz + z];
                        column[(py - y) % py] = column[y];
                    }
                    lines[1].process(&mut column);
                    for y in 0..hy {
                        out[y * hz + z] = column[y];
                    }
                }
            });
        let mut spectrum = vec![Complex32::ZERO; hx * hy * hz];
        spectrum
            .par_chunks_mut(hx)
            .enumerate()
            .for_each(|(line, out)| {
                let mut values = vec![double; px];
                for x in 0..hx {
                    values[x] = planes[x * hy * hz + line];
                    values[(px - x) % px] = values[x];
                }
                lines[0].process(&mut values);
                for (out, value) in out.iter_mut().zip(&values) {
                    *out = single(value / points);
                }
            });
        spectrum
    }
}

/// Transforms the columns of a plane with rows of `width`, of which `filled` rows are nonzero and `kept` are needed.
fn columns(plane: &mut [Complex32], width: usize, [filled, kept]: [usize; 2], fft: &dyn Fft<f32>) {
    let length = fft.len();
    let mut room = vec![Complex32::ZERO; LINES * length];
    for first in (0..width).step_by(LINES) {
        let count = LINES.min(width - first);
        let room = &mut room[..count * length];
        gather(room, length, filled, &plane[first..], width);
        fft.process(room);
        scatter(room, length, kept, &mut plane[first..], width);
    }
}

/// Gathers columns of rows of `width`, of which `filled` are nonzero, into contiguous lines of `length`.
fn gather(lines: &mut [Complex32], length: usize, filled: usize, from: &[Complex32], width: usize) {
    for line in lines.chunks_mut(length) {
        line[filled..].fill(Complex32::ZERO);
    }
    let count = lines.len() / length;
    for (row, from) in from.chunks(width).take(filled).enumerate() {
        for (line, value) in from[..count].iter().enumerate() {
            lines[line * length + row] = *value;
        }
    }
}

/// Scatters the first `kept` values of contiguous lines to columns of rows of `width`.
fn scatter(lines: &[Complex32], length: usize, kept: usize, to: &mut [Complex32], width: usize) {
    let count = lines.len() / length;
    for (row, to) in to.chunks_mut(width).take(kept).enumerate() {
        for (line, value) in to[..count].iter_mut().enumerate() {
            *value = lines[line * length + row];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_the_sums_over_all_points() {
        let (k, step) = (7.0, 0.11);
        let grid = Grid::new(k, step, [[0.0, -0.3, 0.2], [0.5, 0.4, 0.35]]);
        let [nx, ny, nz] = grid.shape;
        let mut values: Vec<Complex32> = (0..grid.len())
            .map(|i| Complex32::new((0.7 * i as f32).sin(), (1.3 * i as f32).cos()))
            .collect();
        let sources = values.clone();
        // A workspace that has been used before.
        let mut room = grid.room();
        grid.convolve(&mut values.clone(), &mut room);
        grid.convolve(&mut values, &mut room);
        let double = |z: Complex32| Complex64::new(f64::from(z.re), f64::from(z.im));
        let place = |i: usize| [i / (ny * nz), i / nz % ny, i % nz];
        for i in [0, 17, nx * ny * nz / 2, nx * ny * nz - 1] {
            let wanted: Complex64 = (0..grid.len())
                .map(|j| {
                    let (a, b) = (place(i), place(j));
                    let offset = std::array::from_fn(|axis| a[axis].abs_diff(b[axis]));
                    kernel(k, step, offset) * double(sources[j])
                })
                .sum();
            assert!((double(values[i]) - wanted).norm() < 1e-6 * wanted.norm());
        }
    }
}
