//! From a description to polygons in the (u, v) plane.

use geo::algorithm::bool_ops::BooleanOps;
use geo::{Area, CoordsIter, MultiPolygon};

use super::geojson;
use super::natural_earth::{self, Country};
use super::outline::{Outline, polygon};
use super::polygons::{
    bearable, countable, ellipse, enclosed, simplified, united, widened, without_small_parts,
};
use super::projection::{Rings, Satellite, points_to_project};
use super::region::Clipped;
use super::spec::{CoverageSpec, EllipseUv};
use crate::error::Error;

/// The box of the whole Earth.
const EVERYWHERE: [f64; 4] = [-180.0, -90.0, 180.0, 90.0];
/// Widest margin and coarsest simplification: half the disc of the Earth.
const MOST_MARGIN: f64 = 0.1;
/// Largest island that may be left out, in square degrees.
const MOST_ISLAND: f64 = 1e4;
/// Radius of a polygon around the directions there are that has no point outside them.
const INSIDE: f64 = 0.99999;

/// What a description comes to in the (u, v) plane.
pub(super) struct Assembly {
    /// The region, widened and simplified.
    pub(super) region: MultiPolygon,
    /// The land of the countries and the GeoJSON file as it is.
    pub(super) land: MultiPolygon,
    /// The fraction of that land's area that is beyond the horizon.
    pub(super) hidden: f64,
    /// The named parts that the horizon cuts.
    pub(super) clipped: Vec<Clipped>,
}

/// A country or a geometry of the GeoJSON file inside the box, in degrees east of the satellite and latitude.
struct Part {
    name: String,
    region: MultiPolygon,
}

/// Projects and unites everything that is named.
pub(super) fn assemble(spec: &CoverageSpec, geojson: Option<&str>) -> Result<Assembly, Error> {
    within("coverage.margin", spec.margin, MOST_MARGIN)?;
    within("coverage.simplify", spec.simplify, MOST_MARGIN)?;
    within(
        "coverage.smallest_island",
        spec.smallest_island,
        MOST_ISLAND,
    )?;
    let mut parts = Vec::new();
    let mut land = MultiPolygon(Vec::new());
    let mut hidden = 0.0;
    let mut clipped = Vec::new();
    if let Some(satellite) = satellite(spec)? {
        let named = territory(spec, geojson, satellite)?;
        let regions = named.iter().flat_map(|part| part.region.clone());
        let every = united(&MultiPolygon(regions.collect()));
        let kept = without_small_parts(&every, spec.smallest_island);
        if kept.0.is_empty() {
            return Err(Error::OnlyIslands {
                smallest: spec.smallest_island,
                largest: every.iter().map(Area::unsigned_area).fold(0.0, f64::max),
            });
        }
        clipped = visibility(&named, spec.smallest_island, satellite)?;
        let seen = satellite.view(&kept);
        hidden = seen.hidden;
        land = satellite.view(&every).polygons;
        parts.extend(seen.polygons);
    }
    for (index, outline) in spec.polygons_uv.iter().enumerate() {
        parts.extend(drawn(index, outline)?);
    }
    if let Some(spec) = &spec.ellipse {
        parts.push(sound_ellipse(spec)?);
    }
    if parts.is_empty() {
        return Err(Error::NoRegion);
    }
    let parts = MultiPolygon(parts);
    if !spec.polygons_uv.is_empty() {
        bearable("coverage.polygons_uv", &parts)?;
    }
    let mut region = united(&parts);
    if spec.margin > 0.0 {
        region = widened(&region, spec.margin)?;
    }
    if spec.simplify > 0.0 {
        region = simplified(&region, spec.simplify);
    }
    // A margin may lead out of the directions there are.
    if region.coords_iter().any(|c| c.x.hypot(c.y) > 1.0) {
        region = region.intersection(&ellipse([0.0; 2], [INSIDE; 2], 0.0));
    }
    Ok(Assembly {
        region,
        land,
        hidden,
        clipped,
    })
}

/// Returns the parts that the horizon cuts.
///
/// # Errors
/// A part that the satellite does not see at all: left out, it would be missing without a word.
fn visibility(
    named: &[Part],
    smallest_island: f64,
    satellite: Satellite,
) -> Result<Vec<Clipped>, Error> {
    let mut clipped = Vec::new();
    let mut beyond = Vec::new();
    for part in named {
        // Islands that are left out do not count, except where neighbors make one large part of small ones.
        let large = without_small_parts(&part.region, smallest_island);
        let region = if large.0.is_empty() {
            &part.region
        } else {
            &large
        };
        let seen = satellite.view(region);
        if seen.polygons.0.is_empty() {
            beyond.push((part.name.clone(), satellite.middle_longitude(region)));
        } else if seen.hidden > 0.0 {
            clipped.push(Clipped {
                name: part.name.clone(),
                hidden: seen.hidden,
            });
        }
    }
    if beyond.is_empty() {
        return Ok(clipped);
    }
    Err(Error::BeyondHorizon {
        longitude: satellite.longitude,
        parts: beyond,
    })
}

fn within(key: &'static str, value: f64, most: f64) -> Result<(), Error> {
    if (0.0..=most).contains(&value) {
        Ok(())
    } else {
        Err(Error::Range {
            key,
            value,
            least: 0.0,
            most,
        })
    }
}

/// Where the satellite stands, if something on the Earth is to be seen from it.
fn satellite(spec: &CoverageSpec) -> Result<Option<Satellite>, Error> {
    let key = match (&spec.countries[..], &spec.geojson) {
        ([], None) => return Ok(None),
        ([], Some(_)) => "coverage.geojson",
        _ => "coverage.countries",
    };
    let longitude = spec
        .satellite_longitude
        .ok_or(Error::NoSatellite { key })?
        .degrees();
    // Degrees come back from radians with a rounding that would be read in messages.
    let longitude = (longitude * 1e9).round() / 1e9;
    if (-360.0..=360.0).contains(&longitude) {
        Ok(Some(Satellite { longitude }))
    } else {
        Err(Error::Range {
            key: "coverage.satellite_longitude",
            value: longitude,
            least: -360.0,
            most: 360.0,
        })
    }
}

/// The countries, and the geometries of the GeoJSON file, as far as they lie in the box.
fn territory(
    spec: &CoverageSpec,
    geojson: Option<&str>,
    satellite: Satellite,
) -> Result<Vec<Part>, Error> {
    let window = satellite.window(checked_box(spec.bounding_box)?);
    // A country that is named again costs no more time.
    let mut named: Vec<&Country> = Vec::new();
    for name in &spec.countries {
        let country = natural_earth::country(name)?;
        if !named.iter().any(|other| std::ptr::eq(*other, country)) {
            named.push(country);
        }
    }
    let mut parts = Vec::new();
    let mut outside = Vec::new();
    for country in named {
        let mut region = Vec::new();
        for rings in &country.polygons {
            region.extend(inside(rings, satellite, &window, "coverage.countries")?);
        }
        let name = country.name().to_owned();
        if region.is_empty() {
            outside.push(name);
        } else {
            let region = MultiPolygon(region);
            parts.push(Part { name, region });
        }
    }
    if !outside.is_empty() {
        return Err(Error::OutsideBox { names: outside });
    }
    if spec.geojson.is_some() {
        parts.extend(drawn_on_earth(geojson, satellite, &window, spec)?);
    }
    Ok(parts)
}

/// The geometries of the GeoJSON file as far as they lie in the box, which may leave out some of them.
fn drawn_on_earth(
    geojson: Option<&str>,
    satellite: Satellite,
    window: &MultiPolygon,
    spec: &CoverageSpec,
) -> Result<Vec<Part>, Error> {
    let key = "coverage.geojson";
    let mut parts = Vec::new();
    for geometry in geojson::geometries(geojson.ok_or(Error::GeojsonNotGiven)?)? {
        let mut region = Vec::new();
        for rings in &geometry.polygons {
            region.extend(inside(rings, satellite, window, key)?);
        }
        if !region.is_empty() {
            parts.push(Part {
                name: format!("GeoJSON {}", geometry.place).trim_end().to_owned(),
                region: MultiPolygon(region),
            });
        }
    }
    if parts.is_empty() {
        return Err(Error::NoArea {
            key,
            boxed: spec.bounding_box.is_some(),
        });
    }
    let drawn = parts.iter().flat_map(|part| part.region.clone()).collect();
    let drawn = MultiPolygon(drawn);
    countable(key, points_to_project(&drawn))?;
    bearable(key, &drawn)?;
    // The polygons of one geometry may overlap; only after the check above can they be united in time.
    for part in &mut parts {
        part.region = united(&part.region);
    }
    Ok(parts)
}

fn checked_box(bounding_box: Option<[f64; 4]>) -> Result<[f64; 4], Error> {
    let Some([west, south, east, north]) = bounding_box else {
        return Ok(EVERYWHERE);
    };
    let problem = if ![west, east].iter().all(|x| x.abs() <= 360.0) {
        format!("west and east lie between -360 and 360, not at {west} and {east}")
    } else if ![south, north].iter().all(|y| y.abs() <= 90.0) {
        format!("south and north lie between -90 and 90, not at {south} and {north}")
    } else if south >= north {
        format!("south ({south}) must be less than north ({north})")
    } else if west == east {
        format!("west and east are the same ({west}), the box is empty")
    } else {
        return Ok([west, south, east, north]);
    };
    Err(Error::Box { problem })
}

/// What of a polygon lies inside the window.
fn inside(
    rings: &Rings,
    satellite: Satellite,
    window: &MultiPolygon,
    key: &'static str,
) -> Result<MultiPolygon, Error> {
    let rings = satellite
        .unrolled(rings)
        .ok_or(Error::RoundTheEarth { key })?;
    if key == "coverage.geojson" {
        countable(key, points_to_project(&rings))?;
        bearable(key, &rings)?;
    }
    Ok(rings.intersection(window))
}

/// A polygon that was drawn in the (u, v) plane.
fn drawn(index: usize, outline: &Outline) -> Result<MultiPolygon, Error> {
    let refused = |problem: String| Error::PolygonUv { index, problem };
    for ring in outline.rings() {
        if ring.len() < 3 {
            return Err(refused(format!(
                "a ring needs three points, not {}",
                ring.len()
            )));
        }
        let is_direction = |[u, v]: &[f64; 2]| u.hypot(*v) <= 1.0;
        if let Some([u, v]) = ring.iter().find(|point| !is_direction(point)) {
            return Err(refused(format!(
                "[{u}, {v}] is no direction: u² + v² must not exceed 1"
            )));
        }
    }
    let key = "coverage.polygons_uv";
    let rings: MultiPolygon = outline.rings().map(polygon).collect();
    bearable(key, &rings)?;
    let region = enclosed(&rings);
    if region.0.is_empty() {
        return Err(refused("it encloses no area".to_owned()));
    }
    Ok(region)
}

fn sound_ellipse(spec: &EllipseUv) -> Result<geo::Polygon, Error> {
    let refused = |problem| Err(Error::Ellipse { problem });
    if !spec.semi_axes.iter().all(|axis| *axis > 0.0) {
        return refused("`semi_axes` must be positive");
    }
    let drawn = ellipse(spec.centre, spec.semi_axes, spec.rotation.0);
    if !drawn.coords_iter().all(|c| c.x.hypot(c.y) <= 1.0) {
        return refused("it leads out of the directions there are: u² + v² must not exceed 1");
    }
    Ok(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_physics::quantity::Angle;

    #[test]
    fn a_country_that_is_named_again_changes_nothing() {
        let named = |names: &[&str]| CoverageSpec {
            countries: names.iter().map(|name| (*name).to_owned()).collect(),
            satellite_longitude: Some(Angle::from_degrees(13.0)),
            ..CoverageSpec::default()
        };
        let once = assemble(&named(&["ITA"]), None).unwrap();
        let again = assemble(&named(&["Italy", "ITA", "ita", "380"]), None).unwrap();
        assert_eq!(once.region, again.region);
        // So many would take minutes one by one.
        assert!(assemble(&named(&["ITA"; 10_000]), None).is_ok());
    }

    #[test]
    fn a_country_written_as_geojson_is_the_same_region() {
        // Enclaves, a hole, islands on the date line, a pole.
        for (name, longitude) in [
            ("ITA", 13.0),
            ("ZAF", 25.0),
            ("FJI", 175.0),
            ("RUS", 150.0),
            ("ATA", -40.0),
        ] {
            let polygons = &natural_earth::country(name).unwrap().polygons;
            let text =
                serde_json::json!({ "type": "MultiPolygon", "coordinates": polygons }).to_string();
            let by_name = CoverageSpec {
                countries: vec![name.to_owned()],
                satellite_longitude: Some(Angle::from_degrees(longitude)),
                ..CoverageSpec::default()
            };
            let by_file = CoverageSpec {
                countries: Vec::new(),
                geojson: Some("country.json".to_owned()),
                ..by_name.clone()
            };
            let one = assemble(&by_name, None).unwrap();
            let other = assemble(&by_file, Some(&text)).unwrap();
            let areas = [one.region.unsigned_area(), other.region.unsigned_area()];
            // The last bit of a coordinate may be read differently.
            assert!((areas[0] / areas[1] - 1.0).abs() < 1e-9, "{name} {areas:?}");
            assert_eq!(one.region.0.len(), other.region.0.len(), "{name}");
            assert!((one.hidden - other.hidden).abs() < 1e-9, "{name}");
        }
    }
}
