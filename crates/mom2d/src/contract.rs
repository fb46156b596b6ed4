//! Solver contract: planning, cost estimate, and execution.

use wavefield_gpu::Device;
use wavefield_mesh::{Contour, MeshFile};
use wavefield_numerics::observe::Observer;
use wavefield_solver::outcome::Outcome;
use wavefield_solver::scene::{Feature, Geometry, Issues, Scene};
use wavefield_solver::{Capabilities, Context, Cost, Error, Inputs, Solver};

use crate::outcome::{near_field, outcome};
use crate::{LinearSolver, Plan, Spec};

/// Rate of the matrix fill and of LU factorization on two cores, operations/s, for the time estimate.
const OPERATIONS_PER_SECOND: f64 = 6e10;
/// Rate of the near-field evaluation, terms/s.
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
    const FEATURES: &'static [Feature] = &[
        Feature::Shape("circle"),
        Feature::Shape("ellipse"),
        Feature::Shape("polygon"),
        Feature::Shape("spline"),
        Feature::Shape("strip"),
        Feature::Shape("mesh"),
        Feature::SeveralBodies,
        Feature::Pec,
        Feature::Medium,
        Feature::ComplexMedium,
        Feature::SurfaceImpedance,
        Feature::MeshGroup,
        Feature::PlaneWave,
        Feature::TransversePolarization,
    ];
    type Spec = Spec;
    type Plan = Mom2dRun;

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
    ) -> Result<Mom2dRun, Error> {
        Ok(Mom2dRun {
            plan: Plan::within(inputs.memory(), spec, contours(spec, inputs)?)?,
            memory_hint: match spec.mom2d.linear_solver {
                LinearSolver::Mlfma(_) => {
                    "increase `accuracy` or reduce `restart` of `mom2d.linear_solver`"
                }
                _ => "use `linear_solver = { kind = \"mlfma\" }`, which stores no dense matrix",
            },
        })
    }
}

/// Reads the contours of all bodies of shape "mesh", each file once.
fn contours(spec: &Spec, inputs: &dyn Inputs) -> Result<Vec<Option<Contour>>, Error> {
    let mut read: Vec<(MeshFile, Contour)> = Vec::new();
    let mut contours = Vec::with_capacity(spec.bodies.len());
    for (index, body) in spec.bodies.iter().enumerate() {
        let Geometry::Mesh(mesh) = &body.geometry else {
            contours.push(None);
            continue;
        };
        let file = mesh.mesh_file();
        let contour = match read.iter().find(|(other, _)| *other == file) {
            Some((_, contour)) => contour.clone(),
            None => {
                let contour = inputs.contour(&file);
                let path = format!("bodies.{index}.geometry.file");
                let contour = contour.map_err(|error| error.at(path))?;
                read.push((file, contour.clone()));
                contour
            }
        };
        contours.push(Some(contour));
    }
    Ok(contours)
}

impl wavefield_solver::Plan for Mom2dRun {
    fn cost(&self, _threads: usize) -> Cost {
        Cost {
            memory: self.plan.memory(),
            seconds: self.plan.operations() / OPERATIONS_PER_SECOND
                + near_field::terms(self.plan.unknowns()) * self.plan.polarizations().len() as f64
                    / TERMS_PER_SECOND,
            size: format!(
                "at most {} unknowns, {} matrices",
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
