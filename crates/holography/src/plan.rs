//! From what is asked to what will be computed: bins, planes and filters laid out, cost known.

use std::f64::consts::TAU;

use num_complex::Complex64;
use wavefield_compute::observe::{Observer, Progress};
use wavefield_physics::exact::piston::Piston;
use wavefield_physics::exact::plate::PlateMode;
use wavefield_physics::exact::sound::SoundField;
use wavefield_physics::medium::Fluid;
use wavefield_physics::quantity::Length;

use crate::array::{MicrophoneArray, Packing};
use crate::bitstream::Bitstream;
use crate::border::Border;
use crate::deviation::{nsad, relative_error, rmsre};
use crate::error::{Error, positive, within};
use crate::filter::Filter;
use crate::front_end::{
    BasicAveraging, DECIMATION, DotProducts, Frame, FrontEnd, Nominal, Streaming, Terms,
    WalshFourier,
};
use crate::hologram::Hologram;
use crate::microphone::Microphone;
use crate::propagator::Propagator;
use crate::reconstruction::{Chosen, PlanarHolography};
use crate::regularisation::{Family, Regularisation, Rule};
use crate::result::{AtFrequency, Deviation, Solution};
use crate::source::{Source, exact_hologram};
use crate::spec::{FilterSpec, FrontEndSpec, MicrophoneSpec, RuleSpec, Sound, SourceSpec, Spec};
use crate::wavenumber::Wavenumbers;

/// Most microphones of an array: a frame of their bits takes some hundred megabytes.
const MOST_CHANNELS: usize = 1 << 15;

/// Clocks no front end needs more of before a frame.
const MOST_LEAD_IN: usize = 2048;

/// A problem ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    array: MicrophoneArray,
    frame: Frame,
    microphone: Microphone,
    front_end: FrontEndSpec,
    holography: PlanarHolography,
    height: f64,
    plane: f64,
    input: Input,
}

#[derive(Clone, Debug)]
enum Input {
    Sources { sources: Vec<Source>, seed: u64 },
    Bits(Bitstream),
}

/// A way from all holograms to their fields in the plane.
pub(crate) type Fields<'a> =
    dyn Fn(&[Hologram]) -> Result<Vec<(Vec<SoundField>, Chosen)>, Error> + 'a;

impl Plan {
    /// Brings everything to SI units and checks it. `recording` holds the bytes of the file that the spec names, if it
    /// names one.
    ///
    /// # Errors
    /// [`Error::Key`] with the key of the problem file that makes no sense.
    pub fn new(spec: &Spec, recording: Option<&[u8]>) -> Result<Self, Error> {
        let fluid = Fluid {
            sound_speed: keyed(
                "fluid.sound_speed",
                positive("the speed of sound", spec.fluid.sound_speed.0),
            )?,
            density: keyed(
                "fluid.density",
                positive("the density", spec.fluid.density.0),
            )?,
        };
        let first = spec.frequencies.first().ok_or(Error::Nothing {
            what: "the frequencies of interest",
        });
        let first = keyed(
            "frequencies",
            first.and_then(|f| positive("a frequency", f.0)),
        )?;
        let metres = |length: Length| length.metres(fluid.sound_speed / first);
        let array = keyed(
            "array",
            MicrophoneArray::new(
                spec.array.rows,
                spec.array.columns,
                metres(spec.array.pitch),
            ),
        )?;
        let most = MOST_CHANNELS as f64;
        let channels = array.rows as f64 * array.columns as f64;
        keyed(
            "array",
            within("the number of microphones", channels, 64.0, most),
        )?;
        let packing = keyed("array", Packing::new(&array))?;
        // Without a sensible frame there are no bins.
        keyed("frame", Frame::new(packing, spec.frame, &[1]))?;
        let bins = spec
            .frequencies
            .iter()
            .map(|f| Frame::nearest_bin(spec.frame, f.0))
            .collect::<Result<Vec<_>, _>>();
        let bins = keyed("frequencies", bins)?;
        let frame = keyed("frequencies", Frame::new(packing, spec.frame, &bins))?;
        let height = keyed(
            "height",
            positive("the height of the array", metres(spec.height)),
        )?;
        let plane = keyed(
            "plane",
            within("the height of the plane", metres(spec.plane), 0.0, height),
        )?;
        let microphone = microphone(&spec.microphone)?;
        let border = Border {
            padding: spec.border,
            ..Border::default()
        };
        keyed("border", border.check(array.rows, array.columns))?;
        let holography = PlanarHolography {
            fluid,
            border,
            regularisation: keyed("filter", regularisation(&spec.filter))?,
        };
        for &bin in frame.bins() {
            let [rows, columns] =
                [array.rows, array.columns].map(|count| count + 2 * border.points(count));
            let k = fluid.wavenumber(frame.frequency(bin));
            let wavenumbers = Wavenumbers::new(rows, columns, array.pitch, k);
            let way = Propagator::towards_sources(&wavenumbers, height - plane, &Filter::None);
            keyed("plane", way.map(|_| ()))?;
        }
        let input = match &spec.sound {
            Sound::Simulated(simulated) => {
                let sources = sources(&simulated.sources, metres)?;
                for source in &sources {
                    // A source that has no field has none before its first microphone.
                    let [x, y] = array.position(0);
                    let heard = source.pressure(&fluid, first, [x, y, height]);
                    keyed("sound.sources", heard.map(|_| ()))?;
                }
                Input::Sources {
                    sources,
                    seed: simulated.seed,
                }
            }
            Sound::Recorded(_) => {
                let bytes = recording.ok_or(Error::Nothing {
                    what: "the bytes of the recording",
                });
                let bytes = keyed("sound.file", bytes)?;
                Input::Bits(keyed("sound.file", Bitstream::from_bytes(packing, bytes))?)
            }
        };
        let plan = Self {
            array,
            frame,
            microphone,
            front_end: spec.front_end,
            holography,
            height,
            plane,
            input,
        };
        let front_end = keyed("front_end", plan.front_end())?;
        if let Input::Bits(stream) = &plan.input {
            let clocks = front_end.lead_in() + plan.frame.clocks();
            keyed("sound.file", stream.clocks_from(0, clocks).map(|_| ()))?;
        }
        Ok(plan)
    }

    /// The frequencies of the bins, Hz.
    pub fn frequencies(&self) -> Vec<f64> {
        let bins = self.frame.bins().iter();
        bins.map(|&bin| self.frame.frequency(bin)).collect()
    }

    /// Bytes the run will take at most: bits, samples, holograms and planes.
    pub fn memory(&self) -> usize {
        let channels = self.array.channels();
        let clocks = self.frame.clocks() + MOST_LEAD_IN;
        let bits = 3 * clocks * channels / 8;
        let samples = match self.front_end {
            FrontEndSpec::WalshFourier { .. } => {
                4 * self.frame.samples() * channels
                    + 4 * 32 * clocks
                    + 32 * clocks * self.frame.bins().len()
            }
            _ => 3 * 4 * (clocks / DECIMATION) * channels,
        };
        let tones = 16 * clocks * self.frame.bins().len();
        let planes = 9 * channels * 16 * 8;
        let fields = self.frame.bins().len() * channels * 16 * 8;
        bits + samples + tones + planes + fields
    }

    pub(crate) fn array(&self) -> &MicrophoneArray {
        &self.array
    }

    pub(crate) fn holography(&self) -> &PlanarHolography {
        &self.holography
    }

    /// From the array to the plane, metres.
    pub(crate) fn distance(&self) -> f64 {
        self.height - self.plane
    }

    pub(crate) fn front_end(&self) -> Result<Box<dyn FrontEnd>, Error> {
        let frame = self.frame.clone();
        let samples = frame.samples();
        Ok(match self.front_end {
            FrontEndSpec::Streaming { order } => {
                Box::new(Streaming::new(frame, order, samples / 32)?)
            }
            FrontEndSpec::Nominal => Box::new(Nominal::new(frame)?),
            FrontEndSpec::DotProducts => Box::new(DotProducts::new(frame)?),
            FrontEndSpec::BasicAveraging => Box::new(BasicAveraging::new(frame)?),
            FrontEndSpec::WalshFourier { terms } => Box::new(WalshFourier::new(
                frame,
                terms.map_or(Terms::All, Terms::Largest),
            )?),
        })
    }

    /// Computes everything, on the rayon pool the caller has installed.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when the observer asks to stop, [`Error::Field`] where a source has no field.
    pub fn execute(&self, observer: &dyn Observer) -> Result<Solution, Error> {
        self.execute_with(&mut *self.front_end()?, observer)
    }

    /// Computes everything on the processor with a front end.
    pub(crate) fn execute_with(
        &self,
        front_end: &mut dyn FrontEnd,
        observer: &dyn Observer,
    ) -> Result<Solution, Error> {
        self.execute_by(front_end, observer, &|holograms| {
            let total = holograms.len() as u64;
            let mut fields = Vec::with_capacity(holograms.len());
            for (i, hologram) in holograms.iter().enumerate() {
                observer.checkpoint()?;
                let found = self.holography.towards_sources(hologram, self.distance())?;
                let (filter, noise) = (found.filter, found.noise);
                fields.push((found.spectrum.sound_field(), Chosen { filter, noise }));
                observer.progress(&Progress::new("holograms", i as u64 + 1, total));
            }
            Ok(fields)
        })
    }

    /// Computes everything with a front end and a way from all holograms to their fields in the plane.
    pub(crate) fn execute_by(
        &self,
        front_end: &mut dyn FrontEnd,
        observer: &dyn Observer,
        fields: &Fields<'_>,
    ) -> Result<Solution, Error> {
        let lead_in = front_end.lead_in();
        let recorded;
        let (stream, heard) = match &self.input {
            Input::Bits(stream) => (stream, None),
            Input::Sources { sources, seed } => {
                let tones = self.exact(sources, self.height, "sources", observer)?;
                observer.checkpoint()?;
                let packing = self.frame.packing();
                let clocks = lead_in + self.frame.clocks();
                recorded = self.microphone.record(packing, &tones, clocks, *seed)?;
                (&recorded, Some((sources, tones)))
            }
        };
        observer.checkpoint()?;
        let holograms = front_end.holograms(stream, &self.array, self.microphone.full_scale)?;
        let wanted = match &heard {
            Some((sources, _)) => {
                Some(self.exact(sources, self.plane, "exact fields", observer)?)
            }
            None => None,
        };
        let mut frequencies = Vec::with_capacity(holograms.len());
        let found = fields(&holograms)?;
        for (i, (hologram, (field, chosen))) in holograms.into_iter().zip(found).enumerate() {
            let deviation = match (&heard, &wanted) {
                (Some((_, tones)), Some(wanted)) => {
                    // Time zero is the first clock of the frame, which comes after the lead-in.
                    let turn =
                        self.frame.bins()[i] as f64 * lead_in as f64 / self.frame.clocks() as f64;
                    let turned = |field: &Hologram| -> Vec<Complex64> {
                        let factor = Complex64::cis(TAU * turn);
                        field.values().iter().map(|p| p * factor).collect()
                    };
                    let exact = turned(&wanted[i]);
                    let pressure: Vec<Complex64> = field.iter().map(|f| f.pressure).collect();
                    Some(Deviation {
                        pressure: relative_error(&exact, &pressure)?,
                        rmsre: rmsre(&exact, &pressure)?,
                        nsad: nsad(&exact, &pressure)?,
                        hologram: relative_error(&turned(&tones[i]), hologram.values())?,
                    })
                }
                _ => None,
            };
            frequencies.push(AtFrequency {
                frequency: hologram.frequency(),
                field,
                noise: chosen.noise,
                filter: chosen.filter,
                hologram,
                deviation,
            });
        }
        Ok(Solution {
            array: self.array,
            height: self.height,
            plane: self.plane,
            frequencies,
        })
    }

    /// The exact field at a height, for every frequency.
    fn exact(
        &self,
        sources: &[Source],
        z: f64,
        stage: &str,
        observer: &dyn Observer,
    ) -> Result<Vec<Hologram>, Error> {
        let frequencies = self.frequencies();
        let total = frequencies.len() as u64;
        frequencies
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

/// Names the key of the problem file in an error.
fn keyed<T>(key: &'static str, result: Result<T, Error>) -> Result<T, Error> {
    result.map_err(|source| Error::Key {
        key,
        source: Box::new(source),
    })
}

fn microphone(spec: &MicrophoneSpec) -> Result<Microphone, Error> {
    let full_scale = positive("the full scale of a microphone", spec.full_scale);
    Ok(Microphone {
        full_scale: keyed("microphone.full_scale", full_scale)?,
        noise: keyed(
            "microphone.noise",
            within("the noise", spec.noise, 0.0, 1.0),
        )?,
        order: keyed(
            "microphone.order",
            crate::sigma_delta::NoiseTransfer::new(spec.order).map(|_| spec.order),
        )?,
        dither: keyed(
            "microphone.dither",
            within("the dither", spec.dither, 0.0, 1.0),
        )?,
    })
}

fn regularisation(spec: &FilterSpec) -> Result<Regularisation, Error> {
    Ok(match *spec {
        FilterSpec::Automatic { rule } => Regularisation::Automatic {
            family: Family::ModifiedTikhonov,
            rule: match rule {
                RuleSpec::CrossValidation => Rule::CrossValidation,
                RuleSpec::Discrepancy => Rule::Discrepancy,
            },
        },
        FilterSpec::CutOff { cut_off, slope } => Regularisation::Fixed(Filter::CutOff {
            cut_off: positive("the cut-off", cut_off)?,
            slope: positive("the slope", slope)?,
        }),
        FilterSpec::Tikhonov { parameter } => Regularisation::Fixed(Filter::Tikhonov {
            parameter: positive("the parameter", parameter)?,
        }),
        FilterSpec::ModifiedTikhonov { parameter } => {
            Regularisation::Fixed(Filter::ModifiedTikhonov {
                parameter: positive("the parameter", parameter)?,
            })
        }
    })
}

fn sources(specs: &[SourceSpec], metres: impl Fn(Length) -> f64) -> Result<Vec<Source>, Error> {
    if specs.is_empty() {
        return keyed(
            "sound.sources",
            Err(Error::Nothing {
                what: "the sources",
            }),
        );
    }
    let real = |value: f64| Complex64::new(value, 0.0);
    let place = |centre: [Length; 2]| centre.map(&metres);
    Ok(specs
        .iter()
        .map(|spec| match spec {
            SourceSpec::Monopole(monopole) => {
                let [x, y] = place(monopole.centre);
                Source::Monopole {
                    position: [x, y, 0.0],
                    volume_velocity: real(monopole.volume_velocity),
                }
            }
            SourceSpec::Dipole(dipole) => {
                let [x, y] = place(dipole.centre);
                Source::Dipole {
                    position: [x, y, 0.0],
                    moment: dipole.moment,
                }
            }
            SourceSpec::Piston(piston) => Source::Piston {
                centre: place(piston.centre),
                piston: Piston {
                    radius: metres(piston.radius),
                    velocity: real(piston.velocity.0),
                },
            },
            SourceSpec::Plate(plate) => Source::Plate {
                centre: place(plate.centre),
                plate: PlateMode {
                    size: place(plate.size),
                    mode: plate.mode,
                    velocity: real(plate.velocity.0),
                },
            },
        })
        .collect())
}
