//! Every fuzz target passes its corpus and seeded mutations of it, within one second and 512 MiB.
//!
//! `WAVEFIELD_MUTATIONS` sets the number of mutations per target, for longer runs by name.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use wavefield_fuzz::{Mutator, TARGETS, dictionary, scratch_folder};

use crate::{MEMORY_LIMIT, SEED, peak_memory};

/// Mutations per target; fewer if an input passes through files and whole reports.
const MUTATIONS: usize = 2_000;
const FEW_MUTATIONS: usize = 200;
const SLOW: [&str; 5] = [
    "compared_table",
    "reference_mesh",
    "reference_table",
    "result_arrays",
    "result_record",
];
/// Time limit of one input; the shortest of three runs counts, as the machine may be busy.
const TIME_LIMIT: Duration = Duration::from_secs(1);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// Returns the sorted names of the files in a folder without their extensions.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let name = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap().path())).collect();
    names.sort();
    names
}

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder().join("corpus").join(target)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

fn tokens(target: &str) -> Vec<Vec<u8>> {
    let path = folder()
        .join("dictionaries")
        .join(target)
        .with_extension("dict");
    std::fs::read_to_string(path).map_or_else(|_| Vec::new(), |text| dictionary(&text))
}

fn run(target: fn(&[u8]), input: &[u8]) -> Duration {
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| target(input)));
    assert!(result.is_ok(), "broken by \"{}\"", input.escape_ascii());
    start.elapsed()
}

fn replay(name: &str) {
    let (_, target) = *TARGETS.iter().find(|(known, _)| *known == name).unwrap();
    let (corpus, tokens) = (corpus(name), tokens(name));
    let default = if SLOW.contains(&name) {
        FEW_MUTATIONS
    } else {
        MUTATIONS
    };
    let mutations = std::env::var("WAVEFIELD_MUTATIONS").map_or(default, |n| n.parse().unwrap());
    let mutator = Mutator::new(&corpus, &tokens, SEED);
    for input in corpus.iter().cloned().chain(mutator.take(mutations)) {
        let mut time = run(target, &input);
        for _ in 0..2 {
            if time > TIME_LIMIT {
                time = time.min(run(target, &input));
            }
        }
        assert!(
            time <= TIME_LIMIT,
            "{time:?} for \"{}\"",
            input.escape_ascii()
        );
    }
    let peak = peak_memory();
    assert!(peak <= MEMORY_LIMIT, "{peak} bytes at most");
    let _ = std::fs::remove_dir_all(scratch_folder());
}

macro_rules! replays {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            replay(stringify!($name));
        })*

        #[test]
        fn every_target_is_replayed_and_fuzzed() {
            let replayed = [$(stringify!($name)),*];
            assert_eq!(TARGETS.map(|(name, _)| name), replayed);
            assert_eq!(names(&folder().join("fuzz_targets")), replayed);
            assert_eq!(names(&folder().join("corpus")), replayed);
        }
    };
}

replays! {
    bit_stream
    compared_table
    coverage_description
    coverage_geojson
    device_choice
    packet_stream
    problem_file
    quantity
    read_acoular
    read_any_mesh
    read_calibration
    read_inp
    read_microphones
    read_msh
    read_obj
    read_stl
    read_wav
    recorded_sound
    reference_mesh
    reference_table
    result_arrays
    result_record
    sweep
}
