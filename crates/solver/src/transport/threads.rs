//! A transport between threads that act as ranks, to test distributed solvers in one process.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use super::{Exchange, Message, Transport, TransportError};

/// A rank that is a thread of this process.
#[derive(Debug)]
pub struct ThreadRank {
    rank: u32,
    /// Channels to every rank and from every rank.
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

impl ThreadRank {
    /// Creates `size` ranks, one for each thread.
    #[must_use]
    pub fn group(size: u32) -> Vec<ThreadRank> {
        let mut ranks: Vec<ThreadRank> = (0..size)
            .map(|rank| ThreadRank {
                rank,
                to: Vec::new(),
                from: Vec::new(),
            })
            .collect();
        for sender in 0..size as usize {
            for receiver in 0..size as usize {
                let (to, from) = channel();
                ranks[sender].to.push(to);
                ranks[receiver].from.push(Mutex::new(from));
            }
        }
        ranks
    }

    fn gone() -> TransportError {
        TransportError::Failed {
            message: "the thread of another rank has terminated".to_owned(),
        }
    }

    fn send(&self, rank: u32, bytes: Vec<u8>) -> Result<(), TransportError> {
        let way = self.to.get(rank as usize);
        way.ok_or(TransportError::NoSuchRank {
            rank,
            size: self.size(),
        })?
        .send(bytes)
        .map_err(|_| Self::gone())
    }

    fn receive(&self, rank: u32) -> Result<Vec<u8>, TransportError> {
        let way = self.from.get(rank as usize);
        let way = way.ok_or(TransportError::NoSuchRank {
            rank,
            size: self.size(),
        })?;
        let way = way
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        way.recv().map_err(|_| Self::gone())
    }
}

impl Transport for ThreadRank {
    fn rank(&self) -> u32 {
        self.rank
    }

    fn size(&self) -> u32 {
        self.to.len() as u32
    }

    fn barrier(&self) -> Result<(), TransportError> {
        self.all_gather(&[]).map(|_| ())
    }

    fn all_gather(&self, contribution: &[u8]) -> Result<Vec<Vec<u8>>, TransportError> {
        for rank in 0..self.size() {
            self.send(rank, contribution.to_vec())?;
        }
        (0..self.size()).map(|rank| self.receive(rank)).collect()
    }

    fn exchange(&self, outgoing: Vec<Message>) -> Result<Vec<Message>, TransportError> {
        let mut counts = vec![0_u64; self.size() as usize];
        for message in &outgoing {
            let count = counts.get_mut(message.rank as usize);
            *count.ok_or(TransportError::NoSuchRank {
                rank: message.rank,
                size: self.size(),
            })? += 1;
        }
        for (rank, count) in (0..).zip(counts) {
            self.send(rank, count.to_le_bytes().to_vec())?;
        }
        for message in outgoing {
            self.send(message.rank, message.bytes)?;
        }
        let mut incoming = Vec::new();
        for rank in 0..self.size() {
            let count = self.receive(rank)?.try_into().map_err(|_| Self::gone())?;
            for _ in 0..u64::from_le_bytes(count) {
                let bytes = self.receive(rank)?;
                incoming.push(Message { rank, bytes });
            }
        }
        Ok(incoming)
    }

    fn exchange_during(
        &self,
        outgoing: &[Message],
        incoming: &mut [Message],
        work: &mut dyn FnMut() -> bool,
    ) -> Result<Exchange, TransportError> {
        for message in outgoing {
            self.send(message.rank, message.bytes.clone())?;
        }
        while work() {}
        let start = Instant::now();
        for message in incoming {
            let bytes = self.receive(message.rank)?;
            if bytes.len() != message.bytes.len() {
                return Err(TransportError::Length {
                    rank: message.rank,
                    expected: message.bytes.len() as u64,
                    found: bytes.len() as u64,
                });
            }
            message.bytes = bytes;
        }
        Ok(Exchange {
            waited: start.elapsed(),
        })
    }
}
