//! Error of NUFFTs of type 3.

use wavefield_gpu::Device;
use wavefield_nufft::{Options, Precision, Sign, Type3, direct};

use super::sample::{complex, exact, slices, widened, zeros};
use super::{failed, noise, relative_error};
use wavefield::Error;

/// Numbers of points and of frequencies.
const POINTS: usize = 150;
const FREQUENCIES: usize = 180;

/// Returns the error relative to the direct sum, for points and frequencies centered away from zero.
pub(super) fn error<R: Precision>(
    device: &Device,
    axes: usize,
    options: &Options,
) -> Result<f64, Error> {
    let numbers = |seed: usize, count: usize, middle: f64, range: f64| -> Vec<Vec<R>> {
        (0..axes)
            .map(|axis| {
                let number = |i| R::narrow(middle + range * noise(seed + 100_000 * axis + i));
                (0..count).map(number).collect()
            })
            .collect()
    };
    let points = numbers(1, POINTS, 5.0, 6.0);
    let frequencies = numbers(50_000, FREQUENCIES, -3.0, 40.0);
    let mut plan = Type3::<R>::new(device, axes, options).map_err(failed)?;
    plan.set_points(&slices(&points), &slices(&frequencies))
        .map_err(failed)?;
    let strengths = complex::<R>(23, POINTS);
    let mut values = zeros(FREQUENCIES);
    plan.execute(&strengths, &mut values).map_err(failed)?;
    let (points, frequencies) = (exact(&points), exact(&frequencies));
    let want = direct::type3(
        &slices(&points),
        &slices(&frequencies),
        &widened(&strengths),
        Sign::Plus,
    );
    Ok(relative_error(widened(&values).into_iter(), &want))
}
