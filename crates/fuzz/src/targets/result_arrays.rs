//! Fuzz target `result_arrays`.

use std::sync::LazyLock;

use crate::scratch::Scratch;
use wavefield::{report, result};

/// Folder with the record of a result.
static FOLDER: LazyLock<Scratch> = LazyLock::new(|| {
    let scratch = Scratch::default();
    let record = include_bytes!("../../../../fuzz/corpus/result_record/every_figure");
    scratch.write("result.json", record);
    scratch
});

/// Any `arrays.npz` is rejected, or its arrays have the lengths of their shapes and the report is drawn from them.
pub fn result_arrays(bytes: &[u8]) {
    FOLDER.write("arrays.npz", bytes);
    let Ok((record, outcome)) = result::read(FOLDER.folder()) else {
        return;
    };
    for array in &outcome.arrays {
        assert_eq!(array.shape.iter().product::<usize>(), array.data.len());
    }
    report::page(&record, &outcome);
}
