//! Choice of the window and the fine grid: the pair with the least estimated cost that keeps the tolerance.

use std::borrow::Cow;
use std::f64::consts::PI;
use std::sync::OnceLock;

use num_complex::Complex;
use wavefield_numerics::cpu::Simd;
use wavefield_numerics::fft::next_good_size;

use crate::error::NufftError;
use crate::kernel::{Kernel, WIDEST, Window};
use crate::options::Options;
use crate::precision::Precision;

/// A window and a fine grid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    pub(crate) window: Window,
    pub(crate) width: usize,
    /// Index of the prolate window's upsampling factor in [`UPSAMPLINGS`]; the grid may be slightly finer.
    ratio: usize,
    pub(crate) grid: Vec<usize>,
}

impl Choice {
    pub(crate) fn new<R: Precision>(
        modes: &[usize],
        points: usize,
        options: &Options,
        simd: Simd,
    ) -> Result<Choice, NufftError> {
        if options.window == Window::KaiserBessel {
            return Ok(Choice {
                window: Window::KaiserBessel,
                width: 13,
                ratio: 0,
                grid: modes
                    .iter()
                    .map(|&count| next_good_size((2 * count).max(2 * 13)))
                    .collect(),
            });
        }
        let tolerance = options.tolerance;
        if !(tolerance >= R::MIN_TOLERANCE && tolerance <= 0.5) {
            return Err(NufftError::Tolerance {
                tolerance,
                least: R::MIN_TOLERANCE,
            });
        }
        let budget = budget(tolerance, modes.len());
        let rounding = 0.25 * tolerance.max(10.0 * R::MIN_TOLERANCE);
        if let Some(factor) = options.upsampling
            && !(1.25..=4.0).contains(&factor)
        {
            return Err(NufftError::Upsampling { factor });
        }
        let mut best: Option<(f64, Choice)> = None;
        for ratio in 0..UPSAMPLINGS.len() {
            let wanted = options.upsampling.unwrap_or(UPSAMPLINGS[ratio]);
            let Some(choice) = Choice::prolate(modes, wanted, budget) else {
                continue;
            };
            let last = options.upsampling.is_some() || ratio + 1 == UPSAMPLINGS.len();
            if !last && choice.rounding::<R>() > rounding {
                continue;
            }
            let cost = choice.cost::<R>(modes, points, simd);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, choice));
            }
            if options.upsampling.is_some() {
                break;
            }
        }
        best.map(|(_, choice)| choice).ok_or(NufftError::Tolerance {
            tolerance,
            least: R::MIN_TOLERANCE,
        })
    }

    /// Returns the prolate window on a grid with an upsampling factor of at least `wanted`, if a window is
    /// wide enough.
    fn prolate(modes: &[usize], wanted: f64, budget: f64) -> Option<Choice> {
        let grid: Vec<usize> = modes.iter().map(|&count| fine(count, wanted, 8)).collect();
        // Grid lengths are rounded up to fast FFT sizes, so grids are mostly finer than required.
        let least = grid
            .iter()
            .zip(modes)
            .map(|(&n, &count)| n as f64 / count as f64)
            .fold(f64::INFINITY, f64::min);
        let ratio = UPSAMPLINGS.iter().rposition(|&u| u <= least)?;
        let width = least_width(ratio, budget)?;
        Some(Choice {
            window: Window::Prolate,
            width,
            ratio,
            grid: modes
                .iter()
                .map(|&count| fine(count, wanted, width))
                .collect(),
        })
    }

    /// Returns the window.
    pub(crate) fn kernel(&self) -> Cow<'static, Kernel> {
        match self.window {
            Window::Prolate => Cow::Borrowed(window(self.ratio, self.width)),
            Window::KaiserBessel => Cow::Owned(Kernel::kaiser_bessel()),
        }
    }

    /// Estimates the rounding error: that of the sums on the grid, amplified by deconvolution where the
    /// transform of the window has decayed: about e^{−cz²/2} at the fraction z of the bandlimit c, up to z
    /// = 1/(2σ − 1) at the last mode.
    fn rounding<R: Precision>(&self) -> f64 {
        let sigma = UPSAMPLINGS[self.ratio];
        let edge = PI * self.width as f64 / (2.0 * sigma * (2.0 * sigma - 1.0));
        let samples = 8;
        let mean = (0..samples)
            .map(|i| (edge * ((i as f64 + 0.5) / f64::from(samples)).powi(2)).exp())
            .sum::<f64>()
            / f64::from(samples);
        4.0 * R::epsilon().wide() * mean.powf(0.5 * self.grid.len() as f64)
    }

    /// Estimates the time of one transform on one thread in nanoseconds: a fit to measured times, which
    /// only has to rank the choices correctly.
    fn cost<R: Precision>(&self, modes: &[usize], points: usize, simd: Simd) -> f64 {
        let bytes = match simd {
            Simd::Avx512 => 64,
            Simd::Avx2 => 32,
            Simd::Neon | Simd::Scalar => 16,
        };
        let (w, d) = (self.width, modes.len() as i32);
        // SIMD vectors of the grid that a point touches; their cost depends on the cache level of the grid.
        // Vectors of the size of a cache line are aligned to it, and start some complex numbers before the
        // window.
        let complex = bytes / size_of::<Complex<R>>();
        let shifts = if bytes == 64 { complex } else { 1 };
        let row: usize = (0..shifts).map(|shift| (shift + w).div_ceil(complex)).sum();
        let touched = (w as f64).powi(d - 1) * row as f64 / shifts as f64;
        let per_vector = [2.5, 1.15, 1.65][modes.len() - 1];
        let per_point = 20.0 + per_vector * touched;
        // Transformed lines: all along the last axis, only those of the modes along the others, which must
        // be gathered; a grid that exceeds the cache is read again for each axis.
        let scale = size_of::<R>() as f64 / 8.0;
        let mut elements: f64 = self.grid.iter().map(|&n| n as f64).product();
        let far = if elements * scale > FAR { 2.5 } else { 0.0 };
        // In three dimensions, points read a grid that exceeds the cache again for every plane.
        let again = if modes.len() == 3 { 2.0 * far } else { 0.0 };
        let mut transform = elements * (0.5 + 0.5 * far + again);
        for axis in (0..modes.len()).rev() {
            let n = self.grid[axis] as f64;
            let gather = if axis + 1 < modes.len() { 3.0 } else { 1.0 };
            transform += elements * scale * (0.42 * n.log2() + gather + far);
            elements *= modes[axis] as f64 / n;
        }
        points as f64 * per_point + transform
    }
}

/// Returns the narrowest prolate window for a tolerance at an upsampling factor of 2.
pub(crate) fn window_for<R: Precision>(
    tolerance: f64,
    axes: usize,
) -> Result<&'static Kernel, NufftError> {
    let impossible = NufftError::Tolerance {
        tolerance,
        least: R::MIN_TOLERANCE,
    };
    if !(tolerance >= R::MIN_TOLERANCE && tolerance <= 0.5) {
        return Err(impossible);
    }
    let ratio = UPSAMPLINGS
        .iter()
        .position(|&u| u == TWICE)
        .ok_or(impossible.clone())?;
    let width = least_width(ratio, budget(tolerance, axes)).ok_or(impossible)?;
    Ok(window(ratio, width))
}

/// Returns the admissible aliasing error of an axis. The errors of the axes have independent phases, which
/// depend on the position of a point along each, so that their squares add; a quarter is reserved for
/// rounding and for positions with coherent phases.
fn budget(tolerance: f64, axes: usize) -> f64 {
    0.75 * tolerance / (axes as f64).sqrt()
}

/// Upsampling factor of [`window_for`].
pub(crate) const TWICE: f64 = 2.0;

/// Returns a prolate window, computed on first use.
fn window(ratio: usize, width: usize) -> &'static Kernel {
    WINDOWS[ratio][width - 2].get_or_init(|| Kernel::prolate(width, UPSAMPLINGS[ratio]))
}

/// Returns a fast FFT length of the fine grid.
fn fine(modes: usize, upsampling: f64, width: usize) -> usize {
    let wanted = (upsampling * modes as f64).ceil() as usize;
    // The periodic images of the window must not overlap.
    fast_size(wanted.max(2 * width.max(8)))
}

/// Returns the next length with a particularly fast FFT: eight times a product of 2, 3, and at most one 5.
fn fast_size(least: usize) -> usize {
    let mut best = least.next_power_of_two().max(8);
    for five in [1, 5] {
        let mut odd = five;
        while 8 * odd < best {
            let twos = least.div_ceil(8 * odd).next_power_of_two();
            best = best.min(8 * odd * twos);
            odd *= 3;
        }
    }
    best
}

/// Elements of a grid in f64 up to which it stays in cache.
const FAR: f64 = 5e5;

/// Candidate upsampling factors.
const UPSAMPLINGS: [f64; 19] = [
    1.25, 1.3, 1.35, 1.4, 1.45, 1.5, 1.55, 1.6, 1.65, 1.7, 1.75, 1.8, 1.9, 2.0, 2.1, 2.2, 2.3, 2.4,
    2.5,
];

/// Aliasing error of the prolate window per axis for each of these factors and for widths from 2 to
/// [`WIDEST`], to two digits.
const ALIASING: [[f64; WIDEST - 1]; UPSAMPLINGS.len()] = [
    [
        1.5e-1, 3.3e-2, 7.1e-3, 2.0e-3, 4.6e-4, 1.2e-4, 3.0e-5, 8.2e-6, 2.0e-6, 5.2e-7, 1.3e-7,
        3.4e-8, 8.2e-9, 2.0e-9, 5.2e-10,
    ],
    [
        1.3e-1, 2.7e-2, 5.1e-3, 1.3e-3, 2.7e-4, 6.4e-5, 1.4e-5, 3.4e-6, 7.4e-7, 1.8e-7, 3.8e-8,
        8.8e-9, 2.0e-9, 4.7e-10, 9.8e-11,
    ],
    [
        1.2e-1, 2.3e-2, 4.0e-3, 8.3e-4, 1.7e-4, 3.6e-5, 7.3e-6, 1.5e-6, 3.2e-7, 7.0e-8, 1.4e-8,
        2.9e-9, 5.6e-10, 1.3e-10, 2.6e-11,
    ],
    [
        1.1e-1, 1.9e-2, 3.2e-3, 5.8e-4, 1.1e-4, 2.2e-5, 4.2e-6, 8.1e-7, 1.5e-7, 2.9e-8, 5.8e-9,
        1.1e-9, 2.0e-10, 3.6e-11, 7.4e-12,
    ],
    [
        1.0e-1, 1.7e-2, 2.6e-3, 4.3e-4, 7.6e-5, 1.4e-5, 2.5e-6, 4.5e-7, 8.1e-8, 1.3e-8, 2.5e-9,
        4.4e-10, 8.2e-11, 1.4e-11, 2.4e-12,
    ],
    [
        9.3e-2, 1.4e-2, 2.2e-3, 3.3e-4, 5.4e-5, 8.9e-6, 1.5e-6, 2.6e-7, 4.6e-8, 7.2e-9, 1.2e-9,
        1.9e-10, 3.4e-11, 5.4e-12, 9.4e-13,
    ],
    [
        8.6e-2, 1.3e-2, 1.9e-3, 2.6e-4, 4.2e-5, 6.1e-6, 1.0e-6, 1.5e-7, 2.6e-8, 4.0e-9, 6.5e-10,
        9.3e-11, 1.5e-11, 2.3e-12, 3.8e-13,
    ],
    [
        8.1e-2, 1.1e-2, 1.6e-3, 2.1e-4, 3.2e-5, 4.4e-6, 6.8e-7, 9.6e-8, 1.5e-8, 2.3e-9, 3.6e-10,
        5.2e-11, 7.5e-12, 1.1e-12, 1.6e-13,
    ],
    [
        7.5e-2, 9.9e-3, 1.4e-3, 1.7e-4, 2.5e-5, 3.4e-6, 4.9e-7, 6.4e-8, 9.4e-9, 1.3e-9, 2.0e-10,
        2.9e-11, 4.0e-12, 5.6e-13, 7.9e-14,
    ],
    [
        7.1e-2, 8.9e-3, 1.2e-3, 1.5e-4, 2.0e-5, 2.6e-6, 3.7e-7, 4.7e-8, 6.4e-9, 8.3e-10, 1.2e-10,
        1.6e-11, 2.2e-12, 3.0e-13, 3.9e-14,
    ],
    [
        6.7e-2, 8.1e-3, 1.0e-3, 1.2e-4, 1.6e-5, 2.0e-6, 2.7e-7, 3.5e-8, 4.5e-9, 5.7e-10, 7.2e-11,
        9.6e-12, 1.2e-12, 1.6e-13, 2.2e-14,
    ],
    [
        6.3e-2, 7.4e-3, 9.1e-4, 1.0e-4, 1.3e-5, 1.5e-6, 2.1e-7, 2.6e-8, 3.2e-9, 4.0e-10, 4.8e-11,
        6.2e-12, 7.4e-13, 9.4e-14, 1.4e-14,
    ],
    [
        5.8e-2, 6.2e-3, 7.3e-4, 7.9e-5, 9.1e-6, 1.0e-6, 1.2e-7, 1.4e-8, 1.7e-9, 2.0e-10, 2.3e-11,
        2.7e-12, 3.0e-13, 3.6e-14, 7.0e-15,
    ],
    [
        5.3e-2, 5.4e-3, 6.0e-4, 6.2e-5, 6.7e-6, 7.1e-7, 7.5e-8, 8.5e-9, 9.1e-10, 1.0e-10, 1.1e-11,
        1.3e-12, 1.4e-13, 1.5e-14, 4.3e-15,
    ],
    [
        5.0e-2, 4.8e-3, 5.1e-4, 5.0e-5, 5.2e-6, 5.4e-7, 5.3e-8, 5.7e-9, 5.7e-10, 6.2e-11, 6.4e-12,
        6.8e-13, 7.2e-14, 7.7e-15, 2.9e-15,
    ],
    [
        4.8e-2, 4.4e-3, 4.5e-4, 4.3e-5, 4.2e-6, 4.2e-7, 4.0e-8, 4.1e-9, 3.9e-10, 3.9e-11, 3.9e-12,
        3.8e-13, 3.9e-14, 4.3e-15, 2.5e-15,
    ],
    [
        4.6e-2, 4.1e-3, 4.1e-4, 3.7e-5, 3.4e-6, 3.3e-7, 3.0e-8, 2.9e-9, 2.7e-10, 2.5e-11, 2.4e-12,
        2.2e-13, 2.1e-14, 2.9e-15, 2.0e-15,
    ],
    [
        4.4e-2, 3.8e-3, 3.6e-4, 3.2e-5, 2.8e-6, 2.6e-7, 2.2e-8, 2.1e-9, 1.9e-10, 1.7e-11, 1.6e-12,
        1.4e-13, 1.4e-14, 1.9e-15, 1.7e-15,
    ],
    [
        4.3e-2, 3.6e-3, 3.3e-4, 2.8e-5, 2.3e-6, 2.1e-7, 1.7e-8, 1.6e-9, 1.4e-10, 1.2e-11, 1.1e-12,
        9.6e-14, 9.1e-15, 1.7e-15, 1.8e-15,
    ],
];

/// Returns the least width whose aliasing error is within the budget; at the end of the table, the widest
/// if it reaches the rounding error.
fn least_width(ratio: usize, budget: f64) -> Option<usize> {
    let widths = &ALIASING[ratio];
    match widths.iter().position(|&error| error <= budget) {
        Some(index) => Some(index + 2),
        None if widths[WIDEST - 2] < NEAR_ROUNDING => Some(WIDEST),
        None => None,
    }
}

/// Aliasing error that is hidden by rounding.
const NEAR_ROUNDING: f64 = 1e-14;

/// Windows by factor and width, computed on first use.
static WINDOWS: [[OnceLock<Kernel>; WIDEST - 1]; UPSAMPLINGS.len()] =
    [const { [const { OnceLock::new() }; WIDEST - 1] }; UPSAMPLINGS.len()];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_next_fast_ones() {
        let fast = |n: usize| {
            let mut rest = n;
            let mut fives = 0;
            for factor in [2, 3, 5] {
                while rest.is_multiple_of(factor) {
                    rest /= factor;
                    fives += usize::from(factor == 5);
                }
            }
            rest == 1 && fives <= 1 && n.is_multiple_of(8)
        };
        for least in 1..3000 {
            assert_eq!(
                Some(fast_size(least)),
                (least..).find(|&n| fast(n)),
                "{least}"
            );
        }
    }

    #[test]
    fn the_table_holds_what_the_windows_give() {
        for (row, upsampling) in ALIASING.iter().zip(UPSAMPLINGS) {
            for (error, width) in row.iter().zip(2..) {
                let found = Kernel::prolate(width, upsampling).aliasing(upsampling);
                // Below 1e-14 the sum itself is rounding.
                assert!(
                    found <= 1.05 * error.max(1e-14) && (found > 0.9 * error || *error < 1e-13),
                    "{upsampling} {width}: {found:e} against {error:e}"
                );
            }
        }
    }
}
