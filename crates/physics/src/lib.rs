//! The physics every solver of Wavefield shares: constants, quantities with units, media,
//! directions, plane waves, far fields, and exact solutions.
//!
//! Conventions: time dependence e^{+jωt}, outgoing waves e^{−jkr}/r, loss as a negative imaginary
//! part of ε and µ, SI units, θ from +z and φ from +x, incidence given by the direction the wave
//! comes from, V = θ̂ and H = φ̂.
//!
//! # Example
//!
//! The radar cross section of a perfectly conducting sphere of 30 cm radius at 1 GHz, seen
//! from where the wave comes from:
//!
//! ```
//! use wavefield_physics::direction::Direction;
//! use wavefield_physics::exact::sphere::{MieSeries, Sphere};
//! use wavefield_physics::far_field::Channel;
//! use wavefield_physics::quantity::{Frequency, Length};
//!
//! let frequency: Frequency = "1 GHz".parse()?;
//! let radius: Length = "30 cm".parse()?;
//! let sphere = Sphere::pec(radius.metres(frequency.wavelength()));
//! let series = MieSeries::new(&sphere, frequency.0)?;
//! let radar = Direction::from_degrees(90.0, 0.0);
//! let rcs = series.scattering(radar, radar).dbsm(Channel::VV);
//! assert!((rcs - -5.4516).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! Exact solutions hold 1e-13 of their envelope for orders and arguments up to 10⁴; the tables
//! they are tested against were computed with sixty digits.

#![forbid(unsafe_code)]

pub mod antenna;
pub mod constants;
pub mod direction;
pub mod exact;
pub mod far_field;
pub mod layers;
pub mod material;
pub mod medium;
pub mod plane_wave;
pub mod quantity;
pub mod sweep;
