//! Functions of the shading language that drivers may get wrong are not called: the transcendental ones are garbage in
//! double precision, and off by up to 5·10⁻⁴ in single.

use std::{fs, path::Path};

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

/// Whether `text` calls a function of this name, rather than one whose name ends like it.
fn calls(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].trim_start();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_') && after.starts_with('(')
    })
}

#[test]
fn no_kernel_calls_a_transcendental_function() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gpu/kernels");
    let mut seen = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let code: Vec<&str> = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default())
            .collect();
        let code = code.join("\n");
        for name in FORBIDDEN {
            assert!(!calls(&code, name), "{path:?} calls {name}");
        }
        seen += 1;
    }
    assert!(seen >= 4, "only {seen} kernels were found");
}

#[test]
fn the_check_sees_what_it_should() {
    assert!(calls("let x = sin(y);", "sin") && calls("pow (a, b)", "pow"));
    assert!(!calls("sinc(y); sine * x; cosine(y)", "sin"));
}
