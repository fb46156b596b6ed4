//! The rules of ARCHITECTURE.md: who may import whom, how large a crate may be, and where unsafe code may stand.

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

/// The layer of each crate; a crate imports only from layers below its own.
fn layer(name: &str) -> Option<u8> {
    Some(match name {
        "wavefield-numerics" | "wavefield-gpu" => 1,
        "wavefield-physics" | "wavefield-mesh" | "wavefield-nufft" => 2,
        "wavefield-solver" => 3,
        "wavefield-exact"
        | "wavefield-reflectarray"
        | "wavefield-sbr"
        | "wavefield-dgtd"
        | "wavefield-mom2d"
        | "wavefield-mom3d"
        | "wavefield-holography"
        | "wavefield-cluster"
        | "wavefield-report" => 4,
        "wavefield" => 5,
        "wavefield-validation" | "wavefield-cli" | "wavefield-python" | "wavefield-fuzz" => 6,
        _ => return None,
    })
}

/// Imports within a layer: the GPU's FFT and sums share plans and order with those of the CPU, meshes have quantities with
/// units; the command offers validation, the wheel offers the command, fuzz targets read reference data.
fn is_allowed_within(name: &str, dependency: &str) -> bool {
    matches!(
        (name, dependency),
        ("wavefield-gpu", "wavefield-numerics")
            | ("wavefield-mesh", "wavefield-physics")
            | ("wavefield-cli" | "wavefield-fuzz", "wavefield-validation")
            | ("wavefield-python", "wavefield-cli")
    )
}

/// What some crates may import of ours at most.
fn allowed(name: &str) -> Option<&'static [&'static str]> {
    match name {
        "wavefield-mesh" => Some(&["wavefield-numerics", "wavefield-physics"]),
        "wavefield-nufft" => Some(&["wavefield-gpu", "wavefield-numerics"]),
        "wavefield-cluster" => Some(&["wavefield-solver"]),
        "wavefield-report" => Some(&["wavefield-mesh", "wavefield-solver"]),
        "wavefield-python" => Some(&["wavefield", "wavefield-cli"]),
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
fn crates_import_only_from_layers_below() {
    let imports = our_imports();
    assert!(imports.len() >= 5, "{imports:?}");
    for (name, dependencies) in &imports {
        let own =
            layer(name).unwrap_or_else(|| panic!("`{name}` has no layer; see ARCHITECTURE.md"));
        for dependency in dependencies {
            let theirs = layer(dependency).unwrap_or_else(|| panic!("`{dependency}` has no layer"));
            assert!(
                theirs < own || is_allowed_within(name, dependency),
                "`{name}` (layer {own}) imports `{dependency}` (layer {theirs})"
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
fn the_nonuniform_fft_builds_without_wgpu() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--package", "wavefield-nufft"])
        .args(["--no-default-features", "--edges", "normal"])
        .current_dir(root())
        .output()
        .unwrap();
    let tree = String::from_utf8_lossy(&output.stdout);
    assert!(tree.contains("rustfft"), "{tree}");
    assert!(!tree.contains("wgpu"), "{tree}");
}

/// Lines of Rust in `src` above which a crate holds more than one thing.
const MAX_LINES: usize = 15_000;

#[test]
fn crates_are_of_bounded_size() {
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap();
        let name = folder.file_name().into_string().unwrap();
        let mut files = Vec::new();
        rust_files(&folder.path().join("src"), &mut files);
        let lines: usize = (files.iter())
            .map(|file| std::fs::read_to_string(file).unwrap().lines().count())
            .sum();
        assert!(
            lines <= MAX_LINES,
            "crates/{name} has {lines} lines, of {MAX_LINES}"
        );
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
