//! When what goes on for long is kept anew.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Work that goes on is kept anew after this time if nothing else is asked for,
const USUAL: Duration = Duration::from_secs(30);
/// and after so many times what the last keeping took, so that a slow disk does not hold up a run.
const WORTH: u32 = 50;

/// When something was last kept, and how long it took.
#[derive(Debug)]
pub(crate) struct Pace {
    /// What was asked for.
    asked: Option<Duration>,
    /// The last time, and how long it took.
    last: Mutex<(Instant, Duration)>,
}

impl Pace {
    pub(crate) fn new(asked: Option<Duration>) -> Pace {
        Pace {
            asked,
            last: Mutex::new((Instant::now(), Duration::ZERO)),
        }
    }

    fn last(&self) -> std::sync::MutexGuard<'_, (Instant, Duration)> {
        // Both numbers are written at once: a panic elsewhere leaves them as they were.
        self.last
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// It was kept just now, which took from `start` on.
    pub(crate) fn kept(&self, start: Instant) {
        let now = Instant::now();
        *self.last() = (now, now - start);
    }

    pub(crate) fn is_due(&self) -> bool {
        let (last, took) = *self.last();
        last.elapsed() >= self.asked.unwrap_or_else(|| USUAL.max(WORTH * took))
    }
}
