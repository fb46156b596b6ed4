//! `fault-tolerance/term`: runs that receive SIGTERM, as from a batch system.

use std::process::Command;
use std::time::{Duration, Instant};

use wavefield_numerics::random::Random;

use super::subject::{Subject, finished};
use crate::measure::Measured;
use wavefield::Error;
use wavefield::temporary_folder::TemporaryFolder;

/// Grace period of a batch system, s.
pub(crate) const PATIENCE: f64 = 5.0;
/// Maximum run time before SIGTERM after the first save, s.
const LATEST: f64 = 0.6;
/// Exit code of an interrupted run.
const INTERRUPTED: i32 = 130;

/// Sends SIGTERM to each of the problems this many times.
pub(crate) fn term(times_each: u64) -> Result<Measured, Error> {
    let folder = TemporaryFolder::new()?;
    let (mut ok, mut asked, mut slowest, mut mismatches) = (0u64, 0u64, 0.0f64, 0u64);
    for (stream, subject) in (0..).zip(Subject::all(folder.path())?) {
        let mut random = Random::stream(20_261_117, stream);
        let wanted = subject.undisturbed(&[])?;
        let mut left = times_each;
        while left > 0 || subject.kept() > 0 {
            let mut running = subject.start(&[], None)?;
            let begun = running.wait_until(None, |running| !running.announced.is_empty())?;
            let time = Duration::from_secs_f64(LATEST * random.uniform());
            let ended = match begun {
                None if left > 0 => running.wait(Some(time))?,
                None => running.wait(None)?,
                ended => ended,
            };
            if let Some(status) = ended {
                if !finished(status) {
                    return Err(running.failed(subject.name));
                }
                mismatches += u64::from(subject.digest()? != wanted);
                subject.clear()?;
                continue;
            }
            let start = Instant::now();
            let sent = Command::new("sh")
                .args(["-c", "kill -TERM \"$0\""])
                .arg(running.child.id().to_string())
                .status();
            if !sent.is_ok_and(|status| status.success()) {
                return Err(Error::runtime("cannot send SIGTERM".to_owned()));
            }
            let ended = running.wait(Some(Duration::from_secs_f64(4.0 * PATIENCE)))?;
            let took = start.elapsed().as_secs_f64();
            if ended.is_some_and(finished) {
                // It had just finished.
                mismatches += u64::from(subject.digest()? != wanted);
                subject.clear()?;
                continue;
            }
            left -= 1;
            asked += 1;
            slowest = slowest.max(took);
            let said = running.announced.iter().copied().max().unwrap_or(0);
            let kept = subject.kept();
            let is_interrupted = ended.is_some_and(|status| status.code() == Some(INTERRUPTED));
            ok += u64::from(is_interrupted && took <= PATIENCE && kept > 0 && kept >= said);
        }
    }
    Ok([
        ("asked", asked as f64),
        ("ok", ok as f64),
        ("slowest_s", slowest),
        ("mismatches", mismatches as f64),
    ]
    .into())
}
