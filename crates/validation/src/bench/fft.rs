//! `compute/fft`: overhead of the FFT plan relative to rustfft.

use num_complex::Complex;
use wavefield_gpu::DeviceChoice;
use wavefield_gpu::fft::FftPlan;
use wavefield_numerics::fft::FftKind;
use wavefield_numerics::fft::Real as _;

use super::alternating_best;
use crate::measure::{Measured, Metrics};
use wavefield::Error;
use wavefield::device;

/// 256 lines of 4096 points: 16 MiB, more than a cache and enough lines for any pool.
const LINES: usize = 256;
const POINTS: usize = 4096;

pub(super) fn measure() -> Result<Measured, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::runtime(error.to_string());
    let [bare, _] = f64::plan_line(POINTS);
    let mut scratch = vec![Complex::new(0.0, 0.0); bare.get_inplace_scratch_len()];
    let flops = 5.0 * (LINES * POINTS) as f64 * (POINTS as f64).log2();
    let mut metrics = Metrics::new();
    for threads in [1usize, 2] {
        let cpu = device::open(&DeviceChoice::Cpu, Some(threads))?;
        let plan = FftPlan::<f64>::new(&cpu, &[POINTS], LINES, FftKind::Complex)
            .map_err(|e| failed(&e))?;
        let mut ours = vec![Complex::new(1.0, -0.5); LINES * POINTS];
        let mut theirs = ours.clone();
        let mut fault = None;
        let (ours_seconds, bare_seconds) = alternating_best(
            15,
            || {
                ours.fill(Complex::new(1.0, -0.5));
                if let Err(error) = plan.forward(&mut ours) {
                    fault = Some(error);
                }
            },
            || {
                theirs.fill(Complex::new(1.0, -0.5));
                bare.process_with_scratch(&mut theirs, &mut scratch);
            },
        );
        if let Some(error) = fault {
            return Err(failed(&error));
        }
        metrics.insert(format!("gflops_{threads}"), flops / ours_seconds / 1e9);
        metrics.insert(
            format!("ratio_to_rustfft_{threads}"),
            bare_seconds / ours_seconds,
        );
    }
    Ok(metrics.into())
}
