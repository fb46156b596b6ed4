//! What README and book show a reader is right: problem files parse, and pages that are made from records are as made.

use std::path::{Path, PathBuf};

use wavefield::problem::Problem;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// README and the pages of the book.
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
    // They name files, which only have to be there.
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

#[test]
fn every_case_of_validation_and_every_benchmark_has_been_recorded() {
    let recorded = |name: &str| -> serde_json::Value {
        let text = std::fs::read_to_string(root().join("book/src").join(name)).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    for (file, cases) in [
        ("validation.json", wavefield::validate::cases()),
        ("benchmarks.json", wavefield::bench::cases()),
    ] {
        let record = recorded(file);
        let missing: Vec<&str> = (cases.iter().map(|case| case.name))
            .filter(|name| record.get(name).is_none())
            .collect();
        assert!(
            missing.is_empty(),
            "{file} lacks {missing:?}: run them with --record"
        );
        let gone: Vec<&String> = (record.as_object().unwrap().keys())
            .filter(|name| cases.iter().all(|case| case.name != name.as_str()))
            .collect();
        assert!(gone.is_empty(), "{file} has {gone:?}, which are no cases");
    }
}
