//! What a plane of a reconstruction is computed from.

use crate::border::Extended;
use crate::propagator::Propagator;
use crate::wavenumber::Wavenumbers;

/// A hologram with its border, and its way to another plane.
#[derive(Clone, Debug)]
pub struct Passage {
    /// The hologram on its grid.
    pub extended: Extended,
    /// The plane waves of that grid.
    pub wavenumbers: Wavenumbers,
    /// What each is multiplied by.
    pub way: Propagator,
    /// Frequency, Hz.
    pub frequency: f64,
}
