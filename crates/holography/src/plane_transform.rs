//! Two-dimensional FFTs of small planes with low latency: rustfft along rows, then columns, on the calling thread and
//! without allocation. Dispatch to a thread pool would dominate at thousands of transforms per second.

use std::sync::Arc;

use num_complex::Complex;
use rustfft::Fft;
use wavefield_numerics::fft::Real;

/// FFTs of planes of one size, with their buffers.
pub(crate) struct PlaneTransform<T: Real> {
    rows: usize,
    columns: usize,
    /// Forward and inverse FFT along rows, then along columns.
    along: [[Arc<dyn Fft<T>>; 2]; 2],
    turned: Vec<Complex<T>>,
    scratch: Vec<Complex<T>>,
}

impl<T: Real> PlaneTransform<T> {
    pub(crate) fn new(rows: usize, columns: usize) -> Self {
        let along = [columns, rows].map(T::plan_line);
        let zero = Complex::new(T::zero(), T::zero());
        let room = along
            .iter()
            .flatten()
            .map(|fft| fft.get_inplace_scratch_len())
            .max()
            .unwrap_or(0);
        Self {
            rows,
            columns,
            along,
            turned: vec![zero; rows * columns],
            scratch: vec![zero; room],
        }
    }

    /// Computes Σ f e^{−j2π…} in place.
    pub(crate) fn forward(&mut self, plane: &mut [Complex<T>]) {
        self.transform(plane, 0);
    }

    /// Computes Σ F e^{+j2π…} in place, not divided by the number of points.
    pub(crate) fn inverse(&mut self, plane: &mut [Complex<T>]) {
        self.transform(plane, 1);
    }

    fn transform(&mut self, plane: &mut [Complex<T>], direction: usize) {
        self.along[0][direction].process_with_scratch(plane, &mut self.scratch);
        turn(plane, &mut self.turned, self.rows, self.columns);
        self.along[1][direction].process_with_scratch(&mut self.turned, &mut self.scratch);
        turn(&self.turned, plane, self.columns, self.rows);
    }
}

/// Side of the square blocks of a transposition, elements: two cache lines of the widest type.
const TILE: usize = 8;

/// Transposes a matrix block by block.
pub(crate) fn turn<T: Copy>(from: &[T], to: &mut [T], rows: usize, columns: usize) {
    for top in (0..rows).step_by(TILE) {
        for left in (0..columns).step_by(TILE) {
            for row in top..rows.min(top + TILE) {
                for column in left..columns.min(left + TILE) {
                    to[column * rows + row] = from[row * columns + column];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use num_complex::Complex64;

    use super::*;

    #[test]
    fn a_wave_has_one_line_and_comes_back() {
        let (rows, columns) = (12, 30);
        let wave = |row: usize, column: usize| {
            Complex64::cis(TAU * (3.0 * row as f64 / 12.0 - 7.0 * column as f64 / 30.0))
        };
        let mut plane: Vec<Complex64> = (0..360).map(|i| wave(i / 30, i % 30)).collect();
        let original = plane.clone();
        let mut transform = PlaneTransform::new(rows, columns);
        transform.forward(&mut plane);
        for (i, value) in plane.iter().enumerate() {
            let expected = if i == 3 * 30 + 23 { 360.0 } else { 0.0 };
            assert!((value - expected).norm() < 1e-11);
        }
        transform.inverse(&mut plane);
        for (a, b) in plane.iter().zip(&original) {
            assert!((a / 360.0 - b).norm() < 1e-13);
        }
    }
}
