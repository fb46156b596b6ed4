//! Progress reporting and cancellation.
//!
//! A solver does not read the clock: it reports progress, and the observer measures time with a [`Meter`].

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use thiserror::Error;

/// Progress of a stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress<'a> {
    /// Name of the stage, as shown to the user.
    pub stage: &'a str,
    /// Units of work finished in this stage: steps, rays, iterations.
    pub done: u64,
    /// Units of work of the whole stage, if known.
    pub total: Option<u64>,
    /// Convergence measure (relative residual, energy decay), if the stage has one.
    pub residual: Option<f64>,
}

impl<'a> Progress<'a> {
    /// Creates a progress event of a stage of known length.
    #[must_use]
    pub fn new(stage: &'a str, done: u64, total: u64) -> Self {
        Self {
            stage,
            done,
            total: Some(total),
            residual: None,
        }
    }

    /// Creates a progress event of an iteration with a residual.
    #[must_use]
    pub fn iteration(stage: &'a str, done: u64, residual: f64) -> Self {
        Self {
            stage,
            done,
            total: None,
            residual: Some(residual),
        }
    }
}

/// Receiver of progress events, which may request a stop: a terminal, a notebook, a log, or [`Silent`].
pub trait Observer: Send + Sync {
    /// Receives an event; called from any thread of the solver, so it must return quickly.
    fn progress(&self, event: &Progress<'_>);

    /// Returns whether the solver should stop at its next cancellation point.
    fn stop_requested(&self) -> bool {
        false
    }

    /// Returns an error if a stop was requested, for propagation by `?`.
    ///
    /// # Errors
    /// Returns [`Cancelled`] if a stop was requested.
    fn checkpoint(&self) -> Result<(), Cancelled> {
        if self.stop_requested() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }
}

/// The run was stopped on request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("stopped on request")]
pub struct Cancelled;

/// An observer that ignores all events and never requests a stop.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _event: &Progress<'_>) {}
}

/// A cancellation flag that stops a run from another thread; clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    requested: Arc<AtomicBool>,
}

impl Cancel {
    /// Creates a flag that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests a stop; may be called from a signal handler's thread, and more than once.
    pub fn request(&self) {
        self.requested.store(true, Ordering::Release);
    }

    /// Returns whether a stop was requested.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Acquire)
    }
}

/// The flag alone is an observer that ignores events and can stop the run.
impl Observer for Cancel {
    fn progress(&self, _event: &Progress<'_>) {}

    fn stop_requested(&self) -> bool {
        self.is_requested()
    }
}

/// Rate and times measured by a [`Meter`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// Units of work per second in the stage so far; zero until time has passed.
    pub rate: f64,
    /// Time since the stage began.
    pub elapsed: Duration,
    /// Estimated remaining time at this rate, if the total is known and work has been done.
    pub remaining: Option<Duration>,
}

/// Meter of the rate and the remaining time of a stage, from instants that the observer supplies.
#[derive(Debug, Clone)]
pub struct Meter {
    stage: String,
    began: Instant,
    done_at_start: u64,
}

impl Meter {
    /// Starts measuring at `now`.
    #[must_use]
    pub fn new(now: Instant) -> Self {
        Self {
            stage: String::new(),
            began: now,
            done_at_start: 0,
        }
    }

    /// Updates the measurement with an event at `now`; a new stage resets it.
    ///
    /// The rate of a stage that begins with finished work (a resumed run) counts only the work added.
    pub fn read(&mut self, event: &Progress<'_>, now: Instant) -> Reading {
        if self.stage != event.stage {
            self.stage.clear();
            self.stage.push_str(event.stage);
            self.began = now;
            self.done_at_start = event.done;
        }
        let elapsed = now.saturating_duration_since(self.began);
        let seconds = elapsed.as_secs_f64();
        let added = event.done.saturating_sub(self.done_at_start) as f64;
        let rate = if seconds > 0.0 { added / seconds } else { 0.0 };
        let remaining = event.total.filter(|_| rate > 0.0).and_then(|total| {
            Duration::try_from_secs_f64(total.saturating_sub(event.done) as f64 / rate).ok()
        });
        Reading {
            rate,
            elapsed,
            remaining,
        }
    }
}
