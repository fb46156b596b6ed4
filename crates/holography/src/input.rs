//! Measurement bound to an array and its DFT bins: PDM bits of simulated or recorded microphones, or PCM samples.

use num_complex::Complex64;
use wavefield_physics::exact::piston::Piston;
use wavefield_physics::exact::plate::PlateMode;
use wavefield_physics::medium::Fluid;
use wavefield_physics::quantity::Length;
use wavefield_solver::scene::Issues;

use crate::array::{MicrophoneArray, Packing};
use crate::bitstream::Bitstream;
use crate::error::{Error, keyed, long_as};
use crate::files::{SoundFormat, read_acoular, read_calibration, read_microphones, read_wav};
use crate::front_end::{
    BasicAveraging, DECIMATION, DotProducts, Frame, FrontEnd, Nominal, Streaming, Terms,
    WalshFourier,
};
use crate::hologram::Hologram;
use crate::microphone::{CLOCK_RATE, Microphone};
use crate::recording::Recording;
use crate::regular_grid::RegularGrid;
use crate::source::Source;
use crate::spec::{Array, FrontEndSpec, Measurement, MicrophoneSpec, SourceSpec, Spec};

/// Maximum number of frames read from a PCM recording; later samples are ignored.
const MAX_FRAMES: usize = 64;

/// Upper bound on the lead-in of all front ends, clock cycles.
const MAX_LEAD_IN: usize = 2048;

/// Operations per clock cycle of the microphone noise, dither, and modulator, and of each tone.
const MODULATION: f64 = 15.0;
const TONE: f64 = 2.0;

/// Contents of the files that a specification names; `None` for files that it does not name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files<'a> {
    /// Bytes of `measurement.file`.
    pub sound: Option<&'a [u8]>,
    /// Bytes of `measurement.microphones`.
    pub microphones: Option<&'a [u8]>,
    /// Bytes of `measurement.calibration`.
    pub calibration: Option<&'a [u8]>,
}

/// Measurement data.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Microphones(Microphones),
    Samples(Samples),
}

/// Microphones with PDM output.
#[derive(Clone, Debug)]
pub(crate) struct Microphones {
    pub(crate) frame: Frame,
    pub(crate) microphone: Microphone,
    pub(crate) front_end: FrontEndSpec,
    /// Lead-in of the front end, clock cycles.
    pub(crate) lead_in: usize,
    pub(crate) signal: Signal,
}

/// Origin of the PDM bits.
#[derive(Clone, Debug)]
pub(crate) enum Signal {
    Sources { sources: Vec<Source>, seed: u64 },
    Bits(Bitstream),
}

/// Recorded PCM samples.
#[derive(Clone, Debug)]
pub(crate) struct Samples {
    pub(crate) recording: Recording,
    /// Samples per channel in a frame.
    pub(crate) frame: usize,
    bins: Vec<usize>,
    /// Array channel of each recording channel.
    channels: Vec<usize>,
    /// Calibration factors, pascals per unit of the recording.
    factors: Vec<f64>,
    /// Fraction of samples at full scale; `None` if the format has no full scale.
    pub(crate) clipped: Option<f64>,
}

/// Clipping threshold relative to full scale: 16-bit samples reach 0.99997.
const FULL: f32 = 0.9999;

/// Returns the fraction of samples at full scale.
fn clipped(recording: &Recording) -> f64 {
    let all = recording.samples();
    let full = all.iter().filter(|sample| sample.abs() >= FULL).count();
    full as f64 / all.len().max(1) as f64
}

impl Input {
    /// Binds the measurement of a checked specification to its files; returns it with the array and its height.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] or [`Error::Key`] for files that do not match the specification.
    pub(crate) fn new(
        spec: &Spec,
        files: &Files<'_>,
        fluid: &Fluid,
        height: f64,
        meters: impl Fn(Length) -> f64,
    ) -> Result<(MicrophoneArray, Self), Error> {
        let microphone = microphone(&spec.microphone);
        let (bytes, format) = match &spec.measurement {
            Measurement::Simulated(_) => (None, SoundFormat::Bits),
            Measurement::Recorded(_) => {
                let bytes = files.sound.ok_or(Error::Nothing {
                    what: "the bytes of the recording",
                });
                let bytes = keyed("measurement.file", bytes)?;
                (Some(bytes), SoundFormat::of(bytes))
            }
        };
        let read = match format {
            SoundFormat::Wav => read_wav,
            SoundFormat::Acoular => read_acoular,
            SoundFormat::Bits => {
                let (array, microphones) =
                    Microphones::new(spec, files, bytes, microphone, fluid, height, meters)?;
                return Ok((array, Self::Microphones(microphones)));
            }
        };
        let recording = keyed(
            "measurement.file",
            read(
                bytes.unwrap_or_default(),
                spec.frame.saturating_mul(MAX_FRAMES),
            )
            .map_err(Error::File),
        )?;
        // WAV samples are relative to full scale, HDF5 samples are in pascals.
        let unit = match format {
            SoundFormat::Wav => microphone.full_scale,
            _ => 1.0,
        };
        let clipped = (format == SoundFormat::Wav).then(|| clipped(&recording));
        let (array, samples) = Samples::new(spec, files, recording, unit, meters)?;
        Ok((array, Self::Samples(Samples { clipped, ..samples })))
    }

    /// Returns the frequencies of the DFT bins, Hz.
    pub(crate) fn frequencies(&self) -> Vec<f64> {
        match self {
            Self::Microphones(Microphones { frame, .. }) => {
                let bins = frame.bins().iter();
                bins.map(|&bin| frame.frequency(bin)).collect()
            }
            Self::Samples(samples) => {
                let bins = samples.bins.iter();
                bins.map(|&bin| samples.recording.frequency(samples.frame, bin))
                    .collect()
            }
        }
    }

    /// Returns the peak memory of bits or samples until holograms are computed, bytes.
    pub(crate) fn memory(&self) -> usize {
        match self {
            Self::Microphones(microphones) => microphones.memory(),
            Self::Samples(samples) => size_of_val(samples.recording.samples()),
        }
    }

    /// Estimates the number of operations until holograms are computed.
    pub(crate) fn operations(&self) -> f64 {
        match self {
            Self::Microphones(microphones) => microphones.operations(),
            Self::Samples(samples) => {
                (samples.recording.samples().len() * samples.bins.len()) as f64
            }
        }
    }
}

/// Returns the DFT bins nearest to the frequencies, for PDM bits.
///
/// # Errors
/// Returns [`Error::Frequency`] or [`Error::SameBin`] for frequencies without a bin of their own.
pub(crate) fn bins(spec: &Spec) -> Result<Vec<usize>, Error> {
    let step = CLOCK_RATE / (spec.frame * DECIMATION) as f64;
    let frequencies = spec.frequencies();
    let mut bins: Vec<usize> = Vec::with_capacity(frequencies.len());
    for &frequency in &frequencies {
        let bin = Frame::nearest_bin(spec.frame, frequency).map_err(|error| match error {
            Error::Bin { samples, most, .. } => Error::Frequency {
                frequency,
                samples,
                least: step,
                most: most as f64 * step,
            },
            other => other,
        })?;
        bins.push(bin);
    }
    apart(&frequencies, &bins, step)?;
    Ok(bins)
}

/// Rejects frequencies that share a DFT bin.
fn apart(frequencies: &[f64], bins: &[usize], step: f64) -> Result<(), Error> {
    for (second, bin) in bins.iter().enumerate() {
        if let Some(first) = bins[..second].iter().position(|other| other == bin) {
            return Err(Error::SameBin {
                first: frequencies[first],
                second: frequencies[second],
                step,
            });
        }
    }
    Ok(())
}

impl Microphones {
    fn new(
        spec: &Spec,
        files: &Files<'_>,
        bytes: Option<&[u8]>,
        microphone: Microphone,
        fluid: &Fluid,
        height: f64,
        meters: impl Fn(Length) -> f64,
    ) -> Result<(MicrophoneArray, Self), Error> {
        for (key, what, file) in [
            (
                "measurement.microphones",
                "microphone positions",
                files.microphones,
            ),
            (
                "measurement.calibration",
                "calibration factors",
                files.calibration,
            ),
        ] {
            if file.is_some() {
                return keyed(key, Err(Error::OnlyForSamples { what }));
            }
        }
        // Whether the recording holds PDM bits is known only at this point.
        let mut issues = Issues::default();
        spec.check_bits(&mut issues);
        issues.into_result()?;
        let array = described(&spec.array, &meters);
        let packing = Packing::new(&array)?;
        let bins = bins(spec)?;
        let frame = Frame::new(packing, spec.frame, &bins)?;
        let lead_in = keyed("front_end", front_end(spec.front_end, &frame))?.lead_in();
        let signal = match &spec.measurement {
            Measurement::Simulated(simulated) => {
                let sources = sources(&simulated.sources, meters);
                for source in &sources {
                    // A source without a field fails at the first microphone.
                    let [x, y] = array.position(0);
                    let signal = source.check(fluid, frame.frequency(bins[0]), [x, y, height]);
                    keyed("measurement.sources", signal)?;
                }
                Signal::Sources {
                    sources,
                    seed: simulated.seed,
                }
            }
            Measurement::Recorded(_) => {
                let bytes = bytes.unwrap_or_default();
                let (clock, clocks) = (4 * packing.words(), lead_in + frame.clocks());
                if !bytes.len().is_multiple_of(clock) || bytes.len() < clock * clocks {
                    let bytes = bytes.len();
                    let wrong = Error::Recording {
                        bytes,
                        clock,
                        clocks,
                    };
                    return keyed("measurement.file", Err(wrong));
                }
                Signal::Bits(keyed(
                    "measurement.file",
                    Bitstream::from_bytes(packing, bytes),
                )?)
            }
        };
        let microphones = Self {
            frame,
            microphone,
            front_end: spec.front_end,
            lead_in,
            signal,
        };
        Ok((array, microphones))
    }

    fn operations(&self) -> f64 {
        let channels = self.frame.packing().channels() as f64;
        let clocks = (self.frame.clocks() + MAX_LEAD_IN) as f64;
        let bins = self.frame.bins().len() as f64;
        let sound = match &self.signal {
            Signal::Bits(_) => 0.0,
            Signal::Sources { sources, .. } => {
                let fields: f64 = sources.iter().map(Source::operations).sum();
                channels * clocks * (MODULATION + TONE * bins) + 2.0 * bins * channels * fields
            }
        };
        sound + clocks * channels
    }

    fn memory(&self) -> usize {
        let channels = self.frame.packing().channels();
        let clocks = self.frame.clocks() + MAX_LEAD_IN;
        let signal = match &self.signal {
            Signal::Bits(stream) => stream.clocks(),
            Signal::Sources { .. } => clocks,
        };
        let bits = signal * channels / 8;
        let samples = match self.front_end {
            FrontEndSpec::WalshFourier { .. } => {
                4 * self.frame.samples() * channels
                    + 4 * 32 * clocks
                    + 32 * clocks * self.frame.bins().len()
            }
            _ => 4 * (clocks / DECIMATION) * channels,
        };
        let tones = 16 * clocks * self.frame.bins().len();
        bits + samples + tones
    }

    pub(crate) fn front_end(&self) -> Result<Box<dyn FrontEnd>, Error> {
        front_end(self.front_end, &self.frame)
    }
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

impl Samples {
    fn new(
        spec: &Spec,
        files: &Files<'_>,
        recording: Recording,
        unit: f64,
        meters: impl Fn(Length) -> f64,
    ) -> Result<(MicrophoneArray, Self), Error> {
        let grid = match files.microphones {
            Some(bytes) => {
                let places = read_microphones(bytes).map_err(Error::File);
                let places = keyed("measurement.microphones", places)?;
                let grid = keyed("measurement.microphones", RegularGrid::new(&places))?;
                if spec.array != Array::default() {
                    same(&grid.array, &described(&spec.array, &meters))?;
                }
                grid
            }
            None => {
                let array = described(&spec.array, &meters);
                RegularGrid {
                    channels: (0..recording.channels()).collect(),
                    array,
                }
            }
        };
        let array = grid.array;
        let fits = long_as(
            "the channel list of the recording",
            array.rows.saturating_mul(array.columns),
            recording.channels(),
        );
        keyed("measurement.file", fits)?;
        let factors = match files.calibration {
            Some(bytes) => {
                let factors = read_calibration(bytes).map_err(Error::File);
                let factors = keyed("measurement.calibration", factors)?;
                let fits = long_as(
                    "the list of calibration factors",
                    recording.channels(),
                    factors.len(),
                );
                keyed("measurement.calibration", fits)?;
                factors
            }
            None => vec![unit; recording.channels()],
        };
        let frequencies = spec.frequencies();
        let bins = frequencies
            .iter()
            .map(|&frequency| recording.nearest_bin(spec.frame, frequency))
            .collect::<Result<Vec<_>, _>>();
        let bins = keyed("frequency", bins)?;
        let step = recording.frequency(spec.frame, 1);
        keyed("frequency", apart(&frequencies, &bins, step))?;
        keyed(
            "measurement.file",
            recording.amplitudes(0, spec.frame, bins[0]).map(|_| ()),
        )?;
        let samples = Self {
            recording,
            frame: spec.frame,
            bins,
            channels: grid.channels,
            factors,
            clipped: None,
        };
        Ok((array, samples))
    }

    /// Returns the calibration factor of a channel of the recording, pascals per unit.
    pub(crate) fn factor(&self, channel: usize) -> f64 {
        self.factors[channel]
    }

    /// Creates samples in pascals without a problem, for tests.
    #[cfg(test)]
    pub(crate) fn of(recording: Recording, frame: usize) -> Samples {
        let channels = recording.channels();
        Samples {
            recording,
            frame,
            bins: Vec::new(),
            channels: (0..channels).collect(),
            factors: vec![1.0; channels],
            clipped: None,
        }
    }

    /// Returns the holograms of all bins for the frame that begins at the given clock cycle or sample, Pa.
    pub(crate) fn holograms(
        &self,
        first: usize,
        array: &MicrophoneArray,
    ) -> Result<Vec<Hologram>, Error> {
        self.bins
            .iter()
            .map(|&bin| {
                let amplitudes = self.recording.amplitudes(first, self.frame, bin)?;
                let mut pressures = vec![Complex64::new(0.0, 0.0); array.channels()];
                for ((amplitude, factor), &channel) in
                    amplitudes.iter().zip(&self.factors).zip(&self.channels)
                {
                    pressures[channel] = amplitude * factor;
                }
                let frequency = self.recording.frequency(self.frame, bin);
                Hologram::new(*array, frequency, pressures)
            })
            .collect()
    }
}

/// Returns the array described by the specification.
fn described(spec: &Array, meters: impl Fn(Length) -> f64) -> MicrophoneArray {
    MicrophoneArray {
        rows: spec.rows,
        columns: spec.columns,
        pitch: meters(spec.pitch),
    }
}

/// Rejects an array whose description contradicts the microphone positions in the file.
fn same(file: &MicrophoneArray, spec: &MicrophoneArray) -> Result<(), Error> {
    let shapes = (file.rows, file.columns) == (spec.rows, spec.columns);
    if shapes && (file.pitch - spec.pitch).abs() <= 0.01 * spec.pitch {
        return Ok(());
    }
    keyed(
        "array",
        Err(Error::TwoArrays {
            rows: file.rows,
            columns: file.columns,
            pitch: file.pitch,
        }),
    )
}

fn microphone(spec: &MicrophoneSpec) -> Microphone {
    Microphone {
        full_scale: spec.full_scale,
        noise: spec.noise,
        order: spec.order,
        dither: spec.dither,
    }
}

fn sources(specs: &[SourceSpec], meters: impl Fn(Length) -> f64) -> Vec<Source> {
    let real = |value: f64| Complex64::new(value, 0.0);
    let place = |lengths: [Length; 2]| lengths.map(&meters);
    specs
        .iter()
        .map(|spec| match spec {
            SourceSpec::Monopole(monopole) => {
                let [x, y] = place(monopole.center);
                Source::Monopole {
                    position: [x, y, 0.0],
                    volume_velocity: real(monopole.volume_velocity),
                }
            }
            SourceSpec::Dipole(dipole) => {
                let [x, y] = place(dipole.center);
                Source::Dipole {
                    position: [x, y, 0.0],
                    moment: dipole.moment,
                }
            }
            SourceSpec::Piston(piston) => Source::Piston {
                center: place(piston.center),
                piston: Piston {
                    radius: meters(piston.radius),
                    velocity: real(piston.velocity.0),
                },
            },
            SourceSpec::Plate(plate) => Source::Plate {
                center: place(plate.center),
                plate: PlateMode {
                    size: place(plate.size),
                    mode: plate.mode,
                    velocity: real(plate.velocity.0),
                },
            },
        })
        .collect()
}
