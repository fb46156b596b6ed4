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

pub mod coverage;
mod error;

pub use error::Error;
