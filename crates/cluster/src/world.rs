//! MPI transport between the processes started by `mpirun`.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::environment::Universe;
use mpi::point_to_point::{Destination as _, Source as _};
use mpi::topology::{Communicator as _, SimpleCommunicator};
use mpi::traits::{CommunicatorCollectives as _, Root as _};
use wavefield_solver::transport::{Exchange, Message, Transport, TransportError};

/// Maximum length of an MPI message in bytes, whose counts have 31 bits; longer messages are split.
const LONGEST: usize = 1 << 30;

/// The MPI world communicator as a transport.
pub struct World {
    // MPI is finalized on drop.
    _universe: Universe,
    rank: i32,
    size: i32,
    /// Serializes MPI calls: `Threading::Serialized` allows one thread at a time.
    calls: Mutex<()>,
}

impl World {
    /// Initializes MPI and joins the world communicator.
    ///
    /// # Errors
    /// MPI is initialized already, or does not support calls from several threads.
    pub fn join() -> Result<World, String> {
        let (universe, level) = mpi::initialize_with_threading(Threading::Serialized)
            .ok_or("MPI is already initialized in this process")?;
        if level < Threading::Serialized {
            return Err(format!(
                "the MPI library supports only the threading level {level:?}; use one that supports `Serialized`"
            ));
        }
        let world = universe.world();
        Ok(World {
            rank: world.rank(),
            size: world.size(),
            _universe: universe,
            calls: Mutex::default(),
        })
    }

    fn rank_of(&self, rank: u32) -> Result<i32, TransportError> {
        i32::try_from(rank)
            .ok()
            .filter(|&number| number < self.size)
            .ok_or(TransportError::NoSuchRank {
                rank,
                size: self.size(),
            })
    }

    /// Runs one MPI call at a time on the world communicator, whose handle is not `Send`.
    fn called<T>(&self, call: impl FnOnce(&SimpleCommunicator) -> T) -> T {
        let _calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        call(&SimpleCommunicator::world())
    }

    /// Broadcasts the bytes of rank `from` to all ranks.
    fn spread(world: &SimpleCommunicator, from: i32, bytes: &mut Vec<u8>) {
        let root = world.process_at_rank(from);
        let mut length = bytes.len() as u64;
        root.broadcast_into(&mut length);
        bytes.resize(length as usize, 0);
        for chunk in bytes.chunks_mut(LONGEST) {
            root.broadcast_into(chunk);
        }
    }
}

impl Transport for World {
    fn rank(&self) -> u32 {
        self.rank as u32
    }

    fn size(&self) -> u32 {
        self.size as u32
    }

    fn end_all(&self, code: u8) {
        SimpleCommunicator::world().abort(i32::from(code));
    }

    fn barrier(&self) -> Result<(), TransportError> {
        self.called(SimpleCommunicator::barrier);
        Ok(())
    }

    fn all_gather(&self, contribution: &[u8]) -> Result<Vec<Vec<u8>>, TransportError> {
        Ok(self.called(|world| {
            let all = (0..self.size).map(|rank| {
                let mut bytes = Vec::new();
                if rank == self.rank {
                    bytes.extend_from_slice(contribution);
                }
                Self::spread(world, rank, &mut bytes);
                bytes
            });
            all.collect()
        }))
    }

    fn exchange(&self, outgoing: Vec<Message>) -> Result<Vec<Message>, TransportError> {
        // All ranks gather the message lengths, then exchange the messages without blocking.
        let mut lengths = Vec::new();
        for message in &outgoing {
            self.rank_of(message.rank)?;
            lengths.extend(message.rank.to_le_bytes());
            lengths.extend((message.bytes.len() as u64).to_le_bytes());
        }
        let own = self.rank();
        let mut incoming = Vec::new();
        for (rank, lengths) in (0..).zip(self.all_gather(&lengths)?) {
            for entry in lengths.chunks_exact(12) {
                let (to, length) = entry.split_at(4);
                let number = |bytes: &[u8]| {
                    let mut wide = [0; 8];
                    wide[..bytes.len()].copy_from_slice(bytes);
                    u64::from_le_bytes(wide)
                };
                if number(to) == u64::from(own) {
                    let bytes = vec![0; number(length) as usize];
                    incoming.push(Message { rank, bytes });
                }
            }
        }
        // Messages of a rank to itself need no MPI.
        let mut kept = outgoing.iter().filter(|message| message.rank == own);
        for message in incoming.iter_mut().filter(|message| message.rank == own) {
            if let Some(kept) = kept.next() {
                message.bytes.clone_from(&kept.bytes);
            }
        }
        let others: Vec<&Message> = outgoing.iter().filter(|m| m.rank != own).collect();
        let mut from_others: Vec<&mut Message> =
            incoming.iter_mut().filter(|m| m.rank != own).collect();
        self.talk(&others, &mut from_others, &mut || false)?;
        Ok(incoming)
    }

    fn exchange_during(
        &self,
        outgoing: &[Message],
        incoming: &mut [Message],
        work: &mut dyn FnMut() -> bool,
    ) -> Result<Exchange, TransportError> {
        let outgoing: Vec<&Message> = outgoing.iter().collect();
        let mut incoming: Vec<&mut Message> = incoming.iter_mut().collect();
        self.talk(&outgoing, &mut incoming, work)
    }
}

impl World {
    fn talk(
        &self,
        outgoing: &[&Message],
        incoming: &mut [&mut Message],
        work: &mut dyn FnMut() -> bool,
    ) -> Result<Exchange, TransportError> {
        for message in outgoing
            .iter()
            .copied()
            .chain(incoming.iter().map(|m| &**m))
        {
            self.rank_of(message.rank)?;
        }
        let talk = |world: &SimpleCommunicator| {
            mpi::request::scope(|scope| {
                let mut requests = Vec::new();
                for message in incoming.iter_mut() {
                    let from = world.process_at_rank(message.rank as i32);
                    for chunk in message.bytes.chunks_mut(LONGEST) {
                        requests.push(from.immediate_receive_into(scope, chunk));
                    }
                }
                let mut sent = Vec::new();
                for message in outgoing {
                    let to = world.process_at_rank(message.rank as i32);
                    for chunk in message.bytes.chunks(LONGEST) {
                        sent.push(to.immediate_send(scope, chunk));
                    }
                }
                // MPI communication progresses only during MPI calls: completed requests are tested between the
                // pieces of work.
                let mut waited = Duration::ZERO;
                while work() {
                    let start = Instant::now();
                    requests = (requests.into_iter())
                        .filter_map(|request| request.test().err())
                        .collect();
                    waited += start.elapsed();
                }
                let start = Instant::now();
                for request in requests {
                    request.wait();
                }
                for request in sent {
                    request.wait();
                }
                waited + start.elapsed()
            })
        };
        Ok(Exchange {
            waited: self.called(talk),
        })
    }
}
