//! Comparison of GPU and CPU results for bitwise identical results.
//!
//! The CPU uses the reference implementation of the front end, direct sums in double precision. Fast front ends round
//! samples to single precision, a relative error of 10⁻⁷ of a hologram; linear prediction amplifies it to 10⁻³ of a
//! field, 40 dB below its noise, which would mask errors of the GPU.

use num_complex::Complex64;
use wavefield_gpu::Gpu;
use wavefield_numerics::observe::Observer;

use crate::deviation::relative_error;
use crate::error::Error;
use crate::front_end::{FrontEnd, WeightedBits};
use crate::plan::Plan;
use crate::result::AtFrequency;

/// Relative differences √(Σ|p − q|²/Σ|p|²) between CPU results p and GPU results q at one frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceDifference {
    /// Frequency, Hz.
    pub frequency: f64,
    /// Difference of the holograms.
    pub hologram: f64,
    /// Difference of the holograms, p from the front end of the plan with its own roundoff.
    pub front_end: f64,
    /// Difference of the pressures in the reconstruction plane.
    pub pressure: f64,
    /// Difference of the particle velocities in the reconstruction plane, all components together.
    pub velocity: f64,
    /// Whether both chose the same filter; otherwise fields differ by more than roundoff.
    pub same_filter: bool,
}

impl Plan {
    /// Runs the reconstruction on CPU and GPU and returns the differences.
    ///
    /// # Errors
    /// Returns the errors of [`Plan::execute_on`].
    pub fn device_differences(
        &self,
        gpu: &Gpu,
        observer: &dyn Observer,
    ) -> Result<Vec<DeviceDifference>, Error> {
        let fast = self.execute(observer)?;
        let twin = self.front_end()?.map(|front_end| {
            let twin = WeightedBits::new(&*front_end);
            Box::new(twin) as Box<dyn FrontEnd>
        });
        let processor = self.execute_with(twin, observer)?;
        let on_gpu = self.execute_on(gpu, observer)?;
        fast.frequencies
            .iter()
            .zip(&processor.frequencies)
            .zip(&on_gpu.frequencies)
            .map(|((fast, here), there)| difference(fast, here, there))
            .collect()
    }
}

fn difference(
    fast: &AtFrequency,
    processor: &AtFrequency,
    on_gpu: &AtFrequency,
) -> Result<DeviceDifference, Error> {
    let pressure =
        |at: &AtFrequency| -> Vec<Complex64> { at.field.iter().map(|f| f.pressure).collect() };
    let velocity =
        |at: &AtFrequency| -> Vec<Complex64> { at.field.iter().flat_map(|f| f.velocity).collect() };
    Ok(DeviceDifference {
        frequency: processor.frequency,
        hologram: relative_error(processor.hologram.values(), on_gpu.hologram.values())?,
        front_end: relative_error(fast.hologram.values(), on_gpu.hologram.values())?,
        pressure: relative_error(&pressure(processor), &pressure(on_gpu))?,
        velocity: relative_error(&velocity(processor), &velocity(on_gpu))?,
        same_filter: processor.filter == on_gpu.filter,
    })
}
