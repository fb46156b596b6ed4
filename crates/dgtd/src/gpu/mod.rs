//! GPU engine in single precision.
//!
//! One dispatch computes a stage: a workgroup loads the fields of some elements into workgroup memory, computes fluxes,
//! curl, lift, and PML, and advances both registers. Two field buffers alternate, so that neighbors are read as before
//! the stage. PML elements have a dispatch of their own. The stages of a time step are submitted together unless
//! sources add to them. After A. Klöckner, T. Warburton, J. Bridge, J. S. Hesthaven, J. Comput. Phys. 228 (2009)
//! 7863–7882.
//!
//! Results on one GPU are bitwise reproducible. Each buffer must fit one binding of the GPU; a larger mesh is an error.

mod layout;
mod state;
mod tables;

use std::cell::RefCell;
use std::ops::Range;

use wavefield_gpu::{DeviceError, Gpu};

use crate::discretization::Discretization;
use crate::engine::Engine;
use crate::error::Error;
use crate::flux::Fields;
use crate::reference::State;
use crate::source::SourceTerms;
use state::GpuState;

/// Engine on a GPU, in single precision.
#[derive(Debug)]
pub struct GpuEngine<'a> {
    discretization: &'a Discretization,
    run: RefCell<Run>,
}

#[derive(Debug)]
struct Run {
    on_gpu: GpuState,
    fault: Option<DeviceError>,
}

impl<'a> GpuEngine<'a> {
    /// Creates an engine with zero fields.
    ///
    /// # Errors
    /// The mesh is too large for the GPU, or the GPU failed.
    pub fn new(
        gpu: &Gpu,
        discretization: &'a Discretization,
    ) -> Result<GpuEngine<'a>, DeviceError> {
        Ok(GpuEngine {
            discretization,
            run: RefCell::new(Run {
                on_gpu: GpuState::new(gpu, discretization)?,
                fault: None,
            }),
        })
    }

    /// Executes a request to the GPU; returns `None` after a fault.
    fn ask<T>(&self, request: impl FnOnce(&mut GpuState) -> Result<T, DeviceError>) -> Option<T> {
        let mut run = self.run.borrow_mut();
        if run.fault.is_some() {
            return None;
        }
        request(&mut run.on_gpu)
            .map_err(|error| run.fault = Some(error))
            .ok()
    }
}

impl Engine for GpuEngine<'_> {
    fn stage(&mut self, a: f64, b: f64, dt: f64) {
        self.ask(|on_gpu| on_gpu.stage(a, b, dt));
    }

    fn add(&mut self, additions: &SourceTerms, b: f64, dt: f64) {
        self.ask(|on_gpu| on_gpu.add(additions, b, dt));
    }

    fn fields_at(&self, nodes: &[(u32, u16)], fields: &mut Vec<Fields>) {
        *fields = self
            .ask(|on_gpu| on_gpu.fields_at(nodes))
            .unwrap_or_else(|| vec![[[f64::NAN; 3]; 2]; nodes.len()]);
    }

    fn energy(&self) -> f64 {
        self.ask(GpuState::energy).unwrap_or(f64::NAN)
    }

    fn elements(&self) -> usize {
        self.discretization.elements()
    }

    /// Returns the number of all elements, since the GPU returns all fields at once.
    fn portion(&self) -> usize {
        self.elements()
    }

    fn set_of(&mut self, elements: Range<usize>, state: &State) {
        if elements == (0..self.elements()) {
            self.ask(|on_gpu| on_gpu.set(state));
        } else {
            let mut all = self.state();
            all.put(self.discretization, elements, state);
            self.ask(|on_gpu| on_gpu.set(&all));
        }
    }

    fn state_of(&self, elements: Range<usize>) -> State {
        let all = self.ask(GpuState::state).unwrap_or_else(|| {
            let mut unknown = State::zero(self.discretization);
            unknown.fields.fill([[f64::NAN; 3]; 2]);
            unknown.layers.fill([[[f64::NAN; 3]; 2]; 2]);
            unknown
        });
        if elements == (0..self.elements()) {
            all
        } else {
            all.part(self.discretization, elements)
        }
    }

    fn fault(&self) -> Result<(), Error> {
        self.ask(|on_gpu| on_gpu.check());
        (self.run.borrow().fault.clone()).map_or(Ok(()), |fault| Err(fault.into()))
    }
}
