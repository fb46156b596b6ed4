//! Phase and spacing synthesis of reflectarray antennas with shaped beams for a coverage on the Earth.
//!
//! # Formulation
//!
//! A feed with the field pattern cos^q θ illuminates a flat array; every element reflects the wave with an
//! individual phase shift. The far field toward the direction cosines (u, v) is the element factor times the
//! array factor F(u, v) = Σ aₙ e^{jψₙ} e^{jk(uxₙ + vyₙ)}, with aₙ the aperture field times the cell area; the
//! amplitude taper is that of the illumination. The synthesis finds the phases ψₙ, and the spacings of rows and
//! columns if they are free, that maximize the minimum directivity over the coverage, optionally under a
//! sidelobe mask.
//!
//! # Algorithm
//!
//! - [`coverage`] projects countries, GeoJSON polygons, or outlines to the (u, v) plane of a geostationary
//!   satellite.
//! - [`Window`] and [`Operator`] reduce the array over that region to some hundred degrees of freedom, by
//!   discrete prolate spheroidal sequences.
//! - [`Plan::execute`] optimizes by stages ([`Stage`]): continuous aperture; low-order Zernike polynomials (and
//!   Lagrange polynomials for free spacings) with a global search by multi-level single linkage; higher-order
//!   polynomials; element phases; max–min optimization with L-BFGS. The result is compared with iterated
//!   projections.
//! - [`MinimumBound`] and [`MeanBound`] are certified upper bounds on the minimum and the mean directivity for
//!   any phases, by duality.
//! - [`mask`] and [`pattern`] evaluate the distance from a mask and its derivatives with respect to phases and
//!   element positions by the NUFFT.
//!
//! # Limitations
//!
//! Directivity is normalized to the captured power, so that the gain is the product of directivity and
//! spillover efficiency; [`radiated`] computes the radiated power. One frequency, one polarization, phase-only
//! elements. Free spacings are those of entire rows and columns. With amplitude = aperture field × cell area an
//! aperiodic layout gains by its larger aperture: in all cases tested, the spacings converged to the maximum.
//! The array faces the nadir; a beam elsewhere is steered by the phases.
//!
//! The model and the masks follow A. Capozzoli, C. Curcio, A. Liseno, G. Toso, "Fast, phase-only synthesis of
//! aperiodic reflectarrays using NUFFTs and CUDA" (2016).
//!
//! ```
//! use wavefield_reflectarray::coverage::{Coverage, CoverageSpec};
//!
//! let spec: CoverageSpec = toml::from_str(r#"
//!     countries = ["France", "ESP", "PRT"]
//!     box = [-11, 35, 10, 52]
//!     satellite_longitude = "5 deg"
//!     margin = 0.002
//! "#)?;
//! let coverage = Coverage::new(&spec, None)?;
//! assert!(coverage.contains(-0.01, 0.11));
//! // No lossless antenna fills this region with more than 4π/Ω.
//! assert!((coverage.ideal_directivity_dbi() - 42.0).abs() < 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod aperture;
mod beam;
mod ceiling;
mod certificate;
mod continuous;
mod contract;
pub mod coverage;
mod descent;
mod directions;
mod element;
mod error;
mod far_field;
mod feed;
mod lagrange;
pub mod mask;
mod max_min;
mod modes;
mod multistart;
mod outcome;
mod outside;
pub mod pattern;
mod plan;
mod projections;
pub mod radiated;
mod result;
mod shape;
mod spacing;
mod spec;
mod synthesis;
mod trade_off;
mod window;
mod zernike;

pub use aperture::Aperture;
pub use certificate::{MeanBound, MinimumBound, dual};
pub use contract::{ReflectarrayRun, ReflectarraySolver};
pub use directions::{CoverageMetrics, Directions};
pub use element::Element;
pub use error::Error;
pub use feed::{Feed, FeedSpec, Illumination};
pub use plan::Plan;
pub use result::{Cuts, Even, LineEnd, Outside, Sidelobes, Size, Solution};
pub use spacing::{Limits, Spacings};
pub use spec::{FreeSpacing, Lattice, SidelobeMask, Spacing, Spec};
pub use synthesis::{Stage, Step};
pub use window::{Operator, Window};
