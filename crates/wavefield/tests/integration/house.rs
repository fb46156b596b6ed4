//! The rules of the house: who may import whom, and where unsafe code may stand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// The floor of each crate; a crate imports only from floors below its own.
fn floor(name: &str) -> Option<u8> {
    Some(match name {
        "wavefield-physics" | "wavefield-compute" => 1,
        "wavefield-mesh" | "wavefield-nufft" | "wavefield-cluster" => 2,
        "wavefield-exact"
        | "wavefield-reflectarray"
        | "wavefield-sbr"
        | "wavefield-dgtd"
        | "wavefield-mom"
        | "wavefield-holography" => 3,
        "wavefield" => 4,
        "wavefield-cli" | "wavefield-fuzz" | "wavefield-python" => 5,
        _ => return None,
    })
}

/// What the ground floors may import of ours.
fn allowed(name: &str) -> Option<&'static [&'static str]> {
    match name {
        "wavefield-mesh" => Some(&["wavefield-physics"]),
        "wavefield-nufft" | "wavefield-cluster" => Some(&["wavefield-compute"]),
        "wavefield-python" => Some(&["wavefield"]),
        _ => None,
    }
}

fn our_imports() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut imports = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        let ours = package["dependencies"]
            .as_array()
            .unwrap()
            .iter()
            // A test may compare with what lies above; the program may not.
            .filter(|dependency| dependency["kind"].as_str() != Some("dev"))
            .map(|dependency| dependency["name"].as_str().unwrap().to_owned())
            .filter(|name| name.starts_with("wavefield"))
            .collect();
        imports.insert(package["name"].as_str().unwrap().to_owned(), ours);
    }
    imports
}

#[test]
fn crates_import_only_from_floors_below() {
    let imports = our_imports();
    assert!(imports.len() >= 5, "{imports:?}");
    for (name, dependencies) in &imports {
        let own =
            floor(name).unwrap_or_else(|| panic!("`{name}` has no floor; see ARCHITECTURE.md"));
        for dependency in dependencies {
            let theirs = floor(dependency).unwrap_or_else(|| panic!("`{dependency}` has no floor"));
            assert!(
                theirs < own,
                "`{name}` (floor {own}) imports `{dependency}` (floor {theirs})"
            );
            if let Some(list) = allowed(name) {
                assert!(
                    list.contains(&dependency.as_str()),
                    "`{name}` may not import `{dependency}`"
                );
            }
        }
    }
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn unsafe_code_stands_only_in_kernel_modules() {
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let source = entry.unwrap().path().join("src");
        if !source.is_dir() {
            continue;
        }
        let head = ["lib.rs", "main.rs"].map(|name| std::fs::read_to_string(source.join(name)));
        let head = head.into_iter().find_map(Result::ok).unwrap();
        assert!(
            head.contains("#![forbid(unsafe_code)]") || head.contains("#![deny(unsafe_code)]"),
            "{} neither forbids nor denies unsafe code",
            source.display()
        );
        let mut files = Vec::new();
        rust_files(&source, &mut files);
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            if text.contains("allow(unsafe_code)") {
                let in_kernels = file.components().any(|part| part.as_os_str() == "kernels");
                assert!(
                    in_kernels,
                    "{} allows unsafe code outside `kernels/`",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn every_case_in_problems_is_built_in() {
    let mut found = Vec::new();
    for solver in std::fs::read_dir(root().join("problems")).unwrap() {
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
    let path = root().join("problems/schema.json");
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let schema = serde_json::to_string_pretty(&wavefield::problem::schema()).unwrap() + "\n";
    assert!(
        written == schema,
        "problems/schema.json is old; `wavefield schema > problems/schema.json` makes it new"
    );
}
