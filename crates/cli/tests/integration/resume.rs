//! A run that is killed and resumed is bitwise identical to an uninterrupted one.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PROBLEM: &str = r#"
format = 1
solver = "reflectarray"
frequency = "10 GHz"
feed = { position = ["0 m", "-0.06 m", "0.18 m"], q = 8 }
lattice = { columns = 14, rows = 13, spacing = "0.5 lambda" }
coverage = { ellipse = { center = [0.05, 0.1], semi_axes = [0.2, 0.12], rotation = "30 deg" } }
"#;

fn run(folder: &Path, out: &str, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wavefield"));
    command
        .current_dir(folder)
        .args(["run", "--out", out])
        .args(more)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// Files that hold results and no run times.
const FILES: [&str; 6] = [
    "elements.csv",
    "directivity.csv",
    "stages.csv",
    "lines.csv",
    "beam.grd",
    "beam.cut",
];

#[test]
fn a_run_killed_after_every_part_and_resumed_gives_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("problem.toml"), PROBLEM).unwrap();
    assert!(run(folder, "whole", &[]).status().unwrap().success());

    // Kill the run whenever the checkpoint has grown, so that it is interrupted once after every section.
    let checkpoint = folder.join("killed/checkpoint.wfc");
    let size = || std::fs::metadata(&checkpoint).map_or(0, |file| file.len());
    let mut kills = 0;
    loop {
        let before = size();
        let mut child = run(folder, "killed", &["--resume"]).spawn().unwrap();
        let ended = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if size() > before {
                break None;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        if let Some(status) = ended {
            assert!(status.success());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert!(kills >= 5, "{kills} kills");
    for name in FILES {
        let read = |run: &str| std::fs::read(folder.join(run).join(name)).unwrap();
        assert!(read("whole") == read("killed"), "{name} differs");
    }
    let left = std::fs::read_dir(folder.join("killed")).unwrap();
    let mut names = left.map(|entry| entry.unwrap().file_name());
    assert!(names.all(|name| !name.to_string_lossy().contains("checkpoint")));
}

#[test]
fn a_checkpoint_of_another_problem_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("problem.toml"), PROBLEM).unwrap();
    let mut child = run(folder, "out", &[]).spawn().unwrap();
    let begun = Instant::now();
    while !folder.join("out/checkpoint.wfc").exists() {
        assert!(begun.elapsed() < Duration::from_secs(120));
        assert!(
            child.try_wait().unwrap().is_none(),
            "ended before it was interrupted"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let other = PROBLEM.replace("columns = 14", "columns = 15");
    std::fs::write(folder.join("problem.toml"), other).unwrap();
    let refused = run(folder, "out", &["--resume"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("another problem"), "{message}");
    // Without --resume the run starts anew.
    assert!(run(folder, "out", &[]).status().unwrap().success());
}
