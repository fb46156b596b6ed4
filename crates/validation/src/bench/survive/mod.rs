//! `survive/*` and `scale/sweep`: runs that are killed, asked to end, or find their files damaged.

mod corrupt;
mod kill;
mod subject;
mod sweep;
mod term;

pub(super) use corrupt::corrupt;
pub(super) use kill::kill;
pub(super) use sweep::{SWEEP, SWEEP_SHORT, sweep};
pub(super) use term::{PATIENCE, term};
