//! Outlines of countries: Natural Earth at 1:50 million, in the public domain.
//!
//! The data are TopoJSON, in which neighbors share the arcs of their common border, so that their
//! union has no gaps. `data/make.py` creates the file, `data/NOTICE` lists its sources.

use std::io::Read;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use serde::Deserialize;

use super::projection::{Ring, Rings};

static COMPRESSED: &[u8] = include_bytes!("../../data/countries-50m.json.gz");

static COUNTRIES: LazyLock<Vec<Country>> = LazyLock::new(read);

/// Jaro–Winkler similarity, 0 to 1, above which a name is suggested for a misspelled one.
const ALIKE: f64 = 0.8;
/// Maximum number of suggestions for an unknown name.
const SUGGESTIONS: usize = 3;
/// Maximum number of characters of an unknown name in a message.
pub(super) const SHOWN: usize = 40;

/// A country or territory with its outlines.
pub(super) struct Country {
    numeric: Option<u16>,
    alpha3: Option<String>,
    /// Names; the full name first.
    names: Vec<String>,
    pub(super) polygons: Vec<Rings>,
}

impl Country {
    /// Returns the full English name.
    pub(super) fn name(&self) -> &str {
        &self.names[0]
    }

    fn is_called(&self, written: &str) -> bool {
        let same = |name: &String| name.to_lowercase() == written.to_lowercase();
        self.alpha3.iter().any(same)
            || self.names.iter().any(same)
            || written
                .parse()
                .is_ok_and(|code: u16| self.numeric == Some(code))
    }
}

/// Finds a country by its English name, alpha-3 code, or numeric code.
pub(super) fn country(written: &str) -> Option<&'static Country> {
    let written = written.trim();
    COUNTRIES.iter().find(|country| country.is_called(written))
}

/// Returns the names and codes most similar to an unknown one, the most similar first.
pub(super) fn suggestions(written: &str) -> Vec<String> {
    let written = written.trim().to_lowercase();
    let written: String = written.chars().take(SHOWN).collect();
    let mut alike: Vec<(f64, &String)> = COUNTRIES
        .iter()
        .filter_map(|country| {
            country
                .names
                .iter()
                .chain(&country.alpha3)
                .map(|name| (strsim::jaro_winkler(&written, &name.to_lowercase()), name))
                .filter(|(likeness, _)| *likeness > ALIKE)
                .max_by(|a, b| a.0.total_cmp(&b.0))
        })
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0));
    alike
        .into_iter()
        .take(SUGGESTIONS)
        .map(|(_, name)| name.clone())
        .collect()
}

#[derive(Deserialize)]
struct Topology {
    transform: Transform,
    arcs: Vec<Vec<[f64; 2]>>,
    objects: Objects,
}

#[derive(Deserialize)]
struct Transform {
    scale: [f64; 2],
    translate: [f64; 2],
}

#[derive(Deserialize)]
struct Objects {
    countries: Collection,
}

#[derive(Deserialize)]
struct Collection {
    geometries: Vec<Geometry>,
}

#[derive(Deserialize)]
struct Geometry {
    id: Option<String>,
    properties: Properties,
    #[serde(flatten)]
    shape: Shape,
}

#[derive(Deserialize)]
struct Properties {
    name: String,
    alpha3: Option<String>,
    #[serde(default)]
    also: Vec<String>,
}

/// Rings as arc indices; a negative index is the complement of an arc traversed backward.
#[derive(Deserialize)]
#[serde(tag = "type", content = "arcs")]
enum Shape {
    Polygon(Vec<Vec<i32>>),
    MultiPolygon(Vec<Vec<Vec<i32>>>),
}

/// Reads the embedded file; a mismatch is a build error.
fn read() -> Vec<Country> {
    let mut text = String::new();
    GzDecoder::new(COMPRESSED)
        .read_to_string(&mut text)
        .expect("the outlines of countries are compressed text");
    let topology: Topology =
        serde_json::from_str(&text).expect("the outlines of countries are TopoJSON");
    let arcs: Vec<Ring> = topology
        .arcs
        .iter()
        .map(|steps| positions(steps, &topology.transform))
        .collect();
    topology
        .objects
        .countries
        .geometries
        .into_iter()
        .map(|geometry| {
            let polygons = match geometry.shape {
                Shape::Polygon(rings) => vec![rings],
                Shape::MultiPolygon(polygons) => polygons,
            };
            let Properties { name, alpha3, also } = geometry.properties;
            Country {
                numeric: geometry.id.and_then(|id| id.parse().ok()),
                alpha3,
                names: std::iter::once(name).chain(also).collect(),
                polygons: polygons
                    .iter()
                    .map(|rings| rings.iter().map(|ring| joined(ring, &arcs)).collect())
                    .collect(),
            }
        })
        .collect()
}

/// Decodes the delta-encoded positions of an arc to longitudes and latitudes.
fn positions(steps: &[[f64; 2]], transform: &Transform) -> Ring {
    let Transform { scale, translate } = transform;
    let mut at = [0.0; 2];
    steps
        .iter()
        .map(|step| {
            at = [at[0] + step[0], at[1] + step[1]];
            [
                at[0] * scale[0] + translate[0],
                at[1] * scale[1] + translate[1],
            ]
        })
        .collect()
}

/// Joins arcs to a ring; the common end of two arcs occurs once, also on the date line.
fn joined(ring: &[i32], arcs: &[Ring]) -> Ring {
    let same = |a: [f64; 2], b: [f64; 2]| a[1] == b[1] && (a[0] - b[0]) % 360.0 == 0.0;
    let mut joined = Ring::new();
    for &number in ring {
        let mut add = |position: &[f64; 2]| {
            if !joined.last().is_some_and(|last| same(*last, *position)) {
                joined.push(*position);
            }
        };
        if number < 0 {
            arcs[!number as usize].iter().rev().for_each(&mut add);
        } else {
            arcs[number as usize].iter().for_each(&mut add);
        }
    }
    if same(joined[0], joined[joined.len() - 1]) {
        joined.pop();
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::CoverageSpec;
    use wavefield_physics::quantity::Angle;
    use wavefield_solver::scene::Issues;

    /// Returns the message and the help for a coverage of an unknown country.
    fn refused(name: &str) -> String {
        let spec = CoverageSpec {
            countries: vec![name.to_owned()],
            satellite_longitude: Some(Angle::from_degrees(0.0)),
            ..CoverageSpec::default()
        };
        let mut issues = Issues::default();
        spec.check(&mut issues);
        let issues = issues.into_vec();
        assert_eq!(issues.len(), 1);
        format!(
            "{}; {}",
            issues[0].message,
            issues[0].help.as_ref().unwrap()
        )
    }

    #[test]
    fn a_country_is_found_by_name_and_by_code() {
        for written in ["Belgium", "belgium", "BEL", "bel", "056", "56", " Belgium "] {
            assert_eq!(country(written).unwrap().name(), "Belgium", "{written}");
        }
        for (written, also) in [
            ("Bosnia and Herzegovina", "Bosnia and Herz."),
            ("Türkiye", "Turkey"),
            ("Åland", "åland islands"),
            ("Kosovo", "XKX"),
        ] {
            assert_eq!(
                country(written).unwrap().name(),
                country(also).unwrap().name()
            );
        }
    }

    #[test]
    fn codes_are_complete_and_no_name_means_two_countries() {
        assert_eq!(COUNTRIES.len(), 241);
        for (index, one) in COUNTRIES.iter().enumerate() {
            assert_eq!(
                one.numeric.is_some() || one.names[0] == "Kosovo",
                one.alpha3.is_some(),
                "{}",
                one.names[0]
            );
            for other in &COUNTRIES[index + 1..] {
                for name in &one.names {
                    assert!(!other.is_called(name), "{name}");
                }
            }
        }
    }

    #[test]
    fn an_unknown_country_is_answered_with_the_nearest_names() {
        let text = refused("Germny");
        assert!(text.contains("`coverage.countries.0`") && text.contains("did you mean `Germany`"));
        let text = refused("Frence");
        assert!(text.contains("`France`"), "{text}");
        assert!(!refused("Qqqqq").contains("did you mean"));
        assert!(refused("").len() < 250);
        assert!(refused(&"x".repeat(100_000)).len() < 250);
    }
}
