//! Runs that are killed, stopped, sharded, and merged are bitwise identical to an uninterrupted one.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn wavefield(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wavefield"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Runs a command that must succeed; returns its stdout.
fn good(arguments: &[&str], folder: &Path) -> String {
    let output = wavefield(arguments, folder);
    let said = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{arguments:?}: {said}{printed}");
    String::from_utf8(output.stdout).unwrap()
}

fn is_kept(name: &str) {
    let folder = tempfile::tempdir().unwrap();
    good(&["bench", name, "--json"], folder.path());
}

#[test]
fn runs_survive_being_killed() {
    is_kept("fault-tolerance/kill-short");
}

#[test]
fn runs_that_are_asked_to_end_keep_what_they_have() {
    is_kept("fault-tolerance/term-short");
}

#[test]
fn runs_take_the_memory_that_was_foreseen() {
    is_kept("memory/predict-short");
}

#[test]
fn damaged_files_are_noticed() {
    is_kept("fault-tolerance/corrupt-short");
}

#[test]
fn every_task_of_a_sweep_is_done_once() {
    is_kept("scale/sweep-short");
}

/// A sweep of 31 aspects, for runs that share its tasks.
pub(super) const SWEEP: &str = r#"
format = 1
solver = "sbr"
title = "A plate"
frequency = "3 GHz"
bodies = [{ geometry = { shape = "plate", width = "0.2 m", height = "0.2 m" }, material = "pec" }]
excitation = { kind = "plane-wave", theta = "40 deg", phi = { start = "0 deg", stop = "90 deg", count = 31 } }
observation = { kind = "monostatic" }
"#;

#[test]
fn shares_are_gathered_to_the_result_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("problem.toml"), SWEEP).unwrap();
    good(&["run", "--out", "whole"], folder);
    for share in ["1/3", "2/3", "3/3"] {
        good(&["run", "--out", "shared", "--shard", share], folder);
    }
    assert!(!folder.join("shared/arrays.npz").exists());
    let log = wavefield(&["run", "--out", "shared", "--resume", "-vv"], folder);
    assert!(log.status.success());
    // No task was left to run.
    assert!(!String::from_utf8_lossy(&log.stderr).contains("kept 32"));
    let arrays = |name: &str| std::fs::read(folder.join(name).join("arrays.npz")).unwrap();
    assert_eq!(arrays("whole"), arrays("shared"));
    let left: Vec<_> = (std::fs::read_dir(folder.join("shared")).unwrap())
        .filter(|entry| {
            let path = entry.as_ref().unwrap().path();
            path.extension().is_some_and(|ending| ending == "wfj")
        })
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_larger_sweep_goes_on_from_the_tasks_of_a_smaller_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let smaller = SWEEP.replace("90 deg\", count = 31", "60 deg\", count = 21");
    std::fs::write(folder.join("problem.toml"), smaller).unwrap();
    good(&["run", "--keep-task-results"], folder);
    let journal = folder.join("result/tasks.wfj");
    let before = std::fs::metadata(&journal).unwrap().len();
    std::fs::write(folder.join("problem.toml"), SWEEP).unwrap();
    good(&["run", "--keep-task-results", "--resume"], folder);
    let after = std::fs::metadata(&journal).unwrap().len();
    // Ten records were added to twenty-one of about the same length.
    let grown = after as f64 / before as f64;
    assert!((grown - 31.0 / 21.0).abs() < 0.02, "{grown}");
    good(&["run", "--out", "alone"], folder);
    let arrays = |name: &str| std::fs::read(folder.join(name).join("arrays.npz")).unwrap();
    assert_eq!(arrays("alone"), arrays("result"));
}

#[test]
fn what_cannot_be_shared_out_says_so() {
    let folder = tempfile::tempdir().unwrap();
    good(&["new", "exact/sphere"], folder.path());
    let output = wavefield(&["run", "--shard", "1/2"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("run it as a whole"), "{said}");
}

#[test]
fn a_changed_mesh_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let problem = SWEEP.replace(
        "shape = \"plate\", width = \"0.2 m\", height = \"0.2 m\"",
        "shape = \"mesh\", file = \"body.stl\", unit = \"m\", open = true",
    );
    std::fs::write(folder.join("problem.toml"), problem).unwrap();
    let body = |height: f64| {
        let text = format!(
            "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0.2 0 0\nvertex 0 {height} 0\nendloop\nendfacet\nendsolid a\n"
        );
        std::fs::write(folder.join("body.stl"), text).unwrap();
    };
    body(0.2);
    good(&["run", "--keep-task-results"], folder);
    let first = std::fs::read(folder.join("result/arrays.npz")).unwrap();
    body(0.3);
    good(&["run", "--keep-task-results", "--resume"], folder);
    let second = std::fs::read(folder.join("result/arrays.npz")).unwrap();
    good(&["run", "--out", "alone"], folder);
    let alone = std::fs::read(folder.join("alone/arrays.npz")).unwrap();
    assert!(first != second && second == alone);
}

const VARIATIONS: &str = r#"
format = 1
solver = "exact"
title = "Spheres"
frequency = "1 GHz"
bodies = [{ geometry = { shape = "sphere", radius = "0.1 m" }, material = "pec" }]
excitation = { kind = "plane-wave", phi = "0 deg" }
observation = { kind = "monostatic" }

[sweep]
"bodies.0.geometry.radius" = ["0.1 m", "0.2 m", "0.3 m"]
frequency = ["1 GHz", "2 GHz"]
"#;

/// Returns the only folder whose name starts with `beginning`.
fn variation_folder(sweep: &Path, beginning: &str) -> PathBuf {
    let found: Vec<PathBuf> = (std::fs::read_dir(sweep).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.starts_with(beginning)
        })
        .collect();
    assert_eq!(found.len(), 1, "{beginning}: {found:?}");
    found[0].clone()
}

/// A value inserted into a list renumbers later variations: their results are neither recomputed nor lost.
#[test]
fn a_larger_sweep_renumbers_the_folders_of_a_smaller_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let problem = folder.join("problem.toml");
    let smaller = VARIATIONS.replace("\"0.1 m\", \"0.2 m\", ", "\"0.1 m\", ");
    std::fs::write(&problem, smaller).unwrap();
    good(&["run"], folder);
    let result = folder.join("result");
    let before = variation_folder(&result, "0004-radius-0.3-m-frequency-2-GHz-");
    let record = std::fs::read(before.join("result.json")).unwrap();
    std::fs::write(&problem, VARIATIONS).unwrap();
    good(&["run", "--resume"], folder);
    let after = variation_folder(&result, "0006-radius-0.3-m-frequency-2-GHz-");
    // The record holds run times, so equality shows that the run was not repeated.
    assert_eq!(std::fs::read(after.join("result.json")).unwrap(), record);
    for (number, beginning) in (1..).zip([
        "radius-0.1-m-frequency-1-GHz",
        "radius-0.1-m-frequency-2-GHz",
        "radius-0.2-m-frequency-1-GHz",
        "radius-0.2-m-frequency-2-GHz",
        "radius-0.3-m-frequency-1-GHz",
        "radius-0.3-m-frequency-2-GHz",
    ]) {
        let one = variation_folder(&result, &format!("{number:04}-"));
        let name = one.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name.contains(beginning), "{name}");
        assert!(one.join("result.json").exists(), "{name}");
    }
}

#[test]
fn variations_of_a_problem_are_run_by_threads_and_shares_alike() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("problem.toml"), VARIATIONS).unwrap();
    good(&["run", "--out", "threads"], folder);
    assert!(folder.join("threads/report.html").exists());
    let one = variation_folder(
        &folder.join("threads"),
        "0004-radius-0.2-m-frequency-2-GHz-",
    );
    assert!(one.join("report.html").exists());
    for share in ["1/2", "2/2"] {
        good(&["run", "--out", "shares", "--shard", share], folder);
    }
    good(&["run", "--out", "shares", "--resume"], folder);
    // Run times differ, results do not.
    let table = |name: &str| -> Vec<String> {
        let text = std::fs::read_to_string(folder.join(name).join("sweep.csv")).unwrap();
        let rows = text.lines().filter(|line| !line.starts_with('#'));
        rows.map(|row| row.rsplit_once(',').unwrap().0.to_owned())
            .collect()
    };
    assert_eq!(table("threads").len(), 7, "{:?}", table("threads"));
    assert_eq!(table("shares"), table("threads"));
    let output = wavefield(&["check", "problem.toml"], folder);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("first of 6 variations"), "{said}");
}

#[test]
fn scripts_for_a_cluster_are_written_for_what_can_be_shared() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("problem.toml"), SWEEP).unwrap();
    good(&["sweep", "--slurm", "8"], folder);
    let script = std::fs::read_to_string(folder.join("sweep.slurm")).unwrap();
    assert!(script.contains("--array=1-8"), "{script}");
    assert!(folder.join("gather.slurm").exists());
}

#[test]
fn a_run_killed_while_it_wrote_its_result_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("problem.toml"), SWEEP).unwrap();
    good(&["run", "--keep-task-results"], folder);
    // State before the record, which is written last.
    std::fs::remove_file(folder.join("result/result.json")).unwrap();
    good(&["run", "--keep-task-results", "--resume"], folder);
    assert!(folder.join("result/result.json").exists());
    // A foreign folder is left unchanged.
    std::fs::create_dir(folder.join("letters")).unwrap();
    std::fs::write(folder.join("letters/dear.txt"), "").unwrap();
    let output = wavefield(&["run", "--out", "letters", "--resume"], folder);
    assert_eq!(output.status.code(), Some(2));
}
