//! Reader of polygons in GeoJSON (RFC 7946).

use serde_json::Value;

use super::polygons::MAX_POINTS;
use super::projection::{Ring, Rings};
use crate::error::Error;

/// Maximum length of the text, bytes.
const MAX_BYTES: usize = 64 << 20;
/// Maximum number of characters of an unknown type in a message.
const SHOWN: usize = 40;

/// A geometry of a GeoJSON text.
pub(super) struct Geometry {
    /// Path in the text from its root.
    pub(super) place: String,
    /// One polygon, or those of a `MultiPolygon`.
    pub(super) polygons: Vec<Rings>,
}

/// Reads the geometries of a GeoJSON text: a `Polygon`, a `MultiPolygon`, a `Feature`, or a
/// collection.
pub(super) fn geometries(text: &str) -> Result<Vec<Geometry>, Error> {
    if text.len() > MAX_BYTES {
        return Err(refused(
            "",
            format!("the file is larger than {} MB", MAX_BYTES >> 20),
        ));
    }
    // A byte order mark is common at the beginning of files, but not part of JSON.
    let text = text.trim_start_matches('\u{feff}');
    let root: Value = serde_json::from_str(text)
        .map_err(|error| refused("", format!("invalid JSON: {error}")))?;
    let mut reader = Reader {
        geometries: Vec::new(),
        points: 0,
    };
    reader.object(&root, "")?;
    Ok(reader.geometries)
}

struct Reader {
    geometries: Vec<Geometry>,
    points: usize,
}

impl Reader {
    /// Reads any GeoJSON object; the JSON parser limits the nesting.
    fn object(&mut self, value: &Value, place: &str) -> Result<(), Error> {
        let kind = value.get("type").and_then(Value::as_str).ok_or_else(|| {
            refused(
                place,
                "expected a GeoJSON object with a `type` member".to_owned(),
            )
        })?;
        match kind {
            "FeatureCollection" => self.members(value, "features", place),
            "GeometryCollection" => self.members(value, "geometries", place),
            // A feature without geometry is valid and covers nothing.
            "Feature" => match value.get("geometry") {
                None | Some(Value::Null) => Ok(()),
                Some(geometry) => self.object(geometry, &join(place, "geometry")),
            },
            "Polygon" => {
                let polygon = self.polygon(coordinates(value), &join(place, "coordinates"))?;
                self.geometries.push(Geometry {
                    place: place.to_owned(),
                    polygons: vec![polygon],
                });
                Ok(())
            }
            "MultiPolygon" => {
                let inner = join(place, "coordinates");
                let polygons = array(coordinates(value), &inner, "an array of polygons")?
                    .iter()
                    .enumerate()
                    .map(|(index, polygon)| self.polygon(polygon, &format!("{inner}[{index}]")))
                    .collect::<Result<_, Error>>()?;
                self.geometries.push(Geometry {
                    place: place.to_owned(),
                    polygons,
                });
                Ok(())
            }
            "Topology" => Err(refused(
                place,
                "this is TopoJSON; convert it to GeoJSON".to_owned(),
            )),
            "Point" | "MultiPoint" | "LineString" | "MultiLineString" => Err(refused(
                place,
                format!("a {kind} has no area to cover; remove it"),
            )),
            other => {
                let other: String = other.chars().take(SHOWN).collect();
                Err(refused(
                    place,
                    format!("`{other}` is not a type of GeoJSON"),
                ))
            }
        }
    }

    fn members(&mut self, value: &Value, key: &str, place: &str) -> Result<(), Error> {
        let place = join(place, key);
        let list = array(value.get(key).unwrap_or(&Value::Null), &place, "an array")?;
        for (index, member) in list.iter().enumerate() {
            self.object(member, &format!("{place}[{index}]"))?;
        }
        Ok(())
    }

    fn polygon(&mut self, value: &Value, place: &str) -> Result<Rings, Error> {
        array(value, place, "an array of rings")?
            .iter()
            .enumerate()
            .map(|(index, ring)| self.ring(ring, &format!("{place}[{index}]")))
            .collect()
    }

    fn ring(&mut self, value: &Value, place: &str) -> Result<Ring, Error> {
        let positions = array(value, place, "an array of positions")?;
        self.points += positions.len();
        if self.points > MAX_POINTS {
            return Err(Error::TooManyPoints {
                key: "coverage.geojson",
                count: self.points,
                most: MAX_POINTS,
            });
        }
        let mut ring = positions
            .iter()
            .enumerate()
            .map(|(index, position)| {
                read_position(position)
                    .map_err(|problem| refused(&format!("{place}[{index}]"), problem))
            })
            .collect::<Result<Ring, Error>>()?;
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        if ring.len() < 3 {
            return Err(refused(
                place,
                format!("a ring needs three distinct points, not {}", ring.len()),
            ));
        }
        Ok(ring)
    }
}

/// Reads a longitude and a latitude, optionally followed by a height.
fn read_position(value: &Value) -> Result<[f64; 2], String> {
    let numbers = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let number = |index: usize| numbers.get(index).and_then(Value::as_f64);
    let (Some(longitude), Some(latitude)) = (number(0), number(1)) else {
        return Err("expected a position [longitude, latitude] in degrees".to_owned());
    };
    if longitude.abs() <= 360.0 && latitude.abs() <= 90.0 {
        Ok([longitude, latitude])
    } else {
        Err(format!(
            "[{longitude}, {latitude}] is out of range for longitude and latitude in degrees; convert projected coordinates in meters"
        ))
    }
}

fn coordinates(value: &Value) -> &Value {
    value.get("coordinates").unwrap_or(&Value::Null)
}

fn array<'a>(value: &'a Value, place: &str, wanted: &str) -> Result<&'a Vec<Value>, Error> {
    value
        .as_array()
        .ok_or_else(|| refused(place, format!("expected {wanted}")))
}

fn join(place: &str, key: &str) -> String {
    match place {
        "" => key.to_owned(),
        _ => format!("{place}.{key}"),
    }
}

fn refused(place: &str, problem: String) -> Error {
    Error::Geojson {
        place: place.to_owned(),
        problem,
    }
}
