//! The solver contract: plan, cost, execution.

use wavefield_numerics::observe::Observer;
use wavefield_solver::outcome::Outcome;
use wavefield_solver::scene::Issues;
use wavefield_solver::{Capabilities, Context, Cost, Error, Inputs, Solver};

use crate::outcome::{not_covered, outcome};
use crate::{Plan, Spec};

/// Throughput of a synthesis on one core for the run-time estimate, operations/s.
const OPERATIONS_PER_SECOND: f64 = 1.6e9;

/// Solver for reflectarray synthesis.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReflectarraySolver;

/// A planned run of [`ReflectarraySolver`].
pub struct ReflectarrayRun {
    plan: Plan,
}

impl Solver for ReflectarraySolver {
    const NAME: &'static str = "reflectarray";
    const CAPABILITIES: Capabilities = Capabilities {
        gpu: false,
        tasks: false,
        ranks: false,
    };
    type Spec = Spec;
    type Plan = ReflectarrayRun;

    fn check(&self, spec: &Spec, issues: &mut Issues) {
        spec.check(issues);
    }

    fn plan(
        &self,
        spec: &Spec,
        inputs: &dyn Inputs,
        _observer: &dyn Observer,
    ) -> Result<ReflectarrayRun, Error> {
        let geojson = spec.coverage.geojson.as_ref().map(|file| inputs.text(file));
        let plan = Plan::within(inputs.memory(), spec, geojson.transpose()?.as_deref())?;
        if let Some(missing) = not_covered(plan.coverage()) {
            tracing::warn!(
                "coverage: {missing}; move the satellite, or state the visible part in `box`"
            );
        }
        Ok(ReflectarrayRun { plan })
    }
}

impl wavefield_solver::Plan for ReflectarrayRun {
    fn cost(&self, _threads: usize) -> Cost {
        let size = self.plan.size();
        Cost {
            memory: self.plan.memory(),
            seconds: self.plan.operations() / OPERATIONS_PER_SECOND,
            size: format!(
                "{} elements, {} directions, {} degrees of freedom over the coverage",
                self.plan.aperture().len(),
                size.samples,
                size.rank
            ),
            memory_hint: "reduce the aperture or the coverage",
        }
    }

    fn execute(&self, context: &Context<'_>) -> Result<Outcome, Error> {
        let solution =
            (self.plan).execute(context.device, context.checkpoints, context.observer)?;
        Ok(outcome(&self.plan, &solution))
    }
}
