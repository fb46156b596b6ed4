//! Runs with several ranks, here threads of a test, are bitwise identical to runs of one process.

use std::path::Path;
use std::sync::Arc;

use wavefield::Error;
use wavefield::checkpoint::journal;
use wavefield::mesh::{primitive::open_tetrahedral_box, write_msh_volume};
use wavefield::problem::Problem;
use wavefield::ranks::Ranks;
use wavefield::run::{Options, run_to_folder};
use wavefield_numerics::observe::{Cancel, Observer, Silent};
use wavefield_solver::ErrorClass;
use wavefield_solver::transport::ThreadRank;

const WAVES: &str = r#"
format = 1
solver = "dgtd"
frequency = "300 MHz"
excitation = { kind = "dipoles", dipoles = [{ position = ["31 mm", "20 mm", "40 mm"], moment = [0.0, 0.3, 1.0] }] }
observation = { kind = "far-field", theta = ["30 deg", "90 deg"], phi = ["10 deg"] }
[dgtd]
order = 2
mesh = { file = "box.msh", unit = "m" }
probes = [["100 mm", "50 mm", "-70 mm"]]
volumes = { layer = "pml" }
surfaces = { huygens = "huygens", outer = "pec" }
stop = { energy_decay = 0.0, max_time = "5 ns" }
"#;

const SWEEP: &str = r#"
format = 1
solver = "sbr"
frequency = "3 GHz"
bodies = [{ geometry = { shape = "plate", width = "0.2 m", height = "0.2 m" }, material = "pec" }]
excitation = { kind = "plane-wave", theta = "40 deg", phi = { start = "0 deg", stop = "90 deg", count = 31 } }
observation = { kind = "monostatic" }
"#;

/// A sweep some of whose waves are refined.
const REFINED: &str = r#"
format = 1
solver = "sbr"
frequency = "3 GHz"
bodies = [{ geometry = { shape = "dihedral", width = "0.3 m", height = "0.3 m" }, material = "pec" }]
excitation = { kind = "plane-wave", theta = "75 deg", phi = { start = "0 deg", stop = "60 deg", count = 9 } }
observation = { kind = "monostatic" }
[sbr]
rays = { spacing = 0.9, max_subdivisions = 1 }
"#;

fn problem(text: &str, folder: &Path) -> Problem {
    let mesh = open_tetrahedral_box([1.4; 3], [7; 3], 1, 1).unwrap();
    let mut file = std::fs::File::create(folder.join("box.msh")).unwrap();
    write_msh_volume(&mesh, &mut file).unwrap();
    std::fs::write(folder.join("problem.toml"), text).unwrap();
    Problem::read(&folder.join("problem.toml")).unwrap()
}

/// Outcome of each rank.
fn by_ranks(
    problem: &Problem,
    count: u32,
    options: &Options,
    observer: &dyn Observer,
    out: &Path,
) -> Vec<Result<bool, Error>> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (ThreadRank::group(count).into_iter())
            .map(|rank| {
                let ranks = Ranks {
                    transport: Arc::new(rank),
                    partition: |graph, parts| Ok(graph.contiguous_parts(parts)),
                };
                let options = Options {
                    ranks: Some(ranks),
                    ..options.clone()
                };
                scope.spawn(move || {
                    let found = run_to_folder(problem, &options, observer, out)?;
                    Ok(found.is_some())
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    })
}

fn arrays(folder: &Path) -> Vec<u8> {
    std::fs::read(folder.join("arrays.npz")).unwrap()
}

#[test]
fn any_number_of_ranks_ends_with_the_result_of_one_process() {
    for text in [WAVES, SWEEP] {
        let folder = tempfile::tempdir().unwrap();
        let problem = problem(text, folder.path());
        let options = Options::default();
        let alone = folder.path().join("alone");
        run_to_folder(&problem, &options, &Silent, &alone).unwrap();
        for count in [1, 2, 3] {
            let out = folder.path().join(count.to_string());
            let ends = by_ranks(&problem, count, &options, &Silent, &out);
            let ends: Vec<bool> = ends.into_iter().map(Result::unwrap).collect();
            // Rank 0 has the result; the other ranks return without one.
            assert_eq!(ends.iter().position(|&first| first), Some(0));
            assert_eq!(ends.iter().filter(|&&first| first).count(), 1);
            assert_eq!(arrays(&out), arrays(&alone), "{count} ranks");
        }
    }
}

#[test]
fn ranks_that_are_stopped_go_on_together_in_another_number() {
    for text in [WAVES, SWEEP] {
        let folder = tempfile::tempdir().unwrap();
        let problem = problem(text, folder.path());
        let alone = folder.path().join("alone");
        run_to_folder(&problem, &Options::default(), &Silent, &alone).unwrap();
        let out = folder.path().join("out");
        let stop = Cancel::new();
        stop.request();
        for end in by_ranks(&problem, 3, &Options::default(), &stop, &out) {
            assert_eq!(end.unwrap_err().class(), ErrorClass::Interrupted);
        }
        let options = Options {
            resume: true,
            ..Options::default()
        };
        by_ranks(&problem, 2, &options, &Silent, &out);
        assert_eq!(arrays(&out), arrays(&alone));
    }
}

#[test]
fn ranks_share_and_record_refinements() {
    let folder = tempfile::tempdir().unwrap();
    let problem = problem(REFINED, folder.path());
    let options = Options {
        keep_task_results: true,
        ..Options::default()
    };
    let alone = folder.path().join("alone");
    run_to_folder(&problem, &options, &Silent, &alone).unwrap();
    let recorded = |folder: &Path| {
        let journal = std::fs::read(folder.join(journal::NAME)).unwrap();
        let mut keys = journal::keys(&journal);
        keys.sort_unstable();
        keys
    };
    assert!(recorded(&alone).len() > 9, "no wave was refined");
    let out = folder.path().join("out");
    for end in by_ranks(&problem, 2, &options, &Silent, &out) {
        end.unwrap();
    }
    assert_eq!(arrays(&out), arrays(&alone));
    assert_eq!(recorded(&out), recorded(&alone));
    // A run that resumes computes nothing again, whatever the number of ranks.
    let resumed = Options {
        resume: true,
        ..options
    };
    for end in by_ranks(&problem, 3, &resumed, &Silent, &out) {
        end.unwrap();
    }
    assert_eq!(arrays(&out), arrays(&alone));
    assert_eq!(recorded(&out), recorded(&alone));
}

#[test]
fn more_ranks_than_pieces_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let problem = problem(WAVES, folder.path());
    let out = folder.path().join("out");
    for end in by_ranks(&problem, 40, &Options::default(), &Silent, &out) {
        let error = end.unwrap_err().to_string();
        assert!(error.contains("too many"), "{error}");
    }
}
