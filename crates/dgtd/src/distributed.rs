//! Engine of one of several processes: it advances its own part of the mesh, and overlaps the exchange of fields at the
//! borders with the computation of interior elements.
//!
//! The interface is that of an engine for the whole mesh: every process runs the same simulation on the same numbers,
//! and the results are bitwise identical to those of a single process.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use wavefield_solver::transport::{Message, Transport, TransportError};

use crate::engine::Engine;
use crate::error::Error;
use crate::flux::Fields;
use crate::kernels::{BlockEngine, ELEMENTS, Number};
use crate::partition::{Border, Part};
use crate::reference::State;
use crate::source::SourceTerms;

/// Communication statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Number of exchanges of fields at borders.
    pub exchanges: u64,
    /// Number of messages sent in the exchanges.
    pub messages: u64,
    /// Number of bytes sent in the exchanges.
    pub bytes: u64,
    /// Time spent on communication during overlapped exchanges: progress calls, and waiting after the computation.
    pub waited: Duration,
    /// Number of exchanges without overlapping computation, which sample the duration of an exchange.
    pub samples: u64,
    /// Duration of those exchanges.
    pub sampled: Duration,
}

/// Number of portions of the computation that overlaps with an exchange.
const PIECES: usize = 8;
/// One exchange in this number is sampled without overlapping computation.
const SAMPLE: u64 = 32;

impl Traffic {
    /// Returns the fraction of the duration of exchanges that overlaps with computation, if it was sampled.
    pub fn overlap(&self) -> Option<f64> {
        let beside = self
            .exchanges
            .checked_sub(self.samples)
            .filter(|&n| n > 0)? as f64;
        let alone = self.sampled.as_secs_f64() / self.samples as f64;
        let waited = self.waited.as_secs_f64() / beside;
        (alone > 0.0).then(|| (1.0 - waited / alone).max(0.0))
    }
}

impl std::ops::AddAssign for Traffic {
    fn add_assign(&mut self, other: Traffic) {
        self.exchanges += other.exchanges;
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.waited += other.waited;
        self.samples += other.samples;
        self.sampled += other.sampled;
    }
}

/// Engine for the part of the mesh that belongs to one process.
pub struct DistributedEngine<'a, T: Number> {
    part: &'a Part,
    transport: &'a dyn Transport,
    engine: BlockEngine<'a, T>,
    outgoing: Vec<Message>,
    incoming: Vec<Message>,
    /// Statistics accumulated over all engines of a run.
    traffic: &'a Mutex<Traffic>,
    /// Number of exchanges so far.
    exchanges: u64,
    /// First communication error.
    failed: RefCell<Option<TransportError>>,
}

impl<'a, T: Number> DistributedEngine<'a, T> {
    /// Creates an engine with zero fields; its communication through `transport` is counted in `traffic`.
    pub fn new(
        part: &'a Part,
        transport: &'a dyn Transport,
        traffic: &'a Mutex<Traffic>,
    ) -> DistributedEngine<'a, T> {
        let messages = |borders: &[Border]| {
            let message = |border: &Border| Message {
                rank: border.part,
                bytes: vec![0; 6 * size_of::<T>() * border.nodes.len()],
            };
            borders.iter().map(message).collect()
        };
        DistributedEngine {
            engine: BlockEngine::new(&part.local),
            outgoing: messages(&part.sent),
            incoming: messages(&part.received),
            part,
            transport,
            traffic,
            exchanges: 0,
            failed: RefCell::default(),
        }
    }

    /// Gathers numbers from all ranks, in rank order; returns empty vectors after a communication error.
    fn gathered(&self, contribution: &[f64]) -> Vec<Vec<f64>> {
        if self.failed.borrow().is_none() {
            match self
                .transport
                .all_gather(bytemuck::cast_slice(contribution))
            {
                Ok(all) => return all.iter().map(|bytes| numbers(bytes)).collect(),
                Err(error) => *self.failed.borrow_mut() = Some(error),
            }
        }
        vec![Vec::new(); self.transport.size() as usize]
    }

    /// Merges the numbers of all ranks in element order: `count` numbers for each of `elements`, NaN after a
    /// communication error.
    fn merged(&self, elements: Range<usize>, count: usize, own: &[f64]) -> Vec<f64> {
        let all = self.gathered(own);
        let mut taken = vec![0; all.len()];
        elements
            .flat_map(|element| {
                let rank = self.part.part_of[element] as usize;
                let from = taken[rank];
                taken[rank] += count;
                (from..from + count).map(move |at| (rank, at))
            })
            .map(|(rank, at)| all[rank].get(at).copied().unwrap_or(f64::NAN))
            .collect()
    }

    /// Returns whether an element belongs to this rank.
    fn is_own(&self, element: usize) -> bool {
        self.part.part_of[element] == self.transport.rank()
    }
}

/// Converts bytes of any alignment to numbers.
fn numbers(bytes: &[u8]) -> Vec<f64> {
    bytes
        .chunks_exact(size_of::<f64>())
        .map(bytemuck::pod_read_unaligned)
        .collect()
}

impl<T: Number> Engine for DistributedEngine<'_, T> {
    fn stage(&mut self, a: f64, b: f64, dt: f64) {
        for (message, border) in self.outgoing.iter_mut().zip(&self.part.sent) {
            self.engine.write_to(&border.nodes, &mut message.bytes);
        }
        // Blocks with ghosts or with elements adjacent to ghosts come last.
        let inner = self.part.inner.map(|elements| elements / ELEMENTS);
        let own = [0, 1].map(|kind| self.part.own[kind].len().div_ceil(ELEMENTS));
        let engine = &mut self.engine;
        let mut piece = 0;
        let mut work = || {
            let [from, to] = [piece, piece + 1].map(|n| inner.map(|blocks| blocks * n / PIECES));
            engine.advance([from[0]..to[0], from[1]..to[1]], [a, b, dt]);
            piece += 1;
            piece < PIECES
        };
        let (transport, outgoing) = (self.transport, &self.outgoing);
        let is_sample = self.exchanges.is_multiple_of(SAMPLE);
        self.exchanges += 1;
        let exchanged = if is_sample {
            let exchanged = transport.exchange_during(outgoing, &mut self.incoming, &mut || false);
            while work() {}
            exchanged
        } else {
            transport.exchange_during(outgoing, &mut self.incoming, &mut work)
        };
        match exchanged {
            Err(error) => {
                self.failed.borrow_mut().get_or_insert(error);
            }
            Ok(exchange) => {
                let mut traffic = (self.traffic.lock()).unwrap_or_else(PoisonError::into_inner);
                let [waited, sampled] = if is_sample {
                    [Duration::ZERO, exchange.waited]
                } else {
                    [exchange.waited, Duration::ZERO]
                };
                *traffic += Traffic {
                    exchanges: 1,
                    messages: outgoing.len() as u64,
                    bytes: outgoing.iter().map(|m| m.bytes.len() as u64).sum(),
                    waited,
                    samples: u64::from(is_sample),
                    sampled,
                };
            }
        }
        for (message, border) in self.incoming.iter().zip(&self.part.received) {
            self.engine.read_from(&border.nodes, &message.bytes);
        }
        self.engine
            .advance([inner[0]..own[0], inner[1]..own[1]], [a, b, dt]);
        self.engine.turn();
    }

    fn add(&mut self, additions: &SourceTerms, b: f64, dt: f64) {
        let nodes = self.part.local.reference.nodes();
        let mut own = SourceTerms {
            elements: Vec::new(),
            rates: Vec::new(),
        };
        for (&element, rates) in additions.elements.iter().zip(additions.rates.chunks(nodes)) {
            let place = self.part.place_of[element as usize];
            if place != u32::MAX {
                own.elements.push(place);
                own.rates.extend_from_slice(rates);
            }
        }
        self.engine.add(&own, b, dt);
    }

    fn fields_at(&self, nodes: &[(u32, u16)], fields: &mut Vec<Fields>) {
        let place = |element: u32| self.part.place_of[element as usize];
        let own: Vec<(u32, u16)> = (nodes.iter())
            .filter(|(element, _)| place(*element) != u32::MAX)
            .map(|&(element, node)| (place(element), node))
            .collect();
        self.engine.fields_at(&own, fields);
        let all = self.gathered(fields.as_flattened().as_flattened());
        let mut taken = vec![0; all.len()];
        fields.clear();
        fields.extend(nodes.iter().map(|(element, _)| {
            let rank = self.part.part_of[*element as usize] as usize;
            let from = taken[rank];
            taken[rank] += 6;
            let number = |at: usize| all[rank].get(from + at).copied().unwrap_or(f64::NAN);
            std::array::from_fn(|kind| std::array::from_fn(|c| number(3 * kind + c)))
        }));
    }

    fn energy(&self) -> f64 {
        let energies = self.engine.energies();
        let whose = |piece: &Range<usize>| self.part.part_of[piece.start] as usize;
        let own: Vec<f64> = (self.part.pieces.iter())
            .filter(|piece| whose(piece) == self.transport.rank() as usize)
            .map(|piece| {
                let place = |element: usize| self.part.place_of[element] as usize;
                piece.clone().map(|element| energies[place(element)]).sum()
            })
            .collect();
        let all = self.gathered(&own);
        let mut taken = vec![0; all.len()];
        (self.part.pieces.iter())
            .map(|piece| {
                let rank = whose(piece);
                taken[rank] += 1;
                all[rank].get(taken[rank] - 1).copied().unwrap_or(f64::NAN)
            })
            .sum()
    }

    fn elements(&self) -> usize {
        self.part.part_of.len()
    }

    fn portion(&self) -> usize {
        self.engine.portion()
    }

    fn set_of(&mut self, elements: Range<usize>, state: &State) {
        let nodes = self.part.local.reference.nodes();
        let first_layer = elements.end - state.layers.len() / nodes;
        for (place, element) in elements.enumerate() {
            if self.is_own(element) {
                let from = place * nodes;
                let mut of_element = State {
                    fields: state.fields[from..from + nodes].to_vec(),
                    layers: Vec::new(),
                };
                if let Some(layer) = element.checked_sub(first_layer) {
                    let from = layer * nodes;
                    of_element.layers = state.layers[from..from + nodes].to_vec();
                }
                let to = self.part.place_of[element] as usize;
                self.engine.set_of(to..to + 1, &of_element);
            }
        }
    }

    fn state_of(&self, elements: Range<usize>) -> State {
        let nodes = self.part.local.reference.nodes();
        let mut fields = Vec::new();
        let mut layers = Vec::new();
        for element in elements.clone().filter(|&element| self.is_own(element)) {
            let from = self.part.place_of[element] as usize;
            let of_element = self.engine.state_of(from..from + 1);
            fields.extend_from_slice(of_element.fields.as_flattened());
            layers.extend_from_slice(of_element.layers.as_flattened().as_flattened());
        }
        let first_layer = self.part.pieces.last().map_or(0, |piece| piece.end);
        let in_layers = elements.start.max(first_layer)..elements.end;
        let fields = self.merged(elements, 6 * nodes, fields.as_flattened());
        let layers = self.merged(in_layers, 12 * nodes, layers.as_flattened());
        let field = |numbers: &[f64]| -> Fields {
            std::array::from_fn(|kind| std::array::from_fn(|c| numbers[3 * kind + c]))
        };
        State {
            fields: fields.chunks_exact(6).map(field).collect(),
            layers: (layers.chunks_exact(12))
                .map(|both| [field(&both[..6]), field(&both[6..])])
                .collect(),
        }
    }

    fn agree(&self, flags: [bool; 2]) -> [bool; 2] {
        let all = self.gathered(&flags.map(f64::from));
        std::array::from_fn(|flag| all.iter().any(|of_rank| of_rank.get(flag) == Some(&1.0)))
    }

    fn is_alone(&self) -> bool {
        false
    }

    fn fault(&self) -> Result<(), Error> {
        match &*self.failed.borrow() {
            Some(error) => Err(error.clone().into()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use wavefield_mesh::primitive::open_tetrahedral_box;
    use wavefield_solver::transport::ThreadRank;

    use super::*;
    use crate::partition::Pieces;
    use crate::{Discretization, PhysicalGroups};

    fn numbers_of(state: &State) -> Vec<u64> {
        let all = state.fields.iter().chain(state.layers.as_flattened());
        all.flat_map(|f| f.as_flattened().iter().map(|x| x.to_bits()))
            .collect()
    }

    /// Advances five stages with a source; returns the state, the energy, and the fields at some nodes.
    fn advanced(d: &Discretization, engine: &mut dyn Engine) -> (Vec<u64>, u64, Vec<Fields>) {
        engine.set(&State::from_fn(d, |[x, y, z]| {
            [[x.sin(), y * z, 0.3], [z.cos(), -x, y + 0.1]]
        }));
        let nodes = d.reference.nodes();
        let additions = SourceTerms {
            elements: vec![5, d.elements() as u32 / 2],
            rates: vec![[[0.3, -0.1, 0.7], [0.0, 0.2, 0.1]]; 2 * nodes],
        };
        for stage in 0..5 {
            engine.stage(-0.3 * f64::from(stage), 0.4, 0.01);
            engine.add(&additions, 0.4, 0.01);
        }
        let watched: Vec<(u32, u16)> = (0..d.elements() as u32)
            .step_by(7)
            .map(|e| (e, 2))
            .collect();
        let mut fields = Vec::new();
        engine.fields_at(&watched, &mut fields);
        engine.fault().unwrap();
        (
            numbers_of(&engine.state()),
            engine.energy().to_bits(),
            fields,
        )
    }

    #[test]
    fn any_number_of_processes_gives_the_bits_of_one() {
        let mesh = open_tetrahedral_box([1.0; 3], [6; 3], 1, 1).unwrap();
        let d = Discretization::new(&mesh, 3, &PhysicalGroups::vacuum(&mesh)).unwrap();
        let alone = advanced(&d, &mut BlockEngine::<f32>::new(&d));
        let pieces = Pieces::new(&d);
        for size in 1..=4 {
            let division = pieces.graph().contiguous_parts(size);
            std::thread::scope(|scope| {
                for rank in ThreadRank::group(size) {
                    let (d, pieces, division, alone) = (&d, &pieces, &division, &alone);
                    scope.spawn(move || {
                        let part = Part::new(d, pieces, division, rank.rank());
                        let traffic = Mutex::default();
                        let mut engine = DistributedEngine::<f32>::new(&part, &rank, &traffic);
                        let found = advanced(d, &mut engine);
                        assert!(found == *alone, "rank {} of {size}", rank.rank());
                        let expected = 5 * part.bytes_sent(4) as u64;
                        assert_eq!(traffic.lock().unwrap().bytes, expected);
                        assert_eq!(engine.agree([rank.rank() == 0, false]), [true, false]);
                    });
                }
            });
        }
    }
}
