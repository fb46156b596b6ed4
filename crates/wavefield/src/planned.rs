//! Planned problem with its device and threads.

use wavefield_gpu::{Device, DeviceChoice};
use wavefield_numerics::cpu::CpuPool;
use wavefield_numerics::observe::Observer;
use wavefield_solver::checkpoint::CheckpointStore;
use wavefield_solver::{Capabilities, Context, Cost, Plan, Ranks};

use crate::Error;
use crate::device;
use crate::inputs::FolderInputs;
use crate::outcome::Outcome;
use crate::problem::Problem;

/// Planned problem, ready to run.
pub struct Planned {
    plan: Box<dyn Plan>,
    capabilities: Capabilities,
    device: Device,
    /// CPU threads, which are used with every device.
    pool: CpuPool,
}

impl Planned {
    /// Reads the inputs of a problem (meshes), plans it, and opens the device. Meshing may take long and can be
    /// stopped.
    ///
    /// # Errors
    /// Invalid problem, unreadable input, or device failure.
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
                "the {} solver has no GPU kernels; omit --device, or use `--device cpu`",
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

    /// Returns the device of the run.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Returns the number of CPU threads.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Executes the plan, alone or together with the other ranks; rank 0 returns the outcome.
    ///
    /// # Errors
    /// Errors of the solver; [`Error::input`] if the solver does not support several ranks.
    pub fn execute(
        &self,
        checkpoints: &dyn CheckpointStore,
        ranks: Option<&Ranks>,
        observer: &dyn Observer,
    ) -> Result<Outcome, Error> {
        if ranks.is_some() && !self.capabilities.ranks {
            return Err(Error::input(
                "only dgtd runs and sbr sweeps support several MPI ranks; start one process, which uses all \
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
