//! A rerun in which memory cannot be allocated leaves the old result or the new one, whole, and exits with the code of a
//! run-time failure.
//!
//! The address space of the command is limited, so that one of its allocations fails: by small steps of the limit every
//! allocation above the steps in size, from the first to the largest, fails in some trial. `WAVEFIELD_TRIALS` sets the
//! number of trials, for longer runs by name.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use wavefield::result;

/// Number of trials.
const TRIALS: u64 = 12;
/// Steps of the limit, bytes; allocations above 1 MiB are larger.
const STEP: u64 = 1 << 18;
/// Distance of successive trials in steps; a prime, so that all steps are taken in turn.
const STRIDE: u64 = 37;
/// Address space that suffices, bytes.
const ENOUGH: u64 = 1 << 32;

/// Every array has 320 kB; tables, report, and files of arrays have megabytes.
fn problem(radius: &str) -> String {
    format!(
        "format = 1\nsolver = \"exact\"\nfrequency = \"1 GHz\"\n[[bodies]]\nmaterial = \"pec\"\n\
         geometry = {{ shape = \"sphere\", radius = \"{radius}\" }}\n\
         [excitation]\nkind = \"plane-wave\"\ntheta = \"90 deg\"\nphi = \"0 deg\"\n\
         [observation]\nkind = \"bistatic\"\ntheta = \"90 deg\"\n\
         phi = {{ start = \"0 deg\", stop = \"180 deg\", count = 40000 }}\n"
    )
}

/// Runs a problem with a limited address space.
fn run(folder: &Path, problem: &str, limit: u64) -> Output {
    Command::new("prlimit")
        .arg(format!("--as={limit}"))
        .arg(env!("CARGO_BIN_EXE_wavefield"))
        .args(["run", problem, "--out", "out"])
        .args(["--device", "cpu", "--threads", "1"])
        .current_dir(folder)
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap()
}

/// Returns the smallest limit, to one step, from which `holds`.
fn smallest(mut below: u64, mut above: u64, holds: impl Fn(u64) -> bool) -> u64 {
    while above - below > STEP {
        let limit = below.midpoint(above);
        if holds(limit) {
            above = limit;
        } else {
            below = limit;
        }
    }
    above
}

/// Returns the files of a result.
fn files(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(out).unwrap().map(|entry| entry.unwrap());
    entries
        .filter(|entry| entry.file_type().unwrap().is_file())
        .map(|entry| {
            let bytes = std::fs::read(entry.path()).unwrap();
            (entry.file_name().into_string().unwrap(), bytes)
        })
        .filter(|(name, _)| !name.ends_with(".wfc") && !name.ends_with(".wfj"))
        .collect()
}

#[test]
fn a_rerun_without_memory_leaves_a_whole_result() {
    let trials = std::env::var("WAVEFIELD_TRIALS").map_or(TRIALS, |n| n.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("old.toml"), problem("5 cm")).unwrap();
    std::fs::write(folder.join("new.toml"), problem("6 cm")).unwrap();
    let out = folder.join("out");
    let hash = || result::read(&out).unwrap().0.problem_sha256;
    assert!(run(folder, "new.toml", ENOUGH).status.success());
    let new = hash();
    assert!(run(folder, "old.toml", ENOUGH).status.success());
    let (old, whole) = (hash(), files(&out));
    assert_ne!(old, new);
    let restore = || {
        let _ = std::fs::remove_dir_all(&out);
        std::fs::create_dir(&out).unwrap();
        for (name, bytes) in &whole {
            std::fs::write(out.join(name), bytes).unwrap();
        }
    };
    // Below the first limit the system cannot start the program, from the second on no allocation fails.
    let code = |limit| run(folder, "old.toml", limit).status.code();
    let started = smallest(0, ENOUGH, |limit| code(limit).is_some_and(|code| code <= 3));
    let enough = smallest(started, ENOUGH, |limit| code(limit) == Some(0));
    let steps = (enough - started).div_ceil(STEP);
    assert!(steps > 8, "{started} {enough}");
    restore();
    let mut failed = 0;
    for trial in 0..trials {
        let limit = started + trial * STRIDE % steps * STEP;
        let output = run(folder, "new.toml", limit);
        let said = String::from_utf8_lossy(&output.stderr);
        let found = hash();
        // The next writer completes a replacement that was committed.
        result::prepare(&out).unwrap();
        match output.status.code() {
            Some(0) => assert_eq!(found, new),
            Some(3) => {
                assert!(!said.is_empty());
                failed += 1;
            }
            // Threads need memory for their stacks.
            Some(2) => assert!(said.contains("cannot start a pool"), "{limit}: {said}"),
            code => panic!("{limit}: {code:?}: {said}"),
        }
        if found == old {
            assert_eq!(files(&out), whole, "{limit}: {said}");
        } else {
            assert_eq!(found, new, "{limit}: {said}");
            assert!(files(&out).keys().eq(whole.keys()), "{limit}: {said}");
            restore();
        }
    }
    assert!(failed > trials / 2, "{failed} of {trials}");
}
