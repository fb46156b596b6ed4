//! Coverages compared with another program, closed forms, and brute-force search.

use std::f64::consts::PI;

use serde_json::Value;
use wavefield_reflectarray::Error;
use wavefield_reflectarray::coverage::{Coverage, CoverageSpec, Outline, Zone};

const EUROPE: &str = r#"
    countries = ["PRT", "ESP", "FRA", "BEL", "NLD", "LUX", "DEU", "CHE", "AUT", "ITA", "GBR", "IRL", "DNK", "CZE",
        "SVK", "POL", "HUN", "SVN", "HRV", "BIH", "SRB", "MNE", "ALB", "MKD", "GRC", "BGR", "ROU", "NOR", "SWE",
        "FIN", "EST", "LVA", "LTU"]
    box = [-11, 35, 32, 72]
    satellite_longitude = "5 deg"
    min_polygon_area = 0.3
    margin = 0.002
"#;
const CONUS: &str = r#"
    countries = ["United States of America", "124"]
    box = [-130, 24, -52, 60]
    satellite_longitude = "-91 deg"
    min_polygon_area = 0.3
    margin = 0.002
"#;

fn spec(text: &str) -> CoverageSpec {
    toml::from_str(text).unwrap()
}

fn coverage(text: &str) -> Coverage {
    Coverage::new(&spec(text), None).unwrap()
}

fn refused(text: &str) -> Error {
    Coverage::new(&spec(text), None).unwrap_err()
}

/// Returns the message of an error with the help of its issues.
fn message(error: &Error) -> String {
    let mut message = error.to_string();
    if let Error::Invalid(invalid) = error {
        for help in invalid.0.iter().filter_map(|issue| issue.help.as_ref()) {
            message.push_str(&format!("\nhelp: {help}"));
        }
    }
    message
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    std::array::from_fn(|i| value[i].as_f64().unwrap())
}

/// Reads the polygons of the other program.
fn recorded(record: &Value) -> Vec<Outline> {
    let ring = |ring: &Value| ring.as_array().unwrap().iter().map(numbers).collect();
    record["polygons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rings| Outline {
            exterior: ring(&rings[0]),
            holes: rings.as_array().unwrap()[1..].iter().map(ring).collect(),
        })
        .collect()
}

fn edges(outlines: &[Outline]) -> Vec<([f64; 2], [f64; 2])> {
    outlines
        .iter()
        .flat_map(Outline::rings)
        .flat_map(|ring| (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()])))
        .collect()
}

/// Computes the signed distance by brute force over all edges.
fn plain_distance(edges: &[([f64; 2], [f64; 2])], u: f64, v: f64) -> f64 {
    let mut inside = false;
    let mut nearest = f64::INFINITY;
    for &([u0, v0], [u1, v1]) in edges {
        if (v0 > v) != (v1 > v) && u < (u1 - u0) * (v - v0) / (v1 - v0) + u0 {
            inside = !inside;
        }
        let (du, dv) = (u1 - u0, v1 - v0);
        let t = ((u - u0) * du + (v - v0) * dv) / (du * du + dv * dv).max(1e-300);
        let t = t.clamp(0.0, 1.0);
        nearest = nearest.min((u - u0 - t * du).hypot(v - v0 - t * dv));
    }
    if inside { -nearest } else { nearest }
}

/// Returns points over a square around the disc of the Earth.
fn grid(count: usize) -> impl Iterator<Item = [f64; 2]> {
    let at = move |i: usize| -0.17 + 0.34 * (i as f64 + 0.37) / count as f64;
    (0..count * count).map(move |i| [at(i % count), at(i / count)])
}

fn close(ours: f64, theirs: f64, relative: f64) {
    assert!((ours / theirs - 1.0).abs() < relative, "{ours} {theirs}");
}

fn agrees_with_record(text: &str, record: &str, ideal_dbi: f64) {
    let record: Value = serde_json::from_str(record).unwrap();

    let widened = coverage(text);
    let theirs = &record["widened"];
    // The outline is simplified by 1e-6 between the steps of the margin.
    close(widened.area(), theirs["area"].as_f64().unwrap(), 2e-4);
    for (ours, theirs) in widened
        .centroid()
        .iter()
        .zip(numbers::<2>(&theirs["centroid"]))
    {
        assert!((ours - theirs).abs() < 2e-5, "{ours} {theirs}");
    }
    let [west, south, east, north] = numbers(&theirs["bounds"]);
    let [least, greatest] = widened.bounds();
    for (ours, theirs) in [(least, [west, south]), (greatest, [east, north])] {
        assert!((ours[0] - theirs[0]).abs() < 1e-5, "{ours:?} {theirs:?}");
        assert!((ours[1] - theirs[1]).abs() < 1e-5, "{ours:?} {theirs:?}");
    }

    let simplified = coverage(&format!("{text}\nsimplify = 0.0005"));
    let theirs = record["area"].as_f64().unwrap();
    // The retained points depend on where a ring begins.
    close(simplified.area(), theirs, 0.003);
    let decibels = 10.0 * (4.0 * PI / simplified.area()).log10();
    assert!((decibels - ideal_dbi).abs() < 0.01, "{decibels}");

    let their_edges = edges(&recorded(&record));
    let (mut same, mut all) = (0, 0);
    for [u, v] in grid(500) {
        let theirs = plain_distance(&their_edges, u, v);
        if theirs.abs() > 0.0005 {
            all += 1;
            same += usize::from(simplified.contains(u, v) == (theirs < 0.0));
        }
    }
    assert!(same as f64 > 0.999 * all as f64, "{same} of {all}");
}

#[test]
fn europe_is_what_another_program_makes_of_it() {
    agrees_with_record(EUROPE, include_str!("../oracle/europe.json"), 36.645);
}

#[test]
fn north_america_is_what_another_program_makes_of_it() {
    agrees_with_record(CONUS, include_str!("../oracle/conus.json"), 32.929);
}

#[test]
fn a_circle_has_the_area_of_a_disc_and_the_solid_angle_of_a_cap() {
    for radius in [1e-3f64, 0.0175, 0.15, 0.9] {
        let circle = coverage(&format!(
            "ellipse = {{ center = [0, 0], semi_axes = [{radius}, {radius}] }}"
        ));
        let cap = 2.0 * PI * (1.0 - (1.0 - radius * radius).sqrt());
        // The polygon has the area of the disc; its vertices lie outside by 1e-5 of the radius.
        close(circle.area(), PI * radius * radius, 1e-6);
        close(circle.solid_angle(), cap, 2e-5);
        close(
            circle.ideal_directivity_dbi(),
            10.0 * (4.0 * PI / cap).log10(),
            1e-5,
        );
    }
    // A circular cone whose axis is off the nadir is an ellipse in (u, v), foreshortened toward the rim.
    let (tilt, half) = (0.8f64, 0.05f64);
    let off = coverage(&format!(
        "ellipse = {{ center = [{}, 0], semi_axes = [{}, {}] }}",
        tilt.sin() * half.cos(),
        half.sin() * tilt.cos(),
        half.sin()
    ));
    close(off.solid_angle(), 2.0 * PI * (1.0 - half.cos()), 2e-5);
}

#[test]
fn an_ellipse_is_turned_and_a_hole_is_left_out() {
    let turned = coverage(
        r#"ellipse = { center = [0.05, -0.02], semi_axes = [0.04, 0.01], rotation = "90 deg" }"#,
    );
    assert!(turned.contains(0.05, 0.015) && !turned.contains(0.085, -0.02));
    close(turned.area(), PI * 0.04 * 0.01, 1e-6);
    let framed = coverage(
        "polygons_uv = [{ exterior = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]],
            holes = [[[0.02, 0.02], [0.02, 0.08], [0.08, 0.08], [0.08, 0.02]]] }]",
    );
    close(framed.area(), 0.01 - 0.0036, 1e-6);
    assert!(!framed.contains(0.05, 0.05) && framed.contains(0.01, 0.05));
    assert!((framed.distance(0.05, 0.04) - 0.02).abs() < 1e-9);
    assert!(framed.land().is_empty());
}

#[test]
fn everything_within_the_margin_is_covered_and_nothing_else() {
    let land = coverage(&EUROPE.replace("margin = 0.002", ""));
    let widened = coverage(EUROPE);
    let shore = edges(land.outlines());
    for [u, v] in grid(240) {
        let distance = plain_distance(&shore, u, v);
        // Chords of the round joins cut off 0.12 % of the margin.
        if (distance - 0.002).abs() > 5e-6 {
            assert_eq!(
                widened.contains(u, v),
                distance < 0.002,
                "{u} {v} {distance}"
            );
        }
    }
}

#[test]
fn distance_is_that_to_the_nearest_edge_and_negative_inside() {
    let europe = coverage(EUROPE);
    let edges = edges(europe.outlines());
    for [u, v] in grid(150) {
        let plain = plain_distance(&edges, u, v);
        // A few roundings of numbers below one.
        let ours = europe.distance(u, v);
        assert!((ours - plain).abs() < 1e-14, "{u} {v} {ours} {plain}");
    }
}

#[test]
fn grids_and_outlines_are_sampled_evenly() {
    let europe = coverage(EUROPE);
    let step = 0.0007;
    let inside = europe.interior_points(step).unwrap();
    close(inside.len() as f64 * step * step, europe.area(), 0.01);
    assert!(inside.iter().all(|&[u, v]| europe.contains(u, v)));
    assert!(inside.is_sorted_by(|a, b| (a[1], a[0]) < (b[1], b[0])));
    // The grid is complete: no omitted point lies inside.
    let missed = (-250..250)
        .flat_map(|i| (-250..250).map(move |j| [f64::from(i) * step, f64::from(j) * step]))
        .filter(|&[u, v]| europe.contains(u, v))
        .count();
    assert_eq!(missed, inside.len());

    for edge in [
        europe.boundary_points(step).unwrap(),
        europe.boundary_samples(step).unwrap(),
    ] {
        assert!(
            edge.iter()
                .all(|&[u, v]| europe.distance(u, v).abs() < 1e-12)
        );
    }
    let circle = coverage("ellipse = { center = [0, 0], semi_axes = [0.1, 0.1] }");
    let edge = circle.boundary_samples(0.01).unwrap();
    assert_eq!(edge.len(), 63);
    for (i, a) in edge.iter().enumerate() {
        let b = edge[(i + 1) % edge.len()];
        let gap = (a[0] - b[0]).hypot(a[1] - b[1]);
        assert!(gap <= 0.01 && gap > 0.0099, "{gap}");
    }
}

#[test]
fn every_vertex_is_a_boundary_point_and_no_gap_exceeds_the_step() {
    let europe = coverage(&format!("{EUROPE}\nsimplify = 0.0005"));
    for step in [0.0007, 0.0035, f64::INFINITY] {
        let points = europe.boundary_points(step).unwrap();
        for (start, end) in edges(europe.outlines()) {
            assert!(points.contains(&start));
            let pieces = 100;
            for piece in 0..=pieces {
                let t = f64::from(piece) / f64::from(pieces);
                let [u, v] = [0, 1].map(|axis| start[axis] + t * (end[axis] - start[axis]));
                let distances = points.iter().map(|p| (p[0] - u).hypot(p[1] - v));
                assert!(distances.fold(f64::INFINITY, f64::min) <= 0.5 * step + 1e-12);
            }
        }
    }
}

#[test]
fn a_step_that_makes_no_grid_is_refused() {
    let circle = coverage("ellipse = { center = [0, 0], semi_axes = [0.1, 0.1] }");
    for step in [0.0, -1.0, f64::NAN] {
        assert!(matches!(
            circle.interior_points(step),
            Err(Error::Step { .. })
        ));
        assert!(matches!(
            circle.boundary_points(step),
            Err(Error::Step { .. })
        ));
    }
    for step in [1e-9, 1e-300, f64::MIN_POSITIVE] {
        assert!(matches!(
            circle.interior_points(step),
            Err(Error::TooFine { .. })
        ));
        assert!(circle.boundary_points(1e-3 * step).is_err());
    }
    assert!(circle.interior_points(f64::INFINITY).unwrap().len() <= 1);
    assert!(!circle.boundary_points(f64::INFINITY).unwrap().is_empty());
    assert!(!circle.contains(f64::NAN, 0.0));
}

#[test]
fn the_transition_lies_around_the_region() {
    let circle = coverage("ellipse = { center = [0, 0], semi_axes = [0.1, 0.1] }");
    let masks = circle.masks(0.01);
    let points = [
        [0.0, 0.0],
        [0.099, 0.0],
        [0.0, 0.105],
        [-0.0999, 0.05],
        [0.12, 0.0],
    ];
    assert_eq!(
        masks.zones(&points),
        [
            Zone::Inside,
            Zone::Inside,
            Zone::Transition,
            Zone::Outside,
            Zone::Outside
        ]
    );
}

#[test]
fn countries_on_the_date_line_are_whole() {
    let fiji = coverage("countries = [\"Fiji\"]\nsatellite_longitude = \"180 deg\"");
    assert_eq!(fiji.hidden_fraction(), 0.0);
    let [least, greatest] = fiji.bounds();
    // 174.6° E (a reef in the south) to 178.2° W.
    assert!(least[0] > -0.016 && least[0] < -0.014, "{least:?}");
    assert!(greatest[0] > 0.003 && greatest[0] < 0.008, "{greatest:?}");
    assert!(greatest[1] < -0.03, "{greatest:?}");
    // 18 270 km² seen from above at 36 000 km, foreshortened by the latitude.
    assert!(
        fiji.area() > 1.0e-5 && fiji.area() < 1.5e-5,
        "{}",
        fiji.area()
    );

    let russia = coverage("countries = [\"RUS\"]\nsatellite_longitude = \"180 deg\"");
    // Chukotka on both sides of the date line, without a cut along it.
    for u in [-0.002, -0.0005, 0.0, 0.0005, 0.002] {
        let latitude = 67.5f64.to_radians();
        let east = u * 42164.0 / 6378.137 / latitude.cos();
        let (y, z) = (latitude.cos() * east, latitude.sin());
        let x = latitude.cos() * (1.0 - 0.5 * east * east) - 42164.0 / 6378.137;
        let range = (x * x + y * y + z * z).sqrt();
        assert!(russia.contains(y / range, z / range), "{u}");
        let distance = russia.distance(y / range, z / range);
        assert!(distance < -0.0005, "{u} {distance}");
    }
    assert!(russia.hidden_fraction() > 0.3 && russia.hidden_fraction() < 0.7);

    // Both conventions of longitude, and a box across the date line.
    let across = |longitude: &str| {
        coverage(&format!(
            "countries = [\"Russia\", \"Fiji\"]\nsatellite_longitude = \"{longitude} deg\"\nbox = [170, -30, -170, 75]"
        ))
    };
    let (east, west) = (across("175"), across("-185"));
    close(east.area(), west.area(), 1e-9);
    assert_eq!(east.outlines().len(), west.outlines().len());
}

#[test]
fn what_is_beyond_the_horizon_is_cut_away_and_said() {
    // The whole visible Earth: a disc of radius R/D, which is (1 − R/D)/2 of the sphere.
    let world = r#"{"type": "Polygon", "coordinates": [[[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]]]}"#;
    let mut everything = spec("geojson = \"world.json\"\nsatellite_longitude = \"-75 deg\"");
    let disc = 6378.137 / 42164.0;
    for longitude in [0.0, -75.0, 180.0] {
        everything.satellite_longitude =
            Some(wavefield_physics::quantity::Angle::from_degrees(longitude));
        let earth = Coverage::new(&everything, Some(world)).unwrap();
        close(earth.area(), PI * disc * disc, 1e-4);
        close(earth.hidden_fraction(), 0.5 + 0.5 * disc, 1e-4);
        assert_eq!(earth.outlines().len(), 1);
    }
    // Australia on the western limb seen from 220° E.
    let rim = coverage(
        "countries = [\"AUS\"]\nsatellite_longitude = \"-140 deg\"\nmin_polygon_area = 10",
    );
    assert!(rim.hidden_fraction() > 0.3 && rim.hidden_fraction() < 0.9);
    assert!(rim.bounds()[1][0] < -0.1);
    // Brazil around the antipode of the satellite must not become its complement.
    let text = refused("countries = [\"BRA\"]\nsatellite_longitude = \"120 deg\"").to_string();
    assert!(
        text.contains("120 deg") && text.contains("Brazil (at -5"),
        "{text}"
    );
    // The pole is never visible, the coast of Antarctica south of 60° S is.
    let antarctica = coverage("countries = [\"ATA\"]\nsatellite_longitude = \"0 deg\"");
    assert!(antarctica.bounds()[1][1] < -0.12);
    assert!(antarctica.hidden_fraction() > 0.5 && antarctica.hidden_fraction() < 1.0);
}

#[test]
fn a_country_that_the_satellite_does_not_see_is_refused_by_its_name() {
    // An invisible country is an error also beside a visible one.
    let text = refused("countries = [\"FRA\", \"JPN\", \"NZL\"]\nsatellite_longitude = \"10 deg\"");
    let text = text.to_string();
    assert!(text.contains("not visible from 10 deg"), "{text}");
    assert!(
        text.contains("Japan (at 138 deg), New Zealand (at 17"),
        "{text}"
    );
    assert!(
        text.contains("remove them") && !text.contains("France"),
        "{text}"
    );

    // The visible part of a country is covered, and the hidden fraction is reported.
    let cut = coverage("countries = [\"DEU\", \"RUS\"]\nsatellite_longitude = \"10 deg\"");
    assert_eq!(cut.clipped().len(), 1);
    assert_eq!(cut.clipped()[0].name, "Russia");
    let alone = coverage("countries = [\"RUS\"]\nsatellite_longitude = \"10 deg\"");
    // The grid of the set operations is 1e-9 of their bounding box.
    close(cut.clipped()[0].hidden, alone.hidden_fraction(), 1e-7);
    assert!(cut.clipped()[0].hidden > cut.hidden_fraction());
    // Dropped islands do not count.
    let france = |smallest: f64| {
        let text = "countries = [\"FRA\"]\nsatellite_longitude = \"60 deg\"\nmin_polygon_area = ";
        coverage(&format!("{text}{smallest}")).clipped().len()
    };
    assert_eq!([france(0.0), france(10.0)], [1, 0]);
    assert!(coverage(EUROPE).clipped().is_empty());

    // The same for the geometries of a file, by their paths.
    let square = |west: f64| {
        let east = west + 10.0;
        format!(
            r#"{{"type": "Feature", "properties": {{}}, "geometry": {{"type": "Polygon", "coordinates":
                [[[{west}, 0], [{east}, 0], [{east}, 10], [{west}, 10], [{west}, 0]]]}}}}"#
        )
    };
    let file = |second: f64| {
        format!(
            r#"{{"type": "FeatureCollection", "features": [{}, {}]}}"#,
            square(0.0),
            square(second)
        )
    };
    let described = spec("geojson = \"a.json\"\nsatellite_longitude = \"10 deg\"");
    let text = Coverage::new(&described, Some(&file(140.0))).unwrap_err();
    let text = text.to_string();
    assert!(
        text.contains("GeoJSON features[1].geometry (at 145 deg)"),
        "{text}"
    );
    let cut = Coverage::new(&described, Some(&file(85.0))).unwrap();
    assert_eq!(cut.clipped()[0].name, "GeoJSON features[1].geometry");
    // A box selects geometries of a file.
    let boxed =
        spec("geojson = \"a.json\"\nbox = [-20, -20, 20, 20]\nsatellite_longitude = \"10 deg\"");
    assert!(Coverage::new(&boxed, Some(&file(140.0))).is_ok());
}

#[test]
fn the_same_description_gives_the_same_bits() {
    let bits = |coverage: &Coverage| -> Vec<u64> {
        edges(coverage.outlines())
            .iter()
            .flat_map(|(a, b)| [a[0], a[1], b[0], b[1]].map(f64::to_bits))
            .collect()
    };
    let text = format!("{EUROPE}\nsimplify = 0.0002");
    let (one, two) = (coverage(&text), coverage(&text));
    assert_eq!(bits(&one), bits(&two));
    assert_eq!(one.interior_points(0.001), two.interior_points(0.001));
    assert_eq!(one.boundary_points(0.001), two.boundary_points(0.001));
}

#[test]
fn land_is_kept_with_its_islands_and_without_margin() {
    let europe = coverage(EUROPE);
    assert!(europe.land().len() > 50);
    let land: f64 = edges(europe.land())
        .iter()
        .map(|(a, b)| 0.5 * (a[0] * b[1] - b[0] * a[1]))
        .sum();
    assert!(land > 0.5 * europe.area() && land < 0.7 * europe.area());
}

#[test]
fn wrong_descriptions_are_refused_by_the_name_of_the_key() {
    let at = "satellite_longitude = \"5 deg\"";
    for (text, part) in [
        (String::new(), "`coverage` names no region"),
        (
            "countries = [\"FRA\"]".into(),
            "`coverage.satellite_longitude` is missing",
        ),
        (
            format!("countries = [\"Frnace\"]\n{at}"),
            "did you mean `France`",
        ),
        (
            format!("countries = [\"FRA\"]\nbox = [0, 50, 10, 40]\n{at}"),
            "south (50) must be less",
        ),
        (
            format!("countries = [\"FRA\"]\nbox = [0, 40, 10, nan]\n{at}"),
            "between -90 and 90",
        ),
        (
            format!("countries = [\"FRA\"]\nbox = [5, 40, 5, 50]\n{at}"),
            "the box is empty",
        ),
        (
            format!("countries = [\"FRA\"]\nbox = [20, 40, 30, 50]\n{at}"),
            "outside `coverage.box`: France; remove",
        ),
        (
            format!("countries = [\"FRA\", \"ISL\"]\nbox = [-11, 35, 32, 60]\n{at}"),
            "outside `coverage.box`: Iceland;",
        ),
        (
            format!("countries = [\"FRA\"]\nmargin = -1\n{at}"),
            "`coverage.margin` must lie between 0 and 0.1, not at -1",
        ),
        (
            format!("countries = [\"FRA\"]\nsimplify = nan\n{at}"),
            "`coverage.simplify`",
        ),
        (
            format!("countries = [\"FRA\"]\nmin_polygon_area = 500\n{at}"),
            "the largest polygon has",
        ),
        (
            "countries = [\"FRA\"]\nsatellite_longitude = \"1000 deg\"".into(),
            "`coverage.satellite_longitude` must lie",
        ),
        (
            "countries = [\"NZL\"]\nsatellite_longitude = \"5 deg\"".into(),
            "not visible from 5 deg: New Zealand (at 17",
        ),
        (
            format!("geojson = \"a.json\"\n{at}"),
            "`coverage.geojson`: the text",
        ),
        (
            "polygons_uv = [{ exterior = [[0, 0], [1, 0]] }]".into(),
            "`coverage.polygons_uv.0.exterior`: a ring needs three points",
        ),
        (
            "polygons_uv = [{ exterior = [[0, 0], [1, 1], [0, 1]] }]".into(),
            "[1, 1] is not a visible direction",
        ),
        (
            "polygons_uv = [{ exterior = [[0, 0], [nan, 0], [0, 1]] }]".into(),
            "is not a visible direction",
        ),
        (
            "polygons_uv = [{ exterior = [[0, 0], [0.1, 0.1], [0.2, 0.2]] }]".into(),
            "encloses no area",
        ),
        (
            "ellipse = { center = [0, 0], semi_axes = [0, 1] }".into(),
            "`coverage.ellipse.semi_axes` must be positive",
        ),
        (
            "ellipse = { center = [0.5, 0], semi_axes = [0.6, 0.1] }".into(),
            "exceeds the visible region",
        ),
        (
            "ellipse = { center = [nan, 0], semi_axes = [0.6, 0.1] }".into(),
            "exceeds the visible region",
        ),
    ] {
        let message = message(&refused(&text));
        assert!(message.contains(part), "{text}\n{message}");
    }
    let text = "countries = [\"Frnace\", \"FRA\", \"Atlantis\"]\nbox = [500, 50, 10, 40]\nmargin = 1\n\
                polygons_uv = [{ exterior = [[0, 0], [1, 0]], holes = [[[0, 2], [0, 0], [1, 0]]] }]";
    let Error::Invalid(invalid) = refused(text) else {
        panic!("{text}")
    };
    let paths: Vec<&str> = invalid.0.iter().map(|issue| issue.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "coverage.countries.0",
            "coverage.countries.2",
            "coverage.satellite_longitude",
            "coverage.box",
            "coverage.box",
            "coverage.margin",
            "coverage.polygons_uv.0.exterior",
            "coverage.polygons_uv.0.holes.0",
        ]
    );
    assert!(toml::from_str::<CoverageSpec>("country = [\"FRA\"]").is_err());
    assert!(toml::from_str::<CoverageSpec>("box = [1, 2, 3]").is_err());
}
