//! Radar products of a sweep: range profiles, ISAR images, and scattering centers.
//!
//! A point scatterer at r with amplitude S₀ has the response S(k, ŝ) = S₀ e^{2jkŝ·r} in the direction ŝ
//! (e^{+jωt}, phase reference at the origin of coordinates). Every product is a weighted sum over a sweep
//!
//! I(r) = Σ w S e^{−2jkŝ·r} / Σ w
//!
//! and reads S₀ at the position of an isolated point for every window.
//!
//! **Down-range** is c·t/2, with t the delay relative to a reflection at the origin: it is 0 at the origin and
//! increases away from the radar, r = −ŝ · down-range. As observed from the radar with +z up, **cross-range**
//! increases to the right (φ̂) for a sweep of φ and upward (−θ̂) for a sweep of θ.
//!
//! D. L. Mensa, High Resolution Radar Cross-Section Imaging, Artech House, 1991.

mod angular_aperture;
mod band;
mod centers;
mod direct_image;
mod error;
mod frame;
mod grid;
mod polar_format;
mod range_profile;
mod silhouette;
mod spec;
mod surface_map;
mod window;

pub use angular_aperture::AngularAperture;
pub use band::Band;
pub use centers::{Center, centers};
pub use direct_image::DirectImage;
pub use error::ProductError;
pub use frame::Frame;
pub use grid::Grid;
pub use polar_format::{Imager, PolarFormat};
pub use range_profile::{RangeProfiles, ranges};
pub use silhouette::silhouette;
pub use spec::{Products, Resolution, ScatteringCenters};
pub use surface_map::surface_map;
pub use window::Window;
