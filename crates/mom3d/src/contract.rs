//! Solver contract: planning, cost estimate, and execution.

use wavefield_gpu::Device;
use wavefield_mesh::TriangleMesh;
use wavefield_numerics::observe::Observer;
use wavefield_solver::assessment::{self, Assessment, SurfaceLimits};
use wavefield_solver::outcome::Outcome;
use wavefield_solver::scene::{Feature, Issues, Scene};
use wavefield_solver::{Capabilities, Context, Cost, Error, FEWER_TRIANGLES, Inputs, Solver};

use crate::{LinearSolver, Plan, Spec};

/// Rate of LU factorization on two cores, operations/s, for the time estimate.
const OPERATIONS_PER_SECOND: f64 = 8e10;
/// Rate of far pairs of triangles, pairs/s.
const PAIRS_PER_SECOND: f64 = 1e6;
/// Rate of near pairs of triangles, pairs/s.
const NEAR_PAIRS_PER_SECOND: f64 = 2.5e5;
/// Rate of AIM near-field products, unknowns/s.
const PRODUCTS_PER_SECOND: f64 = 3e5;
/// Rate of FFTs, points times log₂ of their number per second.
const TRANSFORMED_PER_SECOND: f64 = 3e9;
/// Rate of the near-field evaluation, points times triangles per second.
const FIELDS_PER_SECOND: f64 = 5e6;

/// Memory that a triangle needs at least, with its mesh, basis functions, and near field of the AIM, bytes.
const BYTES_PER_TRIANGLE: usize = 3000;
/// RWG functions of edges up to λ/5 represent the current; beyond λ/2 they cannot. Below λ/100 the EFIE loses digits
/// (low-frequency breakdown).
const LIMITS: SurfaceLimits = SurfaceLimits {
    electrical_size: [1e-2, 1e-4],
    edge_length: Some([0.2, 0.5]),
};

/// The 3-D method of moments.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mom3dSolver;

/// A planned run of [`Mom3dSolver`].
pub struct Mom3dRun {
    pub(crate) plan: Plan,
    assessments: Vec<Assessment>,
    /// Number of near-field points along x, y, and z.
    pub(crate) near_field: [usize; 3],
    memory_hint: &'static str,
}

impl Solver for Mom3dSolver {
    const NAME: &'static str = "mom3d";
    const CAPABILITIES: Capabilities = Capabilities {
        gpu: true,
        tasks: false,
        ranks: false,
    };
    const FEATURES: &'static [Feature] = &[
        Feature::Shape("mesh"),
        Feature::Shape("step"),
        Feature::Shape("sphere"),
        Feature::Shape("cuboid"),
        Feature::Shape("cylinder"),
        Feature::Shape("plate"),
        Feature::Shape("dihedral"),
        Feature::Shape("trihedral"),
        Feature::Shape("almond"),
        Feature::Shape("helix"),
        Feature::Remeshing,
        Feature::MeshGroup,
        Feature::OpenSurface,
        Feature::Pec,
        Feature::PlaneWave,
        Feature::LinearPolarization,
        Feature::DeltaGap,
    ];
    type Spec = Spec;
    type Plan = Mom3dRun;

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
        observer: &dyn Observer,
    ) -> Result<Mom3dRun, Error> {
        let Some(body) = spec.bodies.first() else {
            return Err(Error::input("`bodies` needs a body"));
        };
        let assess = |mesh: &TriangleMesh| {
            assessment::of_surface(mesh, &body.geometry, spec.wavelength(), LIMITS)
        };
        let edge = spec.edge_length();
        let least = body.geometry.least_triangles(spec.wavelength(), |_| edge);
        inputs.require_memory(least, "triangles", BYTES_PER_TRIANGLE, FEWER_TRIANGLES)?;
        let mesh = inputs.geometry(&body.geometry, edge, observer)?;
        let of_file = mesh.as_ref().map(assess);
        let plan = Plan::new(spec, mesh)?;
        Ok(Mom3dRun {
            assessments: of_file.unwrap_or_else(|| assess(plan.mesh())),
            plan,
            near_field: spec.near_field.map_or([0; 3], |asked| asked.points),
            memory_hint: match spec.mom3d.linear_solver {
                LinearSolver::Aim(_) => {
                    "use longer edges, or reduce `block_size` or `restart` of `linear_solver`"
                }
                LinearSolver::Lu => {
                    "use longer edges, or `linear_solver = { kind = \"aim\" }`, which stores no dense matrix"
                }
            },
        })
    }
}

impl wavefield_solver::Plan for Mom3dRun {
    fn cost(&self, threads: usize) -> Cost {
        let triangles = self.plan.mesh().triangles.len() as f64;
        let states = if self.plan.ports() > 0 { 1.0 } else { 2.0 };
        let fields = states
            * (self.plan.field_points().len() * self.plan.frequencies().len()) as f64
            * triangles;
        let work = self.plan.work();
        Cost {
            memory: self.plan.memory(threads),
            seconds: work.operations / OPERATIONS_PER_SECOND
                + work.pairs / PAIRS_PER_SECOND
                + work.near_pairs / NEAR_PAIRS_PER_SECOND
                + work.products / PRODUCTS_PER_SECOND
                + work.transformed / TRANSFORMED_PER_SECOND
                + fields / FIELDS_PER_SECOND,
            size: self.size(),
            memory_hint: self.memory_hint,
        }
    }

    fn assess(&self) -> Vec<Assessment> {
        self.assessments.clone()
    }

    fn execute(&self, context: &Context<'_>) -> Result<Outcome, Error> {
        let solution = match context.device {
            Device::Cpu(_) => self.plan.execute(context.observer)?,
            Device::Gpu(gpu) => self.plan.execute_on(gpu, context.observer)?,
        };
        Ok(self.outcome(&solution))
    }
}
