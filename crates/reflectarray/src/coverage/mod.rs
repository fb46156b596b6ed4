//! Coverages: regions in the (u, v) plane of a geostationary satellite.
//!
//! A [`CoverageSpec`] lists countries, a GeoJSON file, polygons, or an ellipse. [`Coverage::new`]
//! projects and unites them, widens the result by a margin for pointing errors, and provides
//! interior and edge samples, distance from the edge, solid angle, and the ideal directivity 4π/Ω.
//!
//! u and v are direction cosines with respect to the nadir, u to the east and v to the north. The
//! Earth is a sphere; the error relative to the ellipsoid is at most 0.0006 in the plane. A country
//! beyond the horizon is an error; a country cut by the horizon is covered as far as it is visible,
//! and [`Coverage::clipped`] returns the hidden fraction.

mod assembly;
mod boundary;
mod geojson;
mod natural_earth;
mod outline;
mod polygons;
mod projection;
mod region;
mod spec;

pub use outline::Outline;
pub use region::{Clipped, Coverage, Masks, Zone};
pub use spec::{CoverageSpec, EllipseUv};
