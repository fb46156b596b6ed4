//! Implementation of the solver contract: plan, cost, execution.

use wavefield_gpu::Device;
use wavefield_mesh::{TetrahedralMesh, TriangleMesh};
use wavefield_numerics::observe::Observer;
use wavefield_solver::assessment::Assessment;
use wavefield_solver::outcome::{KeyFigure, Outcome};
use wavefield_solver::scene::{Feature, Issues, Polarization, Scene};
use wavefield_solver::{Capabilities, Context, Cost, Error, Inputs, Ranks, Solver, validate};

use crate::domain;
use crate::mesh_resolution;
use crate::outcome::reference::LoneSphere;
use crate::spec::{self, MESH_OR_DOMAIN};
use crate::{Plan, Precision, Spec, SurfaceKind};

/// Throughput of two CPU cores in field values per second and Runge–Kutta stage, to predict the time of a run.
const VALUES_PER_SECOND: f64 = 4e8;
/// Label of the key figure for the bytes that rank 0 sends per stage, if processes share a mesh.
pub const SENT: &str = "sent by rank 0";
/// Label of the key figure for the part of the communication that overlaps with computation, if processes share a mesh.
pub const HIDDEN: &str = "communication overlap";

/// The discontinuous Galerkin time-domain method.
#[derive(Clone, Copy, Debug, Default)]
pub struct DgtdSolver;

/// A planned run of [`DgtdSolver`].
pub struct DgtdRun {
    pub(crate) plan: Plan,
    pub(crate) polarization: Polarization,
    /// Named surfaces inside the outer boundary of the mesh, for the 3-D view.
    pub(crate) surfaces: TriangleMesh,
    /// Normal axis of the snapshot plane: 0 for x, 1 for y, 2 for z.
    pub(crate) normal: Option<usize>,
    pub(crate) precision: Precision,
    assessments: Vec<Assessment>,
    /// The sphere of the problem, whose Mie series is the reference solution.
    pub(crate) sphere: Option<LoneSphere>,
}

impl Solver for DgtdSolver {
    const NAME: &'static str = spec::NAME;
    const CAPABILITIES: Capabilities = Capabilities {
        gpu: true,
        tasks: false,
        ranks: true,
    };
    const FEATURES: &'static [Feature] = spec::FEATURES;
    type Spec = Spec;
    type Plan = DgtdRun;

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
    ) -> Result<DgtdRun, Error> {
        validate(self, spec)?;
        let (spec, mesh) = match (&spec.dgtd.mesh, &spec.dgtd.domain) {
            (Some(file), _) => (spec.clone(), inputs.volume(file)?),
            (None, Some(domain)) => domain::meshed(spec, domain, inputs, observer)?,
            (None, None) => return Err(Error::input(MESH_OR_DOMAIN)),
        };
        let plan = Plan::new(&spec, &mesh)?;
        Ok(DgtdRun {
            assessments: mesh_resolution::assess(&spec, &mesh, plan.wavelength()),
            sphere: LoneSphere::of(&spec, plan.wavelength()),
            plan,
            polarization: spec.polarization(),
            surfaces: seen(&spec, &mesh),
            normal: (spec.dgtd.snapshots.as_ref())
                .and_then(|snapshots| snapshots.plane)
                .map(|plane| plane.normal.number()),
            precision: spec.dgtd.precision,
        })
    }
}

impl wavefield_solver::Plan for DgtdRun {
    fn cost(&self, _threads: usize) -> Cost {
        let elements = self.plan.discretization().elements();
        let values = self.plan.values();
        let (likely, most) = (self.plan.likely_steps(), self.plan.steps());
        let runs = runs(self.plan.runs());
        let mut work = likely as f64 * values as f64;
        let mut size = format!(
            "{elements} tetrahedra, {values} unknowns, {runs} of about {likely} time steps, at most {most}"
        );
        if let Some(lower) = self.plan.lower_order() {
            work += lower.likely_steps as f64 * lower.values as f64;
            size += &format!(
                "; {runs} of about {} at order {} to estimate the error of the S-parameters",
                lower.likely_steps, lower.order
            );
        }
        Cost {
            memory: self.plan.memory(),
            seconds: 5.0 * work * self.plan.runs() as f64 / VALUES_PER_SECOND,
            size,
            memory_hint: match self.precision {
                Precision::Single => "increase the mesh size, or decrease `dgtd.order`",
                Precision::Double => {
                    "increase the mesh size, decrease `dgtd.order`, or set `dgtd.precision = \"single\"`"
                }
            },
        }
    }

    fn assess(&self) -> Vec<Assessment> {
        self.assessments.clone()
    }

    fn execute(&self, context: &Context<'_>) -> Result<Outcome, Error> {
        if let Some(ranks) = context.ranks {
            return self.execute_shared(ranks, context);
        }
        let (checkpoints, observer) = (context.checkpoints, context.observer);
        let solution = match context.device {
            Device::Cpu(_) => self.plan.execute(checkpoints, observer)?,
            Device::Gpu(gpu) => self.plan.execute_on(gpu, checkpoints, observer)?,
        };
        Ok(self.outcome(&solution))
    }
}

impl DgtdRun {
    /// Runs the problem on a mesh partitioned among processes.
    fn execute_shared(&self, ranks: &Ranks, context: &Context<'_>) -> Result<Outcome, Error> {
        let graph = self.plan.pieces().graph();
        let division = (ranks.partition)(&graph, ranks.size())
            .map_err(|error| Error::runtime(format!("mesh partitioning failed: {error}")))?;
        let idle = (0..ranks.size()).find(|rank| !division.contains(rank));
        if let Some(rank) = idle {
            return Err(Error::input(format!(
                "{} processes are too many for {} tetrahedra: process {rank} has no elements; start fewer processes",
                ranks.size(),
                self.plan.discretization().elements()
            )));
        }
        let transport = &*ranks.transport;
        let (solution, traffic) = (self.plan).execute_shared(
            transport,
            &division,
            context.checkpoints,
            context.observer,
        )?;
        let mut outcome = self.outcome(&solution);
        let per_exchange = traffic.bytes as f64 / traffic.exchanges.max(1) as f64;
        outcome.key_figures.extend([
            KeyFigure::new("processes", ranks.size().to_string(), ""),
            KeyFigure::new(SENT, format!("{per_exchange:.0}"), "bytes per stage"),
        ]);
        if let Some(overlap) = traffic.overlap() {
            let percent = format!("{:.1}", 100.0 * overlap);
            (outcome.key_figures).push(KeyFigure::new(HIDDEN, percent, "%"));
        }
        Ok(outcome)
    }
}

/// Returns the surfaces for the 3-D view: all but the Huygens surface and the outer boundary, or all if none is left.
fn seen(spec: &Spec, mesh: &TetrahedralMesh) -> TriangleMesh {
    let whole = mesh.surface();
    let Some(bounds) = mesh.bounding_box() else {
        return whole;
    };
    let mut seen = whole.clone();
    let outermost = |triangle: &[u32; 3]| {
        (0..3).any(|axis| {
            let at = triangle.map(|corner| whole.points[corner as usize][axis]);
            at.iter().all(|x| *x == bounds.min[axis]) || at.iter().all(|x| *x == bounds.max[axis])
        })
    };
    let kept: Vec<usize> = (0..whole.triangles.len())
        .filter(|&number| {
            let group = &whole.groups[whole.group_of[number] as usize];
            spec.dgtd.surfaces.get(&group.name) != Some(&SurfaceKind::Huygens)
                && !outermost(&whole.triangles[number])
        })
        .collect();
    if kept.is_empty() {
        return whole;
    }
    seen.triangles = kept.iter().map(|&n| whole.triangles[n]).collect();
    seen.group_of = kept.iter().map(|&n| whole.group_of[n]).collect();
    seen.drop_unused_points();
    seen
}

/// Formats a number of runs.
pub(crate) fn runs(count: usize) -> String {
    match count {
        1 => "one run".to_owned(),
        _ => format!("{count} runs"),
    }
}
