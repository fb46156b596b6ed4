//! Whatever `arrays.npz` holds, it is refused or its arrays are as long as their shapes, and the report is drawn of them.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use wavefield::outcome::Data;
use wavefield::{report, result};
use wavefield_fuzz::Scratch;

/// A folder with the record of a result.
static FOLDER: LazyLock<Scratch> = LazyLock::new(|| {
    let scratch = Scratch::default();
    let record = include_bytes!("../corpus/result_record/every_figure");
    scratch.write("result.json", record);
    scratch
});

fuzz_target!(|bytes: &[u8]| {
    FOLDER.write("arrays.npz", bytes);
    let Ok((record, outcome)) = result::read(FOLDER.folder()) else {
        return;
    };
    for array in &outcome.arrays {
        let values = match &array.data {
            Data::Real(values) => values.len(),
            Data::Complex(values) => values.len(),
            Data::Index(values) => values.len(),
        };
        assert_eq!(array.shape.iter().product::<usize>(), values);
    }
    report::page(&record, &outcome);
});
