//! The holography solver's door: its recording, its cost, and its solution as an outcome.

mod certificate;
mod film;
mod maps;
mod relief;
mod wavenumbers;

use wavefield_gpu::Device;
use wavefield_holography::{Plan, Spec};
use wavefield_numerics::observe::Observer;
use wavefield_physics::exact::sound::SoundField;
use wavefield_physics::far_field::power_db;

use super::Cost;
use crate::failure::Failure;
use crate::outcome::{Array, Outcome};
use crate::problem::Problem;
use crate::sound_files::SoundFiles;

/// Operations per second on two cores, for a guess at the time.
const OPERATIONS_PER_SECOND: f64 = 1e9;
/// Microphones times frequencies that are drawn per second.
const DRAWN_PER_SECOND: f64 = 2e3;
/// Bytes that outcome, files and report take for each microphone and frequency.
const BYTES_PER_VALUE: usize = 400;
/// Bytes of the maps of a frequency that is drawn, and those for each microphone of them, measured; more microphones
/// than so many are not drawn one by one.
const BYTES_PER_DRAWING: usize = 1_700_000;
const BYTES_PER_DRAWN: usize = 4500;
const DRAWN_ONE_BY_ONE: usize = 6144;
/// Most frequencies whose maps are drawn; all of them are in the arrays.
const DRAWN: usize = 3;
/// Decibels below the peak that have a colour or a height.
const DEPTH: f64 = 25.0;
/// Pressure of 0 dB (root mean square), Pa.
const REFERENCE_PRESSURE: f64 = 20e-6;

pub(super) struct Planned {
    plan: Plan,
}

pub(super) fn plan(spec: &Spec, problem: &Problem) -> Result<Planned, Failure> {
    let files = SoundFiles::read(spec, &problem.folder)?;
    Ok(Planned {
        plan: Plan::with_files(spec, &files.borrowed())?,
    })
}

impl Planned {
    pub(super) fn cost(&self) -> Cost {
        let frequencies = self.plan.frequencies().len();
        let channels = self.plan.channels();
        let sound = self.plan.memory_of_sound();
        let values = frequencies * channels * BYTES_PER_VALUE;
        let drawing = BYTES_PER_DRAWING + BYTES_PER_DRAWN * channels.min(DRAWN_ONE_BY_ONE);
        let drawings = frequencies.min(DRAWN) * drawing;
        Cost {
            memory: sound.max(self.plan.memory_of_fields() + values + drawings),
            seconds: self.plan.operations() / OPERATIONS_PER_SECOND
                + (frequencies.min(DRAWN) * channels) as f64 / DRAWN_PER_SECOND,
            size: match frequencies {
                1 => format!("{channels} microphones, one frequency"),
                _ => format!("{channels} microphones, {frequencies} frequencies"),
            },
            lighter: "ask for fewer frequencies at once, or a shorter recording",
        }
    }

    pub(super) fn execute(
        &self,
        device: &Device,
        observer: &dyn Observer,
    ) -> Result<Outcome, Failure> {
        let solution = match device {
            Device::Cpu(_) => self.plan.execute(observer)?,
            Device::Gpu(gpu) => self.plan.execute_on(gpu, observer)?,
        };
        if let Some(at) = (solution.frequencies.iter())
            .find(|at| at.hologram.values().iter().all(|p| p.norm() == 0.0))
        {
            return Err(Failure::Input(format!(
                "there is no sound at all at {}: is the recording silent?",
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
        outcome.arrays = vec![
            Array::real(
                "microphone/x",
                (0..array.columns).map(|c| array.position(c)[0]).collect(),
            ),
            Array::real(
                "microphone/y",
                (0..array.rows)
                    .map(|r| array.position(r * array.columns)[1])
                    .collect(),
            ),
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
        ];
        let exact: Vec<_> = all.filter_map(|at| at.exact.as_ref()).flatten().collect();
        if !exact.is_empty() {
            let exact = exact.into_iter().copied().collect();
            outcome
                .arrays
                .push(Array::complex("exact/pressure", exact).reshaped(&shape));
        }
        certificate::add(&mut outcome, &self.plan, &solution);
        for number in 0..shape[0].min(DRAWN) {
            observer.checkpoint().map_err(|_| Failure::Interrupted)?;
            let sources = maps::outlines(&mut outcome, &self.plan, number, array.pitch);
            maps::add(&mut outcome, &solution, number, sources.as_ref())?;
            film::add(&mut outcome, &solution, number, sources.as_ref())?;
            wavenumbers::add(&mut outcome, &self.plan, &solution, number)?;
        }
        relief::add(&mut outcome, &solution)?;
        Ok(outcome)
    }
}

/// Level of an amplitude of pressure, dB re 20 µPa.
fn pressure_level(amplitude: f64) -> f64 {
    power_db(0.5 * (amplitude / REFERENCE_PRESSURE).powi(2))
}

/// The largest finite number; none of nothing.
fn largest(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let finite = values.into_iter().filter(|value| value.is_finite());
    finite.reduce(f64::max)
}

/// A length as it is spoken of here.
fn centimetres(length: f64) -> String {
    format!("{} cm", (length * 1e4).round() / 1e2)
}

/// A frequency as it is spoken of here: the bins of a frame are no round numbers.
fn hertz(frequency: f64) -> String {
    if frequency < 1e3 {
        format!("{frequency:.1} Hz")
    } else {
        format!("{:.3} kHz", frequency / 1e3)
    }
}
