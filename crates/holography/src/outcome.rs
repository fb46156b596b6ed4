//! Conversion of a solution to an outcome: arrays, tables, figures, and checks.

mod animation;
mod certificate;
mod maps;
mod relief;
mod spectrum;
mod wavenumbers;

use wavefield_numerics::observe::Observer;
use wavefield_physics::exact::sound::SoundField;
use wavefield_physics::far_field::power_db;

use wavefield_solver::Error;
use wavefield_solver::outcome::{Array, Outcome};

use crate::Solution;
use crate::contract::HolographyRun;

/// Maximum number of frequencies with maps; the arrays hold all frequencies.
pub(crate) const DRAWN: usize = 3;
/// Dynamic range of colors and heights below the peak, dB.
const DEPTH: f64 = 25.0;
/// Reference pressure (RMS) of 0 dB, Pa.
const REFERENCE_PRESSURE: f64 = 20e-6;

impl HolographyRun {
    /// Converts the solution to an outcome.
    pub(crate) fn outcome(
        &self,
        solution: &Solution,
        observer: &dyn Observer,
    ) -> Result<Outcome, Error> {
        if let Some(at) = (solution.frequencies.iter())
            .find(|at| at.hologram.values().iter().all(|p| p.norm() == 0.0))
        {
            return Err(Error::input(format!(
                "the hologram is zero at {}; check that the recording is not silent",
                hertz(at.frequency)
            )));
        }
        let mut outcome = Outcome::default();
        let array = solution.array;
        let shape = [solution.frequencies.len(), array.rows, array.columns];
        let all = solution.frequencies.iter();
        let hologram = all.clone().flat_map(|at| at.hologram.values()).copied();
        let pressure = all
            .clone()
            .flat_map(|at| &at.field)
            .map(|field| field.pressure);
        let velocity = all.clone().flat_map(|at| &at.field);
        let intensity = all.clone().flat_map(|at| &at.field);
        let vector = [shape[0], shape[1], shape[2], 3];
        let x = (0..array.columns).map(|c| array.position(c)[0]).collect();
        let y = (0..array.rows).map(|r| array.position(r * array.columns)[1]);
        outcome.add_coordinates("microphone/x", "m", x);
        outcome.add_coordinates("microphone/y", "m", y.collect());
        outcome.arrays.extend([
            Array::complex("hologram/pressure", hologram.collect()).reshaped(&shape),
            Array::complex("field/pressure", pressure.collect()).reshaped(&shape),
            Array::complex(
                "field/velocity",
                velocity.flat_map(|field| field.velocity).collect(),
            )
            .reshaped(&vector),
            Array::real(
                "field/intensity",
                intensity.flat_map(SoundField::intensity).collect(),
            )
            .reshaped(&vector),
        ]);
        let exact: Vec<_> = all.filter_map(|at| at.exact.as_ref()).flatten().collect();
        if !exact.is_empty() {
            let exact = exact.into_iter().copied().collect();
            outcome
                .arrays
                .push(Array::complex("exact/pressure", exact).reshaped(&shape));
        }
        let plane = ["frequencies/frequency", "microphone/y", "microphone/x"];
        let vectors = [plane[0], plane[1], plane[2], "axis"];
        outcome.label("hologram/pressure", "Pa", &plane);
        outcome.label("field/pressure", "Pa", &plane);
        outcome.label("field/velocity", "m/s", &vectors);
        outcome.label("field/intensity", "W/m2", &vectors);
        if outcome.array("exact/pressure").is_some() {
            outcome.label("exact/pressure", "Pa", &plane);
        }
        certificate::add(&mut outcome, &self.plan, solution);
        for number in 0..shape[0].min(DRAWN) {
            observer.checkpoint()?;
            let sources = maps::outlines(&mut outcome, &self.plan, number, array.pitch);
            maps::add(&mut outcome, solution, number, sources.as_ref())?;
            animation::add(&mut outcome, solution, number, sources.as_ref())?;
            wavenumbers::add(&mut outcome, &self.plan, solution, number)?;
        }
        relief::add(&mut outcome, solution)?;
        spectrum::add(&mut outcome, &self.plan);
        Ok(outcome)
    }
}

/// Returns the sound pressure level of a complex amplitude, dB re 20 µPa.
fn pressure_level(amplitude: f64) -> f64 {
    power_db(0.5 * (amplitude / REFERENCE_PRESSURE).powi(2))
}

/// Returns the largest finite value, or `None`.
fn largest(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let finite = values.into_iter().filter(|value| value.is_finite());
    finite.reduce(f64::max)
}

/// Formats a length in centimeters.
fn centimeters(length: f64) -> String {
    format!("{} cm", (length * 1e4).round() / 1e2)
}

/// Formats a frequency; DFT bins are not round numbers.
fn hertz(frequency: f64) -> String {
    if frequency < 1e3 {
        format!("{frequency:.1} Hz")
    } else {
        format!("{:.3} kHz", frequency / 1e3)
    }
}
