//! Fuzz target `compared_table`.

use std::sync::LazyLock;

use crate::scratch::Scratch;
use wavefield::compare::{Comparison, compare_to_folder};
use wavefield_numerics::observe::Silent;

static FOLDER: LazyLock<Scratch> = LazyLock::new(Scratch::default);

/// Any text is rejected as a table, or agrees with itself.
pub fn compared_table(bytes: &[u8]) {
    let paths = ["one.csv", "other.csv"].map(|name| FOLDER.write(name, bytes));
    let into = FOLDER.folder().join("comparison");
    let compared = compare_to_folder(&paths, &Comparison::default(), &Silent, &into);
    if let Ok((_, verdicts)) = compared {
        for verdict in verdicts {
            let apart = verdict.agreement.mean_db;
            assert!(apart == 0.0 || apart.is_nan(), "{verdict:?}");
        }
    }
}
