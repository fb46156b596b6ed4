//! Case `nufft/accuracy`: error of NUFFTs relative to the requested tolerance.

use num_complex::Complex64;
use wavefield_gpu::{Device, DeviceChoice};
use wavefield_nufft::{Options, Plan, Sign, direct};

use super::sample::{LAYOUTS, Layout, Sample, complex, norm, zeros};
use super::{bits, failed, relative_error, type3};
use crate::measure::Measured;
use wavefield::Error;
use wavefield::device;
use wavefield::numerics::worst::Worst;

/// Numbers of modes, up to 100,000 per axis.
const MODES: &[&[usize]] = &[
    &[1],
    &[37],
    &[1000],
    &[100_000],
    &[20, 33],
    &[1000, 6],
    &[5, 1000],
    &[9, 10, 13],
    &[1000, 2, 3],
    &[2, 3, 1000],
];

/// Number of points of every transform.
const POINTS: usize = 150;

/// Smallest tolerance supported in f64.
pub(super) const TIGHTEST: f64 = 1e-12;

pub(super) fn measure() -> Result<Measured, Error> {
    let cpu = device::open(&DeviceChoice::Cpu, None)?;
    let (mut worst, mut adjoint) = (Worst::default(), Worst::default());
    for (number, modes) in MODES.iter().enumerate() {
        let sign = [Sign::Plus, Sign::Minus][number % 2];
        for layout in LAYOUTS {
            let sample = Sample::<f64>::new(modes, layout, POINTS, sign);
            for exponent in 1..=12 {
                let options = to(10f64.powi(-exponent));
                worst.see(sample.delivered(&cpu, &options)? / options.tolerance);
            }
            adjoint.see(adjoint_gap(&cpu, &sample)?);
            let sample = Sample::<f32>::new(modes, layout, POINTS, sign);
            for exponent in 1..=5 {
                let options = to(10f64.powi(-exponent));
                worst.see(sample.delivered(&cpu, &options)? / options.tolerance);
            }
        }
    }
    let (mut gradient, mut gradient_over_eps) = (Worst::default(), Worst::default());
    for modes in [&[64][..], &[1000], &[23, 40], &[10, 9, 12]] {
        for tolerance in [1e-3, 1e-6, 1e-9, TIGHTEST] {
            let error = gradient_error(&cpu, modes, tolerance)?;
            gradient_over_eps.see(error / tolerance);
            if tolerance == TIGHTEST {
                gradient.see(error);
            }
        }
    }
    let mut third = Worst::default();
    for axes in 1..=3 {
        for tolerance in [1e-3, 1e-6, 1e-9, TIGHTEST] {
            let error = type3::error::<f64>(&cpu, axes, &to(tolerance))?;
            third.see(error / tolerance);
        }
    }
    Ok([
        ("worst_error_over_eps", worst.value()),
        ("adjoint_error", adjoint.value()),
        ("gradient_error", gradient.value()),
        ("gradient_error_over_eps", gradient_over_eps.value()),
        ("type3_error_over_eps", third.value()),
        ("differing_bits", bits::differing()?),
    ]
    .into())
}

fn to(tolerance: f64) -> Options {
    Options {
        tolerance,
        ..Options::default()
    }
}

/// Computes |⟨f, T c⟩ − ⟨T* f, c⟩| relative to the norms; T is type 1 and T* its adjoint, type 2.
fn adjoint_gap(cpu: &Device, sample: &Sample<f64>) -> Result<f64, Error> {
    let options = Options {
        sign: sample.sign,
        ..Options::default()
    };
    let mut plan = Plan::<f64>::new(cpu, &sample.modes, &options).map_err(failed)?;
    plan.set_points(&sample.slices()).map_err(failed)?;
    let mut there = zeros(sample.coefficients.len());
    plan.type1(&sample.strengths, &mut there).map_err(failed)?;
    let mut back = zeros(sample.strengths.len());
    plan.type1_adjoint(&sample.coefficients, &mut back)
        .map_err(failed)?;
    let inner = |a: &[Complex64], b: &[Complex64]| -> Complex64 {
        a.iter().zip(b).map(|(x, y)| x.conj() * y).sum()
    };
    let gap = inner(&sample.coefficients, &there) - inner(&back, &sample.strengths);
    Ok(gap.norm() / (norm(&sample.coefficients) * norm(&there)))
}

/// Returns the larger error of type 2 derivatives and of type 1 with derivative strengths.
fn gradient_error(cpu: &Device, modes: &[usize], tolerance: f64) -> Result<f64, Error> {
    let sample = Sample::<f64>::new(modes, Layout::Uniform, POINTS, Sign::Plus);
    let options = to(tolerance);
    let mut plan = Plan::<f64>::new(cpu, modes, &options).map_err(failed)?;
    let points = sample.slices();
    plan.set_points(&points).map_err(failed)?;
    let (mut values, mut gradient) = (zeros(POINTS), zeros(POINTS * modes.len()));
    plan.type2_gradient(&sample.coefficients, &mut values, &mut gradient)
        .map_err(failed)?;
    let (_, want) = direct::type2_gradient(modes, &points, &sample.coefficients, Sign::Plus);
    let second = relative_error(gradient.into_iter(), &want);

    let along = complex::<f64>(17, POINTS * modes.len());
    let mut result = zeros(sample.coefficients.len());
    plan.type1_gradient(&sample.strengths, &along, &mut result)
        .map_err(failed)?;
    let want = direct::type1_gradient(modes, &points, &sample.strengths, &along, Sign::Plus);
    Ok(second.max(relative_error(result.into_iter(), &want)))
}
