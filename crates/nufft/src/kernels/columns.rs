//! FFT along a strided axis: blocks of adjacent columns are gathered into lines, transformed, and
//! scattered to the layout of the next step.

use std::sync::Arc;

use num_complex::Complex;
use rustfft::Fft;

use super::shared::{Shared, Source};
use crate::precision::Precision;

/// Columns gathered together: some cache lines of each row.
pub(crate) const TOGETHER: usize = 16;

/// An axis: its fine grid, its modes, their deconvolution factors, and the FFT along it.
pub(crate) struct Axis<R> {
    /// Length of the fine grid.
    pub(crate) length: usize,
    /// Number of modes, from −⌊modes/2⌋ on.
    pub(crate) modes: usize,
    /// Deconvolution factor of every mode: the reciprocal of the transform of the window.
    pub(crate) factor: Vec<R>,
    /// FFT with e^{−i…} and with e^{+i…}.
    pub(crate) fft: [Arc<dyn Fft<R>>; 2],
}

/// Contiguous modes that are contiguous on the fine grid as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Run {
    /// First index on the fine grid.
    pub(crate) place: usize,
    /// Zero-based index of the first mode.
    pub(crate) mode: usize,
    pub(crate) count: usize,
}

impl<R> Axis<R> {
    /// Returns the nonnegative modes, and the negative ones at the end of the grid.
    pub(crate) fn runs(&self) -> [Run; 2] {
        let negative = self.modes / 2;
        [
            Run {
                place: 0,
                mode: negative,
                count: self.modes - negative,
            },
            Run {
                place: self.length - negative,
                mode: 0,
                count: negative,
            },
        ]
    }
}

/// Rows of an array along the transformed axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rows {
    /// The fine grid.
    Grid,
    /// The fine grid, of which only the positions of the modes are read or written.
    Kept,
    /// The modes in order.
    Modes,
}

/// Source or destination of a transform of columns.
pub(crate) struct End<'a, D: ?Sized> {
    pub(crate) data: &'a D,
    /// Index of the first element of the first column.
    pub(crate) offset: usize,
    /// Row stride.
    pub(crate) stride: usize,
    pub(crate) rows: Rows,
}

impl<D: ?Sized> End<'_, D> {
    /// Calls `with` for each row: its index on the fine grid, its mode, if it is one, and the index of
    /// its first element.
    fn rows<R: Precision>(
        &self,
        axis: &Axis<R>,
        mut with: impl FnMut(usize, Option<usize>, usize),
    ) {
        match self.rows {
            Rows::Grid => {
                for place in 0..axis.length {
                    with(place, None, self.offset + place * self.stride);
                }
            }
            Rows::Kept | Rows::Modes => {
                for run in axis.runs() {
                    for i in 0..run.count {
                        let (place, mode) = (run.place + i, run.mode + i);
                        let row = if self.rows == Rows::Kept { place } else { mode };
                        with(place, Some(mode), self.offset + row * self.stride);
                    }
                }
            }
        }
    }
}

/// Work memory for the lines of one task.
pub(crate) struct Lines<R> {
    lines: Vec<Complex<R>>,
    scratch: Vec<Complex<R>>,
    apart: usize,
}

impl<R: Precision> Lines<R> {
    pub(crate) fn new(axis: &Axis<R>) -> Self {
        let zero = Complex::new(R::zero(), R::zero());
        // The padding prevents lines of power-of-two length from mapping to the same cache sets.
        let apart = axis.length.next_multiple_of(4) + 4;
        let scratch = axis
            .fft
            .iter()
            .map(|fft| fft.get_inplace_scratch_len())
            .max()
            .unwrap_or(0);
        Lines {
            lines: vec![zero; TOGETHER * apart],
            scratch: vec![zero; scratch],
            apart,
        }
    }

    /// Transforms up to [`TOGETHER`] columns. If the rows of an end are modes, they are multiplied by
    /// the factors of the axis, the factor of the column (if given), and `scale`.
    ///
    /// # Safety
    /// No other thread may access these columns of `to`, nor modify those of `from`.
    pub(crate) unsafe fn columns(
        &mut self,
        axis: &Axis<R>,
        direction: usize,
        from: &End<impl Source<Complex<R>> + ?Sized>,
        to: &End<Shared<Complex<R>>>,
        count: usize,
        columns: &[R],
        scale: R,
    ) {
        let Lines {
            lines,
            scratch,
            apart,
        } = self;
        let apart = *apart;
        let lines = &mut lines[..count * apart];
        if from.rows != Rows::Grid {
            let kept = axis.runs();
            for line in lines.chunks_exact_mut(apart) {
                line[kept[0].count..kept[1].place].fill(Complex::new(R::zero(), R::zero()));
            }
        }
        let factor = |rows: Rows, mode: Option<usize>| match (rows, mode) {
            (Rows::Modes, Some(mode)) => Some(axis.factor[mode] * scale),
            _ => None,
        };
        from.rows(axis, |place, mode, first| {
            // SAFETY: upheld by the caller.
            let row = unsafe { from.data.read(first..first + count) };
            from.data.prefetch(first + AHEAD * from.stride);
            let factor = factor(from.rows, mode);
            match <&[_; TOGETHER]>::try_from(row) {
                // A constant number of columns avoids the loop counter.
                Ok(row) => gather(row, lines, apart, place, columns, factor),
                Err(_) => gather(row, lines, apart, place, columns, factor),
            }
        });
        let fft = axis.fft[direction].as_ref();
        for line in lines.chunks_exact_mut(apart) {
            fft.process_with_scratch(&mut line[..axis.length], scratch);
        }
        to.rows(axis, |place, mode, first| {
            // SAFETY: upheld by the caller.
            let row = unsafe { to.data.part(first..first + count) };
            to.data.prefetch(first + AHEAD * to.stride);
            let factor = factor(to.rows, mode);
            match <&mut [_; TOGETHER]>::try_from(&mut *row) {
                Ok(row) => scatter(row, lines, apart, place, columns, factor),
                Err(_) => scatter(row, lines, apart, place, columns, factor),
            }
        });
    }

    /// Transforms one line in place.
    pub(crate) fn row(&mut self, axis: &Axis<R>, direction: usize, row: &mut [Complex<R>]) {
        axis.fft[direction].process_with_scratch(&mut row[..axis.length], &mut self.scratch);
    }
}

/// Prefetch distance in rows.
const AHEAD: usize = 16;

/// Gathers a row of columns into their lines, times their factors.
#[inline(always)]
fn gather<R: Precision>(
    row: &[Complex<R>],
    lines: &mut [Complex<R>],
    apart: usize,
    place: usize,
    columns: &[R],
    factor: Option<R>,
) {
    match factor {
        None => {
            for (c, &value) in row.iter().enumerate() {
                lines[c * apart + place] = value;
            }
        }
        Some(factor) => {
            for (c, (&value, &column)) in row.iter().zip(columns).enumerate() {
                lines[c * apart + place] = value * (column * factor);
            }
        }
    }
}

/// Scatters elements of the lines to a row of columns, times their factors.
#[inline(always)]
fn scatter<R: Precision>(
    row: &mut [Complex<R>],
    lines: &[Complex<R>],
    apart: usize,
    place: usize,
    columns: &[R],
    factor: Option<R>,
) {
    match factor {
        None => {
            for (c, value) in row.iter_mut().enumerate() {
                *value = lines[c * apart + place];
            }
        }
        Some(factor) => {
            for (c, (value, &column)) in row.iter_mut().zip(columns).enumerate() {
                *value = lines[c * apart + place] * (column * factor);
            }
        }
    }
}
