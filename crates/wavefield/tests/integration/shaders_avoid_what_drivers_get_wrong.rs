//! WGSL functions that drivers implement inaccurately are not called: transcendental functions are invalid in double
//! precision through Vulkan, and have errors up to 5·10⁻⁴ in single precision.

use std::fs;
use std::path::{Path, PathBuf};

const FORBIDDEN: [&str; 17] = [
    "exp",
    "exp2",
    "log",
    "log2",
    "sin",
    "cos",
    "tan",
    "pow",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "inverseSqrt",
    "normalize",
];

/// Folders of shaders, and their minimum numbers.
const SHADERS: [(&str, usize); 8] = [
    ("gpu/src/lu/kernels", 3),
    ("gpu/src/kernels", 10),
    ("dgtd/src/gpu/kernels", 4),
    ("holography/src/gpu/kernels", 2),
    ("mom2d/src/gpu/kernels", 4),
    ("mom3d/src/kernels", 4),
    ("nufft/src/kernels", 10),
    ("sbr/src/gpu/kernels", 7),
];

/// Shaders that measure the device's accuracy of such functions in single precision.
const PROBES: [&str; 1] = ["gpu/src/kernels/accuracy_f32.wgsl"];

/// Returns whether `text` calls a function of exactly this name.
fn calls(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].trim_start();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_') && after.starts_with('(')
    })
}

/// Returns all shaders below a folder.
fn shaders(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            shaders(&path, found);
        } else if path.extension().is_some_and(|end| end == "wgsl") {
            found.push(path);
        }
    }
}

#[test]
fn no_shader_calls_a_transcendental_function() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for entry in fs::read_dir(&crates).unwrap() {
        let source = entry.unwrap().path().join("src");
        if source.is_dir() {
            shaders(&source, &mut found);
        }
    }
    for (folder, least) in SHADERS {
        let seen = found
            .iter()
            .filter(|path| path.starts_with(crates.join(folder)))
            .count();
        assert!(seen >= least, "only {seen} shaders were found in {folder}");
    }
    for entry in fs::read_dir(crates.join("gpu/src/kernels")).unwrap() {
        let path = entry.unwrap().path();
        assert!(found.contains(&path), "{path:?} is no shader");
    }
    let probes = PROBES.map(|probe| crates.join(probe));
    for path in found.iter().filter(|path| !probes.contains(path)) {
        let text = fs::read_to_string(path).unwrap();
        let code: Vec<&str> = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default())
            .collect();
        let code = code.join("\n");
        for name in FORBIDDEN {
            assert!(!calls(&code, name), "{path:?} calls {name}");
        }
    }
}

#[test]
fn the_check_sees_what_it_should() {
    assert!(calls("let x = sin(y);", "sin") && calls("pow (a, b)", "pow"));
    assert!(!calls("using(y); SIN_60 * x; sine(y); sinc(y)", "sin"));
}
