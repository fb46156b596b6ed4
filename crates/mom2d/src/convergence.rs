//! Convergence study: solutions on longer panels.

use wavefield_numerics::observe::Observer;

use crate::certificate::{self, Solved};
use crate::error::Error;
use crate::layout::Fineness;
use crate::plan::Plan;
use crate::result::{Case, Deviation};
use crate::spec::ErrorEstimate;

/// Maximum ratio of unknowns after doubling the length of the panels.
const MAX_LEFT: f64 = 0.75;

/// Solution on longer panels, with its deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// Number of unknowns.
    pub unknowns: usize,
    /// Deviation from the case.
    pub deviation: Deviation,
    /// Deviation from the exact series, for a single circle.
    pub exact: Option<Deviation>,
}

impl Plan {
    /// Solves a case of this plan again on panels doubled in length `halvings` times. Returns `None` if most panels are graded
    /// to corners, so that most unknowns remain; if the panels are too long for the iteration to converge; and if no second
    /// solution was requested.
    ///
    /// # Errors
    /// As [`Plan::execute`].
    pub fn coarser(
        &self,
        case: &Case,
        halvings: u32,
        observer: &dyn Observer,
    ) -> Result<Option<Rung>, Error> {
        if self.settings().error_estimate == ErrorEstimate::None {
            return Ok(None);
        }
        let finer = |halvings: u32| {
            let fineness = Fineness(-(halvings as i32));
            self.bodies
                .system(case.frequency, case.polarization, fineness)
        };
        let system = finer(halvings)?;
        if system.size() as f64 > MAX_LEFT * finer(halvings.saturating_sub(1))?.size() as f64 {
            return Ok(None);
        }
        let fields = match self.solve_system(&system, observer) {
            Err(Error::Iteration(_)) => return Ok(None),
            solved => solved?.fields,
        };
        let amplitudes = certificate::amplitudes(&system, &fields, &case.aspects);
        let coarse = Solved {
            system: &system,
            fields: &fields,
            amplitudes: &amplitudes,
        };
        let fine = Solved {
            system: &case.system,
            fields: &case.fields,
            amplitudes: &case.amplitudes,
        };
        let exact = match self.bodies.canonical(case.frequency)? {
            None => None,
            Some(circle) => Some(certificate::exact(
                &circle,
                &coarse,
                case.polarization,
                case.frequency,
                &case.travels(),
                &case.aspects,
            )?),
        };
        Ok(Some(Rung {
            unknowns: system.size(),
            deviation: certificate::difference(&coarse, &fine, case.polarization),
            exact,
        }))
    }
}
