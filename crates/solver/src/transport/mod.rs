//! Communication between processes: the collective operations of a distributed solver.
//!
//! Unknowns of a large problem have 64-bit global ids; each process (rank) owns a contiguous range of them, see
//! [`share`]. Sums are accumulated in rank order, so a result depends on the number of processes but not on their
//! timing.
//!
//! Every method is collective unless stated otherwise: all ranks call it, in the same order.

mod threads;

use std::ops::Range;
use std::time::Duration;

use thiserror::Error;

pub use threads::ThreadRank;

/// Errors of the communication between processes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TransportError {
    /// A message was addressed to a nonexistent rank.
    #[error("rank {rank} does not exist; there are {size} processes (0 to {})", .size - 1)]
    NoSuchRank {
        /// Addressed rank.
        rank: u32,
        /// Number of processes.
        size: u32,
    },
    /// Ranks disagree about the length of an array in a collective operation.
    #[error("rank {rank} contributed {found} values where rank 0 contributed {expected}")]
    Length {
        /// Rank that differs.
        rank: u32,
        /// Length on rank 0.
        expected: u64,
        /// Length on `rank`.
        found: u64,
    },
    /// The underlying layer (MPI) failed.
    #[error("communication between processes failed: {message}")]
    Failed {
        /// Message of the underlying layer.
        message: String,
    },
}

/// A message to or from another rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The other rank: destination of an outgoing message, source of an incoming one.
    pub rank: u32,
    /// Content of the message; ids in it are global and 64 bits wide.
    pub bytes: Vec<u8>,
}

/// Cost of an exchange that overlaps with work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// Communication time that is not hidden behind the work.
    pub waited: Duration,
}

/// Communication between the processes of one run; a run in a single process uses [`OneProcess`].
pub trait Transport: Send + Sync {
    /// Returns the rank of this process, from 0.
    fn rank(&self) -> u32;

    /// Returns the number of processes.
    fn size(&self) -> u32;

    /// Aborts all processes with an exit code when one has failed, so that the others do not wait for it; a no-op for a
    /// single process. Not collective.
    fn end_all(&self, _code: u8) {}

    /// Waits until every rank has reached the barrier.
    ///
    /// # Errors
    /// Communication fails.
    fn barrier(&self) -> Result<(), TransportError>;

    /// Gathers the contributions of all ranks on every rank, in rank order; lengths may differ.
    ///
    /// # Errors
    /// Communication fails.
    fn all_gather(&self, contribution: &[u8]) -> Result<Vec<Vec<u8>>, TransportError>;

    /// Sends each message to its rank and returns the received messages, ordered by rank and then as sent.
    ///
    /// Ranks without messages pass an empty vector; a rank may send to itself.
    ///
    /// # Errors
    /// A rank does not exist, or communication fails.
    fn exchange(&self, outgoing: Vec<Message>) -> Result<Vec<Message>, TransportError>;

    /// Exchanges messages with other ranks while `work` runs. Each call of `work` computes one piece and returns
    /// whether more remains; communication progresses between the pieces. Both sides know the length of every message;
    /// at most one message travels in each direction between two ranks. Only ranks that address each other take part.
    ///
    /// # Errors
    /// A rank does not exist, a message has a wrong length, or communication fails.
    fn exchange_during(
        &self,
        outgoing: &[Message],
        incoming: &mut [Message],
        work: &mut dyn FnMut() -> bool,
    ) -> Result<Exchange, TransportError>;

    /// Replaces `values` on every rank by their sums over the ranks, accumulated from rank 0 upward.
    ///
    /// # Errors
    /// Ranks disagree about the length, or communication fails.
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

    /// Replaces `values` on every rank by their maxima over the ranks.
    ///
    /// # Errors
    /// Ranks disagree about the length, or communication fails.
    fn all_max(&self, values: &mut [f64]) -> Result<(), TransportError> {
        for contribution in contributions_of(self, values)? {
            for (value, part) in values.iter_mut().zip(contribution) {
                *value = value.max(part);
            }
        }
        Ok(())
    }
}

/// Returns the contributions of all ranks to an array of common length, in rank order.
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

/// Returns the global ids that `rank` of `size` processes owns out of `total`: a contiguous range; range lengths differ
/// by at most one.
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

/// The transport of a single process.
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
