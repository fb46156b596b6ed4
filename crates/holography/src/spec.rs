//! What a user may ask of this solver, as it stands in a problem file.
//!
//! Lengths given in wavelengths are those of sound at the first frequency.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wavefield_physics::quantity::{Density, Frequency, Length, Speed};
use wavefield_physics::sweep::Sweep;

use crate::border::Padding;
use crate::error::{Error, keyed};

/// Fields of sound near their sources, from the bits of a microphone array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// One frequency or several; each is taken at the nearest bin of a frame.
    pub frequency: Sweep<Frequency>,
    /// Height of the array above the plane z = 0.
    pub height: Length,
    /// Height of the plane in which the field is wanted, below the array.
    pub plane: Length,
    /// What the microphones hear.
    pub sound: Sound,
    /// The microphones' grid.
    #[serde(default)]
    pub array: Array,
    /// The microphones.
    #[serde(default)]
    pub microphone: MicrophoneSpec,
    /// What carries the sound.
    #[serde(default)]
    pub fluid: FluidSpec,
    /// The way from bits to amplitudes.
    #[serde(default)]
    pub front_end: FrontEndSpec,
    /// Samples in a frame; of bits one is made of 32 clocks, and a frame has a power of two of them.
    #[serde(default = "frame_samples")]
    pub frame: usize,
    /// What is put around the holograms.
    #[serde(default)]
    pub border: Padding,
    /// What is let through on the way to the sources.
    #[serde(default)]
    pub filter: FilterSpec,
}

impl Spec {
    /// The frequencies asked for, Hz.
    pub(crate) fn frequencies(&self) -> Result<Vec<f64>, Error> {
        let asked = keyed("frequency", self.frequency.values().map_err(Error::Sweep))?;
        Ok(asked.into_iter().map(|frequency| frequency.0).collect())
    }
}

/// What the microphones hear.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Sound {
    /// Sources with known fields, heard by simulated microphones; results are compared with the exact field.
    Simulated(Simulated),
    /// Bits or samples that were recorded.
    Recorded(Recorded),
}

/// Sources with known fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Simulated {
    /// The sources, all of which sound at every frequency.
    pub sources: Vec<SourceSpec>,
    /// Seed of the microphones' noise.
    #[serde(default)]
    pub seed: u64,
}

/// Sound that was recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// Path of the file of samples (WAV, Acoular's HDF5) or of packed bits (anything else), relative to the problem
    /// file. Results are of its first frame; of what follows, of samples the first 64 frames, the report shows a film.
    #[schemars(extend("x-file" = "sound"))]
    pub file: String,
    /// Path of Acoular's XML of the microphones' places, which then need no `array`; only for samples. Without it the
    /// channels are the array's, row by row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-file" = "microphones"))]
    pub microphones: Option<String>,
    /// Path of Acoular's XML of factors that make pascals of samples. Without it WAV is in the full scales of
    /// `microphone`, HDF5 in pascals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-file" = "calibration"))]
    pub calibration: Option<String>,
}

/// A source with a known field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SourceSpec {
    /// A small pulsating body.
    Monopole(MonopoleSpec),
    /// A small oscillating body.
    Dipole(DipoleSpec),
    /// A circular piston in a rigid baffle at z = 0.
    Piston(PistonSpec),
    /// A simply supported plate in a rigid baffle at z = 0, in one of its modes.
    Plate(PlateSpec),
}

/// A small pulsating body at z = 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MonopoleSpec {
    /// Where it is, [x, y].
    pub centre: [Length; 2],
    /// Amplitude of its volume velocity, m³/s.
    pub volume_velocity: f64,
}

/// A small oscillating body at z = 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DipoleSpec {
    /// Where it is, [x, y].
    pub centre: [Length; 2],
    /// Amplitudes of its moment along x, y and z, m⁴/s.
    pub moment: [f64; 3],
}

/// A circular piston in a rigid baffle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PistonSpec {
    /// Where its centre is, [x, y].
    pub centre: [Length; 2],
    /// Radius.
    pub radius: Length,
    /// Amplitude of its velocity.
    pub velocity: Speed,
}

/// A simply supported plate in a rigid baffle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlateSpec {
    /// Where its centre is, [x, y].
    pub centre: [Length; 2],
    /// Sides along x and y.
    pub size: [Length; 2],
    /// Half-waves along x and y.
    pub mode: [u32; 2],
    /// Largest amplitude of its velocity.
    pub velocity: Speed,
}

/// A grid of microphones; bits come from tiles of 8 × 8.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Array {
    /// Rows; for bits a multiple of 8.
    pub rows: usize,
    /// Columns; for bits a multiple of 8.
    pub columns: usize,
    /// Distance between neighbours.
    pub pitch: Length,
}

/// A digital microphone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MicrophoneSpec {
    /// Amplitude of pressure at which all bits are ones, Pa.
    pub full_scale: f64,
    /// Root mean square of the noise at every clock, in full scales.
    pub noise: f64,
    /// Order of the sigma–delta modulator, 2 to 5.
    pub order: usize,
    /// Dither of the modulator, in full scales.
    pub dither: f64,
}

/// A fluid that carries sound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FluidSpec {
    /// Speed of sound.
    pub sound_speed: Speed,
    /// Density.
    pub density: Density,
}

/// The way from bits to amplitudes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "method", rename_all = "kebab-case", deny_unknown_fields)]
pub enum FrontEndSpec {
    /// Cascaded combs by 32, sums of hops.
    Streaming {
        /// Order of the combs, 1 to 5.
        order: usize,
    },
    /// Cascaded combs, compensation, Hann's window, FFT.
    Nominal,
    /// Cascaded combs, compensation, one sum for each bin.
    DotProducts,
    /// Means of 32 bits.
    BasicAveraging,
    /// Walsh coefficients of the bits.
    WalshFourier {
        /// How many of the largest for each part of an amplitude; all if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        terms: Option<usize>,
    },
}

/// What is let through on the way to the sources.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum FilterSpec {
    /// Chosen from the hologram.
    Automatic {
        /// By which rule.
        rule: RuleSpec,
    },
    /// Cut-off and slope.
    CutOff {
        /// Cut-off wavenumber, rad/m.
        cut_off: f64,
        /// Slope.
        slope: f64,
    },
    /// Tikhonov's filter.
    Tikhonov {
        /// λ.
        parameter: f64,
    },
    /// The modified Tikhonov filter.
    ModifiedTikhonov {
        /// λ.
        parameter: f64,
    },
}

/// A rule by which a filter is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RuleSpec {
    /// Generalised cross-validation.
    CrossValidation,
    /// Morozov's discrepancy principle.
    Discrepancy,
}

impl Default for Array {
    fn default() -> Self {
        let array = crate::array::MicrophoneArray::default();
        Self {
            rows: array.rows,
            columns: array.columns,
            pitch: Length::Metres(array.pitch),
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
