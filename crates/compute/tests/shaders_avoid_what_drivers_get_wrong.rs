//! Double-precision transcendental functions are silently wrong on Vulkan through WGSL: no shader may call them.

use std::{fs, path::Path};

const FORBIDDEN: [&str; 16] = [
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
];

/// Whether `text` calls a function of this name, rather than one whose name ends like it.
fn calls(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].trim_start();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_') && after.starts_with('(')
    })
}

/// `real` and `complex` stand for either precision, so a text that uses them may be compiled in `f64`.
fn may_be_double(text: &str) -> bool {
    ["f64", "real", "complex"].iter().any(|word| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|token| token == *word)
    })
}

#[test]
fn no_double_precision_shader_calls_a_transcendental_function() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/kernels");
    let mut double = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(
            path.extension().and_then(|end| end.to_str()),
            Some("wgsl"),
            "{path:?}"
        );
        let text = fs::read_to_string(&path).unwrap();
        let code: String = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n")
            .collect();
        if may_be_double(&code) {
            double += 1;
            for name in FORBIDDEN {
                assert!(!calls(&code, name), "{path:?} calls {name}");
            }
        }
    }
    assert!(
        double >= 4,
        "only {double} shaders were recognised as double precision"
    );
}

#[test]
fn the_check_sees_what_it_should() {
    assert!(calls("let x = sin(y);", "sin") && calls("pow (a, b)", "pow"));
    assert!(!calls("using(y); SIN_60 * x; sine(y)", "sin"));
    assert!(may_be_double("alias real = f32;") && !may_be_double("var really: f32;"));
}
