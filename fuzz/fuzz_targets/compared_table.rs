//! Whatever the text, a table is refused or agrees with itself.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use wavefield::compare::{Comparison, compare_to_folder};
use wavefield_compute::observe::Silent;
use wavefield_fuzz::Scratch;

static FOLDER: LazyLock<Scratch> = LazyLock::new(Scratch::default);

fuzz_target!(|bytes: &[u8]| {
    let paths = ["one.csv", "other.csv"].map(|name| FOLDER.write(name, bytes));
    let into = FOLDER.folder().join("comparison");
    let compared = compare_to_folder(&paths, &Comparison::default(), &Silent, &into);
    if let Ok((_, verdicts)) = compared {
        for verdict in verdicts {
            let apart = verdict.agreement.mean_db;
            assert!(apart == 0.0 || apart.is_nan(), "{verdict:?}");
        }
    }
});
