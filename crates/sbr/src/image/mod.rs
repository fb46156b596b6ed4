//! What a radar makes of a sweep: range profiles, images, and lists of scattering centres.
//!
//! A point at r that scatters with amplitude S₀ is seen from the direction ŝ as S(k, ŝ) = S₀ e^{2jkŝ·r}
//! (e^{+jωt}, the phase that of the origin of coordinates). Every product is a weighted sum over a sweep
//!
//! I(r) = Σ w S e^{−2jkŝ·r} / Σ w
//!
//! and reads S₀ at the place of a lone point, whatever the window.
//!
//! **Down-range** is c·t/2, t being the delay against a wave that turns back at the origin: the origin lies at
//! 0, and it grows away from the radar, r = −ŝ · down-range. **Cross-range** grows to the right of somebody who
//! looks from the radar along the wave with +z overhead (φ̂) where φ is swept, and upwards (−θ̂) where θ is.
//!
//! D. L. Mensa, High Resolution Radar Cross-Section Imaging, Artech House, 1991.

mod band;
mod centres;
mod direct_image;
mod error;
mod frame;
mod grid;
mod polar_format;
mod range_profile;
mod silhouette;
mod spec;
mod surface_map;
mod turn;
mod window;

pub use band::Band;
pub use centres::{Centre, centres};
pub use direct_image::DirectImage;
pub use error::ProductError;
pub use frame::Frame;
pub use grid::Grid;
pub use polar_format::{Imager, PolarFormat};
pub use range_profile::{RangeProfiles, ranges};
pub use silhouette::silhouette;
pub use spec::{Products, Resolution, ScatteringCenters};
pub use surface_map::surface_map;
pub use turn::Turn;
pub use window::Window;
