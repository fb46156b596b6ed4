//! Errors of the reflectarray solver.

use wavefield_nufft::NufftError;
use wavefield_numerics::observe::Cancelled;
use wavefield_solver::checkpoint::NotKept;
use wavefield_solver::scene::InvalidSpec;
use wavefield_solver::{Classified, ErrorClass};

/// An error of planning or synthesis.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// The specification is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidSpec),
    /// The problem file names a GeoJSON file whose text was not handed over.
    #[error("`coverage.geojson`: the text of the file was not given")]
    GeojsonNotGiven,
    /// The GeoJSON text is invalid, or holds something that cannot be covered.
    #[error("`coverage.geojson`{}{place}: {problem}", if .place.is_empty() { "" } else { ": " })]
    Geojson {
        /// Position in the text, as a path from its root.
        place: String,
        /// What is wrong there.
        problem: String,
    },
    /// A polygon in the (u, v) plane encloses no area.
    #[error("`coverage.polygons_uv.{index}` encloses no area")]
    PolygonUv {
        /// Its index, from zero.
        index: usize,
    },
    /// The polygons have too many points.
    #[error("`{key}` has {count} points, at most {most} are possible; simplify it")]
    TooManyPoints {
        /// The key in the problem file.
        key: &'static str,
        /// Number of points.
        count: usize,
        /// Maximum number of points.
        most: usize,
    },
    /// Edges cross each other so often that no region is meant.
    #[error(
        "`{key}`: edges cross or nearly touch each other in more than {most} places; simplify the outline"
    )]
    Tangled {
        /// The key in the problem file.
        key: &'static str,
        /// Maximum number of crossings.
        most: usize,
    },
    /// A ring winds around the Earth.
    #[error("`{key}`: a ring goes round the Earth more than once")]
    RoundTheEarth {
        /// The key in the problem file.
        key: &'static str,
    },
    /// The region has no area.
    #[error("`{key}` encloses no area{}", if *.boxed { " inside `coverage.box`" } else { "" })]
    NoArea {
        /// The key in the problem file.
        key: &'static str,
        /// Whether there is a box.
        boxed: bool,
    },
    /// Every polygon is smaller than the minimum area.
    #[error(
        "`coverage.min_polygon_area` = {min_area} leaves nothing: the largest polygon has {largest:.3} square degrees"
    )]
    OnlySmallPolygons {
        /// Minimum area, square degrees.
        min_area: f64,
        /// Area of the largest polygon, square degrees.
        largest: f64,
    },
    /// Countries lie outside the box.
    #[error(
        "`coverage.countries`: outside `coverage.box`: {}; remove them or enlarge the box",
        listed(.names)
    )]
    OutsideBox {
        /// Their names.
        names: Vec<String>,
    },
    /// Parts of the region are beyond the horizon.
    #[error(
        "`coverage.satellite_longitude`: not visible from {longitude} deg: {}; remove them from the coverage or move the satellite to within 81 deg of them",
        listed(&located(.parts))
    )]
    BeyondHorizon {
        /// Longitude of the satellite in degrees.
        longitude: f64,
        /// Names of the parts, and the longitudes of their centers in degrees.
        parts: Vec<(String, f64)>,
    },
    /// An eigenvalue decomposition failed: something in the matrix is not a number.
    #[error("eigenvalues of the array's matrix were not found; is a length or `feed.q` extreme?")]
    NoEigenvalues,
    /// The run was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A checkpoint section could not be stored.
    #[error(transparent)]
    NotKept(#[from] NotKept),
    /// A nonuniform FFT failed.
    #[error(transparent)]
    Nufft(#[from] NufftError),
    /// Part of the array is not illuminated.
    #[error(
        "`feed.position`: the feed does not illuminate the element at x = {x} m, y = {y} m; its axis points at the center of the array"
    )]
    Unlit {
        /// Position of the element, m.
        x: f64,
        /// Position of the element, m.
        y: f64,
    },
    /// The step between points is not positive.
    #[error("the step between points must be positive, not {step}")]
    Step {
        /// The step.
        step: f64,
    },
    /// The step asks for too many points.
    #[error("a step of {step} makes {count:.1e} points, at most {most:.0e} are possible")]
    TooFine {
        /// The step.
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
            Error::NotKept(error) => error.class(),
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
            | Error::NotKept(_)
            | Error::Nufft(_)
            | Error::Step { .. }
            | Error::TooFine { .. } => return None,
        };
        Some(key.to_owned())
    }
}

/// Names that a message repeats.
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
