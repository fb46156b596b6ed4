//! `scale/sweep`: many small tasks in several processes, some of which are killed.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use wavefield_numerics::random::Random;
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::Sweep;
use wavefield_sbr::{SbrSolver, Spec};
use wavefield_solver::AnySpec;
use wavefield_solver::scene::{Body, Excitation, Geometry, Observation};

use super::subject::{Subject, finished};
use crate::measure::Measured;
use wavefield::Error;
use wavefield::checkpoint::journal;
use wavefield::temporary_folder::TemporaryFolder;

/// Size of the sweep, and number of kills.
pub(crate) struct Size {
    /// Numbers of directions in θ and φ; every pair is a task.
    directions: [usize; 2],
    kills: u64,
}

pub(crate) const SWEEP: Size = Size {
    directions: [200, 500],
    kills: 25,
};
pub(crate) const SWEEP_SHORT: Size = Size {
    directions: [20, 100],
    kills: 4,
};

const OPTIONS: [&str; 4] = ["--workers", "2", "--keep-task-results", "--quiet"];

/// Returns a plate observed from many directions.
fn problem([thetas, phis]: [usize; 2]) -> AnySpec {
    let side = Length::Meters(0.2);
    let spec = Spec::new(
        Frequency(3e9),
        Body::pec(Geometry::plate(side, side)),
        Excitation::plane_wave(
            Sweep::degrees_by_count(0.0, 80.0, thetas),
            Sweep::degrees_by_count(0.0, 359.0, phis),
        ),
        Observation::Monostatic,
    );
    AnySpec::new(&SbrSolver, spec)
}

/// Runs the tasks twice: uninterrupted, and with coordinator and workers killed.
pub(crate) fn sweep(size: &Size) -> Result<Measured, Error> {
    let folder = TemporaryFolder::new()?;
    let subject = Subject::new(folder.path(), "sweep", problem(size.directions), &[])?;
    let tasks = size.directions.iter().product::<usize>();
    let start = Instant::now();
    let wanted = subject.undisturbed(&OPTIONS)?;
    let undisturbed = start.elapsed().as_secs_f64();
    let mut random = Random::stream(20_261_119, 0);
    let (mut coordinators, mut workers) = (0u64, 0u64);
    let start = Instant::now();
    // All kills are within the first two thirds of the work.
    let between = 0.66 * undisturbed / size.kills as f64;
    loop {
        let mut running = subject.start(&OPTIONS, None)?;
        let mut ended = None;
        while ended.is_none() {
            let disturb = coordinators + workers < size.kills;
            let time = Duration::from_secs_f64(between * 2.0 * random.uniform());
            ended = running.wait(disturb.then_some(time))?;
            if ended.is_some() {
                break;
            }
            if coordinators <= workers {
                running.kill()?;
                coordinators += 1;
                break;
            }
            let found = children(running.child.id());
            if let Some(worker) = found.get((random.uniform() * found.len() as f64) as usize) {
                kill(*worker)?;
                workers += 1;
            }
        }
        if let Some(status) = ended {
            if !finished(status) {
                return Err(running.failed(subject.name));
            }
            break;
        }
    }
    let disturbed = start.elapsed().as_secs_f64();
    let path = subject.out().join(journal::NAME);
    let bytes = std::fs::read(&path).map_err(|error| Error::reading(&path, &error))?;
    let keys: Vec<_> = journal::keys(&bytes);
    let different = keys.iter().collect::<HashSet<_>>().len();
    let mismatches = u64::from(subject.digest()? != wanted);
    Ok([
        ("tasks", tasks as f64),
        ("duplicates", (keys.len() - different) as f64),
        ("missing", tasks as f64 - different as f64),
        ("mismatches", mismatches as f64),
        ("coordinators_killed", coordinators as f64),
        ("workers_killed", workers as f64),
        ("tasks_per_second", tasks as f64 / undisturbed),
        ("tasks_per_second_killed", tasks as f64 / disturbed),
    ]
    .into())
}

/// Returns the child processes of a process, where the system reports them.
fn children(parent: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let process: u32 = entry.file_name().to_str()?.parse().ok()?;
            let status = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // The preceding name may contain any character, including a bracket.
            let (_, rest) = status.rsplit_once(')')?;
            let found: u32 = rest.split_whitespace().nth(1)?.parse().ok()?;
            (found == parent).then_some(process)
        })
        .collect()
}

fn kill(process: u32) -> Result<(), Error> {
    // A process that has just exited cannot be killed, and need not be.
    std::process::Command::new("sh")
        .args(["-c", "kill -KILL \"$0\" 2>/dev/null"])
        .arg(process.to_string())
        .status()
        .map(|_| ())
        .map_err(|error| Error::runtime(format!("cannot kill a worker: {error}")))
}
