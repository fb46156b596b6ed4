//! The solver contract: plan, cost, execution.

use wavefield_mesh::TriangleMesh;
use wavefield_numerics::observe::Observer;
use wavefield_solver::outcome::Outcome;
use wavefield_solver::scene::{Feature, Issues, Scene};
use wavefield_solver::{Capabilities, Context, Cost, Error, Inputs, Solver};

use crate::outcome::{outcome, significant};
use crate::{Plan, Spec};

/// Time of a run without its series: tables, figures, and the mesh, s, measured.
const SECONDS_PER_RUN: f64 = 1.5e-3;
/// Estimated operations per second of the series on one core.
const OPERATIONS_PER_SECOND: f64 = 1e9;

/// Memory of one result row in bytes: seventeen numbers, and their text while the table is written.
const BYTES_PER_ROW: usize = 17 * 8 + 245;

/// Analytical scattering of plane waves by spheres (Mie series) and infinite circular cylinders.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactSolver;

/// A planned run of [`ExactSolver`].
#[derive(Debug)]
pub struct ExactRun {
    plan: Plan,
    mesh: Option<TriangleMesh>,
}

impl Solver for ExactSolver {
    const NAME: &'static str = "exact";
    const CAPABILITIES: Capabilities = Capabilities {
        gpu: false,
        tasks: false,
        ranks: false,
    };
    const FEATURES: &'static [Feature] = &[
        Feature::Shape("sphere"),
        Feature::Shape("circle"),
        Feature::Pec,
        Feature::Vacuum,
        Feature::Medium,
        Feature::ComplexMedium,
        Feature::Coating,
        Feature::PlaneWave,
        Feature::LinearPolarization,
        Feature::TransversePolarization,
    ];
    type Spec = Spec;
    type Plan = ExactRun;

    fn scene<'a>(&self, spec: &'a Spec) -> Scene<'a> {
        spec.scene()
    }

    fn check(&self, spec: &Spec, issues: &mut Issues) {
        spec.check(issues);
    }

    fn plan(
        &self,
        spec: &Spec,
        inputs: &dyn Inputs,
        _observer: &dyn Observer,
    ) -> Result<ExactRun, Error> {
        let plan = Plan::new(spec)?;
        let mesh = spec.exact.mesh.as_ref().map(|file| inputs.surface(file));
        Ok(ExactRun {
            plan,
            mesh: mesh.transpose()?,
        })
    }
}

impl wavefield_solver::Plan for ExactRun {
    fn cost(&self, _threads: usize) -> Cost {
        Cost {
            memory: self.plan.memory() + self.plan.aspects() * BYTES_PER_ROW,
            seconds: SECONDS_PER_RUN + self.plan.operations() / OPERATIONS_PER_SECOND,
            size: format!(
                "{} aspects, ka = {}",
                self.plan.aspects(),
                significant(self.plan.ka(0))
            ),
            memory_hint: "reduce the number of aspects",
        }
    }

    fn execute(&self, context: &Context<'_>) -> Result<Outcome, Error> {
        let solution = self.plan.execute(context.observer)?;
        outcome(&self.plan, self.mesh.as_ref(), &solution)
    }
}
