//! Range profiles, ISAR images, and scattering centers, from a problem file to the report.

use std::path::Path;

use wavefield::outcome::{Check, FigureKind, Outcome};
use wavefield::problem::Problem;
use wavefield::result::Record;
use wavefield::run::{Options, run};

/// Problem of a trihedral corner of 30 cm with its apex at the origin.
fn corner(frequency: &str, phi: &str, observation: &str, products: &str) -> String {
    format!(
        "format = 1\nsolver = \"sbr\"\ntitle = \"corner\"\nfrequency = {frequency}\n\
         bodies = [{{ geometry = {{ shape = \"trihedral\", side = \"30 cm\" }}, material = \"pec\" }}]\n\
         excitation = {{ kind = \"plane-wave\", theta = \"60 deg\", phi = {phi} }}\n\
         observation = {observation}\nsbr.products = {products}\n"
    )
}

const BACK: &str = "{ kind = \"monostatic\" }";
const BAND: &str = "{ start = \"8 GHz\", stop = \"10 GHz\", count = 16 }";
const TURN: &str = "{ start = \"40 deg\", stop = \"50 deg\", count = 16 }";

fn solved(text: &str) -> (Record, Outcome) {
    let problem = Problem::parse(text, "corner", Path::new(""))
        .unwrap_or_else(|error| panic!("{}", error.render(false, 90)));
    run(
        &problem,
        &Options::default(),
        &wavefield_numerics::observe::Silent,
    )
    .unwrap()
}

/// Returns the error of a problem.
fn refused(text: &str) -> String {
    let error = Problem::parse(text, "corner", Path::new("")).expect_err("it lacks something");
    let messages: Vec<&str> = (error.findings.iter())
        .map(|finding| finding.message.as_str())
        .collect();
    messages.join("; ")
}

/// Returns the position of the image peak, cross-range and down-range.
fn brightest(outcome: &Outcome, name: &str) -> [f64; 2] {
    let real = |part: &str| {
        let array = outcome.array(&format!("{name}/{part}")).unwrap();
        array.as_real().unwrap().to_vec()
    };
    let (values, across, down) = (real("dbsm"), real("cross_range"), real("down_range"));
    let best = (0..values.len())
        .max_by(|a, b| values[*a].total_cmp(&values[*b]))
        .unwrap();
    [across[best % across.len()], down[best / across.len()]]
}

#[test]
fn a_corner_is_a_point_at_its_apex_in_every_product() {
    let (record, outcome) = solved(&corner(
        BAND,
        TURN,
        BACK,
        "{ range_profile = true, image = true, scattering_centers = { count = 3 }, surface_map = true, \
         image_domain = { down_range = \"75 mm\", cross_range = \"90 mm\" } }",
    ));
    assert!(
        record.checks.iter().all(Check::passes),
        "{:?}",
        record.checks
    );
    // The triple reflection has the path length of the apex at every aspect; tolerance a tenth of a cell.
    for name in ["image", "direct_image"] {
        let [across, down] = brightest(&outcome, name);
        assert!(
            across.abs() < 0.01 && down.abs() < 0.01,
            "{name}: {across} {down}"
        );
    }
    let profiles = outcome.array("profile/dbsm").unwrap();
    let ranges = outcome
        .array("profile/down_range")
        .unwrap()
        .as_real()
        .unwrap();
    assert_eq!(profiles.shape, [16, ranges.len()]);
    let line = &profiles.as_real().unwrap()[8 * ranges.len()..][..ranges.len()];
    let best = (0..ranges.len())
        .max_by(|a, b| line[*a].total_cmp(&line[*b]))
        .unwrap();
    assert!(ranges[best].abs() < 0.01, "{}", ranges[best]);
    // A single scattering center has the RCS of the corner in the middle of the sweep.
    let rcs = outcome.array("rcs/vv_dbsm").unwrap().as_real().unwrap();
    let center = outcome.array("centers/rcs").unwrap().as_real().unwrap()[0];
    assert!(
        (center - rcs[8 * 16 + 8]).abs() < 0.5,
        "{center} {}",
        rcs[8 * 16 + 8]
    );
    let page = wavefield::report::page(&record, &outcome);
    for part in [
        "Image (ISAR)",
        "Range profile",
        "Scattering centers in order",
        "body outline",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

/// The image of a long body lies on its side and spans both columns of the report; its outline is that of the body.
#[test]
fn the_image_of_a_long_body_fills_its_frame_with_the_silhouette() {
    let text = corner(
        "{ start = \"8 GHz\", stop = \"10 GHz\", count = 16 }",
        "{ start = \"-4 deg\", stop = \"4 deg\", count = 9 }",
        BACK,
        "{ image = true }",
    );
    let text = text
        .replace("theta = \"60 deg\"", "theta = \"90 deg\"")
        .replace(
            "shape = \"trihedral\", side = \"30 cm\"",
            "shape = \"cuboid\", size = [\"80 cm\", \"12 cm\", \"10 cm\"]",
        );
    let (record, outcome) = solved(&text);
    let figure = (outcome.figures.iter())
        .find(|figure| figure.title == "Image (ISAR)")
        .unwrap();
    assert_eq!(
        (figure.x_label.as_str(), figure.y_label.as_str()),
        ("down-range", "cross-range")
    );
    assert!(figure.caption.contains("on the left") && figure.caption.contains("silhouette"));
    let FigureKind::Map(map) = &figure.kind else {
        panic!("{figure:?}");
    };
    assert!(map.y_down && map.x.1 - map.x.0 > map.y.1 - map.y.0);
    // The figure is the image of the arrays, transposed.
    let real = |name: &str| outcome.array(name).unwrap().as_real().unwrap();
    let (image, turned) = (real("image/dbsm"), real(&map.array));
    let [rows, columns] = outcome.array("image/dbsm").unwrap().shape[..] else {
        panic!("two axes");
    };
    assert_eq!(outcome.array(&map.array).unwrap().shape, [columns, rows]);
    assert!((0..rows * columns).all(|n| turned[n % columns * rows + n / columns] == image[n]));
    // The outline has the extent of the body: half sides of 40 cm and 6 cm, to the raster of the silhouette.
    let outline = &figure.series[0];
    for (name, half) in [(&outline.x, 0.4), (&outline.y, 0.06)] {
        let reach = real(name).iter().filter(|value| value.is_finite());
        let reach = reach.fold(0.0, |reach: f64, value| reach.max(value.abs()));
        assert!((reach - half).abs() < 0.005, "{name}: {reach}");
    }
    let page = wavefield::report::page(&record, &outcome);
    assert!(page.contains("wf-figure-wide"));
    // The sweep over frequency and angle is a map, too.
    let maps = (outcome.figures.iter()).filter(|f| {
        f.title
            .starts_with("Monostatic radar cross section versus φ")
    });
    assert_eq!(maps.count(), 2);
}

#[test]
fn a_body_that_folds_onto_itself_fails_a_check() {
    let coarse = "{ start = \"8 GHz\", stop = \"10 GHz\", count = 3 }";
    let (record, _) = solved(&corner(coarse, TURN, BACK, "{ image = true }"));
    let failed: Vec<&str> = record
        .checks
        .iter()
        .filter(|check| !check.passes())
        .map(|check| check.name.as_str())
        .collect();
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].contains("down-range"));
}

#[test]
fn what_a_sweep_lacks_is_said_before_it_is_computed() {
    let bistatic = "{ kind = \"bistatic\", phi = \"30 deg\" }";
    for (text, said) in [
        (
            corner("\"9 GHz\"", TURN, BACK, "{ range_profile = true }"),
            "at least 2 frequencies",
        ),
        (
            corner(
                "[\"8 GHz\", \"9 GHz\", \"11 GHz\"]",
                TURN,
                BACK,
                "{ image = true }",
            ),
            "uniform step",
        ),
        (
            corner(BAND, "\"45 deg\"", BACK, "{ image = true }"),
            "at least 2 angles",
        ),
        (
            corner(BAND, TURN, bistatic, "{ image = true }"),
            "monostatic",
        ),
        (
            corner(BAND, TURN, bistatic, "{ surface_map = true }"),
            "monostatic",
        ),
        (
            corner(BAND, TURN, BACK, "{ scattering_centers = { count = 0 } }"),
            "sbr.products.scattering_centers.count",
        ),
        (
            corner(
                BAND,
                TURN,
                BACK,
                "{ image_domain = { down_range = \"0 m\", cross_range = \"1 m\" } }",
            ),
            "sbr.products.image_domain.down_range",
        ),
    ] {
        let found = refused(&text);
        assert!(found.contains(said), "{found}");
    }
}
