//! The solvers behind one door: plan a problem, tell its cost, run it, hand out its outcome.

mod antenna;
mod dgtd;
mod exact;
mod holography;
mod mom2d;
mod mom3d;
mod reflectarray;
mod sbr;
mod sweep;

use wavefield_gpu::{Device, DeviceChoice};
use wavefield_numerics::cpu::CpuPool;
use wavefield_numerics::observe::Observer;
use wavefield_solver::checkpoint::Keeper;

use crate::device;
use crate::failure::Failure;
use crate::memory;
use crate::outcome::Outcome;
use crate::problem::{Problem, Spec};
use crate::ranks::Ranks;

pub use dgtd::{HIDDEN, SENT};
pub use mom3d::CREASE;

/// A planned problem, ready to run.
pub struct Planned {
    plan: Plan,
    device: Device,
    /// Threads of the processor, which has work with any device.
    pool: CpuPool,
}

enum Plan {
    Dgtd(Box<dgtd::Planned>),
    Exact(exact::Planned),
    Holography(Box<holography::Planned>),
    Mom2d(Box<mom2d::Planned>),
    Mom3d(Box<mom3d::Planned>),
    Reflectarray(Box<reflectarray::Planned>),
    Sbr(Box<sbr::Planned>),
}

/// What a run will cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Memory that the run takes beside what it has planned with, in bytes.
    pub memory: usize,
    /// Rough time in seconds on this machine.
    pub seconds: f64,
    /// What is computed, in a line.
    pub size: String,
    /// What the user can do for a run that takes less memory.
    pub lighter: &'static str,
}

impl Cost {
    /// The most memory that the process will have had in the end, in bytes.
    pub fn foreseen_memory(&self) -> usize {
        memory::foreseen(self.memory)
    }
}

impl Planned {
    /// Reads what the problem needs (meshes), lays it out and opens the device. Meshing may take long: it can be stopped.
    pub fn new(
        problem: &Problem,
        choice: &DeviceChoice,
        threads: Option<usize>,
        observer: &dyn Observer,
    ) -> Result<Planned, Failure> {
        // The series are sums of a few hundred terms, a synthesis has a hundred degrees of freedom: a GPU would be
        // asked for in vain. The others go to a GPU where one is asked for.
        let asked = matches!(choice, DeviceChoice::Gpu | DeviceChoice::GpuNamed(_));
        if asked && matches!(problem.spec, Spec::Exact(_) | Spec::Reflectarray(_)) {
            return Err(Failure::Input(format!(
                "the {} solver computes on the CPU only; leave --device out or say `--device cpu`",
                problem.solver()
            )));
        }
        let plan = match &problem.spec {
            Spec::Dgtd(spec) => Plan::Dgtd(Box::new(dgtd::plan(spec, problem, observer)?)),
            Spec::Exact(spec) => Plan::Exact(exact::plan(spec, problem)?),
            Spec::Holography(spec) => Plan::Holography(Box::new(holography::plan(spec, problem)?)),
            Spec::Mom2d(spec) => Plan::Mom2d(Box::new(mom2d::plan(spec, problem)?)),
            Spec::Mom3d(spec) => Plan::Mom3d(Box::new(mom3d::plan(spec, problem, observer)?)),
            Spec::Reflectarray(spec) => {
                Plan::Reflectarray(Box::new(reflectarray::plan(spec, problem)?))
            }
            Spec::Sbr(spec) => Plan::Sbr(Box::new(sbr::plan(spec, problem)?)),
        };
        let pool = CpuPool::new(threads)?;
        Ok(Planned {
            plan,
            device: if asked {
                device::open(choice, threads)?
            } else {
                Device::Cpu(pool.clone())
            },
            pool,
        })
    }

    /// Whether a problem has tasks that need nothing of each other.
    pub fn has_tasks(problem: &Problem) -> bool {
        matches!(problem.spec, Spec::Sbr(_))
    }

    /// What the run will cost.
    pub fn cost(&self) -> Cost {
        match &self.plan {
            Plan::Dgtd(plan) => plan.cost(),
            Plan::Exact(plan) => plan.cost(),
            Plan::Holography(plan) => plan.cost(),
            Plan::Mom2d(plan) => plan.cost(),
            Plan::Mom3d(plan) => plan.cost(self.threads()),
            Plan::Reflectarray(plan) => plan.cost(),
            Plan::Sbr(plan) => plan.cost(self.threads()),
        }
    }

    /// The device it runs on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Threads of the processor.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Runs it; a solver that takes long leaves what it has finished with the keeper.
    pub fn execute(
        &self,
        keeper: &dyn Keeper,
        observer: &dyn Observer,
    ) -> Result<Outcome, Failure> {
        let work = || match &self.plan {
            Plan::Dgtd(plan) => plan.execute(&self.device, keeper, observer),
            Plan::Exact(plan) => plan.execute(observer),
            Plan::Holography(plan) => plan.execute(&self.device, observer),
            Plan::Mom2d(plan) => plan.execute(&self.device, observer),
            Plan::Mom3d(plan) => plan.execute(&self.device, observer),
            Plan::Reflectarray(plan) => plan.execute(&self.device, keeper, observer),
            Plan::Sbr(plan) => plan.execute(&self.device, keeper, observer),
        };
        self.pool.install(work)
    }

    /// The same together with other processes that do the same; the first has all of it in the end.
    pub fn execute_with_ranks(
        &self,
        ranks: &Ranks,
        keeper: &dyn Keeper,
        observer: &dyn Observer,
    ) -> Result<Outcome, Failure> {
        let work = || {
            match &self.plan {
            Plan::Dgtd(plan) => plan.execute_with_ranks(ranks, keeper, observer),
            Plan::Sbr(plan) => plan.execute(&self.device, keeper, observer),
            _ => Err(Failure::Input(
                "processes share waves in time (dgtd) and sweeps of rays (sbr) only; start the program once, it uses \
                 all threads"
                    .to_owned(),
            )),
        }
        };
        self.pool.install(work)
    }
}
