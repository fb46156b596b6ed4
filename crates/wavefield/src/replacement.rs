//! Replacement of a result as a whole.
//!
//! The files of a new result are staged in a subfolder. One rename commits them: before it the folder holds the old
//! result, after it the new one. An interruption after the commit is completed by the next writer; readers take the staged
//! files, so that reading changes nothing.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::checkpoint::storage::{self, StoredFile, force_folder};
use crate::output_file;

/// Subfolder of the staged files.
const STAGE: &str = ".staged";
/// Staged file that commits the others; no file of a result has this name.
const COMMIT: &str = ".commit";
/// Maximum size of that file, bytes.
const MAX_COMMIT: u64 = 1 << 24;

/// Files of a new result, not yet visible.
pub(crate) struct Replacement<'a> {
    folder: &'a Path,
    installed: Vec<String>,
}

/// Content of the committing file.
#[derive(Serialize, Deserialize)]
struct Commit {
    /// Files of the old result that the new one does not have.
    removed: Vec<String>,
    /// Staged files, in the order in which they are installed.
    installed: Vec<String>,
}

impl<'a> Replacement<'a> {
    /// Begins to stage a result for a folder; what an interrupted run has staged is discarded.
    pub(crate) fn begin(folder: &'a Path) -> Result<Replacement<'a>, Error> {
        complete(folder)?;
        let stage = folder.join(STAGE);
        discard(&stage)?;
        fs::create_dir(&stage).map_err(|error| Error::writing(&stage, &error))?;
        Ok(Replacement {
            folder,
            installed: Vec::new(),
        })
    }

    /// Stages a file of the result.
    pub(crate) fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.write_by(name, |file| file.write_all(bytes))
    }

    /// Stages a file of the result that `write` writes.
    pub(crate) fn write_by(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut StoredFile) -> io::Result<()>,
    ) -> Result<(), Error> {
        let path = self.folder.join(name);
        if !is_file_name(name) {
            return Err(Error::writing(&path, &"not a file name"));
        }
        let staged = self.folder.join(STAGE).join(name);
        write_synced(&staged, write).map_err(|error| Error::writing(&path, &error))?;
        self.installed.push(name.to_owned());
        Ok(())
    }

    /// Replaces the files `old` by the staged ones.
    pub(crate) fn commit(self, old: Vec<String>) -> Result<(), Error> {
        let stage = self.folder.join(STAGE);
        let failed = |error: io::Error| Error::writing(self.folder, &error);
        let commit = Commit {
            removed: (old.into_iter())
                .filter(|name| !self.installed.contains(name))
                .collect(),
            installed: self.installed,
        };
        let bytes = serde_json::to_vec(&commit).map_err(|error| {
            Error::runtime(format!("cannot list the files of a result: {error}"))
        })?;
        let partial = stage.join(".commit.partial");
        write_synced(&partial, |file| file.write_all(&bytes)).map_err(failed)?;
        // The staged names must be on disk before the file that lists them.
        force_folder(&stage).map_err(failed)?;
        storage::rename(&partial, &stage.join(COMMIT)).map_err(failed)?;
        force_folder(&stage).map_err(failed)?;
        complete(self.folder)
    }
}

/// Completes a replacement that was interrupted after its commit. Any number of interruptions leave it completable.
pub(crate) fn complete(folder: &Path) -> Result<(), Error> {
    let stage = folder.join(STAGE);
    let failed = |error: io::Error| Error::writing(folder, &error);
    let Some(commit) = read(&stage)? else {
        return Ok(());
    };
    for name in commit
        .removed
        .iter()
        .filter(|name| is_file_of(folder, name))
    {
        match storage::remove(&folder.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
    }
    for name in staged(&stage, &commit) {
        storage::rename(&stage.join(name), &folder.join(name)).map_err(failed)?;
    }
    force_folder(folder).map_err(failed)?;
    storage::remove(&stage.join(COMMIT)).map_err(failed)?;
    discard(&stage)
}

/// Returns the path of a file of the result in a folder: the staged one after a commit that was not completed.
pub(crate) fn current(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let stage = folder.join(STAGE);
    let commit = read(&stage)?;
    let is_staged = commit.is_some_and(|commit| staged(&stage, &commit).any(|other| other == name));
    Ok(if is_staged { stage } else { folder.to_owned() }.join(name))
}

/// Returns the committed files that are not installed yet. A commit may be planted: links are not installed.
fn staged<'a>(stage: &'a Path, commit: &'a Commit) -> impl Iterator<Item = &'a str> {
    let names = commit.installed.iter().map(String::as_str);
    names.filter(move |name| is_file_name(name) && is_regular_file(&stage.join(name)))
}

/// Returns whether a path is the stage of a result folder.
pub(crate) fn is_stage(path: &Path) -> bool {
    path.ends_with(STAGE)
}

/// Returns the commit of a stage, if it has one. Links are not followed.
fn read(stage: &Path) -> Result<Option<Commit>, Error> {
    let path = stage.join(COMMIT);
    let is_folder = fs::symlink_metadata(stage).is_ok_and(|meta| meta.is_dir());
    if !is_folder || !is_regular_file(&path) {
        return Ok(None);
    }
    let failed = |error: &dyn std::fmt::Display| Error::reading(&path, error);
    let mut text = Vec::new();
    File::open(&path)
        .and_then(|file| file.take(MAX_COMMIT).read_to_end(&mut text))
        .map_err(|error| failed(&error))?;
    serde_json::from_slice(&text)
        .map(Some)
        .map_err(|error| failed(&error))
}

/// Removes a stage with everything in it.
fn discard(stage: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(stage) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::writing(stage, &error)),
        _ => Ok(()),
    }
}

/// Writes a new file and syncs it to disk.
fn write_synced(
    path: &Path,
    write: impl FnOnce(&mut StoredFile) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = StoredFile(output_file::replace(path)?);
    write(&mut file)?;
    storage::sync(&file.0)
}

/// Returns whether a path is a regular file and not a link to one.
fn is_regular_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file())
}

/// Returns whether a name is that of a file in the folder itself. `Path` would drop a trailing separator.
fn is_file_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!(
        (parts.next(), parts.next()),
        (Some(Component::Normal(part)), None) if part == name
    )
}

/// Returns whether a path is that of a file in a folder or in a subfolder of it, through no link.
fn is_file_of(folder: &Path, name: &str) -> bool {
    match name.split_once('/') {
        None => is_file_name(name),
        Some((subfolder, name)) => {
            is_file_name(subfolder) && is_file_name(name) && !folder.join(subfolder).is_symlink()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> Vec<(String, String)> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let mut files: Vec<(String, String)> = entries
            .map(|entry| {
                let name = entry.file_name().to_str().unwrap().to_owned();
                (name, fs::read_to_string(entry.path()).unwrap_or_default())
            })
            .collect();
        files.sort();
        files
    }

    fn result(folder: &Path, content: &str, names: &[&str], old: &[&str]) -> Result<(), Error> {
        let mut replacement = Replacement::begin(folder)?;
        for name in names {
            replacement.write(name, content.as_bytes())?;
        }
        replacement.commit(old.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn a_failure_of_any_operation_leaves_the_old_or_the_new_result() {
        let folder = tempfile::tempdir().unwrap();
        let whole = |content: &str, names: &[&str]| -> Vec<(String, String)> {
            let pair = |name: &&str| ((*name).to_owned(), content.to_owned());
            names.iter().map(pair).collect()
        };
        let (old_names, new_names) = (["a.csv", "b.csv", "result.json"], ["b.csv", "result.json"]);
        let (old, new) = (whole("old", &old_names), whole("new", &new_names));
        let mut seen_new = false;
        for operation in 0.. {
            result(folder.path(), "old", &old_names, &new_names).unwrap();
            assert_eq!(files(folder.path()), old);
            storage::fail_at(operation);
            let done = result(folder.path(), "new", &new_names, &old_names);
            storage::never_fail();
            let record = current(folder.path(), "result.json").unwrap();
            let read = fs::read_to_string(record).unwrap();
            complete(folder.path()).unwrap();
            let mut found = files(folder.path());
            found.retain(|(name, _)| name != STAGE);
            assert!(found == old || found == new, "{operation}: {found:?}");
            let completed = fs::read_to_string(folder.path().join("result.json")).unwrap();
            assert_eq!(read, completed, "{operation}");
            seen_new |= found == new && done.is_err();
            if done.is_ok() {
                assert!(operation > 5 && seen_new);
                break;
            }
        }
    }

    #[test]
    fn a_planted_commit_touches_nothing_outside_the_folder() {
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("result");
        let stage = folder.join(STAGE);
        fs::create_dir_all(&stage).unwrap();
        fs::create_dir_all(around.path().join("others/deeper")).unwrap();
        let others = ["other.csv", "others/other.csv", "others/deeper/other.csv"]
            .map(|name| around.path().join(name));
        for other in &others {
            fs::write(other, "numbers").unwrap();
        }
        let mut names = [
            "../other.csv",
            "figures/other.csv",
            "figures/deeper/other.csv",
            "figures/../../other.csv",
            "figures/",
            ".",
            "",
            "link",
        ]
        .map(str::to_owned)
        .to_vec();
        names.push(others[0].display().to_string());
        #[cfg(unix)]
        for link in [folder.join("figures"), stage.join("link")] {
            std::os::unix::fs::symlink(around.path().join("others"), link).unwrap();
        }
        let commit = Commit {
            removed: names.clone(),
            installed: names,
        };
        fs::write(stage.join(COMMIT), serde_json::to_vec(&commit).unwrap()).unwrap();
        complete(&folder).unwrap();
        for other in &others {
            assert_eq!(fs::read_to_string(other).unwrap(), "numbers", "{other:?}");
        }
        assert!(!folder.join("link").is_symlink() && !stage.exists());
    }
}
