//! The region a beam has to cover, in the (u, v) plane of a geostationary satellite.
//!
//! A [`CoverageSpec`] names countries, a GeoJSON file, polygons or an ellipse; [`Coverage::new`]
//! projects and unites them, widens the result by a margin for errors of pointing and answers what
//! a synthesis asks of it: points inside and along the edge, distance from the edge, solid angle
//! and the directivity that no antenna can exceed all over the region.
//!
//! u and v are direction cosines with respect to the nadir, u to the east and v to the north.
//! Latitudes are taken as those of a sphere, which moves a place by up to 0.0006 in the plane
//! against the ellipsoid. A country that lies beyond the horizon is an error; of one that the horizon
//! cuts the visible part is covered, and [`Coverage::clipped`] says how much is missing.

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
