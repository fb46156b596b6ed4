//! How far a card is from the processor for the same bits.
//!
//! The processor takes the front end's plain twin, sums in double precision. Fast front ends round their samples to
//! single precision, some 10⁻⁷ of a hologram; linear prediction makes that up to 10⁻³ of a field in which noise is a
//! hundred times larger, and would hide what the card does.

use num_complex::Complex64;
use wavefield_gpu::Gpu;
use wavefield_numerics::observe::Observer;

use crate::deviation::relative_error;
use crate::error::Error;
use crate::front_end::{FrontEnd, WeightedBits};
use crate::plan::Plan;
use crate::result::AtFrequency;

/// Differences between the processor's and a card's answers at one frequency, √(Σ|p − q|²/Σ|p|²), p the processor's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceDifference {
    /// Frequency, Hz.
    pub frequency: f64,
    /// Of the holograms.
    pub hologram: f64,
    /// Of the holograms, p that of the front end the plan names, with its own roundings.
    pub front_end: f64,
    /// Of the pressures in the plane.
    pub pressure: f64,
    /// Of the particle velocities in the plane, all components together.
    pub velocity: f64,
    /// Whether both chose the same filter; if not, fields differ by more than roundings.
    pub same_filter: bool,
}

impl Plan {
    /// Computes everything on the processor and on a card, and says how far they are from each other.
    ///
    /// # Errors
    /// As [`Plan::execute_on`].
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
        let card = self.execute_on(gpu, observer)?;
        fast.frequencies
            .iter()
            .zip(&processor.frequencies)
            .zip(&card.frequencies)
            .map(|((fast, here), there)| difference(fast, here, there))
            .collect()
    }
}

fn difference(
    fast: &AtFrequency,
    processor: &AtFrequency,
    card: &AtFrequency,
) -> Result<DeviceDifference, Error> {
    let pressure =
        |at: &AtFrequency| -> Vec<Complex64> { at.field.iter().map(|f| f.pressure).collect() };
    let velocity =
        |at: &AtFrequency| -> Vec<Complex64> { at.field.iter().flat_map(|f| f.velocity).collect() };
    Ok(DeviceDifference {
        frequency: processor.frequency,
        hologram: relative_error(processor.hologram.values(), card.hologram.values())?,
        front_end: relative_error(fast.hologram.values(), card.hologram.values())?,
        pressure: relative_error(&pressure(processor), &pressure(card))?,
        velocity: relative_error(&velocity(processor), &velocity(card))?,
        same_filter: processor.filter == card.filter,
    })
}
