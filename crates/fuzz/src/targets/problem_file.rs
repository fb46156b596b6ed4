//! Fuzz target `problem_file`.

use std::sync::LazyLock;

use crate::scratch::Scratch;
use wavefield::problem::{Document, Problem};

/// Folder with the files that a problem may refer to.
static FOLDER: LazyLock<Scratch> = LazyLock::new(|| {
    let scratch = Scratch::default();
    for name in ["mesh.stl", "region.json", "room.wav", "microphones.xml"] {
        scratch.write(name, b"");
    }
    scratch
});

/// Any text is rejected as a problem file with findings that can be rendered, or each of its problems, written out in
/// full, is the same problem.
pub fn problem_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let parsed = Document::parse(text, "problem.toml", FOLDER.folder());
    match parsed.and_then(|document| document.problems()) {
        Ok(problems) => {
            for (_, problem) in problems {
                let resolved = problem.resolved();
                let again = Problem::parse(&resolved, "problem.toml", FOLDER.folder())
                    .expect("a problem that was written out is one");
                assert_eq!(again.hash(), problem.hash());
            }
        }
        Err(error) => {
            assert!(!error.findings.is_empty());
            assert!(!error.render(false, 80).is_empty());
        }
    }
}
