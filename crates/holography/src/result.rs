//! Results of the holography solver.

use num_complex::Complex64;
use wavefield_physics::exact::sound::SoundField;

use crate::angular_spectrum::AngularSpectrum;
use crate::array::MicrophoneArray;
use crate::filter::Filter;
use crate::hologram::Hologram;
use crate::time_history::FieldSnapshot;

/// The result of a problem.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Grid of the microphones, on which all fields are given.
    pub array: MicrophoneArray,
    /// z coordinate of the hologram plane, m.
    pub height: f64,
    /// z coordinate of the reconstruction plane, m.
    pub plane: f64,
    /// Results by frequency.
    pub frequencies: Vec<AtFrequency>,
    /// Time history of a recording; empty if there is only one frame.
    pub time_history: Vec<FieldSnapshot>,
}

/// The field at one frequency.
#[derive(Clone, Debug)]
pub struct AtFrequency {
    /// Frequency of the DFT bin, Hz.
    pub frequency: f64,
    /// Measured hologram, Pa.
    pub hologram: Hologram,
    /// RMS noise estimated from the hologram, Pa.
    pub noise: f64,
    /// Regularization filter.
    pub filter: Filter,
    /// Angular spectrum in the reconstruction plane.
    pub spectrum: AngularSpectrum,
    /// Pressure and particle velocity in the reconstruction plane, row by row.
    pub field: Vec<SoundField>,
    /// Exact pressure in the reconstruction plane, Pa, row by row, if known.
    pub exact: Option<Vec<Complex64>>,
    /// Deviation from the exact field, if known.
    pub deviation: Option<Deviation>,
}

/// Deviation of a field from the exact one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviation {
    /// Relative error √(Σ|p − q|²/Σ|p|²) of the pressure in the reconstruction plane.
    pub pressure: f64,
    /// Root mean squared reconstruction error (RMSRE) of the magnitudes in the reconstruction plane.
    pub rmsre: f64,
    /// Normalized sum of absolute differences (NSAD) in the reconstruction plane.
    pub nsad: f64,
    /// Relative error √(Σ|p − q|²/Σ|p|²) of the hologram, caused by microphones and front end.
    pub hologram: f64,
}
