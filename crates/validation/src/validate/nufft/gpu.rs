//! Case `nufft/gpu`: NUFFTs on the GPU compared with direct sums.

use wavefield_nufft::{Options, Sign, Spreader};

use super::open_gpu;
use super::sample::{LAYOUTS, Sample};
use crate::measure::Measured;
use wavefield::Error;
use wavefield::numerics::worst::Worst;

/// Numbers of modes.
const MODES: &[&[usize]] = &[&[1000], &[37], &[40, 57], &[12, 11, 14]];

/// Number of points of every transform.
const POINTS: usize = 300;

pub(super) fn measure() -> Result<Measured, Error> {
    let (device, _) = open_gpu()?;
    let (mut single, mut double) = (Worst::default(), Worst::default());
    for (number, modes) in MODES.iter().enumerate() {
        let sign = [Sign::Plus, Sign::Minus][number % 2];
        for layout in LAYOUTS {
            let sample = Sample::<f32>::new(modes, layout, POINTS, sign);
            for spreader in [Spreader::Deterministic, Spreader::Atomic] {
                let options = Options {
                    tolerance: 2e-6,
                    spreader,
                    ..Options::default()
                };
                single.see(sample.delivered(&device, &options)?);
            }
            let sample = Sample::<f64>::new(modes, layout, POINTS, sign);
            let options = Options {
                tolerance: 2e-12,
                ..Options::default()
            };
            double.see(sample.delivered(&device, &options)?);
        }
    }
    Ok([
        ("gpu_error_f32", single.value()),
        ("gpu_error_f64", double.value()),
    ]
    .into())
}
