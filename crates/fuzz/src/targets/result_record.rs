//! Fuzz target `result_record`.

use std::sync::LazyLock;

use crate::scratch::Scratch;
use wavefield::{report, result};

/// Folder with the arrays of a result.
static FOLDER: LazyLock<Scratch> = LazyLock::new(|| {
    let scratch = Scratch::default();
    let arrays = include_bytes!("../../../../fuzz/corpus/result_arrays/every_kind");
    scratch.write("arrays.npz", arrays);
    scratch
});

/// Any `result.json` is rejected, or shown on a page into which it injects no script.
pub fn result_record(bytes: &[u8]) {
    FOLDER.write("result.json", bytes);
    let Ok((record, outcome)) = result::read(FOLDER.folder()) else {
        return;
    };
    let page = report::page(&record, &outcome);
    // Scripts of the viewer, and of the scene if there is one.
    assert!(page.matches("<script").count() <= 2);
    for figure in &record.figures {
        let drawing = report::svg_file(figure, &outcome);
        assert!(drawing.starts_with("<svg") && !drawing.contains("<script"));
    }
}
