//! What advances the fields: one stage of the Runge–Kutta method at a time.

use std::ops::Range;

use crate::discretisation::Discretisation;
use crate::error::Error;
use crate::flux::Fields;
use crate::kernels::BlockEngine;
use crate::plain::{self, State};
use crate::source::Additions;
use crate::spec::Precision;

/// Fields on a mesh that can be advanced.
///
/// Only a device can fail. Its first fault is kept: from then on nothing is advanced, every number handed out is NaN,
/// and whoever uses a result asks for the [fault](Engine::fault) before.
pub trait Engine: Send {
    /// One stage: register = a·register + dt·rate, fields = fields + b·register. Times are lengths (c = 1).
    fn stage(&mut self, a: f64, b: f64, dt: f64);

    /// Adds to the rate of the stage just made: register += dt·rate, fields += b·dt·rate.
    fn add(&mut self, additions: &Additions, b: f64, dt: f64);

    /// Fields at nodes, given by element and node.
    fn fields_at(&self, nodes: &[(u32, u16)], fields: &mut Vec<Fields>);

    /// ½ ∫ ε E² + μ H² over all elements outside layers, with Z₀H for H.
    fn energy(&self) -> f64;

    /// Elements of the whole mesh.
    fn elements(&self) -> usize;

    /// Elements whose fields are best asked for at once: memory is taken for them.
    fn portion(&self) -> usize;

    /// Replaces the fields of some elements and forgets the register.
    fn set_of(&mut self, elements: Range<usize>, state: &State);

    /// The fields of some elements as they are, with P and Q of those in layers.
    fn state_of(&self, elements: Range<usize>) -> State;

    /// Replaces all fields by those of a state and forgets the register.
    fn set(&mut self, state: &State) {
        self.set_of(0..self.elements(), state);
    }

    /// All fields as they are.
    fn state(&self) -> State {
        self.state_of(0..self.elements())
    }

    /// The first fault of the device that computes or of the connection between processes, if there was one.
    ///
    /// # Errors
    /// That fault.
    fn fault(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Whether one process has the whole mesh. Where several share it, all call every method in the same order.
    fn is_alone(&self) -> bool {
        true
    }

    /// What holds for any process that has a share of the mesh.
    fn agree(&self, flags: [bool; 2]) -> [bool; 2] {
        flags
    }
}

/// Elements whose fields a processor gives at once: their fields take a megabyte or a few.
pub(crate) const PORTION: usize = 512;

/// The engine of the processor for a precision, without fields.
pub fn engine(discretisation: &Discretisation, precision: Precision) -> Box<dyn Engine + '_> {
    match precision {
        Precision::Single => Box::new(BlockEngine::<f32>::new(discretisation)),
        Precision::Double => Box::new(BlockEngine::<f64>::new(discretisation)),
    }
}

/// The plain equations as an engine.
#[derive(Clone, Debug)]
pub struct PlainEngine<'a> {
    discretisation: &'a Discretisation,
    state: State,
    register: State,
}

impl<'a> PlainEngine<'a> {
    /// No field anywhere.
    pub fn new(discretisation: &'a Discretisation) -> PlainEngine<'a> {
        PlainEngine {
            discretisation,
            state: State::zero(discretisation),
            register: State::zero(discretisation),
        }
    }
}

impl Engine for PlainEngine<'_> {
    fn stage(&mut self, a: f64, b: f64, dt: f64) {
        plain::stage(
            self.discretisation,
            &mut self.state,
            &mut self.register,
            a,
            b,
            dt,
        );
    }

    fn add(&mut self, additions: &Additions, b: f64, dt: f64) {
        let nodes = self.discretisation.reference.nodes();
        let rates = additions.rates.chunks(nodes);
        for (&element, rates) in additions.elements.iter().zip(rates) {
            let first = element as usize * nodes;
            for (node, rate) in rates.iter().enumerate() {
                for kind in 0..2 {
                    for c in 0..3 {
                        self.register.fields[first + node][kind][c] += dt * rate[kind][c];
                        self.state.fields[first + node][kind][c] += b * dt * rate[kind][c];
                    }
                }
            }
        }
    }

    fn fields_at(&self, nodes: &[(u32, u16)], fields: &mut Vec<Fields>) {
        let count = self.discretisation.reference.nodes();
        fields.clear();
        fields.extend(
            (nodes.iter()).map(|&(e, n)| self.state.fields[e as usize * count + n as usize]),
        );
    }

    fn energy(&self) -> f64 {
        plain::energy(self.discretisation, &self.state)
    }

    fn elements(&self) -> usize {
        self.discretisation.elements()
    }

    fn portion(&self) -> usize {
        PORTION
    }

    fn set_of(&mut self, elements: Range<usize>, state: &State) {
        self.state.put(self.discretisation, elements, state);
        self.register = State::zero(self.discretisation);
    }

    fn state_of(&self, elements: Range<usize>) -> State {
        self.state.part(self.discretisation, elements)
    }
}
