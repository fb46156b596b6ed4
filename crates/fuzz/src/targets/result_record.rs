//! Fuzz target `result_record`.

use std::sync::LazyLock;

use crate::scratch::Scratch;
use wavefield::{report, result};

/// A folder with the arrays of a result.
static FOLDER: LazyLock<Scratch> = LazyLock::new(|| {
    let scratch = Scratch::default();
    let arrays = include_bytes!("../../../../fuzz/corpus/result_arrays/every_kind");
    scratch.write("arrays.npz", arrays);
    scratch
});

/// Whatever `result.json` says, it is refused or shown on a page on which nothing of it has become a script.
pub fn result_record(bytes: &[u8]) {
    FOLDER.write("result.json", bytes);
    let Ok((record, outcome)) = result::read(FOLDER.folder()) else {
        return;
    };
    let page = report::page(&record, &outcome);
    // The viewer, and the scene where there is one.
    assert!(page.matches("<script").count() <= 2);
    for figure in &record.figures {
        let drawing = report::svg_file(figure, &outcome);
        assert!(drawing.starts_with("<svg") && !drawing.contains("<script"));
    }
}
