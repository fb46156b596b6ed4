//! Bitwise reproducibility of NUFFT results for different numbers of threads.

use num_complex::Complex64;
use wavefield_gpu::{Device, DeviceChoice};
use wavefield_nufft::{Options, Plan, Type3};

use super::sample::{complex, zeros};
use super::{failed, noise};
use wavefield::Error;

/// Returns the number of values that differ between one, two, and three threads.
pub(super) fn differing() -> Result<f64, Error> {
    let mut differing = 0;
    for (modes, points) in [
        (&[50_000][..], 60_000),
        (&[200, 150], 60_000),
        (&[40, 50, 30], 40_000),
    ] {
        let coordinates: Vec<Vec<f64>> = (0..modes.len())
            .map(|axis| (0..points).map(|i| 6.3 * noise(axis + 3 * i)).collect())
            .collect();
        let coordinates: Vec<&[f64]> = coordinates.iter().map(Vec::as_slice).collect();
        let alone = results(modes, &coordinates, 1)?;
        for threads in [2, 3] {
            let shared = results(modes, &coordinates, threads)?;
            let bits = |z: &Complex64| [z.re.to_bits(), z.im.to_bits()];
            differing += alone
                .iter()
                .zip(&shared)
                .filter(|(a, b)| bits(a) != bits(b))
                .count();
        }
    }
    Ok(differing as f64)
}

/// Runs all transforms of a plan.
fn results(modes: &[usize], points: &[&[f64]], threads: usize) -> Result<Vec<Complex64>, Error> {
    let device = Device::open(&DeviceChoice::Cpu, Some(threads))?;
    let options = Options::default();
    let mut plan = Plan::<f64>::new(&device, modes, &options).map_err(failed)?;
    plan.set_points(points).map_err(failed)?;
    let (count, total) = (points[0].len(), modes.iter().product());
    let strengths = complex::<f64>(1, count);
    let along = complex::<f64>(2, count * modes.len());
    let mut all = Vec::new();
    let mut result = zeros(total);
    plan.type1(&strengths, &mut result).map_err(failed)?;
    all.extend_from_slice(&result);
    plan.type1_gradient(&strengths, &along, &mut result)
        .map_err(failed)?;
    all.extend_from_slice(&result);
    let (mut values, mut gradient) = (zeros(count), zeros(count * modes.len()));
    plan.type2_gradient(&result, &mut values, &mut gradient)
        .map_err(failed)?;
    all.extend_from_slice(&values);
    all.extend_from_slice(&gradient);
    let mut third = Type3::<f64>::new(&device, modes.len(), &options).map_err(failed)?;
    third.set_points(points, points).map_err(failed)?;
    third.execute(&strengths, &mut values).map_err(failed)?;
    all.extend_from_slice(&values);
    Ok(all)
}
