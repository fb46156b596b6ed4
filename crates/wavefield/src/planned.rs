//! Planned problem with its device and threads.

use std::sync::OnceLock;
use std::time::Duration;

use serde_json::json;
use wavefield_gpu::{Device, DeviceChoice};
use wavefield_numerics::cpu::{CpuPool, Simd};
use wavefield_numerics::observe::Observer;
use wavefield_report::format::format_duration;
use wavefield_solver::assessment::{Assessment, Verdict};
use wavefield_solver::checkpoint::CheckpointStore;
use wavefield_solver::{Capabilities, Context, Cost, Plan, Ranks};

use crate::Error;
use crate::device;
use crate::inputs::FolderInputs;
use crate::memory;
use crate::outcome::Outcome;
use crate::problem::Problem;

/// Commit of the build; unknown in development builds.
const COMMIT: &str = env!("WAVEFIELD_COMMIT");
/// Time from which a run is called long, s.
const LONG_RUN: f64 = 24.0 * 3600.0;

/// Planned problem, ready to run.
pub struct Planned {
    plan: Box<dyn Plan>,
    capabilities: Capabilities,
    device: Device,
    /// CPU threads, which are used with every device.
    pool: CpuPool,
    /// Predicted cost, once it is known.
    cost: OnceLock<Cost>,
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
            cost: OnceLock::new(),
        })
    }

    /// Returns the predicted cost of the run. It is computed once, on the threads of the run: a prediction may trace
    /// rays, and other threads would keep memory of their own.
    pub fn cost(&self) -> &Cost {
        (self.cost).get_or_init(|| self.pool.install(|| self.plan.cost(self.threads())))
    }

    /// Returns the assessments of the plan: mesh and frequency, predicted memory, and predicted time of `count` runs like
    /// this one.
    pub fn assess(&self, count: usize) -> Vec<Assessment> {
        let cost = self.cost();
        let mut assessments = self.plan.assess();
        assessments.push(memory::assess(cost));
        let seconds = cost.seconds * count as f64;
        assessments.push(Assessment::new(
            "time",
            format!(
                "about {}",
                format_duration(Duration::from_secs_f64(seconds.clamp(1e-6, 1e9)))
            ),
            Verdict::at_most(seconds, [LONG_RUN, f64::INFINITY]),
            "the run takes more than a day; use a coarser mesh, fewer frequencies or directions, or share its tasks \
             (`wavefield run --shard`)",
        ));
        assessments
    }

    /// Returns what a check of `count` runs like this one states, as JSON: the problem with all defaults, its size, the
    /// predicted memory and time, and the assessments of [`assess`](Planned::assess).
    pub fn summary(
        &self,
        problem: &Problem,
        count: usize,
        assessments: &[Assessment],
    ) -> serde_json::Value {
        let cost = self.cost();
        let assessed = |a: &Assessment| {
            json!({
                "quantity": a.quantity,
                "value": a.value,
                "verdict": a.verdict.name(),
                "remedy": a.remedy,
            })
        };
        json!({
            "problem": problem.resolved(),
            "sha256": problem.hash(),
            "solver": problem.solver(),
            "size": cost.size,
            "memory_bytes": memory::predicted(cost.memory),
            "seconds": cost.seconds * count as f64,
            "variations": count,
            "device": self.device.describe(),
            "assessments": assessments.iter().map(assessed).collect::<Vec<_>>(),
        })
    }

    /// Rejects a plan that cannot give a meaningful result or does not fit into memory, and logs warnings.
    ///
    /// # Errors
    /// [`Error::input`] with every reason and its remedy.
    pub fn require_suitable(&self) -> Result<(), Error> {
        let mut reasons = Vec::new();
        for assessment in self.plan.assess() {
            let Assessment {
                quantity,
                value,
                verdict,
                remedy,
            } = assessment;
            match verdict {
                Verdict::Ok => {}
                Verdict::Warning => tracing::warn!("{quantity}: {value}; {remedy}"),
                Verdict::Error => reasons.push(format!("{quantity}: {value}; {remedy}")),
            }
        }
        if reasons.is_empty() {
            let cost = self.cost();
            return memory::fits(cost.memory, cost.memory_hint);
        }
        Err(Error::input(reasons.join("\n")))
    }

    /// Returns the device of the run.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Returns everything besides the problem that determines the last bits of a result: build, device, and SIMD
    /// instruction set.
    pub(crate) fn engine(&self) -> String {
        let device = match &self.device {
            Device::Cpu(_) => "CPU".to_owned(),
            Device::Gpu(_) => self.device.describe(),
        };
        format!("{COMMIT} {device} {}", Simd::detect())
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
