//! State of a run at one frequency, once its linear system can be solved.

use num_complex::Complex64;
use wavefield_numerics::observe::Observer;
use wavefield_physics::plane_wave::PlaneWave;

use crate::near_field;
use crate::pair::Pairs;
use crate::plan::Plan;
use crate::result::State;
use crate::solver::Solver;

/// A problem at one of its frequencies.
pub(crate) struct OneFrequency<'a> {
    pub(crate) plan: &'a Plan,
    /// Index in the sweep.
    pub(crate) number: usize,
    pub(crate) pairs: &'a Pairs<'a>,
    pub(crate) solver: Solver<'a>,
    pub(crate) observer: &'a dyn Observer,
}

impl OneFrequency<'_> {
    /// Returns the current and near field of a solution; `wave` is the incident plane wave, if any.
    pub(crate) fn state(&self, wave: Option<PlaneWave>, solution: &[Complex64]) -> State {
        State {
            current: self.plan.current(solution),
            near_field: near_field::whole(self.pairs, wave, solution, self.plan.field_points()),
        }
    }
}
