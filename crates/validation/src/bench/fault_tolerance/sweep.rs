//! `scale/sweep`: many small tasks in a process that is killed.

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

const OPTIONS: [&str; 2] = ["--keep-task-results", "--quiet"];

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

/// Runs the tasks twice: uninterrupted, and killed and resumed.
pub(crate) fn sweep(size: &Size) -> Result<Measured, Error> {
    let folder = TemporaryFolder::new()?;
    let subject = Subject::new(folder.path(), "sweep", problem(size.directions), &[])?;
    let tasks = size.directions.iter().product::<usize>();
    let start = Instant::now();
    let wanted = subject.undisturbed(&OPTIONS)?;
    let undisturbed = start.elapsed().as_secs_f64();
    let mut random = Random::stream(20_261_119, 0);
    let mut kills = 0;
    let start = Instant::now();
    // All kills are within the first two thirds of the work.
    let between = 0.66 * undisturbed / size.kills as f64;
    loop {
        let mut running = subject.start(&OPTIONS, None)?;
        let disturb = kills < size.kills;
        let time = Duration::from_secs_f64(between * 2.0 * random.uniform());
        if let Some(status) = running.wait(disturb.then_some(time))? {
            if !finished(status) {
                return Err(running.failed(subject.name));
            }
            break;
        }
        running.kill()?;
        kills += 1;
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
        ("kills", kills as f64),
        ("tasks_per_second", tasks as f64 / undisturbed),
        ("tasks_per_second_killed", tasks as f64 / disturbed),
    ]
    .into())
}
