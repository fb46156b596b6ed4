//! Implementation of the solver contract: plan, cost, execution.

use wavefield_gpu::Device;
use wavefield_mesh::TriangleMesh;
use wavefield_numerics::observe::Observer;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_solver::assessment::{self, Assessment, SurfaceLimits};
use wavefield_solver::outcome::Outcome;
use wavefield_solver::scene::{Face, Feature, Issues, Scene};
use wavefield_solver::{Capabilities, Context, Cost, Error, FEWER_TRIANGLES, Inputs, Solver};

use crate::image::Products;
use crate::outcome::products;
use crate::plan::{longest_edge, shortest_wavelength};
use crate::{Plan, Spec};

/// Throughput of a thread per second (measured), for estimates of the run time: rays, tubes with several reflections, and
/// far-field terms of tubes, facets, and edges.
const RAYS_PER_SECOND: f64 = 3e6;
const TUBES_PER_SECOND: f64 = 2e5;
const TUBE_TERMS_PER_SECOND: f64 = 1e7;
const FACET_TERMS_PER_SECOND: f64 = 4e6;
const EDGE_TERMS_PER_SECOND: f64 = 1e6;
/// Time of a far-field term of a coated patch, relative to that of a PEC patch.
const COATED: f64 = 4.0;

/// Memory of a triangle with its mesh and its part of the BVH, bytes.
const BYTES_PER_TRIANGLE: usize = 500;
/// Physical optics is asymptotic; facets may be of any size.
const LIMITS: SurfaceLimits = SurfaceLimits {
    electrical_size: [1.0, 0.1],
    edge_length: None,
};

/// Shooting-and-bouncing-rays solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct SbrSolver;

/// Planned run of [`SbrSolver`].
pub struct SbrRun {
    pub(crate) plan: Plan,
    assessments: Vec<Assessment>,
    pub(crate) products: Option<Products>,
}

impl Solver for SbrSolver {
    const NAME: &'static str = "sbr";
    const CAPABILITIES: Capabilities = Capabilities {
        gpu: true,
        tasks: true,
        ranks: true,
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
        Feature::Remeshing,
        Feature::MeshGroup,
        Feature::OpenSurface,
        Feature::Pec,
        Feature::Coating,
        Feature::PartialCoating,
        Feature::PlaneWave,
        Feature::LinearPolarization,
    ];
    type Spec = Spec;
    type Plan = SbrRun;

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
    ) -> Result<SbrRun, Error> {
        let Some(body) = spec.bodies.first() else {
            return Err(Error::input("`bodies` needs a body"));
        };
        let wavelength = shortest_wavelength(spec);
        let edge = match body.mesh_size {
            Some(size) => size.meters(wavelength),
            None => longest_edge(Face::Curved(f64::INFINITY), wavelength),
        };
        let assess =
            |mesh: &TriangleMesh| assessment::of_surface(mesh, &body.geometry, wavelength, LIMITS);
        let least = body
            .geometry
            .least_triangles(wavelength, |face| longest_edge(face, wavelength));
        inputs.require_memory(least, "triangles", BYTES_PER_TRIANGLE, FEWER_TRIANGLES)?;
        let mesh = inputs.geometry(&body.geometry, edge, observer)?;
        let of_file = mesh.as_ref().map(assess);
        let plan = Plan::new(spec, mesh)?;
        Ok(SbrRun {
            assessments: of_file.unwrap_or_else(|| assess(plan.mesh())),
            plan,
            products: spec.sbr.products.clone(),
        })
    }
}

impl wavefield_solver::Plan for SbrRun {
    fn cost(&self, threads: usize) -> Cost {
        let products = self.products.as_ref();
        let products = products.map_or(0, |asked| products::memory(asked, &self.plan));
        let work = self.plan.work();
        let patches =
            work.tube_terms / TUBE_TERMS_PER_SECOND + work.facet_terms / FACET_TERMS_PER_SECOND;
        let coated = if self.plan.body().is_coated() {
            COATED
        } else {
            1.0
        };
        let seconds = work.rays / RAYS_PER_SECOND
            + work.tubes / TUBES_PER_SECOND
            + coated * patches
            + work.edge_terms / EDGE_TERMS_PER_SECOND;
        Cost {
            memory: self.plan.memory(threads) + products,
            seconds: seconds / threads.max(1) as f64,
            size: format!(
                "{} triangles, {:.4} m long ({:.1} wavelengths), {} aspects, about {:.1e} rays",
                self.plan.mesh().triangles.len(),
                self.extent(),
                self.extent() * self.highest() / SPEED_OF_LIGHT,
                self.plan.aspects(),
                work.rays
            ),
            memory_hint: "reduce the number of aspects or frequencies per run",
        }
    }

    fn assess(&self) -> Vec<Assessment> {
        self.assessments.clone()
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
