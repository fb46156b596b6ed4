//! Reproducible points, strengths, and modes of NUFFT cases, and their direct sums.

use std::f64::consts::PI;

use num_complex::{Complex, Complex64};
use wavefield_gpu::Device;
use wavefield_nufft::{Options, Plan, Precision, Sign, direct};

use super::{failed, noise};
use wavefield::Error;

/// Distribution of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Layout {
    Uniform,
    /// All within 10⁻³ rad.
    Clustered,
    /// At the ends and the center of the period, and slightly beside them.
    OnTheEdge,
    /// All coincident.
    Coincident,
}

pub(super) const LAYOUTS: [Layout; 4] = [
    Layout::Uniform,
    Layout::Clustered,
    Layout::OnTheEdge,
    Layout::Coincident,
];

/// Input of a transform, rounded to its precision, and the expected output.
pub(super) struct Sample<R> {
    pub(super) modes: Vec<usize>,
    pub(super) points: Vec<Vec<R>>,
    pub(super) strengths: Vec<Complex<R>>,
    pub(super) coefficients: Vec<Complex<R>>,
    pub(super) type1: Vec<Complex64>,
    pub(super) type2: Vec<Complex64>,
    pub(super) sign: Sign,
}

impl<R: Precision> Sample<R> {
    pub(super) fn new(modes: &[usize], layout: Layout, count: usize, sign: Sign) -> Self {
        let points: Vec<Vec<R>> = (0..modes.len())
            .map(|axis| {
                (0..count)
                    .map(|i| R::narrow(coordinate(layout, axis, i)))
                    .collect()
            })
            .collect();
        let strengths = complex::<R>(3, count);
        let coefficients = complex::<R>(5, modes.iter().product());
        let exact = exact(&points);
        Sample {
            type1: direct::type1(modes, &slices(&exact), &widened(&strengths), sign),
            type2: direct::type2(modes, &slices(&exact), &widened(&coefficients), sign),
            modes: modes.to_vec(),
            points,
            strengths,
            coefficients,
            sign,
        }
    }

    /// Returns the coordinates as the plans take them.
    pub(super) fn slices(&self) -> Vec<&[R]> {
        slices(&self.points)
    }

    /// Returns the larger error of types 1 and 2 with the sample's sign of the exponent.
    pub(super) fn delivered(&self, device: &Device, options: &Options) -> Result<f64, Error> {
        let options = Options {
            sign: self.sign,
            ..*options
        };
        let mut plan = Plan::<R>::new(device, &self.modes, &options).map_err(failed)?;
        plan.set_points(&self.slices()).map_err(failed)?;
        let mut modes = zeros(self.coefficients.len());
        plan.type1(&self.strengths, &mut modes).map_err(failed)?;
        let mut values = zeros(self.strengths.len());
        plan.type2(&self.coefficients, &mut values)
            .map_err(failed)?;
        Ok(self.error1(&modes).max(self.error2(&values)))
    }

    /// Returns the relative error of modes.
    fn error1(&self, got: &[Complex<R>]) -> f64 {
        super::relative_error(widened(got).into_iter(), &self.type1)
    }

    /// Returns the relative error of values. Coincident points have one value, which may be small: the error is
    /// normalized by the expected rms, √Σ|f_k|², if that is larger.
    fn error2(&self, got: &[Complex<R>]) -> f64 {
        let error = super::relative_error(widened(got).into_iter(), &self.type2);
        let average = norm(&widened(&self.coefficients)) * (got.len() as f64).sqrt();
        let own = norm(&self.type2);
        error * own / own.max(average)
    }
}

/// Returns coordinates of a precision in f64.
pub(super) fn exact<R: Precision>(coordinates: &[Vec<R>]) -> Vec<Vec<f64>> {
    (coordinates.iter())
        .map(|axis| axis.iter().map(|x| x.wide()).collect())
        .collect()
}

/// Returns the coordinates of all axes as the plans take them.
pub(super) fn slices<R>(coordinates: &[Vec<R>]) -> Vec<&[R]> {
    coordinates.iter().map(Vec::as_slice).collect()
}

fn coordinate(layout: Layout, axis: usize, i: usize) -> f64 {
    let u = noise(1000 * axis + 7 * i);
    match layout {
        Layout::Uniform => 2.0 * PI * u,
        Layout::Clustered => 0.3 + 1e-3 * u,
        Layout::OnTheEdge => [-PI, PI, 0.0, PI.next_down(), -0.0, PI / 2.0][(i + axis) % 6],
        Layout::Coincident => 1.234,
    }
}

/// Returns complex numbers with parts uniform in (−½, ½).
pub(super) fn complex<R: Precision>(seed: usize, count: usize) -> Vec<Complex<R>> {
    let part = |index| R::narrow(noise(index));
    (0..count)
        .map(|i| Complex::new(part(seed + 11 * i), part(seed + 1 + 11 * i)))
        .collect()
}

pub(super) fn zeros<R: Precision>(count: usize) -> Vec<Complex<R>> {
    vec![Complex::new(R::narrow(0.0), R::narrow(0.0)); count]
}

pub(super) fn widened<R: Precision>(values: &[Complex<R>]) -> Vec<Complex64> {
    let wide = |z: &Complex<R>| Complex64::new(z.re.wide(), z.im.wide());
    values.iter().map(wide).collect()
}

pub(super) fn norm(values: &[Complex64]) -> f64 {
    values.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt()
}
