//! Talking between processes: the few collective operations a distributed solver needs.
//!
//! Unknowns of a large problem are numbered by 64-bit global ids; each process (rank) owns a
//! contiguous share of them, see [`share`]. Sums are added in the order of the ranks, so a result depends
//! on how many processes there are, but never on which of them was fastest.
//!
//! Every method is collective unless it says otherwise: all ranks call it, in the same order.

mod threads;

use std::ops::Range;
use std::time::Duration;

use thiserror::Error;

pub use threads::ThreadRank;

/// A failure between processes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TransportError {
    /// A rank that does not exist was addressed.
    #[error("rank {rank} was addressed, but there are {size} processes (0 to {})", .size - 1)]
    NoSuchRank {
        /// The rank that was addressed.
        rank: u32,
        /// Number of processes.
        size: u32,
    },
    /// Ranks disagree about the length of an array that all of them contribute to.
    #[error("rank {rank} contributed {found} values where rank 0 contributed {expected}")]
    Length {
        /// The rank that differs.
        rank: u32,
        /// Length on rank 0.
        expected: u64,
        /// Length on `rank`.
        found: u64,
    },
    /// The layer underneath (MPI) failed.
    #[error("the connection between processes failed: {message}")]
    Failed {
        /// What the layer underneath said.
        message: String,
    },
}

/// Bytes on their way to, or arrived from, another rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The other rank: where it goes when sent, where it came from when received.
    pub rank: u32,
    /// Its content; ids inside it are global and 64 bits wide.
    pub bytes: Vec<u8>,
}

/// What an exchange with work beside it has cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// Time that it took beside the work, and that was still waited when the work was done.
    pub waited: Duration,
}

/// How the processes of one run talk; a run on one machine uses [`OneProcess`].
pub trait Transport: Send + Sync {
    /// Number of this process, from 0.
    fn rank(&self) -> u32;

    /// Number of processes.
    fn size(&self) -> u32;

    /// Ends all processes with an exit code, where one has failed and the others would wait for it for ever; does nothing
    /// where there are no others. Not collective.
    fn end_all(&self, _code: u8) {}

    /// Waits until every rank has arrived here.
    ///
    /// # Errors
    /// When the connection fails.
    fn barrier(&self) -> Result<(), TransportError>;

    /// Gives every rank the contributions of all ranks, in the order of ranks; they may differ in length.
    ///
    /// # Errors
    /// When the connection fails.
    fn all_gather(&self, contribution: &[u8]) -> Result<Vec<Vec<u8>>, TransportError>;

    /// Sends each message to its rank and returns what was sent here, ordered by rank and then as sent.
    ///
    /// Ranks with nothing to say pass an empty slice; a rank may write to itself.
    ///
    /// # Errors
    /// When a rank does not exist or the connection fails.
    fn exchange(&self, outgoing: Vec<Message>) -> Result<Vec<Message>, TransportError>;

    /// Sends to other ranks and receives from them while `work` is done, which does a piece of it and says whether there
    /// is more; between two pieces the connection is looked after. Both sides know the length of every message; at
    /// most one goes each way between two ranks. Only ranks that name each other take part.
    ///
    /// # Errors
    /// When a rank does not exist, a message has another length, or the connection fails.
    fn exchange_during(
        &self,
        outgoing: &[Message],
        incoming: &mut [Message],
        work: &mut dyn FnMut() -> bool,
    ) -> Result<Exchange, TransportError>;

    /// Replaces `values`, on every rank, by their sums over the ranks, added from rank 0 upwards.
    ///
    /// # Errors
    /// When ranks disagree about the length or the connection fails.
    fn all_sum(&self, values: &mut [f64]) -> Result<(), TransportError> {
        let contributions = contributions_of(self, values)?;
        values.fill(0.0);
        for contribution in contributions {
            for (value, part) in values.iter_mut().zip(contribution) {
                *value += part;
            }
        }
        Ok(())
    }

    /// Replaces `values`, on every rank, by their largest over the ranks.
    ///
    /// # Errors
    /// When ranks disagree about the length or the connection fails.
    fn all_max(&self, values: &mut [f64]) -> Result<(), TransportError> {
        for contribution in contributions_of(self, values)? {
            for (value, part) in values.iter_mut().zip(contribution) {
                *value = value.max(part);
            }
        }
        Ok(())
    }
}

/// What every rank contributes to an array of one length, in the order of ranks.
fn contributions_of(
    transport: &(impl Transport + ?Sized),
    values: &[f64],
) -> Result<Vec<Vec<f64>>, TransportError> {
    let gathered = transport.all_gather(bytemuck::cast_slice(values))?;
    let count = |bytes: &Vec<u8>| (bytes.len() / size_of::<f64>()) as u64;
    let expected = gathered.first().map_or(0, count);
    let odd_one = (0_u32..)
        .zip(&gathered)
        .find(|(_, bytes)| count(bytes) != expected);
    if let Some((rank, bytes)) = odd_one {
        return Err(TransportError::Length {
            rank,
            expected,
            found: count(bytes),
        });
    }
    let numbers = |bytes: Vec<u8>| {
        bytes
            .chunks_exact(size_of::<f64>())
            .map(bytemuck::pod_read_unaligned)
            .collect()
    };
    Ok(gathered.into_iter().map(numbers).collect())
}

/// The global ids that `rank` of `size` processes owns out of `total`: contiguous, and equal to within one.
///
/// ```
/// assert_eq!(wavefield_solver::transport::share(10, 0, 3), 0..4);
/// assert_eq!(wavefield_solver::transport::share(10, 2, 3), 7..10);
/// ```
#[must_use]
pub fn share(total: u64, rank: u32, size: u32) -> Range<u64> {
    let (rank, size) = (u64::from(rank), u64::from(size.max(1)));
    let (each, more) = (total / size, total % size);
    let first = |rank: u64| rank.min(size) * each + rank.min(more);
    first(rank)..first(rank + 1)
}

/// A run in a single process: nobody to wait for.
#[derive(Debug, Clone, Copy, Default)]
pub struct OneProcess;

impl Transport for OneProcess {
    fn rank(&self) -> u32 {
        0
    }

    fn size(&self) -> u32 {
        1
    }

    fn barrier(&self) -> Result<(), TransportError> {
        Ok(())
    }

    fn all_gather(&self, contribution: &[u8]) -> Result<Vec<Vec<u8>>, TransportError> {
        Ok(vec![contribution.to_vec()])
    }

    fn exchange(&self, outgoing: Vec<Message>) -> Result<Vec<Message>, TransportError> {
        match outgoing.iter().find(|message| message.rank != 0) {
            Some(message) => Err(TransportError::NoSuchRank {
                rank: message.rank,
                size: 1,
            }),
            None => Ok(outgoing),
        }
    }

    fn exchange_during(
        &self,
        outgoing: &[Message],
        incoming: &mut [Message],
        work: &mut dyn FnMut() -> bool,
    ) -> Result<Exchange, TransportError> {
        let mut messages = outgoing.iter().chain(incoming.iter());
        if let Some(message) = messages.next() {
            return Err(TransportError::NoSuchRank {
                rank: message.rank,
                size: 1,
            });
        }
        while work() {}
        Ok(Exchange {
            waited: Duration::ZERO,
        })
    }
}
