//! The problem specification.
//!
//! Lengths in wavelengths refer to sound at the first frequency.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::quantity::{Density, Frequency, Length, Speed};
use wavefield_physics::sweep::Sweep;
use wavefield_solver::scene::{Issues, Scene};

use crate::array::Packing;
use crate::border::{Border, Padding};
use crate::error::Error;
use crate::front_end::{CicDecimator, DECIMATION, Frame};
use crate::input::bins;
use crate::sigma_delta::NoiseTransfer;

/// Maximum number of microphones: a frame of their bits takes some hundred megabytes.
const MAX_CHANNELS: usize = 1 << 15;

/// Planar near-field acoustic holography from the bits or samples of a microphone array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// One frequency or several; each is rounded to the nearest DFT bin of a frame.
    pub frequency: Sweep<Frequency>,
    /// Height of the hologram plane, in which the array lies, above the sources at z = 0.
    pub hologram_z: Length,
    /// Height of the reconstruction plane, between the sources and the array.
    pub reconstruction_z: Length,
    /// Measurement: simulated or recorded.
    pub measurement: Measurement,
    /// Microphone array.
    #[serde(default)]
    pub array: Array,
    /// Microphones.
    #[serde(default)]
    pub microphone: MicrophoneSpec,
    /// Fluid.
    #[serde(default)]
    pub fluid: FluidSpec,
    /// Front end: from bits to complex amplitudes.
    #[serde(default)]
    pub front_end: FrontEndSpec,
    /// Samples in a frame. Of bits, 32 clocks make a sample, and the number of samples is a power of two.
    #[serde(default = "frame_samples")]
    pub frame: usize,
    /// Border around the holograms.
    #[serde(default)]
    pub border: Padding,
    /// Regularization filter of the back-propagation.
    #[serde(default)]
    pub filter: FilterSpec,
}

/// A measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Measurement {
    /// Sources with known fields, measured by simulated microphones; results are compared with the exact field.
    Simulated(Simulated),
    /// Recorded bits or samples.
    Recorded(Recorded),
}

/// Sources with known fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Simulated {
    /// Sources; each radiates at every frequency.
    pub sources: Vec<SourceSpec>,
    /// Seed of the microphone noise.
    #[serde(default)]
    pub seed: u64,
}

/// Recorded bits or samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// Path of a file of samples (WAV, Acoular's HDF5) or of packed bits (anything else), relative to the problem
    /// file. Results are those of the first frame; the report animates up to 64 frames of samples.
    #[schemars(extend("x-file" = "sound"))]
    pub file: String,
    /// Path of Acoular's XML of the microphone positions, which replaces `array`; only for samples. Default: the
    /// channels are those of `array`, row by row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-file" = "microphones"))]
    pub microphones: Option<String>,
    /// Path of Acoular's XML of calibration factors from samples to pascals; only for samples. Default: WAV samples
    /// are relative to the full scale of `microphone`, HDF5 samples are in pascals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-file" = "calibration"))]
    pub calibration: Option<String>,
}

/// A source with a known field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SourceSpec {
    /// Monopole: a small pulsating body.
    Monopole(MonopoleSpec),
    /// Dipole: a small oscillating body.
    Dipole(DipoleSpec),
    /// Circular piston in a rigid baffle at z = 0.
    Piston(PistonSpec),
    /// Simply supported plate in a rigid baffle at z = 0, in one of its modes.
    Plate(PlateSpec),
}

/// A monopole at z = 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MonopoleSpec {
    /// Center [x, y].
    pub center: [Length; 2],
    /// Amplitude of the volume velocity, m³/s.
    pub volume_velocity: f64,
}

/// A dipole at z = 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DipoleSpec {
    /// Center [x, y].
    pub center: [Length; 2],
    /// Amplitudes of the moment along x, y, and z, m⁴/s.
    pub moment: [f64; 3],
}

/// A circular piston in a rigid baffle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PistonSpec {
    /// Center [x, y].
    pub center: [Length; 2],
    /// Radius.
    pub radius: Length,
    /// Amplitude of the velocity.
    pub velocity: Speed,
}

/// A simply supported plate in a rigid baffle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlateSpec {
    /// Center [x, y].
    pub center: [Length; 2],
    /// Sides along x and y.
    pub size: [Length; 2],
    /// Half-waves along x and y.
    pub mode: [u32; 2],
    /// Maximum amplitude of the velocity.
    pub velocity: Speed,
}

/// A regular grid of microphones; for bits, in tiles of 8 × 8.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Array {
    /// Rows; for bits a multiple of 8.
    pub rows: usize,
    /// Columns; for bits a multiple of 8.
    pub columns: usize,
    /// Distance between neighbors.
    pub pitch: Length,
}

/// A digital microphone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MicrophoneSpec {
    /// Pressure amplitude at which all bits are ones, Pa.
    pub full_scale: f64,
    /// RMS noise at every clock, relative to full scale.
    pub noise: f64,
    /// Order of the sigma–delta modulator, 2 to 5.
    pub order: usize,
    /// Dither of the modulator, relative to full scale.
    pub dither: f64,
}

/// A fluid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FluidSpec {
    /// Speed of sound.
    pub sound_speed: Speed,
    /// Density.
    pub density: Density,
}

/// A front end: from bits to complex amplitudes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "method", rename_all = "kebab-case", deny_unknown_fields)]
pub enum FrontEndSpec {
    /// CIC decimation by 32, sliding DFT by hops.
    Streaming {
        /// Order of the CIC filter, 1 to 5.
        order: usize,
    },
    /// CIC decimation, compensation filter, Hann window, FFT.
    Nominal,
    /// CIC decimation, compensation filter, one dot product for each bin.
    DotProducts,
    /// Means of 32 bits.
    BasicAveraging,
    /// Walsh coefficients of the bits.
    WalshFourier {
        /// Number of largest coefficients for the real and the imaginary part of an amplitude; default all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        terms: Option<usize>,
    },
}

/// A regularization filter of the back-propagation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum FilterSpec {
    /// Modified Tikhonov filter whose λ is chosen from the hologram.
    Automatic {
        /// Rule of the choice.
        rule: RuleSpec,
    },
    /// Veronesi's filter: an exponential low-pass filter of the radial wavenumber.
    Veronesi {
        /// Cut-off wavenumber, rad/m.
        cut_off: f64,
        /// Slope.
        slope: f64,
    },
    /// Tikhonov filter.
    Tikhonov {
        /// Regularization parameter λ.
        lambda: f64,
    },
    /// Modified Tikhonov filter.
    ModifiedTikhonov {
        /// Regularization parameter λ.
        lambda: f64,
    },
}

/// A rule by which the regularization parameter is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RuleSpec {
    /// Generalized cross-validation.
    CrossValidation,
    /// Morozov's discrepancy principle.
    Discrepancy,
}

impl Spec {
    /// Creates a specification with default settings.
    pub fn new(
        frequency: impl Into<Sweep<Frequency>>,
        hologram_z: Length,
        reconstruction_z: Length,
        measurement: Measurement,
    ) -> Spec {
        Spec {
            frequency: frequency.into(),
            hologram_z,
            reconstruction_z,
            measurement,
            array: Array::default(),
            microphone: MicrophoneSpec::default(),
            fluid: FluidSpec::default(),
            front_end: FrontEndSpec::default(),
            frame: frame_samples(),
            border: Padding::default(),
            filter: FilterSpec::default(),
        }
    }

    /// Returns the parts that every solver names alike.
    pub fn scene(&self) -> Scene<'_> {
        Scene {
            frequency: Some(&self.frequency),
            ..Scene::default()
        }
    }

    /// Adds everything that is wrong with the specification beyond its scene, as far as no file is needed to tell.
    pub fn check(&self, issues: &mut Issues) {
        let wavelength = self.wavelength();
        self.check_planes(wavelength, issues);
        let mut positions_from_file = false;
        match &self.measurement {
            Measurement::Simulated(simulated) => simulated.check(wavelength, issues),
            Measurement::Recorded(recorded) => {
                positions_from_file = recorded.microphones.is_some();
                if self.frame == 0 {
                    issues.add("frame", "`frame` must be positive");
                }
            }
        }
        self.array.check(wavelength, issues);
        if let Measurement::Simulated(_) = self.measurement {
            self.check_bits(issues);
        }
        self.microphone.check(issues);
        self.fluid.check(issues);
        self.front_end.check(issues);
        let Array { rows, columns, .. } = self.array;
        if rows.min(columns) > 0 && !positions_from_file {
            let border = self.border_of(rows, columns);
            refuse(issues, "border.order", border.check(rows, columns));
        }
        self.filter.check(issues);
    }

    /// Adds what is wrong with array, frame, and frequencies where microphones send bits. Whether a recorded file holds
    /// bits is known once it has been read.
    pub(crate) fn check_bits(&self, issues: &mut Issues) {
        for (path, count) in [
            ("array.rows", self.array.rows),
            ("array.columns", self.array.columns),
        ] {
            if count > 0 && !Packing::is_tiled(count) {
                issues.add(
                    path,
                    format!(
                        "`{path}` must be a multiple of 8, not {count}: bits are sent by tiles of 8 × 8 microphones"
                    ),
                );
            }
        }
        let frame = Frame::check_samples(self.frame);
        if frame.is_ok() && self.wavelength().is_some() {
            refuse(issues, "frequency", bins(self));
        }
        refuse(issues, "frame", frame);
    }

    fn check_planes(&self, wavelength: Option<f64>, issues: &mut Issues) {
        positive("hologram_z", self.hologram_z, wavelength, issues);
        let path = "reconstruction_z";
        let [hologram, plane] =
            [self.hologram_z, self.reconstruction_z].map(|z| meters(z, wavelength));
        if !(plane.is_finite() && plane >= 0.0) {
            issues.add(
                path,
                format!(
                    "`{path}` must be finite and not negative, not {}",
                    self.reconstruction_z
                ),
            );
        } else if wavelength.is_some() && hologram > 0.0 && plane > hologram {
            issues.add(
                path,
                format!(
                    "`{path}` ({}) must not exceed `hologram_z` ({}): the reconstruction plane lies between the sources and the array",
                    self.reconstruction_z, self.hologram_z
                ),
            );
        }
    }

    /// Returns the frequencies, Hz; none if the sweep cannot be laid out.
    pub(crate) fn frequencies(&self) -> Vec<f64> {
        let frequencies = self.frequency.values().unwrap_or_default();
        frequencies.iter().map(|frequency| frequency.0).collect()
    }

    /// Returns the wavelength at the first frequency, m, if frequencies and speed of sound are valid.
    pub(crate) fn wavelength(&self) -> Option<f64> {
        let valid = |value: f64| value > 0.0 && value.is_finite();
        let (frequencies, sound_speed) = (self.frequencies(), self.fluid.sound_speed.0);
        let first = *frequencies.first()?;
        let all = frequencies.iter().all(|&frequency| valid(frequency));
        (all && valid(sound_speed)).then(|| sound_speed / first)
    }

    /// Returns the border around the holograms of an array.
    pub(crate) fn border_of(&self, rows: usize, columns: usize) -> Border {
        Border {
            padding: self.border.for_array(rows, columns),
            ..Border::default()
        }
    }
}

/// Adds the error of a part, which names no key, as an issue of a key.
fn refuse<T>(issues: &mut Issues, path: &str, result: Result<T, Error>) {
    if let Err(error) = result {
        issues.add(path, format!("`{path}`: {error}"));
    }
}

/// Returns a length in meters; without a wavelength, the sign of a length in wavelengths is that of its count.
fn meters(length: Length, wavelength: Option<f64>) -> f64 {
    length.meters(wavelength.unwrap_or(1.0))
}

fn positive(path: &str, length: Length, wavelength: Option<f64>, issues: &mut Issues) {
    let meters = meters(length, wavelength);
    if !(meters.is_finite() && meters > 0.0) {
        issues.add(
            path,
            format!("`{path}` must be positive and finite, not {length}"),
        );
    }
}

impl Simulated {
    fn check(&self, wavelength: Option<f64>, issues: &mut Issues) {
        if self.sources.is_empty() {
            let path = "measurement.sources";
            issues.add(path, format!("`{path}` needs a source"));
        }
        for (index, source) in self.sources.iter().enumerate() {
            let path = format!("measurement.sources.{index}");
            source.check(&path, wavelength, issues);
        }
    }
}

impl SourceSpec {
    fn check(&self, path: &str, wavelength: Option<f64>, issues: &mut Issues) {
        let mut finite = |key: &str, values: &[f64]| {
            if !values.iter().all(|value| value.is_finite()) {
                let path = format!("{path}.{key}");
                let message = format!("`{path}` must be finite");
                issues.add(path, message);
            }
        };
        let center = |center: &[Length; 2]| center.map(|length| meters(length, wavelength));
        match self {
            SourceSpec::Monopole(monopole) => {
                finite("center", &center(&monopole.center));
                finite("volume_velocity", &[monopole.volume_velocity]);
            }
            SourceSpec::Dipole(dipole) => {
                finite("center", &center(&dipole.center));
                finite("moment", &dipole.moment);
            }
            SourceSpec::Piston(piston) => {
                finite("center", &center(&piston.center));
                finite("velocity", &[piston.velocity.0]);
                positive(&format!("{path}.radius"), piston.radius, wavelength, issues);
            }
            SourceSpec::Plate(plate) => {
                finite("center", &center(&plate.center));
                finite("velocity", &[plate.velocity.0]);
                for (axis, side) in plate.size.into_iter().enumerate() {
                    positive(&format!("{path}.size.{axis}"), side, wavelength, issues);
                }
                if plate.mode.contains(&0) {
                    let path = format!("{path}.mode");
                    let message =
                        format!("`{path}` needs one half-wave at least along either side");
                    issues.add(path, message);
                }
            }
        }
    }
}

impl Array {
    fn check(&self, wavelength: Option<f64>, issues: &mut Issues) {
        let sides = [("array.rows", self.rows), ("array.columns", self.columns)];
        for (path, count) in sides {
            issues.range(path, count as f64, 1.0, MAX_CHANNELS as f64);
        }
        let channels = self.rows.saturating_mul(self.columns);
        if channels > MAX_CHANNELS && sides.iter().all(|(_, count)| *count <= MAX_CHANNELS) {
            issues.add(
                "array",
                format!(
                    "`array` has {} × {} microphones; at most {MAX_CHANNELS} are possible",
                    self.rows, self.columns
                ),
            );
        }
        positive("array.pitch", self.pitch, wavelength, issues);
    }
}

impl MicrophoneSpec {
    fn check(&self, issues: &mut Issues) {
        issues.positive("microphone.full_scale", self.full_scale, "Pa");
        issues.range("microphone.noise", self.noise, 0.0, 1.0);
        refuse(issues, "microphone.order", NoiseTransfer::new(self.order));
        issues.range("microphone.dither", self.dither, 0.0, 1.0);
    }
}

impl FluidSpec {
    fn check(&self, issues: &mut Issues) {
        issues.positive("fluid.sound_speed", self.sound_speed.0, "m/s");
        issues.positive("fluid.density", self.density.0, "kg/m3");
    }
}

impl FrontEndSpec {
    fn check(self, issues: &mut Issues) {
        match self {
            FrontEndSpec::Streaming { order } => {
                refuse(
                    issues,
                    "front_end.order",
                    CicDecimator::new(order, DECIMATION),
                );
            }
            FrontEndSpec::WalshFourier { terms: Some(0) } => {
                issues.add("front_end.terms", "`front_end.terms` must be positive");
            }
            FrontEndSpec::Nominal
            | FrontEndSpec::DotProducts
            | FrontEndSpec::BasicAveraging
            | FrontEndSpec::WalshFourier { .. } => {}
        }
    }
}

impl FilterSpec {
    fn check(self, issues: &mut Issues) {
        match self {
            FilterSpec::Automatic { .. } => {}
            FilterSpec::Veronesi { cut_off, slope } => {
                issues.positive("filter.cut_off", cut_off, "rad/m");
                issues.positive("filter.slope", slope, "");
            }
            FilterSpec::Tikhonov { lambda } | FilterSpec::ModifiedTikhonov { lambda } => {
                issues.positive("filter.lambda", lambda, "");
            }
        }
    }
}

impl Default for Array {
    fn default() -> Self {
        let array = crate::array::MicrophoneArray::default();
        Self {
            rows: array.rows,
            columns: array.columns,
            pitch: Length::Meters(array.pitch),
        }
    }
}

impl Default for MicrophoneSpec {
    fn default() -> Self {
        let microphone = crate::microphone::Microphone::default();
        Self {
            full_scale: microphone.full_scale,
            noise: microphone.noise,
            order: microphone.order,
            dither: microphone.dither,
        }
    }
}

impl Default for FluidSpec {
    fn default() -> Self {
        let air = wavefield_physics::medium::Fluid::AIR;
        Self {
            sound_speed: Speed(air.sound_speed),
            density: Density(air.density),
        }
    }
}

impl Default for FrontEndSpec {
    fn default() -> Self {
        Self::Streaming { order: 3 }
    }
}

impl Default for FilterSpec {
    fn default() -> Self {
        Self::Automatic {
            rule: RuleSpec::CrossValidation,
        }
    }
}

fn frame_samples() -> usize {
    1024
}
