//! `exact/sweep`: a large sphere seen from many sides.

use wavefield_exact::{Plan, Spec};
use wavefield_numerics::cpu::CpuPool;
use wavefield_numerics::observe::Silent;

use super::alternating_best;
use crate::measure::Measured;
use wavefield::Error;

/// ka = 100: about 170 partial waves per aspect.
const PROBLEM: &str = r#"
frequency = "1 GHz"
target = { shape = "sphere", radius = "15.915494309189535 lambda", material = "pec" }
incidence = { phi = "0 deg" }
observation = { kind = "bistatic", phi = { start = "0 deg", stop = "360 deg", count = 100000 } }
"#;

pub(super) fn measure() -> Result<Measured, Error> {
    let spec: Spec = toml::from_str(PROBLEM).map_err(|error| Error::runtime(error.to_string()))?;
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
