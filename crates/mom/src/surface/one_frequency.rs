//! What is at hand once the equation of a frequency can be solved.

use num_complex::Complex64;
use wavefield_compute::observe::Observer;
use wavefield_physics::plane_wave::PlaneWave;

use super::near_field;
use super::pair::Pairs;
use super::plan::Plan;
use super::result::State;
use super::solver::Solver;

/// A problem at one of its frequencies.
pub(super) struct OneFrequency<'a> {
    pub(super) plan: &'a Plan,
    /// Its place in the sweep.
    pub(super) number: usize,
    pub(super) pairs: &'a Pairs<'a>,
    pub(super) solver: Solver<'a>,
    pub(super) observer: &'a dyn Observer,
}

impl OneFrequency<'_> {
    /// The state that a solution is, `wave` being what excites it from outside. Near fields are those of the first frequency.
    pub(super) fn state(&self, wave: Option<PlaneWave>, solution: &[Complex64]) -> State {
        let points = match self.number {
            0 => self.plan.field_points(),
            _ => &[],
        };
        State {
            current: self.plan.current(solution),
            near_field: near_field::whole(self.pairs, wave, solution, points),
        }
    }
}
