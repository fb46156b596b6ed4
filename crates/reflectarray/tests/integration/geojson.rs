//! Regions from GeoJSON: all valid forms, and malformed files.

use std::time::Instant;

use wavefield_reflectarray::Error;
use wavefield_reflectarray::coverage::{Coverage, CoverageSpec};

fn read(text: &str) -> Result<Coverage, Error> {
    let spec: CoverageSpec =
        toml::from_str("geojson = \"a.json\"\nsatellite_longitude = \"10 deg\"\nmargin = 0.001")
            .unwrap();
    Coverage::new(&spec, Some(text))
}

const RING: &str = "[[0, 40], [20, 40], [20, 55], [0, 55], [0, 40]]";
const HOLE: &str = "[[5, 43], [5, 52], [15, 52], [15, 43], [5, 43]]";

#[test]
fn every_form_of_the_same_region_is_the_same_region() {
    let polygon = format!(r#"{{"type": "Polygon", "coordinates": [{RING}, {HOLE}]}}"#);
    let reference = read(&polygon).unwrap();
    assert_eq!(reference.outlines().len(), 1);
    assert_eq!(reference.outlines()[0].holes.len(), 1);
    let feature = format!(r#"{{"type": "Feature", "properties": {{}}, "geometry": {polygon}}}"#);
    let empty = r#"{"type": "Feature", "properties": null, "geometry": null}"#;
    let with_height = "[[0, 40, 7], [20, 40, 7], [20, 55, 7], [0, 55, 7], [0, 40, 7]]";
    for text in [
        format!(r#"{{"type": "MultiPolygon", "coordinates": [[{RING}, {HOLE}]]}}"#),
        feature.clone(),
        format!(r#"{{"type": "FeatureCollection", "features": [{feature}, {empty}]}}"#),
        format!(r#"{{"type": "GeometryCollection", "geometries": [{polygon}]}}"#),
        format!(r#"{{"type": "Polygon", "coordinates": [{with_height}, {HOLE}]}}"#),
        format!("\u{feff}{polygon}"),
        // Without the repeated last position, and shifted by 360°.
        polygon.replace(", [0, 40]]", "]"),
        format!(
            r#"{{"type": "Polygon", "coordinates": [[[-360, 40], [-340, 40], [-340, 55], [-360, 55]], {HOLE}]}}"#
        ),
    ] {
        let same = read(&text).unwrap();
        assert!(
            (same.area() / reference.area() - 1.0).abs() < 1e-6,
            "{text}"
        );
        assert_eq!(same.outlines()[0].holes.len(), 1, "{text}");
    }
}

#[test]
fn a_region_over_the_date_line_may_be_written_in_three_ways() {
    let spec: CoverageSpec =
        toml::from_str("geojson = \"a.json\"\nsatellite_longitude = \"180 deg\"").unwrap();
    let area = |coordinates: &str| {
        let text = format!(r#"{{"type": "MultiPolygon", "coordinates": {coordinates}}}"#);
        let coverage = Coverage::new(&spec, Some(&text)).unwrap();
        assert_eq!(coverage.outlines().len(), 1);
        assert!(coverage.contains(0.0, -0.03));
        coverage.area()
    };
    let jump = area("[[[[170, -20], [-170, -20], [-170, 0], [170, 0]]]]");
    let beyond = area("[[[[170, -20], [190, -20], [190, 0], [170, 0]]]]");
    let cut = area(
        "[[[[170, -20], [180, -20], [180, 0], [170, 0]]], [[[-180, -20], [-170, -20], [-170, 0], [-180, 0]]]]",
    );
    assert!((jump / beyond - 1.0).abs() < 1e-6 && (jump / cut - 1.0).abs() < 1e-6);
}

#[test]
fn overlapping_and_crossing_polygons_are_united() {
    let separate = read(&format!(
        r#"{{"type": "Polygon", "coordinates": [{RING}]}}"#
    ))
    .unwrap();
    let twice = read(&format!(
        r#"{{"type": "MultiPolygon", "coordinates": [[{RING}], [{RING}], [{HOLE}]]}}"#
    ))
    .unwrap();
    assert!((separate.area() / twice.area() - 1.0).abs() < 1e-6);
    // A self-intersecting bow tie keeps both wings.
    let tie =
        read(r#"{"type": "Polygon", "coordinates": [[[0, 40], [20, 50], [20, 40], [0, 50]]]}"#)
            .unwrap();
    assert!(tie.contains(-0.02, 0.115) && tie.contains(0.02, 0.115));
}

#[test]
fn what_is_no_region_is_refused_with_its_place() {
    for (text, part) in [
        ("", "invalid JSON"),
        ("{", "invalid JSON"),
        ("[]", "expected a GeoJSON object with a `type`"),
        (r#"{"type": "Topology"}"#, "TopoJSON"),
        (
            r#"{"type": "Point", "coordinates": [0, 0]}"#,
            "a Point has no area",
        ),
        (r#"{"type": "Blob"}"#, "`Blob` is not a type of GeoJSON"),
        (
            r#"{"type": "Polygon"}"#,
            "coordinates: expected an array of rings",
        ),
        (
            r#"{"type": "Polygon", "coordinates": [[[0, 0], [1, 1]]]}"#,
            "coordinates[0]: a ring needs three",
        ),
        (
            r#"{"type": "Polygon", "coordinates": [[[0, 0], [1, "a"], [1, 1]]]}"#,
            "coordinates[0][1]: expected a position",
        ),
        (
            r#"{"type": "Polygon", "coordinates": [[[0, 0], [NaN, 1], [1, 1]]]}"#,
            "invalid JSON",
        ),
        (
            r#"{"type": "Polygon", "coordinates": [[[0, 0], [1e999, 1], [1, 1]]]}"#,
            "invalid JSON",
        ),
        (
            r#"{"type": "Polygon", "coordinates": [[[0, 0], [400000, 5000000], [1, 1]]]}"#,
            "meters",
        ),
        (
            r#"{"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [2, 2]]]}"#,
            "`coverage.geojson` encloses no area",
        ),
        (
            r#"{"type": "Polygon", "coordinates": []}"#,
            "encloses no area",
        ),
        (
            r#"{"type": "FeatureCollection", "features": []}"#,
            "encloses no area",
        ),
        (
            r#"{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Polygon", "coordinates": 5}}]}"#,
            "features[0].geometry.coordinates: expected an array",
        ),
        (
            r#"{"type": "Polygon", "coordinates": [[[170, 10], [190, 10], [190, 20]]]}"#,
            "not visible from 10 deg: GeoJSON (at -177 deg)",
        ),
    ] {
        let message = read(text).unwrap_err().to_string();
        assert!(
            message.contains("coverage.") && message.contains(part),
            "{text}\n{message}"
        );
        assert!(message.len() < 400);
    }
}

fn ring_of(points: impl Iterator<Item = [f64; 2]>) -> String {
    let points: Vec<String> = points.map(|[x, y]| format!("[{x},{y}]")).collect();
    format!(
        r#"{{"type":"Polygon","coordinates":[[{}]]}}"#,
        points.join(",")
    )
}

#[test]
fn hostile_files_are_answered_quickly() {
    let started = Instant::now();
    // Excessive nesting.
    let nested = r#"{"type":"GeometryCollection","geometries":["#.repeat(100_000);
    assert!(read(&nested).is_err());
    // More points than the maximum.
    let many = ring_of((0..1_100_000).map(|i| [f64::from(i % 7), f64::from(i % 5)]));
    assert!(matches!(read(&many), Err(Error::TooManyPoints { .. })));
    // Every edge crosses every other.
    let star = ring_of((0..3_001).map(|i| {
        let angle = f64::from(i) * 1_500.0 / 3_001.0 * std::f64::consts::TAU;
        [10.0 + 20.0 * angle.cos(), 20.0 * angle.sin()]
    }));
    assert!(matches!(read(&star), Err(Error::Tangled { .. })));
    // Many windings around the Earth.
    let spiral =
        ring_of((0..3_000).map(|i| [f64::from(i * 100 % 360) - 180.0, f64::from(i) / 100.0]));
    assert!(matches!(read(&spiral), Err(Error::RoundTheEarth { .. })));
    // Zigzag edges, long ones across the whole Earth and short ones crossed by a single one.
    let comb = |count: u32, width: f64| {
        ring_of((0..count).map(move |i| [f64::from(i % 2) * width, f64::from(i) / 2e5]))
    };
    let long = read(&comb(200_000, 180.0));
    assert!(matches!(long, Err(Error::TooManyPoints { .. })));
    let crossed = read(&comb(20_000, 0.4));
    assert!(matches!(crossed, Err(Error::Tangled { .. })));
    assert!(started.elapsed().as_secs() < 60);
}

#[test]
fn random_rings_never_panic() {
    let mut state = 1u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as f64 / (1u64 << 31) as f64
    };
    for case in 0..300 {
        let count = 3 + case % 30;
        // Coarse grids create coincident points and edges, fine ones near misses.
        let grid = [1.0, 30.0, 1e-9, 1e-13][case % 4];
        let wide = [360.0, 20.0, 1e-6][case % 3];
        let ring = ring_of((0..count).map(|_| {
            let snap = |x: f64| (x / grid).round() * grid;
            let longitude = snap((random() - 0.5) * 2.0 * wide).clamp(-360.0, 360.0);
            [longitude, snap((random() - 0.5) * wide).clamp(-90.0, 90.0)]
        }));
        if let Ok(coverage) = read(&ring) {
            assert!(coverage.area() > 0.0 && coverage.solid_angle().is_finite());
            assert!((0.0..=1.0).contains(&coverage.hidden_fraction()));
        }
    }
}
