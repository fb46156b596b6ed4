//! Long one-dimensional FFT as a matrix (Bailey's four-step algorithm): short transforms along the
//! columns, multiplication by twiddle factors, short transforms along the rows. Each fits a cache and
//! runs on any thread.
//!
//! With j = j₁n₂ + j₂ and k = k₁ + n₁k₂, e^{±2πijk/n} is the product of e^{±2πij₁k₁/n₁}, e^{±2πij₂k₁/n},
//! and e^{±2πij₂k₂/n₂}. D. H. Bailey, J. Supercomputing 4 (1990) 23–35.

use std::f64::consts::PI;

use num_complex::Complex;
use rustfft::Fft;
use std::sync::Arc;

use super::columns::{Axis, TOGETHER};
use super::shared::{Shared, Source as _};
use crate::precision::Precision;
use crate::workers::Workers;

/// Minimum length for which the algorithm is faster.
const LONG: usize = 1 << 16;

/// Twiddle factors e^{+2πim/n} for m from 0 to n − 1 as the product of two short tables.
struct Turns<R> {
    fine: Vec<Complex<R>>,
    coarse: Vec<Complex<R>>,
    shift: u32,
}

impl<R: Precision> Turns<R> {
    fn new(length: usize) -> Self {
        let shift = length.ilog2() / 2 + 1;
        let turn = |m: usize| {
            let (sine, cosine) = (2.0 * PI * m as f64 / length as f64).sin_cos();
            Complex::new(R::narrow(cosine), R::narrow(sine))
        };
        Turns {
            fine: (0..1 << shift).map(turn).collect(),
            coarse: (0..=length >> shift).map(|m| turn(m << shift)).collect(),
            shift,
        }
    }

    #[inline(always)]
    fn at(&self, m: usize) -> Complex<R> {
        self.coarse[m >> self.shift] * self.fine[m & ((1 << self.shift) - 1)]
    }
}

/// Plan of a long FFT.
pub(crate) struct LongLine<R> {
    rows: usize,
    columns: usize,
    /// FFT along the columns, and along the rows.
    down: [Arc<dyn Fft<R>>; 2],
    across: [Arc<dyn Fft<R>>; 2],
    turns: Turns<R>,
}

/// Lines and the scratch memory of their transforms.
struct Lines<R> {
    lines: Vec<Complex<R>>,
    scratch: Vec<Complex<R>>,
}

impl<R: Precision> LongLine<R> {
    /// Creates a plan if the length is long and not a prime.
    pub(crate) fn new(length: usize) -> Option<Self> {
        if length < LONG {
            return None;
        }
        let root = length.isqrt();
        let rows = (2..=root).rev().find(|d| length.is_multiple_of(*d))?;
        let columns = length / rows;
        // A thin matrix would have long rows.
        (rows >= 64).then(|| LongLine {
            rows,
            columns,
            down: R::plan_line(rows),
            across: R::plan_line(columns),
            turns: Turns::new(length),
        })
    }

    /// Transforms a grid to its modes; overwrites the grid.
    pub(crate) fn to_modes(
        &self,
        axis: &Axis<R>,
        direction: usize,
        grid: &mut [Complex<R>],
        modes: &mut [Complex<R>],
        workers: Workers,
    ) {
        let (rows, columns) = (self.rows, self.columns);
        let grid = Shared::new(&mut grid[..rows * columns]);
        self.for_columns(direction, &grid, workers, |k1, j2, value| {
            value * self.turn(direction, k1 * j2)
        });
        let modes = Shared::new(modes);
        workers.for_each(
            rows.div_ceil(TOGETHER),
            || self.room(&self.across[direction], 0),
            |room, task| {
                let first = task * TOGETHER;
                let count = TOGETHER.min(rows - first);
                // SAFETY: the rows of the tasks are disjoint.
                let block = unsafe { grid.part(first * columns..(first + count) * columns) };
                self.across[direction].process_with_scratch(block, &mut room.scratch);
                for k2 in 0..columns {
                    let place = first + rows * k2;
                    for (i, mode) in kept(axis, place, count) {
                        // SAFETY: every element is written only by the task of its row.
                        let to = unsafe { &mut modes.part(mode..mode + 1)[0] };
                        *to = block[i * columns + k2] * axis.factor[mode];
                    }
                }
            },
        );
    }

    /// Transforms modes to a grid.
    pub(crate) fn to_grid(
        &self,
        axis: &Axis<R>,
        direction: usize,
        modes: &[Complex<R>],
        grid: &mut [Complex<R>],
        workers: Workers,
    ) {
        let (rows, columns) = (self.rows, self.columns);
        let grid = Shared::new(&mut grid[..rows * columns]);
        workers.for_each(
            rows.div_ceil(TOGETHER),
            || self.room(&self.across[direction], 0),
            |room, task| {
                let first = task * TOGETHER;
                let count = TOGETHER.min(rows - first);
                // SAFETY: the rows of the tasks are disjoint.
                let block = unsafe { grid.part(first * columns..(first + count) * columns) };
                block.fill(Complex::new(R::zero(), R::zero()));
                for k2 in 0..columns {
                    let place = first + rows * k2;
                    for (i, mode) in kept(axis, place, count) {
                        block[i * columns + k2] = modes[mode] * axis.factor[mode];
                    }
                }
                self.across[direction].process_with_scratch(block, &mut room.scratch);
                for (i, row) in block.chunks_exact_mut(columns).enumerate() {
                    for (j2, value) in row.iter_mut().enumerate() {
                        *value = *value * self.turn(direction, (first + i) * j2);
                    }
                }
            },
        );
        self.for_columns(direction, &grid, workers, |_, _, value| value);
    }

    /// Returns the twiddle factor e^{±2πim/n}.
    #[inline(always)]
    fn turn(&self, direction: usize, m: usize) -> Complex<R> {
        let turn = self.turns.at(m);
        if direction == 0 { turn.conj() } else { turn }
    }

    /// Transforms every column in place and passes each element to `with`, with its row and column.
    fn for_columns(
        &self,
        direction: usize,
        grid: &Shared<Complex<R>>,
        workers: Workers,
        with: impl Fn(usize, usize, Complex<R>) -> Complex<R> + Sync + Send,
    ) {
        let (rows, columns) = (self.rows, self.columns);
        // The padding prevents lines of power-of-two length from mapping to the same cache sets.
        let apart = rows + 4;
        let fft = &self.down[direction];
        workers.for_each(
            columns.div_ceil(TOGETHER),
            || self.room(fft, TOGETHER * apart),
            |room, task| {
                let first = task * TOGETHER;
                let count = TOGETHER.min(columns - first);
                for row in 0..rows {
                    let start = row * columns + first;
                    // SAFETY: the columns of the tasks are disjoint.
                    let values = unsafe { grid.read(start..start + count) };
                    for (c, &value) in values.iter().enumerate() {
                        room.lines[c * apart + row] = value;
                    }
                }
                for line in room.lines.chunks_exact_mut(apart).take(count) {
                    fft.process_with_scratch(&mut line[..rows], &mut room.scratch);
                }
                for row in 0..rows {
                    let start = row * columns + first;
                    // SAFETY: the columns of the tasks are disjoint.
                    let values = unsafe { grid.part(start..start + count) };
                    for (c, value) in values.iter_mut().enumerate() {
                        *value = with(row, first + c, room.lines[c * apart + row]);
                    }
                }
            },
        );
    }

    fn room(&self, fft: &Arc<dyn Fft<R>>, lines: usize) -> Lines<R> {
        let zero = Complex::new(R::zero(), R::zero());
        Lines {
            lines: vec![zero; lines],
            scratch: vec![zero; fft.get_inplace_scratch_len()],
        }
    }
}

/// Returns the modes within a range of the fine grid: offset in the range, and mode.
#[inline(always)]
fn kept<R>(axis: &Axis<R>, place: usize, count: usize) -> impl Iterator<Item = (usize, usize)> {
    let [positive, negative] = axis.runs();
    (0..count).filter_map(move |i| {
        let place = place + i;
        if place < positive.count {
            Some((i, positive.mode + place))
        } else if place >= negative.place && negative.count > 0 {
            Some((i, place - negative.place))
        } else {
            None
        }
    })
}
