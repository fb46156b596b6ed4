//! A transform prepared for its modes, its points and a tolerance: both directions from one plan.
//!
//! Type 1: spread the strengths onto a finer grid with the window, transform it, keep the modes and
//! divide by the window's transform. Type 2 is the transpose of each step in reverse order, with
//! the same weights, so that the two are adjoint to rounding.

use num_complex::Complex;
use wavefield_compute::Device;
use wavefield_compute::fft::{FftKind, FftPlan, next_good_size};

use crate::direct::first_mode;
use crate::error::NufftError;
use crate::kernel::{Kernel, WIDEST, Window};
use crate::precision::Precision;

/// Sign of the exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sign {
    /// e^{+ikx}.
    #[default]
    Plus,
    /// e^{−ikx}.
    Minus,
}

impl Sign {
    /// +1 or −1.
    pub fn factor(self) -> f64 {
        match self {
            Sign::Plus => 1.0,
            Sign::Minus => -1.0,
        }
    }
}

/// What a transform is asked for beside its modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Largest relative error (root mean square over the result).
    pub tolerance: f64,
    /// Sign of the exponent.
    pub sign: Sign,
    /// Ratio of the fine grid to the modes.
    pub upsampling: f64,
    /// The window.
    pub window: Window,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            tolerance: 1e-6,
            sign: Sign::Plus,
            upsampling: 2.0,
            window: Window::Prolate,
        }
    }
}

/// Where a point lies on the fine grid along one axis.
#[derive(Clone, Copy, Debug)]
struct Place<R> {
    /// First grid point it touches.
    first: u32,
    /// Position between two grid points as u in [−1, 1], the variable of the window's polynomials.
    within: R,
}

/// A prepared transform of type 1 and type 2.
#[derive(Debug)]
pub struct Plan<R: Precision> {
    modes: Vec<usize>,
    grid: Vec<usize>,
    kernel: Kernel,
    coefficients: Vec<Vec<R>>,
    /// 1/transform of the window for every mode of every axis.
    correction: Vec<Vec<R>>,
    fft: FftPlan<R>,
    sign: Sign,
    /// Places of the points, axis by axis.
    places: Vec<Vec<Place<R>>>,
    points: usize,
}

impl<R: Precision> Plan<R> {
    /// Prepares a transform with one to three axes of modes.
    pub fn new(device: &Device, modes: &[usize], options: &Options) -> Result<Self, NufftError> {
        if modes.is_empty() || modes.len() > 3 {
            return Err(NufftError::Dimensions { found: modes.len() });
        }
        if let Some(axis) = modes.iter().position(|&count| count == 0) {
            return Err(NufftError::NoModes { axis });
        }
        if matches!(device, Device::Gpu(_)) {
            return Err(NufftError::NeedsCpu);
        }
        let (kernel, upsampling) = choose::<R>(modes.len(), options)?;
        let grid: Vec<usize> = modes
            .iter()
            .map(|&count| {
                let wanted = (upsampling * count as f64).ceil() as usize;
                // The window must not meet itself around the grid.
                next_good_size(wanted.max(2 * kernel.width))
            })
            .collect();
        let correction = modes
            .iter()
            .zip(&grid)
            .map(|(&count, &fine)| corrections(&kernel, count, fine))
            .collect();
        let fft = FftPlan::new(device, &grid, 1, FftKind::Complex)?;
        let narrow = |row: &Vec<f64>| row.iter().map(|&c| R::narrow(c)).collect();
        Ok(Plan {
            modes: modes.to_vec(),
            grid,
            coefficients: kernel.coefficients.iter().map(narrow).collect(),
            kernel,
            correction,
            fft,
            sign: options.sign,
            places: Vec::new(),
            points: 0,
        })
    }

    /// Number of grid points a point is spread over along each axis.
    pub fn width(&self) -> usize {
        self.kernel.width
    }

    /// Lengths of the fine grid.
    pub fn grid(&self) -> &[usize] {
        &self.grid
    }

    /// Bytes a transform of so many points takes beside its arguments.
    pub fn memory(&self, points: usize) -> usize {
        let grid = self.grid.iter().product::<usize>() * size_of::<Complex<R>>();
        grid + self.fft.memory() as usize + points * self.modes.len() * size_of::<Place<R>>()
    }

    /// Takes the points: one slice of coordinates per axis, in radians, any real number.
    pub fn set_points(&mut self, coordinates: &[&[R]]) -> Result<(), NufftError> {
        if coordinates.len() != self.modes.len() {
            return Err(NufftError::Length {
                what: "the list of axes",
                expected: self.modes.len(),
                found: coordinates.len(),
            });
        }
        let count = coordinates[0].len();
        let mut places = Vec::with_capacity(coordinates.len());
        for (axis, values) in coordinates.iter().enumerate() {
            if values.len() != count {
                return Err(NufftError::Length {
                    what: "an axis of coordinates",
                    expected: count,
                    found: values.len(),
                });
            }
            let row = values
                .iter()
                .enumerate()
                .map(|(index, &x)| {
                    place(x.wide(), self.grid[axis], self.kernel.width).ok_or(
                        NufftError::Coordinate {
                            axis,
                            index,
                            value: x.wide(),
                        },
                    )
                })
                .collect::<Result<Vec<_>, _>>()?;
            places.push(row);
        }
        self.places = places;
        self.points = count;
        Ok(())
    }

    /// Type 1: f_k = Σ_j c_j e^{±ik·x_j}.
    pub fn type1(
        &self,
        strengths: &[Complex<R>],
        coefficients: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        self.check(strengths.len(), coefficients.len())?;
        let mut grid = self.empty_grid();
        let mut weights = self.weights();
        for (j, &strength) in strengths.iter().enumerate() {
            self.visit(j, &mut weights, |index, weight| {
                grid[index] = grid[index] + strength * weight;
            });
        }
        self.transform(&mut grid)?;
        self.for_modes(|mode, place, factor| coefficients[mode] = grid[place] * factor);
        Ok(())
    }

    /// Type 2: c_j = Σ_k f_k e^{±ik·x_j}.
    pub fn type2(
        &self,
        coefficients: &[Complex<R>],
        values: &mut [Complex<R>],
    ) -> Result<(), NufftError> {
        self.check(values.len(), coefficients.len())?;
        let mut grid = self.empty_grid();
        self.for_modes(|mode, place, factor| grid[place] = coefficients[mode] * factor);
        self.transform(&mut grid)?;
        let mut weights = self.weights();
        for (j, value) in values.iter_mut().enumerate() {
            let mut sum = Complex::new(R::zero(), R::zero());
            self.visit(j, &mut weights, |index, weight| {
                sum = sum + grid[index] * weight;
            });
            *value = sum;
        }
        Ok(())
    }

    fn check(&self, points: usize, modes: usize) -> Result<(), NufftError> {
        let wanted = self.modes.iter().product();
        for (what, expected, found) in [
            ("the array over the points", self.points, points),
            ("the array over the modes", wanted, modes),
        ] {
            if expected != found {
                return Err(NufftError::Length {
                    what,
                    expected,
                    found,
                });
            }
        }
        Ok(())
    }

    fn empty_grid(&self) -> Vec<Complex<R>> {
        vec![Complex::new(R::zero(), R::zero()); self.grid.iter().product()]
    }

    fn transform(&self, grid: &mut [Complex<R>]) -> Result<(), NufftError> {
        match self.sign {
            Sign::Plus => self.fft.inverse(grid)?,
            Sign::Minus => self.fft.forward(grid)?,
        }
        Ok(())
    }

    /// Room for the weights of one point: w for each axis.
    fn weights(&self) -> Vec<Vec<R>> {
        vec![vec![R::zero(); self.kernel.width]; self.modes.len()]
    }

    /// Calls `with` for every grid point that point j touches, and its weight.
    fn visit(&self, j: usize, weights: &mut [Vec<R>], mut with: impl FnMut(usize, R)) {
        for (axis, row) in weights.iter_mut().enumerate() {
            let u = self.places[axis][j].within;
            row.fill(R::zero());
            for power in self.coefficients.iter().rev() {
                for (weight, &c) in row.iter_mut().zip(power) {
                    *weight = *weight * u + c;
                }
            }
        }
        let width = self.kernel.width;
        let wrapped = |axis: usize, t: usize| {
            let index = self.places[axis][j].first as usize + t;
            if index < self.grid[axis] {
                index
            } else {
                index - self.grid[axis]
            }
        };
        match self.modes.len() {
            1 => {
                for a in 0..width {
                    with(wrapped(0, a), weights[0][a]);
                }
            }
            2 => {
                for a in 0..width {
                    let row = wrapped(0, a) * self.grid[1];
                    for b in 0..width {
                        with(row + wrapped(1, b), weights[0][a] * weights[1][b]);
                    }
                }
            }
            _ => {
                for a in 0..width {
                    for b in 0..width {
                        let row = (wrapped(0, a) * self.grid[1] + wrapped(1, b)) * self.grid[2];
                        let weight = weights[0][a] * weights[1][b];
                        for c in 0..width {
                            with(row + wrapped(2, c), weight * weights[2][c]);
                        }
                    }
                }
            }
        }
    }

    /// Calls `with` for every mode: its index, its place on the fine grid, and its correction.
    fn for_modes(&self, mut with: impl FnMut(usize, usize, R)) {
        for mode in 0..self.modes.iter().product() {
            let (mut rest, mut place, mut stride, mut factor) = (mode, 0, 1, R::one());
            for axis in (0..self.modes.len()).rev() {
                let index = rest % self.modes[axis];
                rest /= self.modes[axis];
                let k = first_mode(self.modes[axis]) + index as i64;
                place += stride * k.rem_euclid(self.grid[axis] as i64) as usize;
                stride *= self.grid[axis];
                factor = factor * self.correction[axis][index];
            }
            with(mode, place, factor);
        }
    }
}

/// The window and upsampling for the options.
fn choose<R: Precision>(dimensions: usize, options: &Options) -> Result<(Kernel, f64), NufftError> {
    if options.window == Window::KaiserBessel {
        return Ok((Kernel::kaiser_bessel(), 2.0));
    }
    let tolerance = options.tolerance;
    if !(tolerance >= R::LEAST_TOLERANCE && tolerance <= 0.5) {
        return Err(NufftError::Tolerance {
            tolerance,
            least: R::LEAST_TOLERANCE,
        });
    }
    let upsampling = options.upsampling;
    if !(1.25..=4.0).contains(&upsampling) {
        return Err(NufftError::Upsampling { factor: upsampling });
    }
    // Every axis adds its error; half of the tolerance is left for rounding and for luck.
    let budget = 0.5 * tolerance / dimensions as f64;
    for width in 2..WIDEST {
        let kernel = Kernel::prolate(width, upsampling);
        if kernel.aliasing(upsampling) <= budget {
            return Ok((kernel, upsampling));
        }
    }
    Ok((Kernel::prolate(WIDEST, upsampling), upsampling))
}

/// 1/transform of the window at every mode of an axis; even in k, so half of them are computed.
fn corrections<R: Precision>(kernel: &Kernel, modes: usize, fine: usize) -> Vec<R> {
    let first = first_mode(modes);
    let half: Vec<R> = (0..=modes / 2)
        .map(|k| {
            let theta = 2.0 * std::f64::consts::PI * k as f64 / fine as f64;
            R::narrow(1.0 / kernel.transform(theta))
        })
        .collect();
    (0..modes as i64)
        .map(|index| half[(first + index).unsigned_abs() as usize])
        .collect()
}

/// Where x radians lie on a periodic grid; computed in f64 so that f32 points lose nothing.
fn place<R: Precision>(x: f64, grid: usize, width: usize) -> Option<Place<R>> {
    if !x.is_finite() {
        return None;
    }
    let n = grid as f64;
    let turns = x / (2.0 * std::f64::consts::PI);
    let g = (turns - turns.floor()) * n;
    let start = g - 0.5 * width as f64;
    let first = start.ceil();
    let delta = first - start;
    Some(Place {
        first: first.rem_euclid(n) as u32,
        within: R::narrow(2.0 * delta - 1.0),
    })
}
