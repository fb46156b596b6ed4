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
use crate::input::{Files, Heard, Input, Microphones};
use crate::propagator::Propagator;
use crate::reconstruction::{PlanarHolography, Reconstruction};
use crate::regularisation::{Family, Regularisation, Rule, TRIED};
use crate::result::{AtFrequency, Deviation, Solution};
use crate::source::{Source, exact_hologram};
use crate::spec::{FilterSpec, RuleSpec, Spec};
use crate::wavenumber::Wavenumbers;

/// A problem ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    array: MicrophoneArray,
    /// Of the bins, Hz.
    frequencies: Vec<f64>,
    holography: PlanarHolography,
    height: f64,
    plane: f64,
    input: Input,
}

/// Fields that are known exactly, in the plane of the array and in the one that is wanted, by frequency.
struct ExactFields {
    measured: Vec<Vec<Complex64>>,
    wanted: Vec<Vec<Complex64>>,
}

/// A way from all holograms to their fields in the plane.
pub(crate) type Fields<'a> =
    dyn Fn(&[Hologram]) -> Result<Vec<(Vec<SoundField>, Reconstruction)>, Error> + 'a;

impl Plan {
    /// Checks a specification and brings it to SI units. `recording` holds the bytes of `measurement.file`.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an invalid specification, [`Error::Key`] for what does not fit its files.
    pub fn new(spec: &Spec, recording: Option<&[u8]>) -> Result<Self, Error> {
        Self::with_files(
            spec,
            &Files {
                sound: recording,
                ..Files::default()
            },
        )
    }

    /// Checks a specification and brings it to SI units, with all files that it names.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an invalid specification, [`Error::Key`] for what does not fit its files.
    pub fn with_files(spec: &Spec, files: &Files<'_>) -> Result<Self, Error> {
        let mut issues = Issues::default();
        spec.scene().check(&mut issues);
        spec.check(&mut issues);
        issues.into_result()?;
        let wavelength = spec.wavelength().expect("the frequencies are valid");
        let metres = |length: Length| length.metres(wavelength);
        let fluid = Fluid {
            sound_speed: spec.fluid.sound_speed.0,
            density: spec.fluid.density.0,
        };
        let [height, plane] = [spec.hologram_z, spec.reconstruction_z].map(metres);
        let (array, input) = Input::new(spec, files, &fluid, height, metres)?;
        let frequencies = input.frequencies();
        // Positions from a file are known only now.
        let border = spec.border_of(array.rows, array.columns);
        keyed("border.order", border.check(array.rows, array.columns))?;
        let holography = PlanarHolography {
            fluid,
            border,
            regularisation: regularisation(&spec.filter),
        };
        for &frequency in &frequencies {
            let [rows, columns] =
                [array.rows, array.columns].map(|count| count + 2 * border.points(count));
            let k = fluid.wavenumber(frequency);
            let wavenumbers = Wavenumbers::new(rows, columns, array.pitch, k);
            let way = Propagator::towards_sources(&wavenumbers, height - plane, &Filter::None);
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

    /// The frequencies of the bins, Hz.
    pub fn frequencies(&self) -> Vec<f64> {
        self.frequencies.clone()
    }

    /// Bytes that bits or samples take at most on their way to holograms; they are gone when fields are found.
    pub fn memory_of_sound(&self) -> usize {
        self.input.memory()
    }

    /// Bytes that holograms, planes and fields take at most.
    pub fn memory_of_fields(&self) -> usize {
        let channels = self.array.channels();
        let planes = 9 * channels * 16 * 8;
        let fields = self.frequencies.len() * channels * 16 * 13;
        planes + fields * (1 + self.moment_count() / 13)
    }

    /// Operations of the run, roughly: microphones, exact fields, amplitudes, filters tried.
    pub fn operations(&self) -> f64 {
        let bins = self.frequencies.len() as f64;
        let [rows, columns] = [self.array.rows, self.array.columns]
            .map(|count| (count + 2 * self.holography.border.points(count)) as f64);
        let transform = 5.0 * rows * columns * (rows * columns).log2();
        let planes = (TRIED + self.moment_count()) as f64;
        self.input.operations() + bins * planes * 2.0 * transform
    }

    /// Number of microphones.
    pub fn channels(&self) -> usize {
        self.array.channels()
    }

    /// How the field is brought to the plane.
    pub fn holography(&self) -> &PlanarHolography {
        &self.holography
    }

    /// The amplitude of pressure at which all bits of a microphone are ones, Pa; recorded samples have none.
    pub fn full_scale(&self) -> Option<f64> {
        match &self.input {
            Input::Microphones(microphones) => Some(microphones.microphone.full_scale),
            Input::Samples(_) => None,
        }
    }

    /// The part of recorded samples that lies at full scale, where their file has one.
    pub fn clipped(&self) -> Option<f64> {
        match &self.input {
            Input::Microphones(_) => None,
            Input::Samples(samples) => samples.clipped,
        }
    }

    /// The sources of a simulation; none of a recording.
    pub fn sources(&self) -> &[Source] {
        match &self.input {
            Input::Microphones(Microphones {
                heard: Heard::Sources { sources, .. },
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

    /// Height of the array, metres.
    pub(crate) fn height(&self) -> f64 {
        self.height
    }

    /// From the array to the plane, metres.
    pub(crate) fn distance(&self) -> f64 {
        self.height - self.plane
    }

    /// The front end that makes holograms of bits; recorded samples need none.
    pub(crate) fn front_end(&self) -> Result<Option<Box<dyn FrontEnd>>, Error> {
        match &self.input {
            Input::Microphones(microphones) => microphones.front_end().map(Some),
            Input::Samples(_) => Ok(None),
        }
    }

    /// Computes everything, on the rayon pool the caller has installed.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when the observer asks to stop, [`Error::Field`] where a source has no field.
    pub fn execute(&self, observer: &dyn Observer) -> Result<Solution, Error> {
        self.execute_with(self.front_end()?, observer)
    }

    /// Computes everything on the processor with a front end.
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
                let found = self.holography.towards_sources(hologram, self.distance())?;
                fields.push((found.spectrum.sound_field(), found));
                observer.progress(&Progress::new("holograms", i as u64 + 1, total));
            }
            Ok(fields)
        })
    }

    /// Computes everything with a front end, where there are bits, and a way from all holograms to their fields.
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
                self.hear(microphones, &mut *front_end, observer)?
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
            course: self.course(&filters, observer)?,
            array: self.array,
            height: self.height,
            plane: self.plane,
            frequencies,
        })
    }

    /// Holograms of what microphones send, and the exact fields where these are known.
    fn hear(
        &self,
        microphones: &Microphones,
        front_end: &mut dyn FrontEnd,
        observer: &dyn Observer,
    ) -> Result<(Vec<Hologram>, Option<ExactFields>), Error> {
        let full_scale = microphones.microphone.full_scale;
        let (sources, seed) = match &microphones.heard {
            Heard::Bits(stream) => {
                return Ok((front_end.holograms(stream, &self.array, full_scale)?, None));
            }
            Heard::Sources { sources, seed } => (sources, *seed),
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
        // Time zero is the first clock of the frame, which comes after the lead-in.
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

    /// The exact field at a height, for every frequency.
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

fn regularisation(spec: &FilterSpec) -> Regularisation {
    Regularisation::Fixed(match *spec {
        FilterSpec::Automatic { rule } => {
            return Regularisation::Automatic {
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
