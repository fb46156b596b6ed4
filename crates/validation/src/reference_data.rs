//! Reference data that is not part of the program: measured and computed radar cross sections.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use wavefield_mesh::{Limits, TriangleMesh, read_any};

use wavefield::{Error, display_path};

/// Maximum length of an unpacked mesh, bytes; those of the suite have some ten megabytes.
const MAX_BYTES: u64 = 1 << 30;

/// Returns the folder of a data set: under `$WAVEFIELD_DATA`, or in `shared/data` in this folder or a parent.
pub fn find(set: &str) -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("WAVEFIELD_DATA") {
        let folder = PathBuf::from(folder).join(set);
        return folder.is_dir().then_some(folder);
    }
    let here = std::env::current_dir().ok()?;
    here.ancestors()
        .map(|above| above.join("shared").join("data").join(set))
        .find(|folder| folder.is_dir())
}

/// Returns the message for missing reference data.
pub fn missing(set: &str) -> String {
    format!("reference data `{set}` not found; set WAVEFIELD_DATA to the folder that holds it")
}

/// Reads the rows of a table of the Austin suite: frequency, θ, φ, dBsm.
pub fn read_table(path: &Path) -> Result<Vec<[f64; 4]>, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::reading(path, &error))?;
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let numbers: Vec<f64> = line
                .split_whitespace()
                .filter_map(|n| n.parse().ok())
                .collect();
            <[f64; 4]>::try_from(numbers).map_err(|_| {
                Error::input(format!(
                    "{}: `{line}` is not a row of four numbers",
                    display_path(path)
                ))
            })
        })
        .collect()
}

/// Reads the surface of a zipped mesh of the suite.
pub fn read_zipped_surface(path: &Path) -> Result<TriangleMesh, Error> {
    let failed = |error: &dyn std::fmt::Display| {
        Error::input(format!("cannot read {}: {error}", display_path(path)))
    };
    let file = std::fs::File::open(path).map_err(|error| Error::reading(path, &error))?;
    let mut archive = zip::ZipArchive::new(file).map_err(|error| failed(&error))?;
    let mut entry = archive.by_index(0).map_err(|error| failed(&error))?;
    let mut bytes = Vec::new();
    (&mut entry)
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(&error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(failed(&"its mesh exceeds one gigabyte"));
    }
    let loaded =
        read_any(entry.name(), &bytes, &Limits::default()).map_err(|error| failed(&error))?;
    loaded
        .mesh
        .into_surface()
        .ok_or_else(|| failed(&"it contains no surface mesh"))
}
