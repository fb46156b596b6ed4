//! Rules of ARCHITECTURE.md: dependencies of crates, size of crates, and placement of unsafe code.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// Layer of each crate; a crate depends only on crates of lower layers.
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

/// Dependencies within a layer: the GPU's FFT and sums share plans and order with those of the CPU, meshes have
/// quantities with units; the command offers validation, the wheel offers the command, fuzz targets read reference
/// data.
fn is_allowed_within(name: &str, dependency: &str) -> bool {
    matches!(
        (name, dependency),
        ("wavefield-gpu", "wavefield-numerics")
            | ("wavefield-mesh", "wavefield-physics")
            | ("wavefield-cli" | "wavefield-fuzz", "wavefield-validation")
            | ("wavefield-python", "wavefield-cli")
    )
}

/// Crates with a restricted list of workspace dependencies.
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
            // Tests may depend on higher layers.
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

/// Maximum number of Rust lines in `src` of a crate.
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
fn unsafe_code_stands_only_in_kernels_and_c_interfaces() {
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
                    in_kernels || file.ends_with("ffi.rs"),
                    "{} allows unsafe code outside `kernels/` and `ffi.rs`",
                    file.display()
                );
            }
        }
    }
}

/// Returns the names in quotes after every occurrence of `before`.
fn quoted_after(text: &str, before: &str) -> Vec<String> {
    let quoted = |(at, _)| text[at..].split('"').nth(1).unwrap().to_owned();
    text.match_indices(before).map(quoted).collect()
}

/// A kernel reached on a CPU without one of its features would be undefined behavior.
#[test]
fn the_detected_cpu_features_are_those_that_kernels_enable() {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let source = entry.unwrap().path().join("src");
        if source.is_dir() {
            rust_files(&source, &mut files);
        }
    }
    // AVX-512, AVX2, and NEON.
    let mut enabled = [const { BTreeSet::new() }; 3];
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for list in quoted_after(&text, "target_feature(enable = ") {
            let features = || list.split(',').map(|feature| feature.trim().to_owned());
            let level = match &list {
                list if list.contains("avx512") => 0,
                list if list.contains("avx") => 1,
                _ => 2,
            };
            enabled[level].extend(features());
        }
    }
    assert!(enabled.iter().all(|features| !features.is_empty()));
    let detection = root().join("crates/numerics/src/cpu.rs");
    let detection = std::fs::read_to_string(detection).unwrap();
    let (_, detection) = detection.split_once("fn of_cpu()").unwrap();
    let (narrow, wide) = detection.split_once("let wide =").unwrap();
    let found = |text| BTreeSet::from_iter(quoted_after(text, "is_x86_feature_detected!("));
    let avx2 = found(narrow);
    let avx512 = &avx2 | &found(wide);
    let neon = BTreeSet::from_iter(quoted_after(wide, "is_aarch64_feature_detected!("));
    assert_eq!(enabled, [avx512, avx2, neon]);
}

/// Finds files of a crate that import each other, as modules.
mod imports {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::{Path, PathBuf};

    /// Module by its path.
    pub(super) type Module = Vec<String>;

    /// Returns the modules of a crate with their files.
    pub(super) fn modules(source: &Path, files: Vec<PathBuf>) -> BTreeMap<Module, PathBuf> {
        let module = |file: PathBuf| {
            let inner = file.strip_prefix(source).unwrap().with_extension("");
            let mut path: Module = (inner.iter())
                .map(|part| part.to_string_lossy().into_owned())
                .collect();
            if matches!(path.last().unwrap().as_str(), "lib" | "main" | "mod") {
                path.pop();
            }
            (path, file)
        };
        files.into_iter().map(module).collect()
    }

    /// Returns the modules that each module imports. Imports through re-exports of the crate root are not followed.
    pub(super) fn graph(
        modules: &BTreeMap<Module, PathBuf>,
    ) -> BTreeMap<&Module, BTreeSet<&Module>> {
        let imported = |(module, file): (&'_ Module, &PathBuf)| {
            let text = std::fs::read_to_string(file).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            let code: String = (code.lines())
                .map(|line| line.split("//").next().unwrap().to_owned() + " ")
                .collect();
            paths(&code)
                .iter()
                .filter_map(|path| resolve(module, path, modules))
                .collect::<BTreeSet<&Module>>()
        };
        (modules.iter())
            .filter(|(module, _)| !module.is_empty())
            .map(|(module, file)| {
                let mut found = imported((module, file));
                found.remove(module);
                (module, found)
            })
            .collect()
    }

    /// Returns the paths in code that start with `crate` or `super`, with lists in braces expanded.
    fn paths(code: &str) -> Vec<Vec<&str>> {
        let mut found = Vec::new();
        for head in ["crate::", "super::"] {
            for (at, _) in code.match_indices(head) {
                let before = code[..at].chars().next_back();
                if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                    expand(&code[at..], &mut Vec::new(), &mut found);
                }
            }
        }
        found
    }

    /// Follows a path from its first word; returns the rest of the code.
    fn expand<'a>(
        code: &'a str,
        path: &mut Vec<&'a str>,
        found: &mut Vec<Vec<&'a str>>,
    ) -> &'a str {
        let code = code.trim_start();
        if let Some(mut rest) = code.strip_prefix('{') {
            loop {
                rest = rest.trim_start();
                if let Some(rest) = rest.strip_prefix('}') {
                    return rest;
                }
                if rest.is_empty() {
                    return rest;
                }
                rest = expand(rest, path, found).trim_start();
                // Alias or comma.
                let end = rest.find([',', '}']).unwrap_or(rest.len());
                rest = rest[end..].trim_start_matches(',');
            }
        }
        let end = code.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let (word, rest) = code.split_at(end.unwrap_or(code.len()));
        if word.is_empty() {
            found.push(path.clone());
            return code.get(1..).unwrap_or("");
        }
        path.push(word);
        let rest = match rest.strip_prefix("::") {
            Some(inner) => expand(inner, path, found),
            None => {
                found.push(path.clone());
                rest
            }
        };
        path.pop();
        rest
    }

    /// Returns the module of a path: its longest prefix that is one.
    fn resolve<'m>(
        own: &Module,
        path: &[&str],
        modules: &'m BTreeMap<Module, PathBuf>,
    ) -> Option<&'m Module> {
        let mut base = own.clone();
        let mut words = path.iter();
        for word in words.by_ref() {
            match *word {
                "crate" => base.clear(),
                "super" => {
                    base.pop();
                }
                word => {
                    base.push(word.to_owned());
                    break;
                }
            }
        }
        base.extend(words.map(|word| (*word).to_owned()));
        while !base.is_empty() {
            if let Some((module, _)) = modules.get_key_value(&base) {
                return Some(module);
            }
            base.pop();
        }
        None
    }

    /// Returns all direct and indirect imports of a module.
    pub(super) fn reachable<'m>(
        from: &'m Module,
        graph: &BTreeMap<&'m Module, BTreeSet<&'m Module>>,
    ) -> BTreeSet<&'m Module> {
        let mut found = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            for next in graph.get(module).into_iter().flatten().copied() {
                if found.insert(next) {
                    open.push(next);
                }
            }
        }
        found
    }
}

#[test]
fn files_of_different_folders_do_not_import_each_other_in_cycles() {
    let mut imports = 0;
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let source = entry.unwrap().path().join("src");
        let mut files = Vec::new();
        rust_files(&source, &mut files);
        let modules = imports::modules(&source, files);
        let graph = imports::graph(&modules);
        imports += graph.values().map(BTreeSet::len).sum::<usize>();
        let reachable: BTreeMap<_, _> = (graph.keys())
            .map(|module| (*module, imports::reachable(module, &graph)))
            .collect();
        for (one, others) in &reachable {
            for other in others {
                let back = reachable.get(other).is_some_and(|all| all.contains(one));
                let folder =
                    |module: &imports::Module| modules[module].parent().map(Path::to_path_buf);
                assert!(
                    !back || folder(one) == folder(other),
                    "{}: {} and {} import each other, through others perhaps",
                    source.display(),
                    one.join("/"),
                    other.join("/")
                );
            }
        }
    }
    assert!(imports > 500, "only {imports} imports were found");
}
