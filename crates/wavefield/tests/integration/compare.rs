//! Comparisons: common rows, error metrics, and error messages.

use std::path::{Path, PathBuf};

use wavefield::compare::{Comparison, compare_to_folder};
use wavefield_numerics::observe::Silent;

const SPHERE: &str = r#"
    format = 1
    solver = "SOLVER"
    title = "A sphere"
    frequency = "1 GHz"
    [[bodies]]
    geometry = { shape = "sphere", radius = "30 cm" }
    material = "pec"
    [excitation]
    kind = "plane-wave"
    theta = "90 deg"
    phi = "0 deg"
    [observation]
    kind = "bistatic"
    theta = "90 deg"
    phi = { start = "0 deg", stop = "40 deg", step = "STEP deg" }
"#;

fn problem(folder: &Path, name: &str, solver: &str, step: u32) -> PathBuf {
    let text = SPHERE.replace("SOLVER", solver);
    let path = folder.join(format!("{name}.toml"));
    std::fs::write(&path, text.replace("STEP", &step.to_string())).unwrap();
    path
}

fn said(paths: &[PathBuf], reference: Option<&str>, out: &Path) -> String {
    let comparison = Comparison {
        reference: reference.map(str::to_owned),
        ..Comparison::default()
    };
    let failure = compare_to_folder(paths, &comparison, &Silent, out).unwrap_err();
    failure.to_string()
}

#[test]
fn problems_are_run_and_compared_on_common_rows() {
    let folder = tempfile::tempdir().unwrap();
    let problems = folder.path().join("problems");
    std::fs::create_dir(&problems).unwrap();
    problem(&problems, "rays", "sbr", 2);
    problem(&problems, "series", "exact", 1);
    let out = folder.path().join("out");
    let (record, verdicts) =
        compare_to_folder(&[problems], &Comparison::default(), &Silent, &out).unwrap();
    assert!(
        record.summary.contains("compared with exact"),
        "{}",
        record.summary
    );
    let vv = verdicts.iter().find(|v| v.quantity == "vv_dbsm").unwrap();
    assert_eq!((vv.name.as_str(), vv.agreement.rows), ("rays", 21));
    // At ka = 6 the error of SBR is about 1 dB in the backscatter direction.
    assert!(
        vv.agreement.mean_db > 0.01 && vv.agreement.mean_db < 2.0,
        "{vv:?}"
    );
    for file in [
        "report.html",
        "comparison.csv",
        "rays/report.html",
        "series/report.html",
    ] {
        assert!(out.join(file).is_file(), "{file}");
    }
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("VV: difference from exact"));

    // Existing results are not computed again; a CSV table takes part in the comparison.
    let table = folder.path().join("measured.csv");
    std::fs::write(&table, "phi[deg],vv_dbsm[dBsm]\n0,-3\n360,7\n2,-4\n").unwrap();
    let paths = [out.join("rays"), table];
    let again = folder.path().join("again");
    let (record, verdicts) =
        compare_to_folder(&paths, &Comparison::default(), &Silent, &again).unwrap();
    assert_eq!(verdicts.len(), 1);
    assert_eq!(verdicts[0].agreement.rows, 2, "{}", record.summary);
    // The same command again replaces its previous result.
    compare_to_folder(&paths, &Comparison::default(), &Silent, &again).unwrap();
}

/// Azimuths of incidence and observation vary together.
#[test]
fn monostatic_sweeps_are_drawn_along_their_azimuth() {
    let folder = tempfile::tempdir().unwrap();
    let problems = ["sbr", "exact"].map(|solver| {
        let path = problem(folder.path(), solver, solver, 10);
        let text = std::fs::read_to_string(&path).unwrap();
        let (head, _) = text.split_once("phi = \"0 deg\"").unwrap();
        let around = r#"phi = { start = "0 deg", stop = "40 deg", step = "10 deg" }"#;
        let text = format!("{head}{around}\n[observation]\nkind = \"monostatic\"\n");
        std::fs::write(&path, text).unwrap();
        path
    });
    let out = folder.path().join("out");
    let (record, _) = compare_to_folder(&problems, &Comparison::default(), &Silent, &out).unwrap();
    let titles: Vec<&str> = record.figures.iter().map(|f| f.title.as_str()).collect();
    assert!(titles.contains(&"VV: all results"), "{titles:?}");
    for figure in &record.figures {
        let caption = &figure.caption;
        assert!(
            caption.contains("; monostatic; frequency = 1 GHz; θ = 90°"),
            "{caption}"
        );
        assert!(
            !caption.contains("incidence") && !caption.contains("φ ="),
            "{caption}"
        );
    }
    // The cross-polar channels vanish: they are reported, without statistics.
    let weak: Vec<_> = record
        .key_figures
        .iter()
        .filter(|figure| figure.value == "at noise level")
        .collect();
    assert_eq!(weak.len(), 2, "{:?}", record.key_figures);
    assert!(weak[0].label == "VH" && weak[1].label == "HV", "{weak:?}");
}

/// Results of one solver have the label of their title, and equal file names that of their folder.
#[test]
fn results_of_equal_names_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let problems = ["large", "small"].map(|size| {
        let parent = folder.path().join(size);
        std::fs::create_dir(&parent).unwrap();
        let path = problem(&parent, "problem", "exact", 10);
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.replace("\"A sphere\"", &format!("\"A {size} sphere\""));
        let radius = if size == "large" { "30 cm" } else { "25 cm" };
        std::fs::write(&path, text.replace("30 cm", radius)).unwrap();
        path
    });
    let out = folder.path().join("out");
    let (record, verdicts) =
        compare_to_folder(&problems, &Comparison::default(), &Silent, &out).unwrap();
    assert_eq!(verdicts[0].name, "small-problem");
    let legend: Vec<&str> = (record.figures[0].series.iter())
        .map(|series| series.name.as_str())
        .collect();
    assert_eq!(legend, ["A small sphere", "A large sphere"]);
    assert!(out.join("large-problem/report.html").is_file());
}

#[test]
fn what_cannot_be_compared_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let one = path("one.csv", "phi[deg],vv_dbsm[dBsm]\n0,-3\n");
    let other = path("other.csv", "phi[deg],vv_dbsm[dBsm]\n1,-3\n");
    let volts = path("volts.csv", "phi[deg],u[V]\n0,-3\n");
    let plain = path("plain.csv", "vv_dbsm[dBsm]\n-3\n");
    let refused = |paths: &[&PathBuf], reference| {
        let paths: Vec<PathBuf> = paths.iter().map(|path| (*path).clone()).collect();
        said(&paths, reference, &out)
    };
    assert!(refused(&[&one], None).contains("two results"));
    assert!(refused(&[&one, &other], None).contains("no other result has a row"));
    assert!(refused(&[&one, &volts], None).contains("no common table in decibels"));
    assert!(refused(&[&one, &plain], None).contains("no common frequency or angle"));
    assert!(refused(&[&one, &other], Some("third")).contains("one, other"));
    assert!(refused(&[&one, &one], None).contains("duplicate result name"));
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    assert!(refused(&[&one, &empty], None).contains("neither a result folder"));
    let missing = folder.path().join("missing.csv");
    assert!(refused(&[&one, &missing], None).contains("missing.csv"));
}
