//! README and book: problem files parse, and recorded measurements agree with the cases.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wavefield::problem::Problem;
use wavefield_validation::measure::{Case, Limit, Limits, Metrics};
use wavefield_validation::{bench, validate};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns README and the pages of the book.
fn pages() -> Vec<(PathBuf, String)> {
    let pages = std::fs::read_dir(root().join("book/src")).unwrap();
    let mut paths: Vec<PathBuf> = pages
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .chain([root().join("README.md")])
        .collect();
    paths.sort();
    (paths.into_iter())
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect()
}

#[test]
fn problem_files_that_are_shown_are_problems() {
    // The problems refer to files, which must only exist.
    let folder = tempfile::tempdir().unwrap();
    for file in ["ship.obj", "room.wav"] {
        std::fs::write(folder.path().join(file), "").unwrap();
    }
    let mut shown = 0;
    for (path, text) in pages() {
        for block in text.split("```toml\n").skip(1) {
            let block = block.split("```").next().unwrap();
            if !block.starts_with("format = 1\n") {
                continue;
            }
            shown += 1;
            if let Err(error) = Problem::parse(block, "problem.toml", folder.path()) {
                panic!("{}: {}", path.display(), error.render(false, 90));
            }
        }
    }
    assert!(shown >= 6, "{shown} problem files are shown");
}

/// Returns the records with their cases.
fn records() -> [(&'static str, serde_json::Value, Vec<Case>); 2] {
    let recorded = |name: &str| -> serde_json::Value {
        let text = std::fs::read_to_string(root().join("book/src").join(name)).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    [
        ("validation.json", validate::cases().unwrap()),
        ("benchmarks.json", bench::cases().unwrap()),
    ]
    .map(|(file, cases)| (file, recorded(file), cases))
}

/// Recorded metrics are evaluated with the current limits of the cases.
#[test]
fn records_have_the_limits_of_their_cases_and_the_verdicts_that_follow() {
    let written = |limits: &Limits| -> BTreeMap<String, String> {
        (limits
            .iter()
            .map(|(name, limit)| (name.clone(), limit.to_string())))
        .collect()
    };
    for (file, record, cases) in records() {
        for case in cases {
            let Some(entry) = record.get(case.name) else {
                continue;
            };
            let of = |key: &str| -> BTreeMap<String, String> {
                let found = entry.get(key).cloned().unwrap_or(serde_json::json!({}));
                serde_json::from_value(found).unwrap()
            };
            let again = "run it with --record";
            assert_eq!(
                of("limits"),
                written(&case.limits),
                "{file}, {}: {again}",
                case.name
            );
            let times = written(&case.time_limits);
            assert_eq!(of("time_limits"), times, "{file}, {}: {again}", case.name);
            let metrics: Metrics = serde_json::from_value(entry["metrics"].clone()).unwrap();
            let passes = Limit::all_hold(&case.limits, &metrics);
            assert_eq!(entry["pass"], passes, "{file}, {}", case.name);
            let in_time = Limit::all_hold(&case.time_limits, &metrics);
            let said = entry.get("in_time").is_none_or(|said| said == true);
            assert_eq!(said, in_time, "{file}, {}", case.name);
        }
    }
}

#[test]
fn every_case_of_validation_and_every_benchmark_has_been_recorded() {
    for (file, record, cases) in records() {
        let missing: Vec<&str> = (cases.iter().map(|case| case.name))
            .filter(|name| record.get(name).is_none())
            .collect();
        assert!(
            missing.is_empty(),
            "{file} lacks {missing:?}: run new cases with --record"
        );
        let gone: Vec<&String> = (record.as_object().unwrap().keys())
            .filter(|name| cases.iter().all(|case| case.name != name.as_str()))
            .collect();
        assert!(gone.is_empty(), "{file} has {gone:?}, which are no cases");
    }
}
