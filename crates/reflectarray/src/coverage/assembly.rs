//! Assembly of a coverage specification into polygons in the (u, v) plane.

use geo::algorithm::bool_ops::BooleanOps;
use geo::{Area, CoordsIter, MultiPolygon};
use wavefield_solver::scene::Issues;

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

/// Box of the whole Earth.
const EVERYWHERE: [f64; 4] = [-180.0, -90.0, 180.0, 90.0];
/// Circumradius of a polygon inscribed in the unit circle of visible directions.
const INSIDE: f64 = 0.99999;

/// Assembled coverage in the (u, v) plane.
pub(super) struct Assembly {
    /// Region, widened by the margin and simplified.
    pub(super) region: MultiPolygon,
    /// Land of the countries and the GeoJSON file, unmodified.
    pub(super) land: MultiPolygon,
    /// Fraction of the area of that land beyond the horizon.
    pub(super) hidden: f64,
    /// Named parts cut by the horizon.
    pub(super) clipped: Vec<Clipped>,
}

/// A country or GeoJSON geometry clipped to the box, in degrees east of the satellite and latitude.
struct Part {
    name: String,
    region: MultiPolygon,
}

/// Validates a specification, then projects and unites its regions.
pub(super) fn assemble(spec: &CoverageSpec, geojson: Option<&str>) -> Result<Assembly, Error> {
    let mut issues = Issues::default();
    spec.check(&mut issues);
    issues.into_result()?;
    let mut parts = Vec::new();
    let mut land = MultiPolygon(Vec::new());
    let mut hidden = 0.0;
    let mut clipped = Vec::new();
    if let Some(satellite) = satellite(spec) {
        let named = territory(spec, geojson, satellite)?;
        let regions = named.iter().flat_map(|part| part.region.clone());
        let every = united(&MultiPolygon(regions.collect()));
        let kept = without_small_parts(&every, spec.min_polygon_area);
        if kept.0.is_empty() {
            return Err(Error::OnlySmallPolygons {
                min_area: spec.min_polygon_area,
                largest: every.iter().map(Area::unsigned_area).fold(0.0, f64::max),
            });
        }
        clipped = visibility(&named, spec.min_polygon_area, satellite)?;
        let seen = satellite.view(&kept);
        hidden = seen.hidden;
        land = satellite.view(&every).polygons;
        parts.extend(seen.polygons);
    }
    for (index, outline) in spec.polygons_uv.iter().enumerate() {
        parts.extend(drawn(index, outline)?);
    }
    parts.extend(spec.ellipse.as_ref().map(EllipseUv::polygon));
    if parts.is_empty() {
        return Err(Error::NoArea {
            key: "coverage",
            boxed: false,
        });
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
    // A margin may exceed the visible directions.
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

/// Returns the parts cut by the horizon.
///
/// # Errors
/// Returns an error if a part is entirely invisible, instead of silently omitting it.
fn visibility(named: &[Part], min_area: f64, satellite: Satellite) -> Result<Vec<Clipped>, Error> {
    let mut clipped = Vec::new();
    let mut beyond = Vec::new();
    for part in named {
        // Dropped polygons do not count, except where neighbors unite small parts to a large one.
        let large = without_small_parts(&part.region, min_area);
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

/// Returns the satellite if polygons on the Earth are named.
fn satellite(spec: &CoverageSpec) -> Option<Satellite> {
    let longitude = spec.longitude().filter(|_| spec.is_on_earth())?;
    Some(Satellite { longitude })
}

/// Returns the countries and the GeoJSON geometries, clipped to the box.
fn territory(
    spec: &CoverageSpec,
    geojson: Option<&str>,
    satellite: Satellite,
) -> Result<Vec<Part>, Error> {
    let window = satellite.window(spec.bounding_box.unwrap_or(EVERYWHERE));
    // Repeated countries are skipped; unknown ones have been rejected.
    let mut named: Vec<&Country> = Vec::new();
    for country in spec
        .countries
        .iter()
        .filter_map(|name| natural_earth::country(name))
    {
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

/// Returns the GeoJSON geometries clipped to the box; those outside are dropped.
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
    // Polygons of one geometry may overlap; uniting them is bounded in time only after the check
    // above.
    for part in &mut parts {
        part.region = united(&part.region);
    }
    Ok(parts)
}

/// Returns the intersection of a polygon with the window.
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

/// Returns the region that a polygon encloses in the (u, v) plane.
fn drawn(index: usize, outline: &Outline) -> Result<MultiPolygon, Error> {
    let key = "coverage.polygons_uv";
    let rings: MultiPolygon = outline.rings().map(polygon).collect();
    bearable(key, &rings)?;
    let region = enclosed(&rings);
    if region.0.is_empty() {
        return Err(Error::PolygonUv { index });
    }
    Ok(region)
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
        // One by one, this many would take minutes.
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
            // The last bit of a coordinate may be parsed differently.
            assert!((areas[0] / areas[1] - 1.0).abs() < 1e-9, "{name} {areas:?}");
            assert_eq!(one.region.0.len(), other.region.0.len(), "{name}");
            assert!((one.hidden - other.hidden).abs() < 1e-9, "{name}");
        }
    }
}
