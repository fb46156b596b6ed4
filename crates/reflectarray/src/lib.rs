//! Reflectarray antennas whose beam follows the shape of a region of the Earth.
//!
//! [`coverage`] turns a description (countries, a GeoJSON file, outlines) into the region in the
//! plane of direction cosines that the beam has to fill, as seen from a geostationary satellite.
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
mod certificate;
pub mod coverage;
mod descent;
mod directions;
mod element;
mod error;
mod feed;
pub mod mask;
mod max_min;
pub mod pattern;
mod plan;
mod projections;
pub mod radiated;
mod result;
mod spacing;
mod spec;
mod trade_off;
mod window;

pub use aperture::Aperture;
pub use certificate::{MeanBound, MinimumBound, dual};
pub use directions::{Directions, Judgement};
pub use element::Element;
pub use error::Error;
pub use feed::{Feed, FeedSpec, Illumination};
pub use max_min::Start;
pub use plan::Plan;
pub use result::{Even, Size, Solution};
pub use spacing::{Limits, Spacings};
pub use spec::{FreeSpacing, Lattice, Spacing, Spec};
pub use window::{Operator, Window};
