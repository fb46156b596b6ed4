//! A problem with its plan, its device, and its threads, ready to run.

use wavefield_gpu::{Device, DeviceChoice};
use wavefield_numerics::cpu::CpuPool;
use wavefield_numerics::observe::Observer;
use wavefield_solver::checkpoint::Keeper;
use wavefield_solver::{Capabilities, Context, Cost, Plan, Ranks};

use crate::Error;
use crate::device;
use crate::inputs::FolderInputs;
use crate::outcome::Outcome;
use crate::problem::Problem;

/// A planned problem, ready to run.
pub struct Planned {
    plan: Box<dyn Plan>,
    capabilities: Capabilities,
    device: Device,
    /// CPU threads, which have work with any device.
    pool: CpuPool,
}

impl Planned {
    /// Reads what the problem refers to (meshes), plans it, and opens the device. Meshing may take long: it can be stopped.
    ///
    /// # Errors
    /// The problem, an input, or the device.
    pub fn new(
        problem: &Problem,
        choice: &DeviceChoice,
        threads: Option<usize>,
        observer: &dyn Observer,
    ) -> Result<Planned, Error> {
        let capabilities = problem.spec.solver().capabilities();
        let gpu = matches!(choice, DeviceChoice::Gpu | DeviceChoice::GpuNamed(_));
        if gpu && !capabilities.gpu {
            return Err(Error::input(format!(
                "the {} solver computes on the CPU only; leave --device out or say `--device cpu`",
                problem.solver()
            )));
        }
        let plan = (problem.spec)
            .plan(&FolderInputs::new(&problem.folder), observer)
            .map_err(|error| problem.located(error))?;
        let pool = CpuPool::new(threads)?;
        Ok(Planned {
            plan,
            capabilities,
            device: if gpu {
                device::open(choice, threads)?
            } else {
                Device::Cpu(pool.clone())
            },
            pool,
        })
    }

    /// Returns the predicted cost of the run.
    pub fn cost(&self) -> Cost {
        self.plan.cost(self.threads())
    }

    /// Returns the device it runs on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Returns the number of CPU threads.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Executes the plan, alone or together with other processes that do the same; of these the first returns all of it.
    ///
    /// # Errors
    /// Those of the solver, or it cannot share its run between processes.
    pub fn execute(
        &self,
        checkpoints: &dyn Keeper,
        ranks: Option<&Ranks>,
        observer: &dyn Observer,
    ) -> Result<Outcome, Error> {
        if ranks.is_some() && !self.capabilities.ranks {
            return Err(Error::input(
                "processes share waves in time (dgtd) and sweeps of rays (sbr) only; start the program once, it uses all \
                 threads",
            ));
        }
        let context = Context {
            device: &self.device,
            observer,
            checkpoints,
            ranks,
        };
        self.pool.install(|| self.plan.execute(&context))
    }
}
