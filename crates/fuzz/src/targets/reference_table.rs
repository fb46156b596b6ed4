//! Fuzz target `reference_table`.

use std::sync::LazyLock;

use crate::scratch::Scratch;
use wavefield_validation::reference_data::read_table;

static FOLDER: LazyLock<Scratch> = LazyLock::new(Scratch::default);

/// Any bytes are rejected as a reference table, or give a row for every line.
pub fn reference_table(bytes: &[u8]) {
    let path = FOLDER.write("table.txt", bytes);
    if let Ok(rows) = read_table(&path) {
        let text = std::str::from_utf8(bytes).expect("a table is text");
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        assert_eq!(rows.len(), lines.count());
    }
}
