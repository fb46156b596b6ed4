//! A rerun that fails in any operation on the disk leaves the old result or the new one, whole.
//!
//! `WAVEFIELD_TRIALS` sets the number of trials, for longer runs by name.

use std::collections::BTreeMap;
use std::path::Path;

use wavefield::ErrorClass;
use wavefield::checkpoint::storage;
use wavefield::numerics::observe::Silent;
use wavefield::problem::Problem;
use wavefield::result;
use wavefield::run::{Options, run_to_folder};

/// Number of trials.
const TRIALS: u64 = 20;
/// Distance of the failing operations of successive trials; a prime, so that all operations fail in turn.
const STRIDE: u64 = 17;
/// More operations than a run has.
const MANY: u64 = 1 << 32;

fn problem(solver: &str, radius: &str) -> Problem {
    let text = format!(
        "format = 1\nsolver = \"{solver}\"\nfrequency = \"1 GHz\"\n[[bodies]]\nmaterial = \"pec\"\n\
         geometry = {{ shape = \"sphere\", radius = \"{radius}\" }}\n\
         [excitation]\nkind = \"plane-wave\"\ntheta = \"90 deg\"\nphi = \"0 deg\"\n\
         [observation]\nkind = \"bistatic\"\ntheta = \"90 deg\"\nphi = [\"0 deg\", \"90 deg\"]\n"
    );
    Problem::parse(&text, "problem.toml", Path::new(".")).unwrap()
}

/// Returns the files of a folder; timings make the record and the report of two runs differ.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let named = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        let bytes = std::fs::read(entry.path()).unwrap();
        (name, bytes)
    };
    files
        .map(named)
        .filter(|(name, _)| !name.ends_with(".wfc") && !name.ends_with(".wfj"))
        .collect()
}

#[test]
fn a_rerun_with_a_fault_leaves_a_whole_result() {
    let trials = std::env::var("WAVEFIELD_TRIALS").map_or(TRIALS, |n| n.parse().unwrap());
    let (old, new) = (problem("exact", "5 cm"), problem("exact", "6 cm"));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("result");
    let options = Options {
        threads: Some(1),
        ..Options::default()
    };
    let run = |problem: &Problem| run_to_folder(problem, &options, &Silent, &out);
    // A rerun without a fault counts its operations.
    run(&old).unwrap();
    storage::fail_at(MANY);
    run(&new).unwrap();
    let operations = MANY - storage::before_fault();
    let names_of_new: Vec<String> = files(&out).into_keys().collect();
    let mut replaced = 0;
    for trial in 0..trials {
        storage::never_fail();
        run(&old).unwrap();
        let before = files(&out);
        // Spread over the operations, and all of them in a longer run.
        let operation = trial * STRIDE % operations;
        storage::fail_at(operation);
        let error = run(&new).map(|_| ()).unwrap_err();
        storage::never_fail();
        assert_eq!(error.class(), ErrorClass::Runtime, "{error}");
        let (record, _) = result::read(&out).unwrap();
        // The next writer completes a replacement that was committed.
        result::prepare(&out).unwrap();
        if record.problem_sha256 == old.hash() {
            assert_eq!(files(&out), before, "operation {operation}");
        } else {
            assert_eq!(record.problem_sha256, new.hash(), "operation {operation}");
            let names: Vec<String> = files(&out).into_keys().collect();
            assert_eq!(names, names_of_new, "operation {operation}");
            replaced += 1;
        }
    }
    assert!(0 < replaced && replaced < trials, "{replaced} of {trials}");
}
