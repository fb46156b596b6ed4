//! The solver contract: plan, cost, execution.

use wavefield_gpu::Device;
use wavefield_mesh::Target;
use wavefield_numerics::observe::Observer;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_solver::outcome::Outcome;
use wavefield_solver::{Capabilities, Context, Cost, Error, Inputs, Solver};

use crate::image::Products;
use crate::outcome::products;
use crate::{Plan, Spec};

/// Rays per second on two cores with what is made of them, for a guess at the time.
const RAYS_PER_SECOND: f64 = 2e6;

/// Shooting and bouncing rays.
#[derive(Clone, Copy, Debug, Default)]
pub struct SbrSolver;

/// A planned run of [`SbrSolver`].
pub struct SbrRun {
    pub(crate) plan: Plan,
    pub(crate) products: Option<Products>,
}

impl Solver for SbrSolver {
    const NAME: &'static str = "sbr";
    const CAPABILITIES: Capabilities = Capabilities {
        gpu: true,
        tasks: true,
        ranks: true,
    };
    type Spec = Spec;
    type Plan = SbrRun;

    fn plan(
        &self,
        spec: &Spec,
        inputs: &dyn Inputs,
        _observer: &dyn Observer,
    ) -> Result<SbrRun, Error> {
        let mesh = match &spec.target {
            Target::Mesh(target) => Some(inputs.surface(&target.mesh)?),
            _ => None,
        };
        Ok(SbrRun {
            plan: Plan::new(spec, mesh)?,
            products: spec.products.clone(),
        })
    }
}

impl wavefield_solver::Plan for SbrRun {
    fn cost(&self, threads: usize) -> Cost {
        let products = self.products.as_ref().map_or(0, |asked| {
            products::memory(asked, self.plan.frequencies(), self.plan.aspects())
        });
        Cost {
            memory: self.plan.memory(threads) + products,
            seconds: self.plan.rays() / RAYS_PER_SECOND,
            size: format!(
                "{} triangles, {:.4} m long ({:.1} wavelengths), {} aspects, about {:.1e} rays",
                self.plan.mesh().triangles.len(),
                self.extent(),
                self.extent() * self.highest() / SPEED_OF_LIGHT,
                self.plan.aspects(),
                self.plan.rays()
            ),
            memory_hint: "ask for fewer aspects or frequencies at once",
        }
    }

    fn execute(&self, context: &Context<'_>) -> Result<Outcome, Error> {
        let (checkpoints, observer) = (context.checkpoints, context.observer);
        let solution = match context.device {
            Device::Cpu(_) => self.plan.execute_kept(checkpoints, observer)?,
            Device::Gpu(gpu) => self.plan.execute_on(gpu, checkpoints, observer)?,
        };
        self.outcome(context.device, &solution)
    }
}
