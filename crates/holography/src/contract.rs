//! The solver contract: plan, cost, execution.

use wavefield_gpu::Device;
use wavefield_numerics::observe::Observer;
use wavefield_solver::outcome::Outcome;
use wavefield_solver::scene::{Issues, Scene};
use wavefield_solver::{Capabilities, Context, Cost, Error, Inputs, Solver};

use crate::outcome::DRAWN;
use crate::sound_files::SoundFiles;
use crate::{Plan, Spec};

/// Throughput on two cores for the run-time estimate, operations/s.
const OPERATIONS_PER_SECOND: f64 = 1e9;
/// Throughput of drawing maps, microphones × frequencies per second.
const DRAWN_PER_SECOND: f64 = 2e3;
/// Memory of outcome, files, and report per microphone and frequency, bytes.
const BYTES_PER_VALUE: usize = 400;
/// Memory of the maps of one frequency, constant and per microphone, bytes, measured; microphones
/// above the limit are not drawn individually.
const BYTES_PER_DRAWING: usize = 1_700_000;
const BYTES_PER_DRAWN: usize = 4500;
const DRAWN_ONE_BY_ONE: usize = 6144;
/// Solver for planar near-field acoustic holography.
#[derive(Clone, Copy, Debug, Default)]
pub struct HolographySolver;

/// A planned run of [`HolographySolver`].
pub struct HolographyRun {
    pub(crate) plan: Plan,
}

impl Solver for HolographySolver {
    const NAME: &'static str = "holography";
    const CAPABILITIES: Capabilities = Capabilities {
        gpu: true,
        tasks: false,
        ranks: false,
    };
    type Spec = Spec;
    type Plan = HolographyRun;

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
    ) -> Result<HolographyRun, Error> {
        let files = SoundFiles::read(spec, inputs)?;
        Ok(HolographyRun {
            plan: Plan::with_files(spec, &files.borrowed())?,
        })
    }
}

impl wavefield_solver::Plan for HolographyRun {
    fn cost(&self, _threads: usize) -> Cost {
        let frequencies = self.plan.frequencies().len();
        let channels = self.plan.channels();
        let sound = self.plan.memory_of_sound();
        let values = frequencies * channels * BYTES_PER_VALUE;
        let drawing = BYTES_PER_DRAWING + BYTES_PER_DRAWN * channels.min(DRAWN_ONE_BY_ONE);
        let drawings = frequencies.min(DRAWN) * drawing;
        Cost {
            memory: sound.max(self.plan.memory_of_fields() + values + drawings),
            seconds: self.plan.operations() / OPERATIONS_PER_SECOND
                + (frequencies.min(DRAWN) * channels) as f64 / DRAWN_PER_SECOND,
            size: match frequencies {
                1 => format!("{channels} microphones, one frequency"),
                _ => format!("{channels} microphones, {frequencies} frequencies"),
            },
            memory_hint: "reduce the number of frequencies, or shorten the recording",
        }
    }

    fn execute(&self, context: &Context<'_>) -> Result<Outcome, Error> {
        let observer = context.observer;
        let solution = match context.device {
            Device::Cpu(_) => self.plan.execute(observer)?,
            Device::Gpu(gpu) => self.plan.execute_on(gpu, observer)?,
        };
        self.outcome(&solution, observer)
    }
}
