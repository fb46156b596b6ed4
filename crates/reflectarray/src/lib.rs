//! Reflectarray antennas whose beam follows the shape of a region of the Earth.
//!
//! A feed lights a flat array; every element sends the wave on with a phase of its own. The field towards the
//! direction cosines (u, v) is the element factor times F(u, v) = Σ aₙ e^{jψₙ} e^{jk(uxₙ + vyₙ)}, with aₙ the
//! aperture field times the area of the cell. Sought are the phases ψₙ, and the places where they are free,
//! for which the least directivity over the coverage is largest.
//!
//! - [`coverage`] turns a description (countries, a GeoJSON file, outlines) into the region in the (u, v) plane,
//!   as seen from a geostationary satellite.
//! - [`Window`] and [`Operator`] see the array through that region only: some hundred degrees of freedom.
//! - [`Plan::execute`] goes by stages ([`Stage`]): a continuous aperture, few Zernike polynomials with a global
//!   search (and Lagrange polynomials for free distances), more of them, individual phases, the largest minimum;
//!   and compares with iterated projections.
//! - [`MinimumBound`] and [`MeanBound`] say what no phases can exceed, by duality.
//! - [`mask`] and [`pattern`] have the distance from a mask and its slopes by phases and places, by the NUFFT.
//!
//! # Limits
//!
//! Directivity is normalized to the power the array captures: times the spillover efficiency it is the gain; [`radiated`] gives the power truly radiated. One
//! frequency, one polarization, elements that turn the phase and nothing else. Free spacings are those of
//! whole rows and columns. With amplitude = aperture field × cell area an aperiodic layout gains by its larger
//! aperture: in every case tried all spacings went to the largest allowed. The array faces the nadir; a beam elsewhere
//! is steered by its phases.
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
pub use directions::{Directions, Judgement};
pub use element::Element;
pub use error::Error;
pub use feed::{Feed, FeedSpec, Illumination};
pub use plan::Plan;
pub use result::{Cuts, Even, LineEnd, Outside, Sidelobes, Size, Solution};
pub use spacing::{Limits, Spacings};
pub use spec::{FreeSpacing, Lattice, SidelobeMask, Spacing, Spec};
pub use synthesis::{Stage, Step};
pub use window::{Operator, Window};
