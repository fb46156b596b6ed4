//! Validation: results held against exact solutions, reference data and each other.

mod austin;
mod compute;
mod dgtd;
mod exact;
mod holography;
mod mom;
mod mom_3d;
mod nufft;
mod reflectarray;
mod sbr;
mod sbr_gpu;
mod tube_dipole;

pub(crate) use mom_3d::mean_error_of_sphere;

use num_complex::Complex64;
use wavefield_compute::gpu::Gpu;
use wavefield_compute::observe::Silent;
use wavefield_compute::{Device, DeviceChoice};

use crate::device;
use crate::examples::{EXAMPLES, Example, Expected};
use crate::failure::Failure;
use crate::measure::{Case, Limit, Measured, Metrics, Worst, held_to};
use crate::outcome::Outcome;
use crate::problem::Problem;
use crate::run::{Options, run};
use crate::temporary_folder::TemporaryFolder;

/// Every validation case.
pub fn cases() -> Vec<Case> {
    let mut cases = compute::cases();
    cases.extend(dgtd::cases());
    cases.extend(exact::cases());
    cases.extend(holography::cases());
    cases.extend(mom::cases());
    cases.extend(mom_3d::cases());
    cases.extend(nufft::cases());
    cases.extend(reflectarray::cases());
    cases.extend(sbr::cases());
    cases.extend(sbr_gpu::cases());
    cases.extend(austin::cases());
    // Every example without a reference of its own is held to the values recorded with it.
    for example in EXAMPLES {
        if !cases.iter().any(|case| case.name == example.name) {
            cases.push(Case {
                name: example.name,
                about: "the result against the values recorded with the example",
                measure: Box::new(|| recorded(example)),
            });
        }
    }
    cases
}

/// Runs an example and compares with its recorded values: the worst deviation over its tolerance.
fn recorded(example: &Example) -> Result<Measured, Failure> {
    let folder = TemporaryFolder::new()?;
    example.write_files(folder.path())?;
    let problem = Problem::parse(example.problem, example.name, folder.path())?;
    let (_, outcome) = run(&problem, &Options::default(), &Silent)?;
    let error = recorded_error(example, &outcome)?;
    Ok(held_to(
        &[("recorded_error_over_tolerance", error)],
        &[("recorded_error_over_tolerance", Limit::AtMost(1.0))],
    ))
}

/// The largest deviation of an outcome from the values recorded with its example, over their tolerances.
fn recorded_error(example: &Example, outcome: &Outcome) -> Result<f64, Failure> {
    let expected = expected(example)?;
    let deviation = expected.sample.iter().map(|sample| {
        let found = outcome
            .array(&sample.array)
            .and_then(|array| array.as_real()?.get(sample.index).copied());
        (found.unwrap_or(f64::NAN) - sample.value).abs() / sample.tolerance
    });
    Ok(Worst::of(deviation))
}

/// The example of a name.
fn built_in(name: &str) -> Result<&'static Example, Failure> {
    Example::find(name).ok_or_else(|| Failure::Runtime(format!("no case `{name}` is built in")))
}

fn expected(example: &Example) -> Result<Expected, Failure> {
    Expected::parse(example.expected)
        .map_err(|error| Failure::Runtime(format!("expected.toml of `{}`: {error}", example.name)))
}

/// Numbers of a case of the gallery, held to the limits of its `expected.toml`.
fn held_to_expected(name: &str, metrics: Metrics) -> Result<Measured, Failure> {
    let expected = expected(built_in(name)?)?;
    Ok(Measured::Numbers {
        metrics,
        limits: expected
            .limits
            .into_iter()
            .map(|(metric, limit)| (metric, Limit::AtMost(limit)))
            .collect(),
    })
}

/// Numbers between −½ and ½ from a multiplicative hash: the same everywhere, no pattern an FFT could like.
fn noise(index: usize) -> f64 {
    let bits = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (bits ^ (bits >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
}

/// ‖got − want‖₂ / ‖want‖₂.
fn relative_error(got: impl Iterator<Item = Complex64>, want: &[Complex64]) -> f64 {
    let difference: f64 = got.zip(want).map(|(g, w)| (g - w).norm_sqr()).sum();
    let size: f64 = want.iter().map(Complex64::norm_sqr).sum();
    (difference / size).sqrt()
}

/// The GPU, or why there is none.
fn open_gpu() -> Result<(Device, Gpu), Failure> {
    match device::open(&DeviceChoice::Gpu, None)? {
        Device::Gpu(gpu) => Ok((Device::Gpu(gpu.clone()), gpu)),
        Device::Cpu(_) => Err(Failure::Runtime(
            "a GPU was asked for and a CPU came".to_owned(),
        )),
    }
}
