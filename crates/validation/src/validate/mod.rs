//! Validation cases: solvers compared with exact solutions, reference data, and each other.

mod austin;
mod compare;
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
mod sbr_reciprocity;
mod tube_dipole;

pub(crate) use mom_3d::mean_error_of_sphere;

use std::collections::BTreeMap;
use std::time::Instant;

use num_complex::Complex64;
use wavefield_gpu::{Device, DeviceChoice, Gpu};
use wavefield_numerics::observe::Silent;

use crate::measure::{Case, Limit, Limits, Measured, Metrics, checked};
use wavefield::Error;
use wavefield::device;
use wavefield::examples::{EXAMPLES, Example, Expected};
use wavefield::outcome::Outcome;
use wavefield::problem::Problem;
use wavefield::run::{Options, run};
use wavefield::temporary_folder::TemporaryFolder;

/// Returns all validation cases.
///
/// # Errors
/// [`Error::runtime`] for a case without a limit of correctness, and for an example without recorded values.
pub fn cases() -> Result<Vec<Case>, Error> {
    let mut cases = compare::cases();
    cases.extend(compute::cases());
    cases.extend(dgtd::cases()?);
    cases.extend(exact::cases()?);
    cases.extend(holography::cases()?);
    cases.extend(mom::cases());
    cases.extend(mom_3d::cases());
    cases.extend(nufft::cases());
    cases.extend(reflectarray::cases()?);
    cases.extend(sbr::cases()?);
    cases.extend(sbr_gpu::cases());
    cases.extend(sbr_reciprocity::cases());
    cases.extend(austin::cases());
    // Examples without a reference of their own are compared with their recorded values.
    for example in EXAMPLES {
        if !cases.iter().any(|case| case.name == example.name) {
            let about = "regression test: result compared with the recorded values of the example";
            cases.push(of_example(example.name, about, |_| {
                Ok(Metrics::new().into())
            })?);
        }
    }
    checked(cases)
}

/// Example that was run.
struct ExampleRun {
    problem: Problem,
    outcome: Outcome,
    /// Run time from the text of the problem on, including meshing, s.
    seconds: f64,
}

impl ExampleRun {
    fn of(example: &Example) -> Result<ExampleRun, Error> {
        Self::changed(example, |_| ())
    }

    /// Runs an example after a modification of its problem.
    fn changed(example: &Example, change: impl FnOnce(&mut Problem)) -> Result<ExampleRun, Error> {
        let start = Instant::now();
        let folder = TemporaryFolder::new()?;
        example.write_files(folder.path())?;
        let mut problem = Problem::parse(example.problem, example.name, folder.path())?;
        change(&mut problem);
        let (_, outcome) = run(&problem, &Options::default(), &Silent)?;
        Ok(ExampleRun {
            problem,
            outcome,
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

/// Metric of every example: its deviation from recorded values.
const RECORDED: &str = "recorded_error_over_tolerance";

/// Returns the case of an example: it is run once and compared with its recorded values; its own metrics are limited by
/// its `expected.toml`.
fn of_example(
    name: &'static str,
    about: &'static str,
    own: impl Fn(&ExampleRun) -> Result<Measured, Error> + 'static,
) -> Result<Case, Error> {
    let example = built_in(name)?;
    let expected = Expected::of(example)?;
    let at_most = |limits: &BTreeMap<String, f64>| -> Limits {
        (limits.iter())
            .map(|(metric, most)| (metric.clone(), Limit::AtMost(*most)))
            .collect()
    };
    let (limits, time_limits) = (at_most(&expected.limits), at_most(&expected.time_limits));
    let measure = move || {
        let run = ExampleRun::of(example)?;
        let mut measured = own(&run)?;
        if let Measured::Metrics(metrics) = &mut measured {
            let error = expected.recorded_error_over_tolerance(&run.outcome);
            metrics.insert(RECORDED.to_owned(), error);
        }
        Ok(measured)
    };
    Ok(Case::new(name, about, measure)
        .limits(limits)
        .limits([(RECORDED, Limit::AtMost(1.0))])
        .time_limits(time_limits))
}

/// Returns the example of a name.
fn built_in(name: &str) -> Result<&'static Example, Error> {
    Example::find(name).ok_or_else(|| Error::runtime(format!("unknown example `{name}`")))
}

/// Returns numbers between −½ and ½ from a multiplicative hash: reproducible on every machine, without a pattern that
/// suits an FFT.
fn noise(index: usize) -> f64 {
    let bits = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (bits ^ (bits >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
}

/// Returns ‖got − want‖₂ / ‖want‖₂.
fn relative_error(got: impl Iterator<Item = Complex64>, want: &[Complex64]) -> f64 {
    let difference: f64 = got.zip(want).map(|(g, w)| (g - w).norm_sqr()).sum();
    let size: f64 = want.iter().map(Complex64::norm_sqr).sum();
    (difference / size).sqrt()
}

/// Opens the GPU, or returns the reason why there is none.
fn open_gpu() -> Result<(Device, Gpu), Error> {
    match device::open(&DeviceChoice::Gpu, None)? {
        Device::Gpu(gpu) => Ok((Device::Gpu(gpu.clone()), gpu)),
        Device::Cpu(_) => Err(Error::runtime(
            "the selected device is a CPU, not a GPU".to_owned(),
        )),
    }
}
