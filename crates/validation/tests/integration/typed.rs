//! Problems of cases and benchmarks are typed specifications, not TOML text.

use std::path::{Path, PathBuf};

/// Signs of TOML problems in a source file.
const TEXT: [&str; 5] = [
    "toml::",
    "format = 1",
    "solver = \\\"",
    "solver = \"",
    "frequency = \"",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect()
}

#[test]
fn no_source_has_the_text_of_a_problem() {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(sources.len() > 30, "{sources:?}");
    for path in sources {
        let text = std::fs::read_to_string(&path).unwrap();
        for found in TEXT {
            assert!(!text.contains(found), "{} has {found:?}", path.display());
        }
    }
}
