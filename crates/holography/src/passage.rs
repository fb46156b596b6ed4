//! Input of a reconstruction in one plane.

use crate::border::Extended;
use crate::propagator::Propagator;
use crate::wavenumber::Wavenumbers;

/// A padded hologram and its propagator to another plane.
#[derive(Clone, Debug)]
pub struct Passage {
    /// Hologram with its border.
    pub extended: Extended,
    /// Wavenumbers of the padded grid.
    pub wavenumbers: Wavenumbers,
    /// Factors of the angular spectrum.
    pub way: Propagator,
    /// Frequency, Hz.
    pub frequency: f64,
}
