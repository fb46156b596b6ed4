//! Physics common to the solvers of Wavefield: constants, quantities with units, media, directions,
//! plane waves, far fields, S-parameters, layered media, and analytical solutions.
//!
//! Conventions: time dependence e^{+jωt}, outgoing waves e^{−jkr}/r, loss as a negative imaginary
//! part of ε and µ, SI units, θ from +z and φ from +x, incidence given by the direction that the
//! wave is incident from, V = θ̂ and H = φ̂.
//!
//! Analytical solutions: Mie series (PEC, dielectric, and coated spheres), circular cylinders in TM
//! and TE, Sommerfeld's half-plane, Hertzian dipole, acoustic monopole and dipole, baffled piston
//! and plate. Far fields give the radar cross section (RCS), scattering width, and directivity.
//!
//! # Example
//!
//! Monostatic radar cross section of a PEC sphere of radius 30 cm at 1 GHz, incidence θ = 90°, φ =
//! 0°:
//!
//! ```
//! use wavefield_physics::direction::Direction;
//! use wavefield_physics::exact::sphere::{MieSeries, Sphere};
//! use wavefield_physics::far_field::Channel;
//! use wavefield_physics::quantity::{Frequency, Length};
//!
//! let frequency: Frequency = "1 GHz".parse()?;
//! let radius: Length = "30 cm".parse()?;
//! let sphere = Sphere::pec(radius.meters(frequency.wavelength()));
//! let series = MieSeries::new(&sphere, frequency.0)?;
//! let radar = Direction::from_degrees(90.0, 0.0);
//! let rcs = series.scattering(radar, radar).dbsm(Channel::VV);
//! assert!((rcs - -5.4516).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! Analytical solutions are accurate to 1e-13 of their envelope for orders and arguments up to 10⁴,
//! verified against tables computed with 60 digits.

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
