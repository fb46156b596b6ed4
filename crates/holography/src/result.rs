//! What this solver returns.

use num_complex::Complex64;
use wavefield_physics::exact::sound::SoundField;

use crate::angular_spectrum::AngularSpectrum;
use crate::array::MicrophoneArray;
use crate::course::FieldAtMoment;
use crate::filter::Filter;
use crate::hologram::Hologram;

/// Everything computed for a problem.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The microphones' grid, on which all fields are given.
    pub array: MicrophoneArray,
    /// Height of the array, metres.
    pub height: f64,
    /// Height of the plane of the fields, metres.
    pub plane: f64,
    /// What belongs to each frequency.
    pub frequencies: Vec<AtFrequency>,
    /// How the sound of a recording comes and goes; empty where there is but one frame.
    pub course: Vec<FieldAtMoment>,
}

/// The field at one frequency.
#[derive(Clone, Debug)]
pub struct AtFrequency {
    /// Frequency of the bin, Hz.
    pub frequency: f64,
    /// What was heard, Pa.
    pub hologram: Hologram,
    /// Root mean square of the noise found in it, Pa.
    pub noise: f64,
    /// The filter that was used.
    pub filter: Filter,
    /// The plane waves of the field in the plane.
    pub spectrum: AngularSpectrum,
    /// Pressure and particle velocity in the plane, row by row.
    pub field: Vec<SoundField>,
    /// The exact pressure in the plane, Pa, row by row, where it is known.
    pub exact: Option<Vec<Complex64>>,
    /// How far it is from the exact field, where that is known.
    pub deviation: Option<Deviation>,
}

/// How far a field is from the exact one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// √(Σ|p − q|²/Σ|p|²) of the pressure in the plane.
    pub pressure: f64,
    /// Root mean squared reconstruction error of the magnitudes in the plane.
    pub rmsre: f64,
    /// Normalised sum of absolute differences in the plane.
    pub nsad: f64,
    /// √(Σ|p − q|²/Σ|p|²) of the hologram: what bits and microphones did to it.
    pub hologram: f64,
}
