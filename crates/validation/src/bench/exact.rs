//! `exact/sweep`: Mie series of a large sphere at many aspects.

use wavefield_exact::{Plan, Spec};
use wavefield_numerics::cpu::CpuPool;
use wavefield_numerics::observe::Silent;
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::Sweep;
use wavefield_solver::scene::{Body, Excitation, Geometry, Observation};

use super::alternating_best;
use crate::measure::Measured;
use wavefield::Error;

/// ka = 100: about 170 partial waves per aspect.
const RADIUS: Length = Length::Wavelengths(15.915_494_309_189_535);

pub(super) fn measure() -> Result<Measured, Error> {
    let spec = Spec::new(
        Frequency(1e9),
        Body::pec(Geometry::sphere(RADIUS)),
        Excitation::plane_wave(Sweep::degree(90.0), Sweep::degree(0.0)),
        Observation::bistatic(
            Sweep::degree(90.0),
            Sweep::degrees_by_count(0.0, 360.0, 100_000),
        ),
    );
    let plan = Plan::new(&spec)?;
    let (one, two) = (CpuPool::new(Some(1))?, CpuPool::new(Some(2))?);
    let mut failed = None;
    let mut run = |pool: &CpuPool| {
        if let Err(error) = pool.install(|| plan.execute(&Silent)) {
            failed = Some(error);
        }
    };
    let run = std::cell::RefCell::new(&mut run);
    let (single, double) =
        alternating_best(3, || (run.borrow_mut())(&one), || (run.borrow_mut())(&two));
    if let Some(error) = failed {
        return Err(error.into());
    }
    Ok([
        ("aspects_per_second_1", plan.aspects() as f64 / single),
        ("aspects_per_second_2", plan.aspects() as f64 / double),
        ("speedup_2", single / double),
    ]
    .into())
}
