//! Progress out of a solver and cancellation into it.
//!
//! A solver never reads the clock: it says how far it is, and whoever watches measures time with a [`Meter`].

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use thiserror::Error;

/// How far a solver has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress<'a> {
    /// What is being computed, in the user's words.
    pub stage: &'a str,
    /// Units of work finished in this stage: steps, rays, iterations.
    pub done: u64,
    /// Units of work in the whole stage, where it is known beforehand.
    pub total: Option<u64>,
    /// The number that shows convergence (residual, energy decay), where there is one.
    pub residual: Option<f64>,
}

impl<'a> Progress<'a> {
    /// A stage whose length is known.
    #[must_use]
    pub fn new(stage: &'a str, done: u64, total: u64) -> Self {
        Self {
            stage,
            done,
            total: Some(total),
            residual: None,
        }
    }

    /// An iteration that ends when `residual` is small enough.
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

/// Somebody who watches a solver: a terminal, a notebook, a log, or [`Silent`].
pub trait Observer: Send + Sync {
    /// Receives an event; called from any thread of the solver, so it must be quick.
    fn progress(&self, event: &Progress<'_>);

    /// Whether the solver should stop at its next convenient point.
    fn stop_requested(&self) -> bool {
        false
    }

    /// Turns a requested stop into an error that `?` carries out of the solver.
    ///
    /// # Errors
    /// [`Cancelled`] when a stop was requested.
    fn checkpoint(&self) -> Result<(), Cancelled> {
        if self.stop_requested() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }
}

/// The run was stopped on request; nothing is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("stopped on request")]
pub struct Cancelled;

/// An observer that hears everything and says nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _event: &Progress<'_>) {}
}

/// A switch that stops a run from another thread; clones share the switch.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    requested: Arc<AtomicBool>,
}

impl Cancel {
    /// A switch that is not yet thrown.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the run to stop; safe to call from a signal handler's thread, and more than once.
    pub fn request(&self) {
        self.requested.store(true, Ordering::Release);
    }

    /// Whether a stop was asked for.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Acquire)
    }
}

/// A switch alone is an observer too: silent, but able to stop the run.
impl Observer for Cancel {
    fn progress(&self, _event: &Progress<'_>) {}

    fn stop_requested(&self) -> bool {
        self.is_requested()
    }
}

/// What a [`Meter`] read off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// Units of work per second over the stage so far; zero until time has passed.
    pub rate: f64,
    /// Time since the stage began.
    pub elapsed: Duration,
    /// Time left at this rate, where the total is known and something has been done.
    pub remaining: Option<Duration>,
}

/// Rate and remaining time of a stage, from instants the observer supplies.
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

    /// Takes in an event seen at `now`; a new stage starts the measurement afresh.
    ///
    /// A stage that begins with work already done (a resumed run) is rated by what it adds.
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
