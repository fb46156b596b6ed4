//! The solver contract: plan, cost, execution.

use wavefield_gpu::Device;
use wavefield_numerics::observe::Observer;
use wavefield_solver::outcome::Outcome;
use wavefield_solver::{Capabilities, Context, Cost, Error, Inputs, Solver};

use crate::outcome::{near_field, outcome};
use crate::{LinearSolver, Plan, Spec};

/// Operations per second of factors and of the fill on two cores, for a guess at the time.
const OPERATIONS_PER_SECOND: f64 = 6e10;
/// Terms of near fields per second.
const TERMS_PER_SECOND: f64 = 8e6;

/// The 2-D method of moments.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mom2dSolver;

/// A planned run of [`Mom2dSolver`].
pub struct Mom2dRun {
    plan: Plan,
    memory_hint: &'static str,
}

impl Solver for Mom2dSolver {
    const NAME: &'static str = "mom2d";
    const CAPABILITIES: Capabilities = Capabilities {
        gpu: true,
        tasks: false,
        ranks: false,
    };
    type Spec = Spec;
    type Plan = Mom2dRun;

    fn plan(
        &self,
        spec: &Spec,
        inputs: &dyn Inputs,
        _observer: &dyn Observer,
    ) -> Result<Mom2dRun, Error> {
        let contour = spec.mesh.as_ref().map(|file| inputs.contour(file));
        Ok(Mom2dRun {
            plan: Plan::new(spec, contour.transpose()?)?,
            memory_hint: match spec.linear_solver {
                LinearSolver::Fast(_) => {
                    "take a larger `accuracy` or a lower `restart` of `linear_solver`"
                }
                _ => "keep no matrix with `linear_solver = { kind = \"fast\" }`",
            },
        })
    }
}

impl wavefield_solver::Plan for Mom2dRun {
    fn cost(&self, _threads: usize) -> Cost {
        Cost {
            memory: self.plan.memory(),
            seconds: self.plan.operations() / OPERATIONS_PER_SECOND
                + near_field::terms(self.plan.unknowns()) * self.plan.polarisations().len() as f64
                    / TERMS_PER_SECOND,
            size: format!(
                "{} unknowns at most, {} matrices",
                self.plan.unknowns(),
                self.plan.matrices()
            ),
            memory_hint: self.memory_hint,
        }
    }

    fn execute(&self, context: &Context<'_>) -> Result<Outcome, Error> {
        let observer = context.observer;
        let solution = match context.device {
            Device::Cpu(_) => self.plan.execute(observer)?,
            Device::Gpu(gpu) => self.plan.execute_on(gpu, observer)?,
        };
        outcome(&self.plan, &solution, observer)
    }
}
