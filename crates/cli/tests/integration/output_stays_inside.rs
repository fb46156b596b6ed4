//! Runs change nothing outside their result folder, whatever a problem file names and whatever links the folder holds.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use wavefield::mesh::primitive::open_tetrahedral_box;
use wavefield::mesh::write_msh_volume;

const SPHERE: &str = r#"
format = 1
solver = "exact"
title = "Sphere"
frequency = "1 GHz"
bodies = [{ geometry = { shape = "sphere", radius = "0.1 m" }, material = "pec" }]
excitation = { kind = "plane-wave", phi = "0 deg" }
observation = { kind = "monostatic" }
"#;

/// Creates a folder without a dot in its path, which would split the keys of a sweep.
fn folder() -> tempfile::TempDir {
    tempfile::Builder::new().prefix("inside").tempdir().unwrap()
}

fn wavefield(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wavefield"))
        .current_dir(folder)
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns all files and links below a folder with their contents, except one subfolder. Links are not followed.
fn contents(folder: &Path, but: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path == but {
            continue;
        }
        if path.is_symlink() {
            let to = std::fs::read_link(&path).unwrap();
            found.insert(path, to.into_os_string().into_encoded_bytes());
        } else if path.is_dir() {
            found.extend(contents(&path, but));
            found.insert(path, Vec::new());
        } else {
            let bytes = std::fs::read(&path).unwrap();
            found.insert(path, bytes);
        }
    }
    found
}

/// Runs a sweep into `out` within the folder; returns the names of its variation folders.
fn sweep(folder: &Path, problem: &str) -> Vec<String> {
    std::fs::write(folder.join("problem.toml"), problem).unwrap();
    let out = folder.join("out");
    let before = contents(folder, &out);
    let output = wavefield(folder, &["run", "--out", "out"]);
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{}",
        stderr(&output)
    );
    assert_eq!(contents(folder, &out), before, "files outside --out differ");
    let mut names: Vec<String> = (std::fs::read_dir(&out).unwrap())
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn hostile_values_of_a_sweep_make_one_folder_each_within_the_result_folder() {
    let folder = folder();
    let absolute = folder.path().join("absolute").display().to_string();
    let titles = [
        "a b",
        "ab",
        "a/b",
        "..",
        "../up",
        "../../up",
        &absolute,
        "\\u001b[31mred\\n\\u0000",
        &"x".repeat(300),
    ];
    let list: Vec<String> = titles.iter().map(|title| format!("\"{title}\"")).collect();
    let text = format!("{SPHERE}\n[sweep]\ntitle = [{}]\n", list.join(", "));
    let names = sweep(folder.path(), &text);
    assert_eq!(names.len(), titles.len(), "{names:?}");
    for (number, name) in names.iter().enumerate() {
        assert!(
            name.starts_with(&format!("{:04}-title", number + 1)),
            "{name}"
        );
        let record = folder.path().join("out").join(name).join("result.json");
        assert!(record.exists(), "{name}");
    }
}

/// The mesh names its surfaces; such a name is the last part of a sweep key.
#[test]
fn hostile_keys_of_a_sweep_stay_within_the_result_folder() {
    let folder = folder();
    let up = folder.path().join("absolute").display().to_string();
    // Mesh formats have no names with control characters.
    for key in [up, "x".repeat(300), "a b/c".to_owned()] {
        let mut mesh = open_tetrahedral_box([1.2; 3], [6; 3], 1, 1).unwrap();
        for group in &mut mesh.surface_groups {
            if group.name == "outer" {
                group.name.clone_from(&key);
            }
        }
        let mut file = std::fs::File::create(folder.path().join("box.msh")).unwrap();
        write_msh_volume(&mesh, &mut file).unwrap();
        let text = format!(
            r#"
format = 1
solver = "dgtd"
frequency = "300 MHz"
excitation = {{ kind = "dipoles", dipoles = [{{ position = ["31 mm", "20 mm", "40 mm"], moment = [0.0, 0.3, 1.0] }}] }}
observation = {{ kind = "far-field", theta = ["30 deg"], phi = ["10 deg"] }}
[dgtd]
order = 1
mesh = {{ file = "box.msh", unit = "m" }}
volumes = {{ layer = "pml" }}
surfaces = {{ huygens = "huygens", "{key}" = "pec" }}
stop = {{ energy_decay = 0.0, max_time = "0.2 ns" }}
[sweep]
"dgtd.surfaces.{key}" = ["pec", "pmc"]
"#
        );
        assert_eq!(sweep(folder.path(), &text).len(), 2, "{key}");
        std::fs::remove_dir_all(folder.path().join("out")).unwrap();
    }
}

/// Plants links to a victim, runs, and expects an error that names the link and leaves all files unchanged.
fn refused(planted: &[&str], arguments: &[&str], prepare: impl Fn(&Path)) {
    for name in planted {
        let folder = folder();
        let folder = folder.path();
        std::fs::write(folder.join("problem.toml"), SPHERE).unwrap();
        std::fs::write(folder.join("victim"), "years of work").unwrap();
        std::fs::create_dir(folder.join("victims")).unwrap();
        std::fs::write(folder.join("victims/thesis.tex"), "years of work").unwrap();
        prepare(folder);
        let link = folder.join("result").join(name);
        let _ = std::fs::remove_file(&link);
        let target = if Path::new(name).extension().is_some() {
            "victim"
        } else {
            "victims"
        };
        symlink(folder.join(target), &link).unwrap();
        let before = contents(folder, Path::new(""));
        let output = wavefield(folder, arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains("symbolic link"), "{name}: {said}");
        assert!(said.contains("remove it"), "{name}: {said}");
        assert_eq!(contents(folder, Path::new("")), before, "{name}");
    }
}

#[test]
fn links_in_the_result_folder_are_refused_before_the_run() {
    let planted = [
        "report.html",
        "report.html.partial",
        "result.json",
        "result.json.partial",
        "arrays.npz.partial",
        "rcs.csv",
        "figures",
        "keep",
        "tasks.wfj",
        "checkpoint.wfc",
        "checkpoint.partial.wfc",
    ];
    refused(&planted, &["run"], |folder| {
        std::fs::create_dir(folder.join("result")).unwrap();
    });
}

#[test]
fn links_in_a_former_result_are_refused() {
    let run = |folder: &Path| {
        let output = wavefield(folder, &["run"]);
        assert!(output.status.success(), "{}", stderr(&output));
    };
    refused(&["report.html", "figures", "tasks.wfj"], &["run"], run);
    refused(&["report.html", "figures"], &["report"], run);
    refused(&["report.html", "figures"], &["report", "--figures"], run);
}

#[test]
fn a_result_folder_that_is_a_link_is_refused() {
    for out in ["link", "link/", "./link/."] {
        let folder = folder();
        let folder = folder.path();
        std::fs::write(folder.join("problem.toml"), SPHERE).unwrap();
        std::fs::create_dir(folder.join("elsewhere")).unwrap();
        symlink(folder.join("elsewhere"), folder.join("link")).unwrap();
        let before = contents(folder, Path::new(""));
        let output = wavefield(folder, &["run", "--out", out]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(
            stderr(&output).contains("symbolic link"),
            "{}",
            stderr(&output)
        );
        assert_eq!(contents(folder, Path::new("")), before);
    }
}

/// The folder of a variation is a result folder too.
#[test]
fn a_link_in_place_of_a_variation_is_refused() {
    let folder = folder();
    let folder = folder.path();
    let text = format!("{SPHERE}\n[sweep]\nfrequency = [\"1 GHz\", \"2 GHz\"]\n");
    std::fs::write(folder.join("problem.toml"), text).unwrap();
    assert!(wavefield(folder, &["run"]).status.success());
    let one = (std::fs::read_dir(folder.join("result")).unwrap())
        .map(|entry| entry.unwrap().path())
        .find(|path| path.is_dir())
        .unwrap();
    std::fs::rename(&one, folder.join("elsewhere")).unwrap();
    symlink(folder.join("elsewhere"), &one).unwrap();
    let before = contents(folder, Path::new(""));
    let output = wavefield(folder, &["run"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(contents(folder, Path::new("")), before);
}
