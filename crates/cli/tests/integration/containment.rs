//! Commands change nothing outside the paths they are told to write to, whatever problem files and results name and
//! whatever links lie in the way; and they exit with a documented code.
#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wavefield::mesh::primitive::{cuboid, open_tetrahedral_box};
use wavefield::mesh::{write_msh_volume, write_stl_binary};

const SPHERE: &str = r#"
format = 1
solver = "exact"
title = "Sphere"
frequency = "1 GHz"
bodies = [{ geometry = { shape = "sphere", radius = "0.1 m" }, material = "pec" }]
excitation = { kind = "plane-wave", phi = "0 deg" }
observation = { kind = "monostatic" }
"#;

/// Two tasks: shards share them.
const SWEEP: &str = "\n[sweep]\nfrequency = [\"1 GHz\", \"2 GHz\"]\n";

const LIVE: &str = r#"
format = 1
solver = "holography"
frequency = ["1 kHz"]
hologram_z = "5 cm"
reconstruction_z = "1 cm"
frame = 256
array = { rows = 16, columns = 16, pitch = "2 cm" }
border = { padding = "edge" }
[measurement]
kind = "simulated"
sources = [{ kind = "monopole", center = ["-6 cm", "4 cm"], volume_velocity = 2e-4 }]
"#;

/// A file, folder, or link; times of folders are those of the names in them.
#[derive(Clone, Debug, PartialEq)]
enum Entry {
    File(Vec<u8>, [i64; 2]),
    Folder([i64; 2]),
    Link(PathBuf),
}

/// A folder with a working folder in it, surrounded by files that no command may change.
struct Sandbox {
    folder: tempfile::TempDir,
}

impl Sandbox {
    fn new() -> Sandbox {
        // No dot in the path, which would split the keys of a sweep.
        let folder = tempfile::Builder::new().prefix("inside").tempdir().unwrap();
        let sandbox = Sandbox { folder };
        for name in ["work", "home", "tmp", "victims/deeper"] {
            std::fs::create_dir_all(sandbox.path(name)).unwrap();
        }
        for name in [
            "sentinel",
            "victim",
            "victims/thesis.tex",
            "victims/report.html",
            "victims/deeper/report.html",
            "home/letters",
            "work/notes",
            "work/problem.toml.partial",
            "work/out.partial",
            "work/made.toml.partial",
            "work/made.stl.partial",
        ] {
            std::fs::write(sandbox.path(name), "years of work").unwrap();
        }
        sandbox.write("problem.toml", SPHERE);
        sandbox
    }

    /// Returns a path two levels deep, so that `../..` of the working folder is inside the sandbox.
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("sandbox/inner").join(name)
    }

    /// Returns a path in the working folder.
    fn work(&self, name: &str) -> PathBuf {
        self.path("work").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.work(name), text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wavefield"));
        command
            .current_dir(self.path("work"))
            .args(arguments)
            .env("NO_COLOR", "1")
            .env("HOME", self.path("home"))
            .env("TMPDIR", self.path("tmp"))
            // GPU drivers keep compiled shaders in the home folder.
            .env("MESA_SHADER_CACHE_DISABLE", "true");
        command
    }

    /// Returns all files, folders, and links; links are not followed. The allowed paths are left out, and the times of
    /// the folders that hold them.
    fn snapshot(&self, allowed: &[&str]) -> BTreeMap<PathBuf, Entry> {
        let allowed: Vec<PathBuf> = allowed
            .iter()
            .map(|name| lexical(&self.work(name)))
            .collect();
        let mut timeless: BTreeSet<PathBuf> = allowed
            .iter()
            .filter_map(|path| path.parent().map(Path::to_owned))
            .collect();
        timeless.insert(self.path("tmp"));
        let mut found = BTreeMap::new();
        collect(self.folder.path(), &allowed, &timeless, &mut found);
        found
    }

    /// Runs a command; expects that nothing but the allowed paths has changed, and a documented exit code.
    fn run(&self, arguments: &[&str], allowed: &[&str]) -> (i32, String) {
        let before = self.snapshot(allowed);
        let output = self
            .command(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let ended = ended(arguments, &output);
        same(&before, &self.snapshot(allowed), arguments, &ended.1);
        ended
    }

    /// Runs a command that must succeed.
    fn good(&self, arguments: &[&str], allowed: &[&str]) {
        let (code, said) = self.run(arguments, allowed);
        assert_eq!(code, 0, "{arguments:?}: {said}");
    }

    /// Runs a command that must refuse its input and change nothing at all.
    fn refused(&self, arguments: &[&str]) -> String {
        let (code, said) = self.run(arguments, &[]);
        assert_eq!(code, 2, "{arguments:?}: {said}");
        said
    }
}

/// Returns exit code and messages of a command; it must end with a documented code.
fn ended(arguments: &[&str], output: &Output) -> (i32, String) {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code();
    assert!(
        code.is_some_and(|code| (0..=3).contains(&code)),
        "{arguments:?}: {code:?}: {said}"
    );
    assert!(!said.contains("panicked"), "{arguments:?}: {said}");
    (code.unwrap(), said)
}

/// Returns a path without `.` and `..`; the folders of a sandbox are no links.
fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

fn collect(
    folder: &Path,
    allowed: &[PathBuf],
    timeless: &BTreeSet<PathBuf>,
    found: &mut BTreeMap<PathBuf, Entry>,
) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if allowed.contains(&path) {
            continue;
        }
        let meta = std::fs::symlink_metadata(&path).unwrap();
        let time = [meta.mtime(), meta.mtime_nsec()];
        let entry = if meta.is_symlink() {
            Entry::Link(std::fs::read_link(&path).unwrap())
        } else if meta.is_dir() {
            collect(&path, allowed, timeless, found);
            Entry::Folder(if timeless.contains(&path) {
                [0; 2]
            } else {
                time
            })
        } else {
            Entry::File(std::fs::read(&path).unwrap(), time)
        };
        found.insert(path, entry);
    }
}

fn same(
    before: &BTreeMap<PathBuf, Entry>,
    after: &BTreeMap<PathBuf, Entry>,
    arguments: &[&str],
    said: &str,
) {
    let paths: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    let changed: Vec<_> = paths
        .into_iter()
        .filter(|path| before.get(*path) != after.get(*path))
        .collect();
    assert!(
        changed.is_empty(),
        "{arguments:?} changed {changed:?}: {said}"
    );
}

/// Names that could lead out of a folder, or that file systems or terminals take amiss.
fn hostile_names(sandbox: &Sandbox) -> Vec<String> {
    let absolute = sandbox.path("absolute").display().to_string();
    [
        "..",
        "../up",
        "../../up",
        "a/../../../up",
        "./../up",
        "a//b",
        "...",
        ".staged",
        ".commit",
        "result.json",
        "a b",
        "-x",
        "~",
        "$HOME",
        "a\nb",
        "\u{1b}[31mred\u{7}",
        "é\u{202e}",
        &"x".repeat(255),
        &"x".repeat(300),
        &absolute,
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Every command, as `--help` lists them, and the paths it may write to.
#[test]
fn commands_write_to_the_paths_they_are_told() {
    let sandbox = Sandbox::new();
    sandbox.write("sweep.toml", &format!("{SPHERE}{SWEEP}"));
    sandbox.write("wrong.toml", "format = 1\nsolver = \"exact\"\n");
    let mut mesh = Vec::new();
    write_stl_binary(&cuboid([1.0, 2.0, 3.0], 1.0).unwrap(), &mut mesh).unwrap();
    std::fs::write(sandbox.work("box.stl"), mesh).unwrap();
    let rows: &[(&[&str], &[&str])] = &[
        (&["new", "--list"], &[]),
        (
            &["new", "exact/sphere", "--out", "made.toml"],
            &["made.toml"],
        ),
        (&["check"], &[]),
        (&["check", "wrong.toml"], &[]),
        (&["check", "sweep.toml", "--json"], &[]),
        (&["run", "wrong.toml", "--out", "out"], &[]),
        (&["run", "--out", "out"], &["out"]),
        (&["run", "--out", "out", "--resume"], &["out"]),
        (&["run", "--out", "out", "--shard", "1/2"], &[]),
        (&["run", "sweep.toml", "--out", "swept"], &["swept"]),
        (
            &["run", "sweep.toml", "--out", "shards", "--shard", "1/2"],
            &["shards"],
        ),
        (
            &["run", "sweep.toml", "--out", "shards", "--shard", "2/2"],
            &["shards"],
        ),
        (
            &["run", "sweep.toml", "--out", "shards", "--resume"],
            &["shards"],
        ),
        (&["run", "--out", "notes"], &[]),
        (&["run", "--out", "."], &[]),
        (&["run", "--out", ".."], &[]),
        (&["run", "--out", ""], &[]),
        (
            &["sweep", "sweep.toml", "--slurm", "2"],
            &["sweep.slurm", "gather.slurm"],
        ),
        (&["report", "out"], &["out"]),
        (&["report", "out", "--figures"], &["out"]),
        (&["report", "absent"], &[]),
        (
            &["compare", "out", "problem.toml", "--out", "compared"],
            &["compared"],
        ),
        (&["compare", "out", "compared/problem", "--out", "out"], &[]),
        (&["compare", "out", "wrong.toml", "--out", "other"], &[]),
        (&["validate", "--list"], &[]),
        (
            &["validate", "exact/sphere", "--record", "record.json"],
            &["record.json", "record.md"],
        ),
        (&["validate", "exact/sphere", "--record", "record.md"], &[]),
        (&["bench", "--list"], &[]),
        (&["convert", "box.stl"], &[]),
        (&["convert", "box.stl", "made.stl"], &["made.stl"]),
        (&["convert", "box.stl", "made.docx"], &[]),
        (&["live"], &[]),
        (&["doctor"], &[]),
        (&["schema"], &[]),
        (&["completions", "bash"], &[]),
        (&["man", "pages"], &["pages"]),
        (&["help"], &[]),
    ];
    for (arguments, allowed) in rows {
        sandbox.run(arguments, allowed);
    }
    for written in [
        "made.toml",
        "out/report.html",
        "shards/report.html",
        "compared/report.html",
    ] {
        assert!(sandbox.work(written).exists(), "{written}");
    }
    for written in [
        "made.stl",
        "record.md",
        "pages/wavefield-run.1",
        "gather.slurm",
    ] {
        assert!(sandbox.work(written).exists(), "{written}");
    }
    let help = sandbox.command(&["help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, list) = help.split_once("Commands:").unwrap();
    for line in list.lines().skip(1).take_while(|line| !line.is_empty()) {
        // Continuation lines of a description are indented further.
        let Some(name) = line
            .strip_prefix("  ")
            .filter(|rest| !rest.starts_with(' '))
        else {
            continue;
        };
        let name = name.split_whitespace().next().unwrap();
        assert!(
            rows.iter().any(|(arguments, _)| arguments[0] == name),
            "{name} is not tested"
        );
    }
}

#[test]
fn hostile_names_of_files_and_folders_lead_nowhere_else() {
    for number in 0..hostile_names(&Sandbox::new()).len() {
        let sandbox = Sandbox::new();
        let name = &hostile_names(&sandbox)[number];
        // The parents of a result folder are created.
        sandbox.run(&["run", &format!("--out={name}")], &[name, "a"]);
        let made = format!("{name}.toml");
        let out = format!("--out={made}");
        sandbox.run(&["new", "exact/sphere", &out], &[&made, "a"]);
        // As the name of a problem file, where the file system allows it.
        let folder = sandbox.work("inputs");
        std::fs::create_dir(&folder).unwrap();
        let file = folder.join(&made);
        if file.parent() != Some(&folder) || std::fs::write(&file, SPHERE).is_err() {
            continue;
        }
        std::fs::create_dir(sandbox.work("r")).unwrap();
        let problem = format!("inputs/{made}");
        sandbox.good(&["check", &problem], &[]);
        sandbox.good(&["run", &problem, "--out=r/out"], &["r/out"]);
        // The second time all folders in `r` are results.
        for _ in 0..2 {
            let arguments = ["compare", "r/out", &problem, "--out=r/compared"];
            sandbox.good(&arguments, &["r/compared"]);
        }
    }
}

#[test]
fn hostile_values_of_a_sweep_make_one_folder_each_within_the_result_folder() {
    let sandbox = Sandbox::new();
    let titles = hostile_names(&sandbox);
    let list: Vec<String> = titles
        .iter()
        .map(|title| json!(title).to_string())
        .collect();
    sandbox.write(
        "problem.toml",
        &format!("{SPHERE}\n[sweep]\ntitle = [{}]\n", list.join(", ")),
    );
    sandbox.good(&["run", "--out", "out"], &["out"]);
    let names = subfolders(&sandbox.work("out"));
    assert_eq!(names.len(), titles.len(), "{names:?}");
    for (number, name) in names.iter().enumerate() {
        assert!(
            name.starts_with(&format!("{:04}-title", number + 1)),
            "{name}"
        );
        assert!(
            sandbox.work("out").join(name).join("result.json").exists(),
            "{name}"
        );
    }
}

/// Returns the names of the folders in a folder.
fn subfolders(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = (std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The mesh names its surfaces; such a name is the last part of a sweep key.
#[test]
fn hostile_keys_of_a_sweep_stay_within_the_result_folder() {
    let sandbox = Sandbox::new();
    let up = sandbox.path("absolute").display().to_string();
    // Mesh formats have no names with control characters.
    for key in [up, "/".to_owned(), "x".repeat(300), "a b/c".to_owned()] {
        let mut mesh = open_tetrahedral_box([1.2; 3], [6; 3], 1, 1).unwrap();
        for group in &mut mesh.surface_groups {
            if group.name == "outer" {
                group.name.clone_from(&key);
            }
        }
        let mut file = std::fs::File::create(sandbox.work("box.msh")).unwrap();
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
        sandbox.write("problem.toml", &text);
        let (code, said) = sandbox.run(&["run", "--out", "out"], &["out"]);
        assert!(matches!(code, 0 | 1), "{key}: {said}");
        assert_eq!(subfolders(&sandbox.work("out")).len(), 2, "{key}");
        std::fs::remove_dir_all(sandbox.work("out")).unwrap();
    }
}

/// Plants a link of each name in `out` of a fresh sandbox, to a file, a folder, or nothing; expects the commands to
/// refuse it by name and to change nothing.
fn links_are_refused(names: &[&str], commands: &[&[&str]], prepare: impl Fn(&Sandbox)) {
    for name in names {
        let sandbox = Sandbox::new();
        prepare(&sandbox);
        for target in ["victim", "victims", "nothing"] {
            let link = sandbox.work("out").join(name);
            let _ = std::fs::remove_file(&link);
            if link.is_dir() && !link.is_symlink() {
                std::fs::remove_dir_all(&link).unwrap();
            }
            symlink(sandbox.path(target), &link).unwrap();
            for arguments in commands {
                let said = sandbox.refused(arguments);
                assert!(said.contains("symbolic link"), "{name}: {said}");
                assert!(said.contains("remove it"), "{name}: {said}");
            }
        }
    }
}

/// Names of files and folders that commands write in a result folder.
const WRITTEN: [&str; 11] = [
    "report.html",
    "result.json",
    "arrays.npz",
    "rcs.csv",
    "figures",
    "tasks.wfj",
    "checkpoint.wfc",
    "checkpoint.previous.wfc",
    "checkpoint.partial.wfc",
    ".staged",
    ".commit",
];

#[test]
fn links_in_a_new_result_folder_are_refused() {
    let commands: [&[&str]; 2] = [
        &["run", "--out", "out"],
        &["run", "--out", "out", "--resume"],
    ];
    links_are_refused(&WRITTEN, &commands, |sandbox| {
        std::fs::create_dir(sandbox.work("out")).unwrap();
    });
}

#[test]
fn links_in_the_folder_of_a_sweep_are_refused() {
    let names = [
        "tasks.wfj",
        "tasks.1-of-2.wfj",
        ".staged",
        "0001-frequency-1-GHz",
        "report.html",
    ];
    let commands: [&[&str]; 2] = [
        &["run", "--out", "out", "--resume"],
        &["run", "--out", "out", "--shard", "1/2"],
    ];
    links_are_refused(&names, &commands, |sandbox| {
        sandbox.write("problem.toml", &format!("{SPHERE}{SWEEP}"));
        std::fs::create_dir(sandbox.work("out")).unwrap();
    });
}

#[test]
fn links_in_a_former_result_are_refused() {
    let commands: [&[&str]; 4] = [
        &["run", "--out", "out"],
        &["report", "out"],
        &["report", "out", "--figures"],
        &["compare", "first", "second", "--out", "out"],
    ];
    links_are_refused(
        &["report.html", "figures", "tasks.wfj", ".staged"],
        &commands,
        |sandbox| {
            for out in ["out", "first", "second"] {
                sandbox.good(&["run", "--out", out], &[out]);
            }
        },
    );
}

/// Links deeper in a result folder, and hard links, which look like files: whatever the command does, it does it
/// within the result folder.
#[test]
fn nested_and_hard_links_are_not_written_through() {
    let original = Sandbox::new();
    original.write("problem.toml", &format!("{SPHERE}{SWEEP}"));
    original.good(&["run", "--out", "out"], &["out"]);
    let variation = &subfolders(&original.work("out"))[0];
    for name in WRITTEN {
        for (inside, hard) in [(true, false), (true, true), (false, true)] {
            let sandbox = Sandbox::new();
            sandbox.write("problem.toml", &format!("{SPHERE}{SWEEP}"));
            let out = sandbox.work("out");
            let folder = if inside { out.join(variation) } else { out };
            std::fs::create_dir_all(&folder).unwrap();
            let former = if inside {
                format!("out/{variation}")
            } else {
                "out".to_owned()
            };
            std::fs::copy(
                original.work(&former).join("result.json"),
                folder.join("result.json"),
            )
            .unwrap();
            let link = folder.join(name);
            let _ = std::fs::remove_file(&link);
            if hard {
                std::fs::hard_link(sandbox.path("victim"), &link).unwrap();
            } else {
                symlink(sandbox.path("victims"), &link).unwrap();
            }
            for arguments in [
                &["run", "--out", "out", "--resume"][..],
                &["run", "--out", "out"],
                &["report", "out", "--figures"],
            ] {
                sandbox.run(arguments, &["out"]);
            }
        }
    }
}

#[test]
fn a_result_folder_that_is_a_link_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.good(&["run", "--out", "first"], &["first"]);
    symlink(sandbox.path("victims"), sandbox.work("link")).unwrap();
    symlink(sandbox.work("first"), sandbox.work("former")).unwrap();
    for out in ["link", "link/", "./link/.", "former"] {
        for arguments in [
            &["run", "--out", out][..],
            &["run", "--out", out, "--resume"],
            &["compare", "first", "problem.toml", "--out", out],
            &["report", out],
            &["report", out, "--figures"],
        ] {
            let said = sandbox.refused(arguments);
            let named = said.contains("symbolic link") || said.contains("would be replaced");
            assert!(named, "{arguments:?}: {said}");
        }
    }
}

/// The folder of a variation is a result folder too.
#[test]
fn a_link_in_place_of_a_variation_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("problem.toml", &format!("{SPHERE}{SWEEP}"));
    sandbox.good(&["run", "--out", "out"], &["out"]);
    let one = sandbox
        .work("out")
        .join(&subfolders(&sandbox.work("out"))[0]);
    std::fs::rename(&one, sandbox.path("elsewhere")).unwrap();
    symlink(sandbox.path("elsewhere"), &one).unwrap();
    sandbox.refused(&["run", "--out", "out"]);
}

#[test]
fn output_files_that_are_links_are_replaced_or_refused() {
    let sandbox = Sandbox::new();
    let mut mesh = Vec::new();
    write_stl_binary(&cuboid([1.0; 3], 1.0).unwrap(), &mut mesh).unwrap();
    std::fs::write(sandbox.work("box.stl"), mesh).unwrap();
    sandbox.write("sweep.toml", &format!("{SPHERE}{SWEEP}"));
    std::fs::create_dir(sandbox.work("pages")).unwrap();
    let plant = |name: &str, target: &str| {
        let link = sandbox.work(name);
        let _ = std::fs::remove_file(&link);
        symlink(sandbox.path(target), link).unwrap();
    };
    for target in ["victim", "nothing"] {
        plant("made.stl", target);
        plant("made.toml", target);
        sandbox.refused(&["convert", "box.stl", "made.stl"]);
        sandbox.refused(&["new", "exact/sphere", "--out", "made.toml"]);
        sandbox.good(
            &["convert", "box.stl", "made.stl", "--force"],
            &["made.stl"],
        );
        sandbox.good(
            &["new", "exact/sphere", "--out", "made.toml", "--force"],
            &["made.toml"],
        );
        plant("pages/wavefield.1", target);
        sandbox.good(&["man", "pages"], &["pages/wavefield.1", "pages"]);
        plant("sweep.slurm", target);
        let scripts = ["sweep.slurm", "gather.slurm"];
        sandbox.good(&["sweep", "sweep.toml", "--slurm", "2"], &scripts);
        plant("record.md", target);
        let record = ["record.json", "record.md"];
        sandbox.good(
            &["validate", "exact/sphere", "--record", "record.json"],
            &record,
        );
        for written in [
            "made.stl",
            "made.toml",
            "pages/wavefield.1",
            "sweep.slurm",
            "record.md",
        ] {
            assert!(!sandbox.work(written).is_symlink(), "{written}");
        }
    }
}

/// Results of others: their records and an uncompleted replacement name files, which are read or removed only within
/// the folder. Reading changes nothing.
#[test]
fn hostile_records_lead_nowhere_else() {
    let original = Sandbox::new();
    original.good(&["run", "--out", "out"], &["out"]);
    let record = std::fs::read(original.work("out/result.json")).unwrap();
    let arrays = std::fs::read(original.work("out/arrays.npz")).unwrap();
    let names = |sandbox: &Sandbox| {
        let mut names = hostile_names(sandbox);
        names.push(sandbox.path("victim").display().to_string());
        names.extend(
            ["figures/thesis.tex", "figures/deeper/report.html", "\0", ""].map(str::to_owned),
        );
        names
    };
    for number in 0..names(&original).len() {
        let sandbox = Sandbox::new();
        let name = &names(&sandbox)[number];
        let mut hostile: Value = serde_json::from_slice(&record).unwrap();
        hostile["title"] = json!(name);
        for (list, key) in [
            ("tables", "name"),
            ("figures", "title"),
            ("key_figures", "label"),
        ] {
            for entry in hostile[list].as_array_mut().unwrap() {
                entry[key] = json!(name);
            }
        }
        for folder in ["out", "other"] {
            let folder = sandbox.work(folder);
            std::fs::create_dir(&folder).unwrap();
            std::fs::write(folder.join("result.json"), hostile.to_string()).unwrap();
            std::fs::write(folder.join("arrays.npz"), &arrays).unwrap();
        }
        let commit = || {
            let staged = sandbox.work("out/.staged");
            let _ = std::fs::remove_dir_all(&staged);
            std::fs::create_dir(&staged).unwrap();
            let list = [
                name.as_str(),
                "../../victim",
                "../../../victim",
                "report.html",
                "figures",
            ];
            let commit = json!({ "removed": list, "installed": list }).to_string();
            std::fs::write(staged.join(".commit"), commit).unwrap();
            std::fs::write(staged.join("report.html"), "staged").unwrap();
            symlink(sandbox.path("victims"), staged.join("figures")).unwrap();
        };
        commit();
        let compare = ["compare", "out", "other", "--out", "compared"];
        sandbox.run(&compare, &["compared"]);
        for arguments in [
            &["report", "out"][..],
            &["report", "out", "--figures"],
            &["run", "--out", "out", "--resume"],
            &["run", "--out", "out"],
        ] {
            commit();
            sandbox.run(arguments, &["out"]);
        }
    }
}

/// Gmsh gets a home folder of its own, to which it writes after a fatal error.
#[test]
fn gmsh_writes_to_its_temporary_folder() {
    let sandbox = Sandbox::new();
    let mut mesh = Vec::new();
    write_stl_binary(&cuboid([1.0; 3], 0.5).unwrap(), &mut mesh).unwrap();
    std::fs::write(sandbox.work("box.stl"), mesh).unwrap();
    sandbox.write(
        "problem.toml",
        r#"
format = 1
solver = "mom3d"
frequency = "100 MHz"
bodies = [{ geometry = { shape = "mesh", file = "box.stl", unit = "m", remesh = true }, material = "pec" }]
excitation = { kind = "plane-wave", phi = "0 deg" }
observation = { kind = "monostatic" }
"#,
    );
    let gmsh = sandbox.path("gmsh");
    let script = "#!/bin/sh\ntest \"$1\" = --version && echo 4.13 && exit\n\
                  echo failure > \"${GMSH_HOME:-$HOME}/.gmsh-errors\"\necho 'Error : no mesh'\nexit 1\n";
    std::fs::write(&gmsh, script).unwrap();
    std::fs::set_permissions(&gmsh, std::fs::Permissions::from_mode(0o755)).unwrap();
    let before = sandbox.snapshot(&[]);
    for arguments in [&["check"][..], &["run", "--out", "out"]] {
        let mut command = sandbox.command(arguments);
        let output = command.env("WAVEFIELD_GMSH", &gmsh).output().unwrap();
        let (code, said) = ended(arguments, &output);
        assert_eq!(code, 3, "{said}");
        assert!(said.contains("no mesh"), "{said}");
        same(&before, &sandbox.snapshot(&[]), arguments, &said);
    }
}

/// A live server, ended by SIGTERM.
struct Live {
    child: Child,
    address: String,
}

impl Live {
    fn start(sandbox: &Sandbox) -> Live {
        sandbox.write("problem.toml", LIVE);
        let mut command = sandbox.command(&["live"]);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line.split("http://").nth(1).unwrap_or_default();
        let address = address.split(';').next().unwrap().trim().to_owned();
        assert!(!address.is_empty(), "{line}");
        Live { child, address }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).unwrap()
    }

    /// Sends SIGTERM; returns the time until the process has ended.
    fn terminate(&mut self) -> Duration {
        let start = Instant::now();
        let child = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &child]).status();
        assert!(sent.unwrap().success());
        let status = self.child.wait().unwrap();
        assert!(status.code().is_some(), "{status}");
        start.elapsed()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

#[test]
fn the_live_view_writes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("problem.toml", LIVE);
    let before = sandbox.snapshot(&["problem.toml"]);
    let mut live = Live::start(&sandbox);
    let mut page = String::new();
    let mut stream = live.connect();
    write!(stream, "GET / HTTP/1.1\r\nHost: {}\r\n\r\n", live.address).unwrap();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200 OK"), "{page}");
    live.terminate();
    same(&before, &sandbox.snapshot(&["problem.toml"]), &["live"], "");
}

/// The server ends within a second of SIGTERM while clients trickle their request heads, say nothing, or do not read.
#[test]
fn a_live_server_ends_while_clients_trickle() {
    let sandbox = Sandbox::new();
    let mut live = Live::start(&sandbox);
    let silent = live.connect();
    let mut deaf = live.connect();
    write!(deaf, "GET / HTTP/1.1\r\nHost: {}\r\n\r\n", live.address).unwrap();
    let trickling: Vec<_> = (0..4)
        .map(|_| {
            let mut stream = live.connect();
            stream.write_all(b"GET / HTTP/1.1\r\nX-Slow: ").unwrap();
            std::thread::spawn(move || {
                let start = Instant::now();
                while stream.write_all(b"x").is_ok() && start.elapsed() < Duration::from_secs(20) {
                    std::thread::sleep(Duration::from_millis(5));
                }
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(200));
    let waited = live.terminate();
    assert!(waited < Duration::from_secs(1), "{waited:?}");
    drop((silent, deaf));
    for thread in trickling {
        thread.join().unwrap();
    }
}
