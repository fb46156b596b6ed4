//! Checkpoints of a time-domain run, saved portion by portion so that its fields are never in memory twice.

use std::cell::RefCell;

use wavefield_solver::checkpoint::{CheckpointError, CheckpointStore, Part, read, written};

use crate::error::Error;
use crate::reference::State;
use crate::simulation::{Simulation, SimulationState};

/// Checkpoint of one run.
pub(crate) struct RunCheckpoint<'a> {
    /// Store that saves and loads the checkpoint.
    pub checkpoints: &'a dyn CheckpointStore,
    /// Prefix of the names of the checkpoint's sections.
    pub name: String,
}

impl RunCheckpoint<'_> {
    /// Returns the name of the section with the fields from an element on.
    fn fields(&self, first: usize) -> String {
        format!("{}: fields from {first}", self.name)
    }

    /// Saves the state of a run, without its fields once it has ended.
    pub(crate) fn save(&self, simulation: &Simulation<'_>, ended: bool) -> Result<(), Error> {
        let engine = &simulation.engine;
        let failed = RefCell::new(None);
        let portion = |first: usize| -> Result<Part, CheckpointError> {
            let name = self.fields(first);
            if ended {
                return Ok((name, Vec::new()));
            }
            let end = engine.elements().min(first + engine.portion());
            let state = engine.state_of(first..end);
            if let Err(error) = engine.fault() {
                let reason = error.to_string();
                *failed.borrow_mut() = Some(error);
                return Err(CheckpointError(reason));
            }
            let bytes = written(&name, &state)?;
            Ok((name, bytes))
        };
        let simulation_state = || {
            Ok((
                self.name.clone(),
                written(&self.name, &simulation.simulation_state(ended))?,
            ))
        };
        let portions = (0..engine.elements()).step_by(engine.portion());
        let mut parts = std::iter::once_with(simulation_state).chain(portions.map(portion));
        let kept = self.checkpoints.save_all(&mut parts);
        drop(parts);
        match failed.take() {
            Some(error) => Err(error),
            None => Ok(kept?),
        }
    }

    /// Restores a run from its checkpoint; returns whether the run had ended.
    pub(crate) fn load(&self, simulation: &mut Simulation<'_>) -> Result<bool, Error> {
        let Some(bytes) = self.checkpoints.load(&self.name)? else {
            return Ok(false);
        };
        let simulation_state: SimulationState = read(&self.name, &bytes)?;
        let portion = simulation_state.portion;
        simulation.restore(simulation_state);
        let Some(portion) = portion else {
            return Ok(true);
        };
        let elements = simulation.engine.elements();
        for first in (0..elements).step_by(portion.max(1) as usize) {
            let name = self.fields(first);
            let bytes = (self.checkpoints.load(&name)?)
                .ok_or_else(|| CheckpointError(format!("section `{name}` is missing")))?;
            let state: State = read(&name, &bytes)?;
            let end = elements.min(first + portion as usize);
            simulation.engine.set_of(first..end, &state);
        }
        Ok(false)
    }
}
