//! Planning and execution of a reconstruction.

use std::f64::consts::TAU;

use num_complex::Complex64;
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_physics::exact::sound::SoundField;
use wavefield_physics::medium::Fluid;
use wavefield_physics::quantity::Length;
use wavefield_solver::scene::Issues;

use crate::array::MicrophoneArray;
use crate::deviation::{nsad, relative_error, rmsre};
use crate::error::{Error, keyed};
use crate::filter::Filter;
use crate::front_end::FrontEnd;
use crate::hologram::Hologram;
use crate::input::{Files, Input, Microphones, Signal};
use crate::propagator::Propagator;
use crate::reconstruction::{PlanarHolography, Reconstruction};
use crate::regularization::{Family, Regularization, Rule, TRIED};
use crate::result::{AtFrequency, Deviation, Solution};
use crate::source::{Source, exact_hologram};
use crate::spec::{FilterSpec, RuleSpec, Spec};
use crate::wavenumber::Wavenumbers;

/// A validated problem, ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    array: MicrophoneArray,
    /// Frequencies of the DFT bins, Hz.
    frequencies: Vec<f64>,
    holography: PlanarHolography,
    height: f64,
    plane: f64,
    input: Input,
}

/// Exact fields in the hologram plane and in the reconstruction plane, by frequency.
struct ExactFields {
    measured: Vec<Vec<Complex64>>,
    wanted: Vec<Vec<Complex64>>,
}

/// A function that propagates all holograms to the reconstruction plane.
pub(crate) type Fields<'a> =
    dyn Fn(&[Hologram]) -> Result<Vec<(Vec<SoundField>, Reconstruction)>, Error> + 'a;

impl Plan {
    /// Validates a specification and converts it to SI units. `recording` holds the bytes of `measurement.file`.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] for an invalid specification and [`Error::Key`] for a key that conflicts with its
    /// files.
    pub fn new(spec: &Spec, recording: Option<&[u8]>) -> Result<Self, Error> {
        Self::with_files(
            spec,
            &Files {
                sound: recording,
                ..Files::default()
            },
        )
    }

    /// Validates a specification with all files that it names and converts it to SI units.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] for an invalid specification and [`Error::Key`] for a key that conflicts with its
    /// files.
    pub fn with_files(spec: &Spec, files: &Files<'_>) -> Result<Self, Error> {
        let mut issues = Issues::default();
        spec.scene().check(&mut issues);
        spec.check(&mut issues);
        issues.into_result()?;
        let wavelength = spec.wavelength().expect("the frequencies are valid");
        let meters = |length: Length| length.meters(wavelength);
        let fluid = Fluid {
            sound_speed: spec.fluid.sound_speed.0,
            density: spec.fluid.density.0,
        };
        let [height, plane] = [spec.hologram_z, spec.reconstruction_z].map(meters);
        let (array, input) = Input::new(spec, files, &fluid, height, meters)?;
        let frequencies = input.frequencies();
        // Microphone positions from a file are known only at this point.
        let border = spec.border_of(array.rows, array.columns);
        keyed("border.order", border.check(array.rows, array.columns))?;
        let holography = PlanarHolography {
            fluid,
            border,
            regularization: regularization(&spec.filter),
        };
        for &frequency in &frequencies {
            let [rows, columns] =
                [array.rows, array.columns].map(|count| count + 2 * border.points(count));
            let k = fluid.wavenumber(frequency);
            let wavenumbers = Wavenumbers::new(rows, columns, array.pitch, k);
            let way = Propagator::back_propagate(&wavenumbers, height - plane, &Filter::None);
            keyed("reconstruction_z", way.map(|_| ()))?;
        }
        Ok(Self {
            array,
            frequencies,
            holography,
            height,
            plane,
            input,
        })
    }

    /// Returns the frequencies of the DFT bins, Hz.
    pub fn frequencies(&self) -> Vec<f64> {
        self.frequencies.clone()
    }

    /// Returns the peak memory of the front end, bytes. It is released before fields are computed.
    pub fn memory_of_sound(&self) -> usize {
        self.input.memory()
    }

    /// Returns the peak memory of holograms, spectra, and fields, bytes.
    pub fn memory_of_fields(&self) -> usize {
        let channels = self.array.channels();
        let planes = 9 * channels * 16 * 8;
        let fields = self.frequencies.len() * channels * 16 * 13;
        planes + fields * (1 + self.moment_count() / 13)
    }

    /// Estimates the number of operations of the run: microphone simulation, exact fields, front end, filter
    /// candidates.
    pub fn operations(&self) -> f64 {
        let bins = self.frequencies.len() as f64;
        let [rows, columns] = [self.array.rows, self.array.columns]
            .map(|count| (count + 2 * self.holography.border.points(count)) as f64);
        let transform = 5.0 * rows * columns * (rows * columns).log2();
        let planes = (TRIED + self.moment_count()) as f64;
        self.input.operations() + bins * planes * 2.0 * transform
    }

    /// Returns the number of microphones.
    pub fn channels(&self) -> usize {
        self.array.channels()
    }

    /// Returns the reconstruction settings.
    pub fn holography(&self) -> &PlanarHolography {
        &self.holography
    }

    /// Returns the pressure amplitude at full scale of a PDM microphone, Pa; `None` for PCM samples.
    pub fn full_scale(&self) -> Option<f64> {
        match &self.input {
            Input::Microphones(microphones) => Some(microphones.microphone.full_scale),
            Input::Samples(_) => None,
        }
    }

    /// Returns the fraction of recorded samples at full scale; `None` if the file format has no full scale.
    pub fn clipped(&self) -> Option<f64> {
        match &self.input {
            Input::Microphones(_) => None,
            Input::Samples(samples) => samples.clipped,
        }
    }

    /// Returns the sources of a simulation; empty for a recording.
    pub fn sources(&self) -> &[Source] {
        match &self.input {
            Input::Microphones(Microphones {
                signal: Signal::Sources { sources, .. },
                ..
            }) => sources,
            _ => &[],
        }
    }

    pub(crate) fn array(&self) -> &MicrophoneArray {
        &self.array
    }

    pub(crate) fn input(&self) -> &Input {
        &self.input
    }

    /// Returns the z coordinate of the hologram plane, m.
    pub(crate) fn height(&self) -> f64 {
        self.height
    }

    /// Returns the back-propagation distance from the hologram plane to the reconstruction plane, m.
    pub(crate) fn distance(&self) -> f64 {
        self.height - self.plane
    }

    /// Returns the front end that computes holograms from PDM bits; `None` for PCM samples.
    pub(crate) fn front_end(&self) -> Result<Option<Box<dyn FrontEnd>>, Error> {
        match &self.input {
            Input::Microphones(microphones) => microphones.front_end().map(Some),
            Input::Samples(_) => Ok(None),
        }
    }

    /// Runs the reconstruction on the rayon pool installed by the caller.
    ///
    /// # Errors
    /// Returns [`Error::Cancelled`] when the observer cancels the run, and [`Error::Field`] where the field of a source
    /// is undefined.
    pub fn execute(&self, observer: &dyn Observer) -> Result<Solution, Error> {
        self.execute_with(self.front_end()?, observer)
    }

    /// Runs the reconstruction on the CPU with the given front end.
    pub(crate) fn execute_with(
        &self,
        front_end: Option<Box<dyn FrontEnd>>,
        observer: &dyn Observer,
    ) -> Result<Solution, Error> {
        self.execute_by(front_end, observer, &|holograms| {
            let total = holograms.len() as u64;
            let mut fields = Vec::with_capacity(holograms.len());
            for (i, hologram) in holograms.iter().enumerate() {
                observer.checkpoint()?;
                let found = self.holography.back_propagate(hologram, self.distance())?;
                fields.push((found.spectrum.sound_field(), found));
                observer.progress(&Progress::new("holograms", i as u64 + 1, total));
            }
            Ok(fields)
        })
    }

    /// Runs the reconstruction with the given front end, if any, and the given propagation.
    pub(crate) fn execute_by(
        &self,
        front_end: Option<Box<dyn FrontEnd>>,
        observer: &dyn Observer,
        fields: &Fields<'_>,
    ) -> Result<Solution, Error> {
        observer.checkpoint()?;
        let (holograms, mut exact) = match &self.input {
            Input::Microphones(microphones) => {
                let mut front_end = match front_end {
                    Some(front_end) => front_end,
                    None => microphones.front_end()?,
                };
                self.measure(microphones, &mut *front_end, observer)?
            }
            Input::Samples(samples) => (samples.holograms(0, &self.array)?, None),
        };
        let found = fields(&holograms)?;
        let mut frequencies = Vec::with_capacity(holograms.len());
        for (i, (hologram, (field, plane))) in holograms.into_iter().zip(found).enumerate() {
            let deviation = match &exact {
                Some(exact) => {
                    let pressure: Vec<Complex64> = field.iter().map(|f| f.pressure).collect();
                    let wanted = &exact.wanted[i];
                    Some(Deviation {
                        pressure: relative_error(wanted, &pressure)?,
                        rmsre: rmsre(wanted, &pressure)?,
                        nsad: nsad(wanted, &pressure)?,
                        hologram: relative_error(&exact.measured[i], hologram.values())?,
                    })
                }
                None => None,
            };
            frequencies.push(AtFrequency {
                frequency: hologram.frequency(),
                field,
                noise: plane.noise,
                filter: plane.filter,
                spectrum: plane.spectrum,
                exact: (exact.as_mut()).map(|exact| std::mem::take(&mut exact.wanted[i])),
                hologram,
                deviation,
            });
        }
        let filters: Vec<Filter> = frequencies.iter().map(|at| at.filter).collect();
        Ok(Solution {
            time_history: self.time_history(&filters, observer)?,
            array: self.array,
            height: self.height,
            plane: self.plane,
            frequencies,
        })
    }

    /// Computes the holograms from the measurement, and the exact fields of simulated sources.
    fn measure(
        &self,
        microphones: &Microphones,
        front_end: &mut dyn FrontEnd,
        observer: &dyn Observer,
    ) -> Result<(Vec<Hologram>, Option<ExactFields>), Error> {
        let full_scale = microphones.microphone.full_scale;
        let (sources, seed) = match &microphones.signal {
            Signal::Bits(stream) => {
                return Ok((front_end.holograms(stream, &self.array, full_scale)?, None));
            }
            Signal::Sources { sources, seed } => (sources, *seed),
        };
        let measured = self.exact(sources, self.height, "sources", observer)?;
        observer.checkpoint()?;
        let (frame, lead_in) = (&microphones.frame, front_end.lead_in());
        let clocks = lead_in + frame.clocks();
        let stream = keyed(
            "measurement.sources",
            (microphones.microphone).record(frame.packing(), &measured, clocks, seed),
        )?;
        observer.checkpoint()?;
        let holograms = front_end.holograms(&stream, &self.array, full_scale)?;
        let wanted = self.exact(sources, self.plane, "exact fields", observer)?;
        // Time zero is the first clock cycle of the frame, which follows the lead-in.
        let turned = |fields: Vec<Hologram>| -> Vec<Vec<Complex64>> {
            let fields = fields.iter().zip(frame.bins());
            fields
                .map(|(field, &bin)| {
                    let turn = bin as f64 * lead_in as f64 / frame.clocks() as f64;
                    let factor = Complex64::cis(TAU * turn);
                    field.values().iter().map(|p| p * factor).collect()
                })
                .collect()
        };
        let exact = ExactFields {
            measured: turned(measured),
            wanted: turned(wanted),
        };
        Ok((holograms, Some(exact)))
    }

    /// Computes the exact pressure at height z for every frequency.
    fn exact(
        &self,
        sources: &[Source],
        z: f64,
        stage: &str,
        observer: &dyn Observer,
    ) -> Result<Vec<Hologram>, Error> {
        let total = self.frequencies.len() as u64;
        self.frequencies
            .iter()
            .enumerate()
            .map(|(i, &frequency)| {
                observer.checkpoint()?;
                let fluid = &self.holography.fluid;
                let field = exact_hologram(sources, fluid, &self.array, frequency, z)?;
                observer.progress(&Progress::new(stage, i as u64 + 1, total));
                Ok(field)
            })
            .collect()
    }
}

fn regularization(spec: &FilterSpec) -> Regularization {
    Regularization::Fixed(match *spec {
        FilterSpec::Automatic { rule } => {
            return Regularization::Automatic {
                family: Family::ModifiedTikhonov,
                rule: match rule {
                    RuleSpec::CrossValidation => Rule::CrossValidation,
                    RuleSpec::Discrepancy => Rule::Discrepancy,
                },
            };
        }
        FilterSpec::Veronesi { cut_off, slope } => Filter::CutOff { cut_off, slope },
        FilterSpec::Tikhonov { lambda } => Filter::Tikhonov { parameter: lambda },
        FilterSpec::ModifiedTikhonov { lambda } => Filter::ModifiedTikhonov { parameter: lambda },
    })
}
