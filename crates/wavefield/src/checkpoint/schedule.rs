//! Schedule of checkpoints.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Default checkpoint interval,
const USUAL: Duration = Duration::from_secs(30);
/// and its minimum relative to the duration of the last save, so that a slow disk does not slow down a run.
const WORTH: u32 = 50;

/// Schedule of checkpoints: time and duration of the last save.
#[derive(Debug)]
pub(crate) struct CheckpointSchedule {
    /// Requested interval.
    asked: Option<Duration>,
    /// Time of the last save, and its duration.
    last: Mutex<(Instant, Duration)>,
}

impl CheckpointSchedule {
    pub(crate) fn new(asked: Option<Duration>) -> CheckpointSchedule {
        CheckpointSchedule {
            asked,
            last: Mutex::new((Instant::now(), Duration::ZERO)),
        }
    }

    fn last(&self) -> std::sync::MutexGuard<'_, (Instant, Duration)> {
        // Both values are written at once: a panic elsewhere leaves them consistent.
        self.last
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Records a save that began at `start` and ends now.
    pub(crate) fn kept(&self, start: Instant) {
        let now = Instant::now();
        *self.last() = (now, now - start);
    }

    pub(crate) fn is_due(&self) -> bool {
        let (last, took) = *self.last();
        last.elapsed() >= self.asked.unwrap_or_else(|| USUAL.max(WORTH * took))
    }
}
