//! Files and folders of results, written without following symbolic links: a link planted in a result folder must not lead a run
//! to files elsewhere.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use wavefield_solver::display_path;

use crate::Error;

/// Maximum length of the part of a file name that comes from user text, bytes: file systems allow 255 for the whole
/// name.
const MAX_SLUG: usize = 80;

/// Converts text to a part of a file name: ASCII letters, digits, `.`, and `+`; every run of other characters becomes
/// one `-`.
pub(crate) fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '.' || c == '+' {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    // The text is ASCII here, so a byte index is a character boundary.
    slug.truncate(MAX_SLUG);
    slug.trim_end_matches('-').to_owned()
}

/// Rejects a result folder that is a symbolic link or contains one.
pub(crate) fn refuse_links(folder: &Path) -> Result<(), Error> {
    // `components` drops a trailing separator, with which the system would follow the link.
    let folder: PathBuf = folder.components().collect();
    if folder.is_symlink() {
        return Err(Error::input(format!(
            "the result folder {} is a symbolic link; results are not written through links; pass the path of the folder itself",
            display_path(&folder)
        )));
    }
    let links = (fs::read_dir(&folder).into_iter().flatten().flatten())
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()))
        .map(|entry| entry.path())
        .min();
    match links {
        Some(link) => Err(Error::input(format!(
            "{} is a symbolic link; results are not written through links; remove it, or choose another result folder",
            display_path(&link)
        ))),
        None => Ok(()),
    }
}

/// Creates a new file for reading and writing, replacing any file of this name. A symbolic link is removed, not
/// followed.
pub(crate) fn replace(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    create_new(path)
}

/// Creates a file of a new name in the folder of another, removed on drop.
pub(crate) fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wavefield-").suffix(".partial");
    // The rights of any new file, instead of those of a private one.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Opens a file for reading and writing, or creates it. A symbolic link is an error, and so is a file that has another name.
pub(crate) fn open_or_create(path: &Path) -> io::Result<File> {
    match create_new(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        created => return created,
    }
    // Opening changes nothing, wherever a link may lead; the opened file is then compared with the file of this name.
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    let named = fs::symlink_metadata(path)?;
    if !named.is_file() || !is_alone(&named, &file.metadata()?) {
        return Err(io::Error::other(
            "not a regular file of one name, and links are not followed; remove it",
        ));
    }
    Ok(file)
}

/// `create_new` fails if the name exists and does not follow a link.
fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .open(path)
}

/// Returns whether both are the same file, without a hard link by which it has another name.
#[cfg(unix)]
fn is_alone(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (a.dev(), a.ino()) == (b.dev(), b.ino()) && b.nlink() == 1
}

#[cfg(not(unix))]
fn is_alone(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_bounded_names_without_separators() {
        for (text, expected) in [
            ("0.2 m", "0.2-m"),
            ("a/b", "a-b"),
            ("/etc/passwd", "etc-passwd"),
            ("../../x", "..-..-x"),
            ("\u{1b}[31m\n\0é", "31m"),
            ("", ""),
        ] {
            assert_eq!(slug(text), expected);
        }
        assert_eq!(slug(&"x".repeat(300)).len(), MAX_SLUG);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_replaced_or_refused_but_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (victim, link) = (folder.path().join("victim"), folder.path().join("link"));
        fs::write(&victim, "untouched").unwrap();
        std::os::unix::fs::symlink(&victim, &link).unwrap();
        assert!(open_or_create(&link).is_err());
        assert!(refuse_links(folder.path()).is_err());
        // A hard link has no mark of its own: the file has two names.
        let hard = folder.path().join("hard");
        fs::hard_link(&victim, &hard).unwrap();
        assert!(open_or_create(&hard).is_err());
        replace(&hard).unwrap();
        replace(&link).unwrap();
        assert!(!link.is_symlink());
        assert_eq!(fs::read_to_string(&victim).unwrap(), "untouched");
        // A dangling link must not create a file elsewhere.
        let (dangling, elsewhere) = (folder.path().join("dangling"), folder.path().join("new"));
        std::os::unix::fs::symlink(&elsewhere, &dangling).unwrap();
        assert!(open_or_create(&dangling).is_err());
        replace(&dangling).unwrap();
        assert!(!elsewhere.exists());
    }
}
