//! What is at hand once the equation of a frequency can be solved.

use wavefield_compute::observe::Observer;

use super::pair::Pairs;
use super::plan::Plan;
use super::solver::Solver;

/// A problem at one of its frequencies.
pub(super) struct OneFrequency<'a> {
    pub(super) plan: &'a Plan,
    /// Its place in the sweep.
    pub(super) number: usize,
    pub(super) pairs: Pairs<'a>,
    pub(super) solver: Solver<'a>,
    pub(super) observer: &'a dyn Observer,
}
