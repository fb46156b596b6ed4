//! `wavefield new`.

use std::path::Path;

use wavefield::examples::{EXAMPLES, Example};
use wavefield::result::{is_taken, write_file};
use wavefield::suggest::closest;
use wavefield::{Error, display_path};

pub(super) fn new(case: Option<&str>, list: bool, out: &Path, force: bool) -> Result<(), Error> {
    if list {
        for example in EXAMPLES {
            say!("{}", example.name);
        }
        return Ok(());
    }
    let Some(case) = case else {
        let lines: Vec<String> = EXAMPLES
            .iter()
            .map(|e| format!("  {:<32} {}", e.name, e.title()))
            .collect();
        return Err(Error::input(format!(
            "no example given; choose one of:\n{}",
            lines.join("\n")
        )));
    };
    let example = Example::find(case).ok_or_else(|| {
        let hint = match closest(case, EXAMPLES.iter().map(|example| example.name)) {
            Some(name) => format!("did you mean `{name}`?"),
            None => "list them with `wavefield new --list`".to_owned(),
        };
        Error::input(format!("unknown example `{case}`; {hint}"))
    })?;
    if is_taken(out) && !force {
        return Err(Error::input(format!(
            "{} exists already; use --force to replace it, or --out to write to another file",
            display_path(out)
        )));
    }
    let folder = out.parent().unwrap_or(Path::new(""));
    if !folder.as_os_str().is_empty() {
        std::fs::create_dir_all(folder).map_err(|error| Error::writing(folder, &error))?;
    }
    let taken = example.files.iter().map(|(name, _)| folder.join(name));
    if let Some(file) = taken.into_iter().find(|file| is_taken(file) && !force) {
        return Err(Error::input(format!(
            "{} exists already; use --force to replace it, or --out to write to another folder",
            display_path(&file)
        )));
    }
    write_file(out, example.problem.as_bytes())?;
    example.write_files(folder)?;
    let argument = if out == Path::new("problem.toml") {
        String::new()
    } else {
        format!(" {}", display_path(out))
    };
    let beside: String = (example.files.iter())
        .map(|(name, _)| format!(" and {}", display_path(&folder.join(name))))
        .collect();
    eprintln!(
        "wrote {}{beside} ({}); next: wavefield run{argument}",
        display_path(out),
        example.title()
    );
    Ok(())
}
