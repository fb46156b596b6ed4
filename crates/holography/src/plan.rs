//! From what is asked to what will be computed: bins, planes and filters laid out, cost known.

use std::f64::consts::TAU;

use num_complex::Complex64;
use wavefield_compute::observe::{Observer, Progress};
use wavefield_physics::exact::piston::Piston;
use wavefield_physics::exact::plate::PlateMode;
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
use crate::microphone::{CLOCK_RATE, Microphone};
use crate::propagator::Propagator;
use crate::reconstruction::PlanarHolography;
use crate::regularisation::{Family, Regularisation, Rule};
use crate::result::{AtFrequency, Deviation, Solution};
use crate::source::{Source, exact_hologram};
use crate::spec::{FilterSpec, FrontEndSpec, MicrophoneSpec, RuleSpec, Sound, SourceSpec, Spec};
use crate::wavenumber::Wavenumbers;

/// Most microphones of an array: a frame of their bits takes some hundred megabytes.
const MOST_CHANNELS: usize = 1 << 15;

/// Clocks no front end needs more of before a frame.
const MOST_LEAD_IN: usize = 2048;

/// Operations of a microphone's noise, dither and modulator at a clock, and of each tone it hears.
const MODULATION: f64 = 15.0;
const TONE: f64 = 2.0;

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
        let bins = keyed("frequencies", bins(spec))?;
        let frame = keyed("frequencies", Frame::new(packing, spec.frame, &bins))?;
        let height = keyed(
            "height",
            positive("the height of the array", metres(spec.height)),
        )?;
        let plane = keyed(
            "plane",
            within(
                "the height of the plane in metres, below the array,",
                metres(spec.plane),
                0.0,
                height,
            ),
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
        let front_end = keyed("front_end", front_end(spec.front_end, &frame))?;
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
                let (clock, clocks) = (4 * packing.words(), front_end.lead_in() + frame.clocks());
                if !bytes.len().is_multiple_of(clock) || bytes.len() < clock * clocks {
                    let bytes = bytes.len();
                    return keyed(
                        "sound.file",
                        Err(Error::Recording {
                            bytes,
                            clock,
                            clocks,
                        }),
                    );
                }
                Input::Bits(keyed("sound.file", Bitstream::from_bytes(packing, bytes))?)
            }
        };
        Ok(Self {
            array,
            frame,
            microphone,
            front_end: spec.front_end,
            holography,
            height,
            plane,
            input,
        })
    }

    /// The frequencies of the bins, Hz.
    pub fn frequencies(&self) -> Vec<f64> {
        let bins = self.frame.bins().iter();
        bins.map(|&bin| self.frame.frequency(bin)).collect()
    }

    /// Number of microphones.
    pub fn channels(&self) -> usize {
        self.array.channels()
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
        let fields = self.frame.bins().len() * channels * 16 * 13;
        bits + samples + tones + planes + fields
    }

    /// Operations of the run, roughly: microphones, exact fields, amplitudes, filters tried.
    pub fn operations(&self) -> f64 {
        let channels = self.array.channels() as f64;
        let clocks = (self.frame.clocks() + MOST_LEAD_IN) as f64;
        let bins = self.frame.bins().len() as f64;
        let sound = match &self.input {
            Input::Bits(_) => 0.0,
            Input::Sources { sources, .. } => {
                let fields: f64 = sources.iter().map(Source::operations).sum();
                channels * clocks * (MODULATION + TONE * bins) + 2.0 * bins * channels * fields
            }
        };
        let [rows, columns] = [self.array.rows, self.array.columns]
            .map(|count| (count + 2 * self.holography.border.points(count)) as f64);
        let transform = 5.0 * rows * columns * (rows * columns).log2();
        sound + clocks * channels + bins * crate::regularisation::TRIED as f64 * 2.0 * transform
    }

    /// How the field is brought to the plane.
    pub fn holography(&self) -> &PlanarHolography {
        &self.holography
    }

    /// The amplitude of pressure at which all bits of a microphone are ones, Pa.
    pub fn full_scale(&self) -> f64 {
        self.microphone.full_scale
    }

    /// The sources of a simulation; none of a recording.
    pub fn sources(&self) -> &[Source] {
        match &self.input {
            Input::Sources { sources, .. } => sources,
            Input::Bits(_) => &[],
        }
    }

    /// Computes everything, on the rayon pool the caller has installed.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when the observer asks to stop, [`Error::Field`] where a source has no field.
    pub fn execute(&self, observer: &dyn Observer) -> Result<Solution, Error> {
        let mut front_end = front_end(self.front_end, &self.frame)?;
        let lead_in = front_end.lead_in();
        let recorded;
        let (stream, heard) = match &self.input {
            Input::Bits(stream) => (stream, None),
            Input::Sources { sources, seed } => {
                let tones = self.exact(sources, self.height, "sources", observer)?;
                observer.checkpoint()?;
                let packing = self.frame.packing();
                let clocks = lead_in + self.frame.clocks();
                let heard = self.microphone.record(packing, &tones, clocks, *seed);
                recorded = keyed("sound.sources", heard)?;
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
        let total = holograms.len() as u64;
        let mut frequencies = Vec::with_capacity(holograms.len());
        for (i, hologram) in holograms.into_iter().enumerate() {
            observer.checkpoint()?;
            let distance = self.height - self.plane;
            let found = self.holography.towards_sources(&hologram, distance)?;
            // Time zero is the first clock of the frame, which comes after the lead-in.
            let turn = self.frame.bins()[i] as f64 * lead_in as f64 / self.frame.clocks() as f64;
            let turned = |field: &Hologram| -> Vec<Complex64> {
                let factor = Complex64::cis(TAU * turn);
                field.values().iter().map(|p| p * factor).collect()
            };
            let exact = wanted.as_ref().map(|wanted| turned(&wanted[i]));
            let deviation = match (&heard, &exact) {
                (Some((_, tones)), Some(exact)) => {
                    let pressure = found.spectrum.pressure();
                    Some(Deviation {
                        pressure: relative_error(exact, &pressure)?,
                        rmsre: rmsre(exact, &pressure)?,
                        nsad: nsad(exact, &pressure)?,
                        hologram: relative_error(&turned(&tones[i]), hologram.values())?,
                    })
                }
                _ => None,
            };
            frequencies.push(AtFrequency {
                frequency: hologram.frequency(),
                field: found.spectrum.sound_field(),
                spectrum: found.spectrum,
                noise: found.noise,
                filter: found.filter,
                hologram,
                exact,
                deviation,
            });
            observer.progress(&Progress::new("holograms", i as u64 + 1, total));
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

/// The bins nearest to the frequencies asked for, each once.
fn bins(spec: &Spec) -> Result<Vec<usize>, Error> {
    let step = CLOCK_RATE / (spec.frame * DECIMATION) as f64;
    let mut bins: Vec<usize> = Vec::with_capacity(spec.frequencies.len());
    for (number, frequency) in spec.frequencies.iter().enumerate() {
        let bin = Frame::nearest_bin(spec.frame, frequency.0).map_err(|error| match error {
            Error::Bin { samples, most, .. } => Error::Frequency {
                frequency: frequency.0,
                samples,
                least: step,
                most: most as f64 * step,
            },
            other => other,
        })?;
        if let Some(same) = bins.iter().position(|&other| other == bin) {
            return Err(Error::SameBin {
                first: spec.frequencies[same].0,
                second: spec.frequencies[number].0,
                step,
            });
        }
        bins.push(bin);
    }
    Ok(bins)
}

fn front_end(spec: FrontEndSpec, frame: &Frame) -> Result<Box<dyn FrontEnd>, Error> {
    let frame = frame.clone();
    let samples = frame.samples();
    Ok(match spec {
        FrontEndSpec::Streaming { order } => Box::new(Streaming::new(frame, order, samples / 32)?),
        FrontEndSpec::Nominal => Box::new(Nominal::new(frame)?),
        FrontEndSpec::DotProducts => Box::new(DotProducts::new(frame)?),
        FrontEndSpec::BasicAveraging => Box::new(BasicAveraging::new(frame)?),
        FrontEndSpec::WalshFourier { terms } => Box::new(WalshFourier::new(
            frame,
            terms.map_or(Terms::All, Terms::Largest),
        )?),
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
