//! Planning of mutated problem files ends with a plan or with exit code 2, within two seconds and 512 MiB.
//!
//! `WAVEFIELD_MUTATIONS` sets the number of mutations of a test, for longer runs by name.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use wavefield_fuzz::{Planning, ProblemMutator, plan_problem};

use crate::{MEMORY_LIMIT, SEED, cpu_time, peak_memory};

/// Time limit of a problem: CPU time, which does not depend on what else runs on the machine, or wall-clock time.
const TIME_LIMIT: Duration = Duration::from_secs(2);
/// Memory that runs may use, bytes; the program and its caches take the rest of the limit.
const MEMORY: usize = 128 << 20;

/// Returns the problem files of a folder of examples, with their folders.
fn problems(of: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../problems")
        .join(of);
    let entries = std::fs::read_dir(folder).unwrap();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let files = folders.into_iter().filter_map(|folder| {
        let text = std::fs::read_to_string(folder.join("problem.toml")).ok()?;
        Some((folder, text))
    });
    files.collect()
}

fn planned(folder: &Path, text: &str) -> (Planning, Duration) {
    let (start, start_of_cpu) = (Instant::now(), cpu_time());
    let planning = catch_unwind(AssertUnwindSafe(|| plan_problem(text, folder, MEMORY)));
    let Ok(planning) = planning else {
        panic!("planning panicked on\n{text}");
    };
    let of_cpu = cpu_time().zip(start_of_cpu).map(|(end, start)| end - start);
    let elapsed = start.elapsed();
    (planning, of_cpu.map_or(elapsed, |time| time.min(elapsed)))
}

/// Plans seeded mutations of the examples of a solver, which differ in the time that planning takes.
fn every_mutation_is_planned_or_rejected(of: &str, mutations: usize) {
    let (folders, corpus): (Vec<_>, Vec<_>) = problems(of).into_iter().unzip();
    let mutations = std::env::var("WAVEFIELD_MUTATIONS").map_or(mutations, |n| n.parse().unwrap());
    let mut mutator = ProblemMutator::new(&corpus, SEED);
    let mut accepted = 0;
    for number in 0..mutations {
        let (index, text) = mutator.mutation();
        let (planning, time) = planned(&folders[index], &text);
        assert!(
            time <= TIME_LIMIT,
            "{time:?} for mutation {number}:\n{text}"
        );
        let peak = peak_memory();
        assert!(
            peak <= MEMORY_LIMIT,
            "{peak} bytes after mutation {number}:\n{text}"
        );
        accepted += usize::from(planning == Planning::Planned);
    }
    // Mutations that are all rejected would test the parser alone.
    assert!(
        20 * accepted >= mutations,
        "only {accepted} of {mutations} are planned"
    );
}

#[test]
fn planning_of_exact_solutions_ends() {
    every_mutation_is_planned_or_rejected("exact", 6_000);
}

#[test]
fn planning_of_rays_ends() {
    every_mutation_is_planned_or_rejected("sbr", 200);
}

#[test]
fn planning_of_the_2d_method_of_moments_ends() {
    every_mutation_is_planned_or_rejected("mom2d", 6_000);
}

#[test]
fn planning_of_the_3d_method_of_moments_ends() {
    every_mutation_is_planned_or_rejected("mom3d", 4_000);
}

#[test]
fn planning_of_reflectarrays_ends() {
    every_mutation_is_planned_or_rejected("reflectarray", 120);
}

#[test]
fn planning_of_holography_ends() {
    every_mutation_is_planned_or_rejected("holography", 3_680);
}
