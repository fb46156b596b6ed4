//! Reproducibility of DGTD: GPU compared with CPU, and resumed runs compared with uninterrupted ones.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use wavefield_dgtd::reference::State;
use wavefield_dgtd::{
    Discretization, Engine, GpuEngine, PhysicalGroups, Plan, Precision, ReferenceEngine,
    Simulation, Solution, Source, stable_step,
};
use wavefield_mesh::TetrahedralMesh;
use wavefield_mesh::primitive::open_tetrahedral_box;
use wavefield_numerics::observe::{Observer, Progress, Silent};
use wavefield_physics::quantity::Time;
use wavefield_solver::checkpoint::{CheckpointError, CheckpointStore, NullStore, Part};

use super::super::{noise, open_gpu};
use super::{huygens, made, oblique_wave, pulse};
use crate::measure::Measured;
use crate::problems::dipole_in_a_box;
use wavefield::Error;
use wavefield::numerics::worst::Worst;

/// Number of time steps before fields are compared.
const STEPS: u64 = 200;
/// Number of interruptions of a run.
pub(super) const STOPS: usize = 10;
/// Number of time steps between checks of the stop request.
const LOOK: u64 = 20;

/// Returns a plane wave entering an open box with random initial fields.
pub(super) fn gpu() -> Result<Measured, Error> {
    let (_, on_gpu) = open_gpu()?;
    let mesh = made(open_tetrahedral_box([1.0, 1.0, 1.2], [5; 3], 1, 1))?;
    let mut worst = Worst::default();
    for order in 1..=5 {
        let d = Discretization::new(&mesh, order, &PhysicalGroups::vacuum(&mesh))?;
        let found = driven(&mesh, &d, Box::new(GpuEngine::new(&on_gpu, &d)?))?;
        let wanted = driven(&mesh, &d, Box::new(ReferenceEngine::new(&d)))?;
        let (mut apart, mut whole) = (0.0, 0.0);
        for (a, b) in found.fields.iter().zip(&wanted.fields) {
            for (a, b) in a.as_flattened().iter().zip(b.as_flattened()) {
                apart += (a - b).powi(2);
                whole += b * b;
            }
        }
        worst.see((apart / whole).sqrt());
    }
    Ok([("error", worst.value())].into())
}

/// Returns the fields of an engine after some steps from random initial fields.
fn driven<'a>(
    mesh: &TetrahedralMesh,
    d: &'a Discretization,
    engine: Box<dyn Engine + 'a>,
) -> Result<State, Error> {
    let surface = huygens(mesh, d)?;
    let mut run = Simulation::new(d, engine, 0.9 * stable_step(d));
    let mut state = State::zero(d);
    let values = state.fields.as_flattened_mut().as_flattened_mut();
    for (number, value) in values.iter_mut().enumerate() {
        *value = noise(number);
    }
    run.engine.set(&state);
    run.drive(Source::plane_wave(d, &surface, oblique_wave(), pulse()));
    for _ in 0..STEPS {
        run.step();
    }
    run.engine.fault()?;
    Ok(run.engine.state())
}

/// Checkpoint store that saves the state of a run and stops it at a time step.
#[derive(Default)]
struct Interruption {
    kept: Mutex<BTreeMap<String, Vec<u8>>>,
    /// Time step at which it stops.
    stop: AtomicU64,
    /// Current time step.
    now: AtomicU64,
}

impl CheckpointStore for Interruption {
    fn load(&self, part: &str) -> Result<Option<Vec<u8>>, CheckpointError> {
        let kept = (self.kept.lock()).map_err(|error| CheckpointError(error.to_string()))?;
        Ok(kept.get(part).filter(|bytes| !bytes.is_empty()).cloned())
    }

    fn save_all(
        &self,
        parts: &mut dyn Iterator<Item = Result<Part, CheckpointError>>,
    ) -> Result<(), CheckpointError> {
        let parts = parts.collect::<Result<Vec<Part>, CheckpointError>>()?;
        let mut kept = (self.kept.lock()).map_err(|error| CheckpointError(error.to_string()))?;
        kept.extend(parts);
        Ok(())
    }

    fn is_due(&self) -> bool {
        true
    }
}

impl Observer for Interruption {
    fn progress(&self, event: &Progress<'_>) {
        self.now.store(event.done, Ordering::Relaxed);
    }

    fn stop_requested(&self) -> bool {
        self.now.load(Ordering::Relaxed) >= self.stop.load(Ordering::Relaxed)
    }
}

/// Returns a dipole in an open box with a probe and a far-field observation, in single and double precision.
pub(super) fn resume() -> Result<Measured, Error> {
    let mesh = made(open_tetrahedral_box([1.0; 3], [5; 3], 1, 1))?;
    let mut differing = 0;
    let mut stops = 0;
    for precision in [Precision::Single, Precision::Double] {
        let mut spec = dipole_in_a_box(3, Time(15e-9));
        spec.dgtd.precision = precision;
        let plan = Plan::new(&spec, &mesh)?;
        let wanted = bits(&plan.execute(&NullStore, &Silent)?);
        for number in 0..STOPS {
            // A stop request is honored at the second energy sample at the earliest, some steps after the requested
            // one.
            let step = (0.5 + noise(number)) * (plan.steps() - 4 * LOOK) as f64;
            let interruption = Interruption::default();
            interruption.stop.store(step as u64, Ordering::Relaxed);
            match plan.execute(&interruption, &interruption) {
                Err(wavefield_dgtd::Error::Cancelled(_)) => stops += 1,
                Err(error) => return Err(error.into()),
                Ok(_) => return Err(Error::runtime("a run did not stop".to_owned())),
            }
            interruption.stop.store(u64::MAX, Ordering::Relaxed);
            let found = bits(&plan.execute(&interruption, &interruption)?);
            differing += found.len().abs_diff(wanted.len()) * 64;
            for (a, b) in found.iter().zip(&wanted) {
                differing += (a ^ b).count_ones() as usize;
            }
        }
    }
    Ok([
        ("differing_bits", differing as f64),
        ("stops", f64::from(stops)),
    ]
    .into())
}

/// Returns the bits of every number of a solution.
fn bits(solution: &Solution) -> Vec<u64> {
    let fields = (solution.radiation.iter())
        .flat_map(|radiation| &radiation.fields)
        .flat_map(|field| [field.theta, field.phi])
        .flat_map(|z| [z.re, z.im]);
    let energies = (solution.runs.iter()).flat_map(|run| run.energies.as_flattened());
    let records = (solution.runs.iter())
        .flat_map(|run| run.probes.iter().flatten())
        .flat_map(|fields| fields.as_flattened());
    (fields.chain(energies.copied()).chain(records.copied()))
        .map(f64::to_bits)
        .collect()
}
