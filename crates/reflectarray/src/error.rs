//! What can be wrong with a problem for this solver.

use wavefield_nufft::NufftError;
use wavefield_numerics::observe::Cancelled;
use wavefield_solver::checkpoint::NotKept;
use wavefield_solver::{Classified, ErrorClass};

/// Why a reflectarray problem cannot be planned or did not finish.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// There is no region to cover.
    #[error(
        "`coverage` names no region; give `countries`, `geojson`, `polygons_uv` or `ellipse`, or several of them"
    )]
    NoRegion,
    /// A region on the Earth is given without the place it is seen from.
    #[error(
        "`coverage.satellite_longitude` is missing: `{key}` is seen from there; write for example \"5 deg\""
    )]
    NoSatellite {
        /// The key that needs it.
        key: &'static str,
    },
    /// A country is not known.
    #[error(
        "`coverage.countries`: there is no country `{name}`{}; it is written as a name (\"France\"), an alpha-3 code (\"FRA\") or a numeric one (\"250\") of ISO 3166-1",
        did_you_mean(.suggestions)
    )]
    UnknownCountry {
        /// What was written.
        name: String,
        /// Names and codes that are like it, the nearest first.
        suggestions: Vec<String>,
    },
    /// A box of longitudes and latitudes makes no sense.
    #[error("`coverage.box` = [west, south, east, north] in degrees: {problem}")]
    Box {
        /// What is wrong with it.
        problem: String,
    },
    /// A number is outside its range.
    #[error("`{key}` must lie between {least} and {most}, not at {value}")]
    Range {
        /// The key in the problem file.
        key: &'static str,
        /// Its value.
        value: f64,
        /// The least that makes sense.
        least: f64,
        /// The most that makes sense.
        most: f64,
    },
    /// The problem file names a GeoJSON file whose text was not handed over.
    #[error("`coverage.geojson`: the text of the file was not given")]
    GeojsonNotGiven,
    /// A GeoJSON text is not one, or holds something that cannot be covered.
    #[error("`coverage.geojson`{}{place}: {problem}", if .place.is_empty() { "" } else { ": " })]
    Geojson {
        /// Where in the text, as a path from its root.
        place: String,
        /// What is wrong there.
        problem: String,
    },
    /// A polygon in the (u, v) plane is not one.
    #[error("`coverage.polygons_uv[{index}]`: {problem}")]
    PolygonUv {
        /// Which one, from zero.
        index: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The ellipse is not one.
    #[error("`coverage.ellipse`: {problem}")]
    Ellipse {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// More points than polygons are worked with.
    #[error("`{key}` has {count} points, at most {most} are possible; simplify it")]
    TooManyPoints {
        /// The key in the problem file.
        key: &'static str,
        /// Points there are.
        count: usize,
        /// The most that is accepted.
        most: usize,
    },
    /// Edges cross each other so often that no region is meant.
    #[error(
        "`{key}`: edges cross or nearly touch each other in more than {most} places; simplify the outline"
    )]
    Tangled {
        /// The key in the problem file.
        key: &'static str,
        /// Places that are accepted.
        most: usize,
    },
    /// A ring winds round the Earth.
    #[error("`{key}`: a ring goes round the Earth more than once")]
    RoundTheEarth {
        /// The key in the problem file.
        key: &'static str,
    },
    /// What was asked for encloses no area.
    #[error("`{key}` encloses no area{}", if *.boxed { " inside `coverage.box`" } else { "" })]
    NoArea {
        /// The key in the problem file.
        key: &'static str,
        /// Whether there is a box.
        boxed: bool,
    },
    /// Every part of the region is smaller than what is kept.
    #[error(
        "`coverage.smallest_island` = {smallest} leaves nothing: the largest part has {largest:.3} square degrees"
    )]
    OnlyIslands {
        /// What is kept, in square degrees.
        smallest: f64,
        /// The largest part, in square degrees.
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
    /// A matrix has no eigenvalues that could be found: something in it is not a number.
    #[error(
        "eigenvalues of the array's matrix were not found; is a length or an exponent extreme?"
    )]
    NoEigenvalues,
    /// The run was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A finished part of the run could not be kept.
    #[error(transparent)]
    NotKept(#[from] NotKept),
    /// A non-uniform Fourier transform failed.
    #[error(transparent)]
    Nufft(#[from] NufftError),
    /// A number must be positive.
    #[error("`{key}` must be positive, not {value}")]
    NotPositive {
        /// The key in the problem file.
        key: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number of rows or columns makes no array.
    #[error("`{key}` must lie between 2 and {most}, not at {value}")]
    Count {
        /// The key in the problem file.
        key: &'static str,
        /// Its value.
        value: usize,
        /// The most that is accepted.
        most: usize,
    },
    /// The feed is not before the array.
    #[error("`feed.position`: the feed must stand before the array, at z > 0, not at z = {z} m")]
    FeedBehind {
        /// Its height in metres.
        z: f64,
    },
    /// Spacings leave no room.
    #[error("`lattice.spacing`: the least ({least} m) must be smaller than the most ({most} m)")]
    Spacing {
        /// Least spacing in metres.
        least: f64,
        /// Largest spacing in metres.
        most: f64,
    },
    /// Part of the array is not lit.
    #[error(
        "`feed.position`: the feed does not light the element at x = {x} m, y = {y} m; its axis points at the middle of the array"
    )]
    Unlit {
        /// Place of the element.
        x: f64,
        /// Place of the element.
        y: f64,
    },
    /// A spacing of points is not positive.
    #[error("the step between points must be positive, not {step}")]
    Step {
        /// The step.
        step: f64,
    },
    /// A spacing asks for too many points.
    #[error("a step of {step} makes {count:.1e} points, at most {most:.0e} are possible")]
    TooFine {
        /// The step.
        step: f64,
        /// Points it would make.
        count: f64,
        /// The most that is accepted.
        most: f64,
    },
}

impl Classified for Error {
    fn class(&self) -> ErrorClass {
        match self {
            Error::Cancelled(error) => error.class(),
            Error::NotKept(error) => error.class(),
            Error::NoRegion
            | Error::NoSatellite { .. }
            | Error::UnknownCountry { .. }
            | Error::Box { .. }
            | Error::Range { .. }
            | Error::GeojsonNotGiven
            | Error::Geojson { .. }
            | Error::PolygonUv { .. }
            | Error::Ellipse { .. }
            | Error::TooManyPoints { .. }
            | Error::Tangled { .. }
            | Error::RoundTheEarth { .. }
            | Error::NoArea { .. }
            | Error::OnlyIslands { .. }
            | Error::OutsideBox { .. }
            | Error::BeyondHorizon { .. }
            | Error::NoEigenvalues
            | Error::Nufft(_)
            | Error::NotPositive { .. }
            | Error::Count { .. }
            | Error::FeedBehind { .. }
            | Error::Spacing { .. }
            | Error::Unlit { .. }
            | Error::Step { .. }
            | Error::TooFine { .. } => ErrorClass::Input,
        }
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

fn did_you_mean(suggestions: &[String]) -> String {
    let quoted: Vec<String> = suggestions.iter().map(|name| format!("`{name}`")).collect();
    match quoted.is_empty() {
        true => String::new(),
        false => format!(", did you mean {}?", quoted.join(" or ")),
    }
}
