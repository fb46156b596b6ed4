//! Case `nufft/gpu`: transforms on the GPU against direct sums.

use wavefield_compute::Device;
use wavefield_nufft::{Options, Plan, Precision, Sign, Spreader};

use super::sample::{LAYOUTS, Sample, zeros};
use super::{failed, held_to, open_gpu};
use crate::failure::Failure;
use crate::measure::{Limit, Measured, Worst};

/// Modes transformed.
const MODES: &[&[usize]] = &[&[1000], &[37], &[40, 57], &[12, 11, 14]];

/// Points of every transform.
const POINTS: usize = 300;

pub(super) fn measure() -> Result<Measured, Failure> {
    let (device, _) = open_gpu()?;
    let (mut single, mut double) = (Worst::default(), Worst::default());
    for (number, modes) in MODES.iter().enumerate() {
        let sign = [Sign::Plus, Sign::Minus][number % 2];
        for layout in LAYOUTS {
            let sample = Sample::<f32>::new(modes, layout, POINTS, sign);
            for spreader in [Spreader::Deterministic, Spreader::Atomic] {
                single.see(error(&device, &sample, 2e-6, spreader)?);
            }
            let sample = Sample::<f64>::new(modes, layout, POINTS, sign);
            double.see(error(&device, &sample, 2e-12, Spreader::Deterministic)?);
        }
    }
    Ok(held_to(
        &[
            ("gpu_error_f32", single.value()),
            ("gpu_error_f64", double.value()),
        ],
        &[
            ("gpu_error_f32", Limit::AtMost(1e-5)),
            ("gpu_error_f64", Limit::AtMost(1e-11)),
        ],
    ))
}

/// The larger error of the two types.
fn error<R: Precision>(
    device: &Device,
    sample: &Sample<R>,
    tolerance: f64,
    spreader: Spreader,
) -> Result<f64, Failure> {
    let options = Options {
        tolerance,
        sign: sample.sign,
        spreader,
        ..Options::default()
    };
    let mut plan = Plan::<R>::new(device, &sample.modes, &options).map_err(failed)?;
    plan.set_points(&sample.slices()).map_err(failed)?;
    let mut modes = zeros(sample.coefficients.len());
    plan.type1(&sample.strengths, &mut modes).map_err(failed)?;
    let mut values = zeros(sample.strengths.len());
    plan.type2(&sample.coefficients, &mut values)
        .map_err(failed)?;
    Ok(sample.error1(&modes).max(sample.error2(&values)))
}
