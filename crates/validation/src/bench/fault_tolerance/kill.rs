//! `fault-tolerance/kill`: runs killed at random times and at every kill point of writing checkpoints.

use std::time::Duration;

use wavefield_numerics::random::Random;

use super::subject::{Subject, finished};
use crate::measure::Measured;
use wavefield::Error;
use wavefield::result::is_result;
use wavefield::temporary_folder::TemporaryFolder;

/// Mean time until a random kill, s.
const MEAN: f64 = 0.6;
/// One of this many kills is at a kill point.
const AT_POINT: u64 = 4;

/// Kills each of the problems this many times.
pub(crate) fn kill(kills_each: u64) -> Result<Measured, Error> {
    let folder = TemporaryFolder::new()?;
    let mut tally = Tally::default();
    let subjects = Subject::all(folder.path())?;
    let points: usize = subjects.iter().map(|subject| subject.points.len()).sum();
    for (stream, subject) in (0..).zip(subjects) {
        tally.kill(&subject, kills_each, Random::stream(20_261_116, stream))?;
    }
    Ok([
        ("kills", tally.kills as f64),
        ("kills_at_points", tally.at_points as f64),
        ("points", tally.points.len() as f64),
        ("points_missed", (points - tally.points.len()) as f64),
        ("results", tally.results as f64),
        ("mismatches", tally.mismatches as f64),
        ("intervals_lost_max", tally.lost_max as f64),
    ]
    .into())
}

#[derive(Default)]
struct Tally {
    kills: u64,
    at_points: u64,
    /// Solvers and the kill points at which they were killed.
    points: std::collections::BTreeSet<String>,
    results: u64,
    mismatches: u64,
    lost_max: u64,
}

impl Tally {
    fn kill(&mut self, subject: &Subject, kills: u64, mut random: Random) -> Result<(), Error> {
        let wanted = subject.undisturbed(&[])?;
        let (mut killed, mut results) = (0, 0);
        let mut point = 0;
        // After the last kill the run continues to its end.
        while killed < kills || results == 0 || subject.kept() > 0 {
            let kill_point = (killed % AT_POINT == 0 && killed < kills).then(|| {
                point += 1;
                let at = subject.points[point % subject.points.len()];
                (at, 1 + (4.0 * random.uniform()) as u64)
            });
            let mean = if kill_point.is_some() {
                4.0 * MEAN
            } else {
                MEAN
            };
            let time = Duration::from_secs_f64(-mean * (1.0 - random.uniform()).ln());
            let before = subject.kept();
            let mut running = subject.start(&[], kill_point)?;
            let ended = running.wait((killed < kills).then_some(time))?;
            if let Some(status) = ended {
                if !finished(status) {
                    return Err(running.failed(subject.name));
                }
                results += 1;
                self.mismatches += u64::from(subject.digest()? != wanted);
                subject.clear()?;
                continue;
            }
            running.kill()?;
            killed += 1;
            if let (Some((point, _)), true) = (kill_point, running.at_kill_point) {
                self.at_points += 1;
                self.points.insert(format!("{} {point:?}", subject.name));
            }
            if is_result(subject.out()) {
                // It was killed after its result was complete.
                results += 1;
                self.mismatches += u64::from(subject.digest()? != wanted);
                subject.clear()?;
                continue;
            }
            // Unsaved work is lost; everything reported as saved must be present.
            let found = subject.kept();
            let kept = running.announced.iter().chain([&before]);
            let lost = 1 + kept.filter(|&&kept| kept > found).count() as u64;
            self.lost_max = self.lost_max.max(lost);
        }
        self.kills += killed;
        self.results += results;
        Ok(())
    }
}
