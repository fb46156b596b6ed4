//! Folder `problems`: its examples are embedded, and its schema is generated from the types.

use std::path::{Path, PathBuf};

fn problems() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems")
}

#[test]
fn every_case_in_problems_is_built_in() {
    let mut found = Vec::new();
    for solver in std::fs::read_dir(problems()).unwrap() {
        let solver = solver.unwrap();
        // Comparisons are folders of problems, which are run by `wavefield compare`.
        if !solver.path().is_dir() || solver.file_name() == "compare" {
            continue;
        }
        for case in std::fs::read_dir(solver.path()).unwrap() {
            let case = case.unwrap().file_name();
            found.push(format!(
                "{}/{}",
                solver.file_name().display(),
                case.display()
            ));
        }
    }
    found.sort();
    let built_in: Vec<&str> = wavefield::examples::EXAMPLES
        .iter()
        .map(|e| e.name)
        .collect();
    assert_eq!(found, built_in);
}

#[test]
fn the_checked_in_schema_is_what_the_types_say() {
    let path = problems().join("schema.json");
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let schema = serde_json::to_string_pretty(&wavefield::problem::schema()).unwrap() + "\n";
    assert!(
        written == schema,
        "problems/schema.json is out of date; regenerate it with `wavefield schema > problems/schema.json`"
    );
}
