//! Solutions on larger panels, to see how they converge.

use wavefield_compute::observe::Observer;

use crate::certificate::{self, Solved};
use crate::error::Error;
use crate::plan::{Fineness, Plan};
use crate::result::{Case, Deviation};

/// A solution on larger panels and how far it is off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// Its unknowns.
    pub unknowns: usize,
    /// Its distance from the case.
    pub deviation: Deviation,
    /// Its distance from the exact series, for a single circle.
    pub exact: Option<Deviation>,
}

impl Plan {
    /// Solves a case of this plan again on panels that are twice as large, so often. None where that does not make
    /// fewer of them.
    ///
    /// # Errors
    /// As [`Plan::execute`].
    pub fn coarser(
        &self,
        case: &Case,
        halvings: u32,
        observer: &dyn Observer,
    ) -> Result<Option<Rung>, Error> {
        let finer = |halvings: u32| {
            let fineness = Fineness(-(halvings as i32));
            self.system(case.frequency, case.polarisation, fineness)
        };
        let system = finer(halvings)?;
        if halvings > 0 && system.size() >= finer(halvings - 1)?.size() {
            return Ok(None);
        }
        let fields = self.solve_system(&system, observer)?.fields;
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
        let exact = match self.canonical(case.frequency)? {
            None => None,
            Some(circle) => Some(certificate::exact(
                &circle,
                &coarse,
                case.polarisation,
                case.frequency,
                &case.travels(),
                &case.aspects,
            )?),
        };
        Ok(Some(Rung {
            unknowns: system.size(),
            deviation: certificate::difference(&coarse, &fine, case.polarisation),
            exact,
        }))
    }
}
