//! Cases `nufft/gpu` and `nufft/gpu-f64`: NUFFTs on the GPU compared with direct sums.

use wavefield_nufft::{Options, Precision, Sign, Spreader};

use super::sample::{LAYOUTS, Sample};
use super::{open_gpu, type3};
use crate::measure::Measured;
use wavefield::Error;
use wavefield::numerics::worst::Worst;

/// Numbers of modes.
const MODES: &[&[usize]] = &[&[1000], &[37], &[40, 57], &[12, 11, 14]];

/// Number of points of every transform of types 1 and 2.
const POINTS: usize = 300;

/// In f32, with both spreading kernels.
pub(super) fn single() -> Result<Measured, Error> {
    measure::<f32>(2e-6, &[Spreader::Deterministic, Spreader::Atomic])
}

/// In f64, with the deterministic spreading kernel; an error if the adapter has no f64.
pub(super) fn double() -> Result<Measured, Error> {
    measure::<f64>(2e-12, &[Spreader::Deterministic])
}

fn measure<R: Precision>(tolerance: f64, spreaders: &[Spreader]) -> Result<Measured, Error> {
    let (device, _) = open_gpu()?;
    let (mut worst, mut third) = (Worst::default(), Worst::default());
    for &spreader in spreaders {
        let options = Options {
            tolerance,
            spreader,
            ..Options::default()
        };
        for (number, modes) in MODES.iter().enumerate() {
            let sign = [Sign::Plus, Sign::Minus][number % 2];
            for layout in LAYOUTS {
                let sample = Sample::<R>::new(modes, layout, POINTS, sign);
                worst.see(sample.delivered(&device, &options)?);
            }
        }
        for axes in 1..=3 {
            third.see(type3::error::<R>(&device, axes, &options)?);
        }
    }
    Ok([("error", worst.value()), ("type3_error", third.value())].into())
}
