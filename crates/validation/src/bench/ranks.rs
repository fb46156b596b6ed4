//! `scale/mpi`: DGTD with the mesh distributed over one to four MPI ranks.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use wavefield_physics::quantity::Time;
use wavefield_solver::AnySpec;

use crate::measure::Measured;
use crate::problems;
use wavefield::Error;
use wavefield::outcome::{Data, Outcome};
use wavefield::result::{self, Record};
use wavefield::temporary_folder::TemporaryFolder;
use wavefield::this_program::this_program;
use wavefield_dgtd::{DgtdSolver, HIDDEN, SENT};

/// Size of the problem.
pub(crate) struct Size {
    /// Bricks along a side of the box.
    cells: u32,
    time: Time,
}

pub(crate) const LONG: Size = Size {
    cells: 16,
    time: Time(10e-9),
};
pub(crate) const SHORT: Size = Size {
    cells: 7,
    time: Time(4e-9),
};

/// Network of a typical cluster: bytes and messages per second of a node.
const NETWORK_BYTES: f64 = 12.5e9;
const LATENCY: f64 = 2e-6;
/// Number of tetrahedra per node for the predicted scaling, and rates of two local cores and of a node with 64 cores.
const ELEMENTS_OF_NODE: f64 = 2e6;
const CORES_OF_NODE: f64 = 64.0;

pub(crate) fn ranks(size: &Size) -> Result<Measured, Error> {
    if !wavefield::ranks::has_mpi() {
        return Err(Error::input(
            "this build has no MPI support; build with `--features mpi`".to_owned(),
        ));
    }
    let folder = TemporaryFolder::new()?;
    let folder = folder.path();
    let cells = problems::write_box(folder, 0.2 * f64::from(size.cells), size.cells)?;
    let spec = AnySpec::new(&DgtdSolver, problems::dipole_in_a_box(3, size.time));
    problems::write(folder, "problem", "A dipole in a box", spec)?;
    let elements = cells.tetrahedra.len() as f64;

    let (record, alone) = run(folder, None)?;
    let seconds = |record: &Record| record.timings.iter().map(|t| t.seconds).sum::<f64>();
    let mut metrics = vec![
        ("elements".to_owned(), elements),
        ("seconds_alone".to_owned(), seconds(&record)),
    ];
    let mut differing = 0;
    let (mut overlap, mut sent) = (0.0, BTreeMap::new());
    for count in 1..=4_u32 {
        let (record, outcome) = run(folder, Some(count))?;
        differing += differing_bits(&alone, &outcome)?;
        metrics.push((format!("seconds_{count}"), seconds(&record)));
        if count == 1 {
            continue;
        }
        let bytes = figure(&record, SENT)?;
        metrics.push((format!("bytes_per_stage_{count}"), bytes));
        sent.insert(count, bytes);
        if count == 2 {
            overlap = figure(&record, HIDDEN)?;
        }
    }
    metrics.push(("differing_bits".to_owned(), differing as f64));
    metrics.push(("overlap_percent".to_owned(), overlap));
    let steps = steps(&alone);
    let foretold = weak_scaling(elements, &sent, seconds(&record) / (5.0 * steps));
    metrics.push(("weak_scaling_percent".to_owned(), 100.0 * foretold));
    Ok(Measured::Metrics(metrics.into_iter().collect()))
}

/// Runs the problem, in one process or by this many ranks of one thread each.
fn run(folder: &Path, processes: Option<u32>) -> Result<(Record, Outcome), Error> {
    let program = this_program()?;
    let out = folder.join(processes.map_or("alone".to_owned(), |count| count.to_string()));
    let mut command = match processes {
        None => Command::new(program),
        Some(count) => {
            let mut command = Command::new("mpirun");
            // More ranks than cores, and root where a container has no other user.
            command.args([
                "--oversubscribe",
                "--allow-run-as-root",
                "--bind-to",
                "none",
                "-n",
            ]);
            command.arg(count.to_string()).arg(program);
            command
        }
    };
    let output = command
        .args(["run", "--threads", "1", "--quiet", "--out"])
        .arg(&out)
        .arg(folder.join("problem.toml"))
        .output()
        .map_err(|error| Error::runtime(format!("cannot start mpirun: {error}")))?;
    // A coarse mesh fails a check, which does not matter here.
    if !matches!(output.status.code(), Some(0 | 1)) || !result::is_result(&out) {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Error::runtime(format!(
            "a run with {processes:?} ranks failed: {said}"
        )));
    }
    result::read(&out)
}

/// Returns the number of time steps of a run from its summary.
fn steps(outcome: &Outcome) -> f64 {
    let summary: Vec<&str> = outcome.summary.split_whitespace().collect();
    let at = summary.iter().position(|word| *word == "steps");
    let steps = at.and_then(|at| summary[at.checked_sub(1)?].parse().ok());
    steps.unwrap_or(f64::NAN)
}

fn figure(record: &Record, label: &str) -> Result<f64, Error> {
    let found = record.key_figures.iter().find(|f| f.label == label);
    found
        .and_then(|figure| figure.value.parse().ok())
        .ok_or_else(|| Error::runtime(format!("the result has no key figure {label:?}")))
}

/// Returns the number of bits in which two results differ.
fn differing_bits(one: &Outcome, other: &Outcome) -> Result<u64, Error> {
    if one.arrays.len() != other.arrays.len() {
        return Err(Error::runtime(
            "the results have different arrays".to_owned(),
        ));
    }
    let bits = |data: &Data| -> Vec<u64> {
        match data {
            Data::Real(values) => values.iter().map(|x| x.to_bits()).collect(),
            Data::Complex(values) => (values.iter())
                .flat_map(|z| [z.re.to_bits(), z.im.to_bits()])
                .collect(),
            Data::Index(values) => values.iter().map(|&n| n.into()).collect(),
        }
    };
    let pairs = one.arrays.iter().zip(&other.arrays);
    Ok(pairs
        .map(|(a, b)| {
            let (a, b) = (bits(&a.data), bits(&b.data));
            let missing = 64 * a.len().abs_diff(b.len()) as u64;
            let different = a
                .iter()
                .zip(&b)
                .map(|(a, b)| u64::from((a ^ b).count_ones()));
            missing + different.sum::<u64>()
        })
        .sum())
}

/// Predicts the parallel efficiency of many nodes with a fixed number of elements per node (weak scaling): messages
/// grow with the surface of a partition, the 2/3 power of its elements, work with its volume; communication that the
/// interior does not hide adds to the time.
fn weak_scaling(elements: f64, sent: &BTreeMap<u32, f64>, stage: f64) -> f64 {
    // A partition among many has neighbors on all sides; of two partitions each has one.
    let per_surface = sent
        .iter()
        .map(|(&count, &bytes)| bytes / (elements / f64::from(count)).powf(2.0 / 3.0))
        .fold(0.0, f64::max);
    let surface = ELEMENTS_OF_NODE.powf(2.0 / 3.0);
    let (messages, bytes) = (26.0, 3.0 * per_surface * surface);
    let talk = messages * LATENCY + bytes / NETWORK_BYTES;
    // One thread of ours for all cores of the node.
    let work = stage / elements * ELEMENTS_OF_NODE / CORES_OF_NODE;
    // Work on the outermost element layer cannot overlap with communication.
    let inner = (1.0 - 6.0 * surface / ELEMENTS_OF_NODE).max(0.0);
    work / (work + (talk - inner * work).max(0.0))
}
