//! The stages on a graphics card, in single precision.
//!
//! One launch makes a stage: a workgroup takes the fields of some elements into its memory, computes fluxes, curl, lift
//! and layers, and advances both registers; there are two arrays of fields, so that neighbours see those of the stage
//! before. Elements of layers have a launch of their own. The stages of a step go to the card together unless sources
//! add to them. After A. Klöckner, T. Warburton, J. Bridge, J. S. Hesthaven, J. Comput. Phys. 228 (2009) 7863–7882.
//!
//! The same card gives the same bits. Each array must fit one binding of the card; a larger mesh is an error.

mod card;
mod layout;
mod tables;

use std::cell::RefCell;
use std::ops::Range;

use wavefield_gpu::{DeviceError, Gpu};

use crate::discretisation::Discretisation;
use crate::engine::Engine;
use crate::error::Error;
use crate::flux::Fields;
use crate::plain::State;
use crate::source::Additions;
use card::Card;

/// A graphics card as an engine.
#[derive(Debug)]
pub struct GpuEngine<'a> {
    discretisation: &'a Discretisation,
    run: RefCell<Run>,
}

#[derive(Debug)]
struct Run {
    card: Card,
    fault: Option<DeviceError>,
}

impl<'a> GpuEngine<'a> {
    /// No field anywhere.
    ///
    /// # Errors
    /// The mesh is too large for the card, or the card fails.
    pub fn new(
        gpu: &Gpu,
        discretisation: &'a Discretisation,
    ) -> Result<GpuEngine<'a>, DeviceError> {
        Ok(GpuEngine {
            discretisation,
            run: RefCell::new(Run {
                card: Card::new(gpu, discretisation)?,
                fault: None,
            }),
        })
    }

    /// A request to the card; nothing once it has failed.
    fn ask<T>(&self, request: impl FnOnce(&mut Card) -> Result<T, DeviceError>) -> Option<T> {
        let mut run = self.run.borrow_mut();
        if run.fault.is_some() {
            return None;
        }
        request(&mut run.card)
            .map_err(|error| run.fault = Some(error))
            .ok()
    }
}

impl Engine for GpuEngine<'_> {
    fn stage(&mut self, a: f64, b: f64, dt: f64) {
        self.ask(|card| card.stage(a, b, dt));
    }

    fn add(&mut self, additions: &Additions, b: f64, dt: f64) {
        self.ask(|card| card.add(additions, b, dt));
    }

    fn fields_at(&self, nodes: &[(u32, u16)], fields: &mut Vec<Fields>) {
        *fields = self
            .ask(|card| card.fields_at(nodes))
            .unwrap_or_else(|| vec![[[f64::NAN; 3]; 2]; nodes.len()]);
    }

    fn energy(&self) -> f64 {
        self.ask(Card::energy).unwrap_or(f64::NAN)
    }

    fn elements(&self) -> usize {
        self.discretisation.elements()
    }

    /// All, for all are fetched from the card.
    fn portion(&self) -> usize {
        self.elements()
    }

    fn set_of(&mut self, elements: Range<usize>, state: &State) {
        if elements == (0..self.elements()) {
            self.ask(|card| card.set(state));
        } else {
            let mut all = self.state();
            all.put(self.discretisation, elements, state);
            self.ask(|card| card.set(&all));
        }
    }

    fn state_of(&self, elements: Range<usize>) -> State {
        let all = self.ask(Card::state).unwrap_or_else(|| {
            let mut unknown = State::zero(self.discretisation);
            unknown.fields.fill([[f64::NAN; 3]; 2]);
            unknown.layers.fill([[[f64::NAN; 3]; 2]; 2]);
            unknown
        });
        if elements == (0..self.elements()) {
            all
        } else {
            all.part(self.discretisation, elements)
        }
    }

    fn fault(&self) -> Result<(), Error> {
        self.ask(|card| card.check());
        (self.run.borrow().fault.clone()).map_or(Ok(()), |fault| Err(fault.into()))
    }
}
