//! FFT on the CPU: rustfft and realfft along each axis, lines in fixed blocks distributed over the threads.
//!
//! A line is transformed bitwise identically on any thread, so results do not depend on the number of
//! threads.

use std::{fmt, sync::Arc};

use num_complex::Complex;
use rayon::prelude::*;
use realfft::{ComplexToReal, RealToComplex};
use rustfft::Fft;

use super::{Extent, FftKind, FftShapeError, Real};
use crate::cpu::CpuPool;

/// Elements per task: about the L1 cache.
const BLOCK: usize = 4096;

/// Lines gathered side by side from a strided axis: whole cache lines in either precision.
const COLUMNS: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Inverse,
}

/// FFT plan on the CPU for one shape, batch, kind, and precision (`R` is `f32` or `f64`).
pub struct CpuFft<R: Real> {
    pool: CpuPool,
    extent: Extent,
    /// Lengths of the axes of the spectrum; the last one is shorter for real data.
    shape: Vec<usize>,
    /// Forward and inverse plan of each axis; the last axis of real data has a pair of its own below.
    axes: Vec<[Arc<dyn Fft<R>>; 2]>,
    real: Option<RealAxis<R>>,
}

struct RealAxis<R> {
    length: usize,
    forward: Arc<dyn RealToComplex<R>>,
    inverse: Arc<dyn ComplexToReal<R>>,
}

impl<R: Real> fmt::Debug for CpuFft<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CpuFft")
            .field("extent", &self.extent)
            .finish_non_exhaustive()
    }
}

impl<R: Real> CpuFft<R> {
    /// Plans `batch` transforms of `shape` (one to three axes, the last one fastest).
    ///
    /// # Errors
    /// Returns [`FftShapeError`] if the shape cannot be transformed.
    pub fn new(
        pool: &CpuPool,
        shape: &[usize],
        batch: usize,
        kind: FftKind,
    ) -> Result<Self, FftShapeError> {
        let extent = Extent::new(shape, batch, kind)?;
        let real = (kind == FftKind::Real).then(|| {
            let length = extent.last();
            let (forward, inverse) = R::plan_real_line(length);
            RealAxis {
                length,
                forward,
                inverse,
            }
        });
        let complex_axes = shape.len() - usize::from(real.is_some());
        let axes = shape[..complex_axes]
            .iter()
            .map(|&length| R::plan_line(length))
            .collect();
        Ok(Self {
            pool: pool.clone(),
            shape: extent.spectrum_shape(),
            extent,
            axes,
            real,
        })
    }

    /// Returns shape, batch, and kind of the transform.
    #[must_use]
    pub fn extent(&self) -> &Extent {
        &self.extent
    }

    /// Returns the memory of the plan in bytes: tables, and scratch during a transform.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let complex = size_of::<Complex<R>>();
        let spectrum = self.extent.batch() * self.shape.iter().product::<usize>();
        let gathered = self
            .axes
            .iter()
            .enumerate()
            .any(|(axis, _)| self.inner(axis) > 1 && self.shape[axis] > 1);
        // The inverse real transform works on a copy of the spectrum.
        let copies = usize::from(gathered) + usize::from(self.extent.kind() == FftKind::Real);
        let line = self
            .axes
            .iter()
            .flatten()
            .map(|fft| fft.get_inplace_scratch_len() + fft.len())
            .max()
            .unwrap_or(0);
        let real_line = self.real.as_ref().map_or(0, |real| {
            real.length
                + real
                    .forward
                    .get_scratch_len()
                    .max(real.inverse.get_scratch_len())
        });
        (complex * (copies * spectrum + (line + real_line) * self.pool.threads())) as u64
    }

    /// Computes the forward transform of complex data, in place.
    ///
    /// # Errors
    /// Returns [`FftShapeError`] if the kind of the plan or the length does not match.
    pub fn forward(&self, data: &mut [Complex<R>]) -> Result<(), FftShapeError> {
        self.complex(data, Direction::Forward)
    }

    /// Computes the inverse transform of complex data, not normalized, in place.
    ///
    /// # Errors
    /// Returns [`FftShapeError`] if the kind of the plan or the length does not match.
    pub fn inverse(&self, data: &mut [Complex<R>]) -> Result<(), FftShapeError> {
        self.complex(data, Direction::Inverse)
    }

    fn complex(&self, data: &mut [Complex<R>], direction: Direction) -> Result<(), FftShapeError> {
        self.extent.check_complex(data.len())?;
        self.pool.install(|| self.along_axes(data, direction));
        Ok(())
    }

    /// Computes the half spectrum of real data.
    ///
    /// # Errors
    /// Returns [`FftShapeError`] if the kind of the plan or a length does not match.
    pub fn forward_real(
        &self,
        input: &[R],
        spectrum: &mut [Complex<R>],
    ) -> Result<(), FftShapeError> {
        self.extent.check_real(input.len(), spectrum.len())?;
        let Some(real) = &self.real else {
            return Ok(());
        };
        self.pool.install(|| {
            let (points, half) = (real.length, real.length / 2 + 1);
            let lines = BLOCK.div_ceil(points);
            spectrum
                .par_chunks_mut(half * lines)
                .zip(input.par_chunks(points * lines))
                .for_each_init(
                    || {
                        (
                            real.forward.make_input_vec(),
                            real.forward.make_scratch_vec(),
                        )
                    },
                    |(line, scratch), (spectra, values)| {
                        for (spectrum, values) in spectra
                            .chunks_exact_mut(half)
                            .zip(values.chunks_exact(points))
                        {
                            line.copy_from_slice(values);
                            // Only a wrong length is an error, and the lengths are correct by construction.
                            let _ = real.forward.process_with_scratch(line, spectrum, scratch);
                        }
                    },
                );
            self.along_axes(spectrum, Direction::Forward);
        });
        Ok(())
    }

    /// Computes real data from a half spectrum, not normalized.
    ///
    /// Imaginary parts that conjugate symmetry excludes are ignored.
    ///
    /// # Errors
    /// Returns [`FftShapeError`] if the kind of the plan or a length does not match.
    pub fn inverse_real(
        &self,
        spectrum: &[Complex<R>],
        output: &mut [R],
    ) -> Result<(), FftShapeError> {
        self.extent.check_real(output.len(), spectrum.len())?;
        let Some(real) = &self.real else {
            return Ok(());
        };
        self.pool.install(|| {
            let (points, half) = (real.length, real.length / 2 + 1);
            let mut work = spectrum.to_vec();
            self.along_axes(&mut work, Direction::Inverse);
            let lines = BLOCK.div_ceil(points);
            work.par_chunks_mut(half * lines)
                .zip(output.par_chunks_mut(points * lines))
                .for_each_init(
                    || real.inverse.make_scratch_vec(),
                    |scratch, (spectra, values)| {
                        for (spectrum, values) in spectra
                            .chunks_exact_mut(half)
                            .zip(values.chunks_exact_mut(points))
                        {
                            spectrum[0].im = R::zero();
                            if points.is_multiple_of(2) {
                                spectrum[half - 1].im = R::zero();
                            }
                            // Only a wrong length is an error, and the lengths are correct by construction.
                            let _ = real.inverse.process_with_scratch(spectrum, values, scratch);
                        }
                    },
                );
        });
        Ok(())
    }

    /// Returns the stride of an axis: the product of the lengths of the axes after it.
    fn inner(&self, axis: usize) -> usize {
        self.shape[axis + 1..].iter().product()
    }

    fn along_axes(&self, data: &mut [Complex<R>], direction: Direction) {
        let mut gathered = Vec::new();
        for (axis, pair) in self.axes.iter().enumerate().rev() {
            let fft = &pair[usize::from(direction == Direction::Inverse)];
            match self.inner(axis) {
                _ if fft.len() == 1 => {}
                1 => contiguous(data, fft.as_ref()),
                inner => {
                    gathered.resize(data.len(), Complex::new(R::zero(), R::zero()));
                    strided(data, &mut gathered, inner, fft.as_ref());
                }
            }
        }
    }
}

fn contiguous<R: Real>(data: &mut [Complex<R>], fft: &dyn Fft<R>) {
    let lines = BLOCK.div_ceil(fft.len());
    data.par_chunks_mut(fft.len() * lines).for_each_init(
        || vec![Complex::new(R::zero(), R::zero()); fft.get_inplace_scratch_len()],
        |scratch, block| fft.process_with_scratch(block, scratch),
    );
}

/// Transforms along an axis of stride `inner`: gathers columns, transforms them, and scatters them.
fn strided<R: Real>(
    data: &mut [Complex<R>],
    gathered: &mut [Complex<R>],
    inner: usize,
    fft: &dyn Fft<R>,
) {
    let length = fft.len();
    let source: &[Complex<R>] = data;
    gathered
        .par_chunks_mut(length * COLUMNS)
        .enumerate()
        .for_each_init(
            || vec![Complex::new(R::zero(), R::zero()); fft.get_inplace_scratch_len()],
            |scratch, (block, columns)| {
                let count = columns.len() / length;
                let mut first = [0; COLUMNS];
                for (column, first) in first.iter_mut().enumerate().take(count) {
                    let line = block * COLUMNS + column;
                    *first = line / inner * (inner * length) + line % inner;
                }
                for element in 0..length {
                    for column in 0..count {
                        columns[column * length + element] =
                            source[first[column] + element * inner];
                    }
                }
                fft.process_with_scratch(columns, scratch);
            },
        );
    let gathered: &[Complex<R>] = gathered;
    data.par_chunks_mut(inner * COLUMNS)
        .enumerate()
        .for_each(|(block, rows)| {
            let count = rows.len() / inner;
            let mut first = [0; COLUMNS];
            for (row, first) in first.iter_mut().enumerate().take(count) {
                let line = block * COLUMNS + row;
                *first = line / length * (inner * length) + line % length;
            }
            for column in 0..inner {
                for row in 0..count {
                    rows[row * inner + column] = gathered[first[row] + column * length];
                }
            }
        });
}
