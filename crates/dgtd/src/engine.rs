//! Engines, which advance the fields by one Runge–Kutta stage at a time.

use std::ops::Range;

use crate::discretization::Discretization;
use crate::error::Error;
use crate::flux::Fields;
use crate::kernels::BlockEngine;
use crate::reference::{self, State};
use crate::source::SourceTerms;
use crate::spec::Precision;

/// Fields on a mesh, advanced in time.
///
/// Only a GPU or the communication between processes can fail. The engine stores the first fault; from then on it
/// advances nothing and returns NaN, so callers check [`fault`](Engine::fault) before they use a result.
pub trait Engine: Send {
    /// Advances one stage: register = a·register + dt·rate, fields = fields + b·register. Times are lengths (c = 1).
    fn stage(&mut self, a: f64, b: f64, dt: f64);

    /// Adds source terms to the rate of the last stage: register += dt·rate, fields += b·dt·rate.
    fn add(&mut self, additions: &SourceTerms, b: f64, dt: f64);

    /// Writes the fields at nodes, given by element and node, to `fields`.
    fn fields_at(&self, nodes: &[(u32, u16)], fields: &mut Vec<Fields>);

    /// Returns the energy ½ ∫ ε E² + μ H² over all elements outside the PML, with Z₀H for H.
    fn energy(&self) -> f64;

    /// Returns the number of elements of the whole mesh.
    fn elements(&self) -> usize;

    /// Returns the number of elements whose fields are best read at once; memory is allocated for them.
    fn portion(&self) -> usize;

    /// Replaces the fields of some elements and clears the register.
    fn set_of(&mut self, elements: Range<usize>, state: &State);

    /// Returns the fields of some elements, with P and Q of those in the PML.
    fn state_of(&self, elements: Range<usize>) -> State;

    /// Replaces all fields by those of a state and clears the register.
    fn set(&mut self, state: &State) {
        self.set_of(0..self.elements(), state);
    }

    /// Returns all fields.
    fn state(&self) -> State {
        self.state_of(0..self.elements())
    }

    /// Returns the first fault of the GPU or of the communication between processes, if there was one.
    ///
    /// # Errors
    /// The stored fault.
    fn fault(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Returns whether one process holds the whole mesh. Otherwise all processes call every method in the same order.
    fn is_alone(&self) -> bool {
        true
    }

    /// Returns the flags combined by a logical OR over all processes.
    fn agree(&self, flags: [bool; 2]) -> [bool; 2] {
        flags
    }
}

/// Number of elements whose fields the CPU engines read at once: their fields take about a megabyte.
pub(crate) const PORTION: usize = 512;

/// Creates the CPU engine of a precision, with zero fields.
pub fn engine(discretization: &Discretization, precision: Precision) -> Box<dyn Engine + '_> {
    match precision {
        Precision::Single => Box::new(BlockEngine::<f32>::new(discretization)),
        Precision::Double => Box::new(BlockEngine::<f64>::new(discretization)),
    }
}

/// Reference implementation as an engine, in double precision.
#[derive(Clone, Debug)]
pub struct ReferenceEngine<'a> {
    discretization: &'a Discretization,
    state: State,
    register: State,
}

impl<'a> ReferenceEngine<'a> {
    /// Creates an engine with zero fields.
    pub fn new(discretization: &'a Discretization) -> ReferenceEngine<'a> {
        ReferenceEngine {
            discretization,
            state: State::zero(discretization),
            register: State::zero(discretization),
        }
    }
}

impl Engine for ReferenceEngine<'_> {
    fn stage(&mut self, a: f64, b: f64, dt: f64) {
        reference::stage(
            self.discretization,
            &mut self.state,
            &mut self.register,
            a,
            b,
            dt,
        );
    }

    fn add(&mut self, additions: &SourceTerms, b: f64, dt: f64) {
        let nodes = self.discretization.reference.nodes();
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
        let count = self.discretization.reference.nodes();
        fields.clear();
        fields.extend(
            (nodes.iter()).map(|&(e, n)| self.state.fields[e as usize * count + n as usize]),
        );
    }

    fn energy(&self) -> f64 {
        reference::energy(self.discretization, &self.state)
    }

    fn elements(&self) -> usize {
        self.discretization.elements()
    }

    fn portion(&self) -> usize {
        PORTION
    }

    fn set_of(&mut self, elements: Range<usize>, state: &State) {
        self.state.put(self.discretization, elements, state);
        self.register = State::zero(self.discretization);
    }

    fn state_of(&self, elements: Range<usize>) -> State {
        self.state.part(self.discretization, elements)
    }
}
