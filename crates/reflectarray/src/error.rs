//! Errors of the reflectarray solver.

use wavefield_nufft::NufftError;
use wavefield_numerics::observe::Cancelled;
use wavefield_solver::checkpoint::CheckpointError;
use wavefield_solver::scene::InvalidSpec;
use wavefield_solver::{Classified, ErrorClass};

/// An error of planning or synthesis.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The specification is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// The text of the GeoJSON file named in the specification is missing.
    #[error("`coverage.geojson`: the text of the file is missing; pass it to the plan")]
    GeojsonNotGiven,
    /// The GeoJSON text is invalid, or holds a geometry without area.
    #[error("`coverage.geojson`{}{place}: {problem}", if .place.is_empty() { "" } else { ": " })]
    Geojson {
        /// Path in the text from its root.
        place: String,
        /// Description of the fault.
        problem: String,
    },
    /// A polygon in the (u, v) plane encloses no area.
    #[error("`coverage.polygons_uv.{index}` encloses no area")]
    PolygonUv {
        /// Its index, from zero.
        index: usize,
    },
    /// The polygons have too many points.
    #[error("`{key}` has {count} points; the maximum is {most}. Simplify it")]
    TooManyPoints {
        /// The key in the problem file.
        key: &'static str,
        /// Number of points.
        count: usize,
        /// Maximum number of points.
        most: usize,
    },
    /// Edges cross too often to define a region.
    #[error(
        "`{key}`: the outline has more than {most} crossing or nearly touching edges; simplify it"
    )]
    Tangled {
        /// The key in the problem file.
        key: &'static str,
        /// Maximum number of crossings.
        most: usize,
    },
    /// A ring winds around the Earth more than once.
    #[error("`{key}`: a ring winds around the Earth more than once; split it")]
    RoundTheEarth {
        /// The key in the problem file.
        key: &'static str,
    },
    /// The region encloses no area.
    #[error("`{key}` encloses no area{}", if *.boxed { " inside `coverage.box`" } else { "" })]
    NoArea {
        /// The key in the problem file.
        key: &'static str,
        /// Whether a box is specified.
        boxed: bool,
    },
    /// Every polygon is smaller than the minimum area.
    #[error(
        "`coverage.min_polygon_area` = {min_area} removes all polygons: the largest polygon has {largest:.3} square degrees; decrease it"
    )]
    OnlySmallPolygons {
        /// Minimum area, square degrees.
        min_area: f64,
        /// Area of the largest polygon, square degrees.
        largest: f64,
    },
    /// Countries outside the box.
    #[error(
        "`coverage.countries`: outside `coverage.box`: {}; remove them or enlarge the box",
        listed(.names)
    )]
    OutsideBox {
        /// Names of the countries.
        names: Vec<String>,
    },
    /// Parts of the region are beyond the horizon of the satellite.
    #[error(
        "`coverage.satellite_longitude`: not visible from {longitude} deg: {}; remove them from the coverage or move the satellite to within 81 deg of them",
        listed(&located(.parts))
    )]
    BeyondHorizon {
        /// Longitude of the satellite, degrees.
        longitude: f64,
        /// Names of the parts, and longitudes of their centers, degrees.
        parts: Vec<(String, f64)>,
    },
    /// An eigenvalue decomposition failed because the matrix is not finite.
    #[error(
        "the eigenvalue decomposition of the array matrix failed; check the lengths and `feed.q` for extreme values"
    )]
    NoEigenvalues,
    /// The run was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A checkpoint section could not be saved.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A nonuniform FFT failed.
    #[error(transparent)]
    Nufft(#[from] NufftError),
    /// Part of the array is not illuminated by the feed.
    #[error(
        "`feed.position`: the feed does not illuminate the element at x = {x} m, y = {y} m; its axis points at the center of the array"
    )]
    Unlit {
        /// Position of the element, m.
        x: f64,
        /// Position of the element, m.
        y: f64,
    },
    /// The sampling step is not positive.
    #[error("the sampling step must be positive, not {step}")]
    Step {
        /// Sampling step, direction cosines.
        step: f64,
    },
    /// The sampling step yields too many points.
    #[error(
        "a sampling step of {step:.1e} yields {count:.1e} directions over the coverage; the maximum is {most:.1e}. Reduce the aperture or the coverage"
    )]
    TooFine {
        /// Sampling step, direction cosines.
        step: f64,
        /// Number of points.
        count: f64,
        /// Maximum number of points.
        most: f64,
    },
}

impl Classified for Error {
    fn class(&self) -> ErrorClass {
        match self {
            Error::Invalid(error) => error.class(),
            Error::Cancelled(error) => error.class(),
            Error::Checkpoint(error) => error.class(),
            Error::GeojsonNotGiven
            | Error::Geojson { .. }
            | Error::PolygonUv { .. }
            | Error::TooManyPoints { .. }
            | Error::Tangled { .. }
            | Error::RoundTheEarth { .. }
            | Error::NoArea { .. }
            | Error::OnlySmallPolygons { .. }
            | Error::OutsideBox { .. }
            | Error::BeyondHorizon { .. }
            | Error::NoEigenvalues
            | Error::Nufft(_)
            | Error::Unlit { .. }
            | Error::Step { .. }
            | Error::TooFine { .. } => ErrorClass::Input,
        }
    }

    fn path(&self) -> Option<String> {
        let key: &str = match self {
            Error::GeojsonNotGiven | Error::Geojson { .. } => "coverage.geojson",
            Error::PolygonUv { index } => return Some(format!("coverage.polygons_uv.{index}")),
            Error::TooManyPoints { key, .. }
            | Error::Tangled { key, .. }
            | Error::RoundTheEarth { key }
            | Error::NoArea { key, .. } => key,
            Error::OnlySmallPolygons { .. } => "coverage.min_polygon_area",
            Error::OutsideBox { .. } => "coverage.countries",
            Error::BeyondHorizon { .. } => "coverage.satellite_longitude",
            Error::Unlit { .. } => "feed.position",
            Error::Invalid(error) => return error.path(),
            Error::NoEigenvalues
            | Error::Cancelled(_)
            | Error::Checkpoint(_)
            | Error::Nufft(_)
            | Error::Step { .. }
            | Error::TooFine { .. } => return None,
        };
        Some(key.to_owned())
    }
}

/// Maximum number of names in a message.
const NAMED: usize = 8;

fn listed(names: &[String]) -> String {
    let mut text = names[..names.len().min(NAMED)].join(", ");
    if names.len() > NAMED {
        text.push_str(&format!(" and {} more", names.len() - NAMED));
    }
    text
}

fn located(parts: &[(String, f64)]) -> Vec<String> {
    let located = |(name, longitude): &(String, f64)| format!("{name} (at {longitude:.0} deg)");
    parts.iter().map(located).collect()
}
