//! `fault-tolerance/*` and `scale/sweep`: fault tolerance of runs that are killed, receive SIGTERM, or find damaged files.

mod corrupt;
mod kill;
mod subject;
mod sweep;
mod term;

pub(super) use corrupt::corrupt;
pub(super) use kill::kill;
pub(super) use sweep::{SWEEP, SWEEP_SHORT, sweep};
pub(super) use term::{PATIENCE, term};
