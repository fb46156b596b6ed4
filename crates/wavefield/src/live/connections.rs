//! Open connections, limited so that none can lock out others: a new one closes the oldest.

use std::collections::VecDeque;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Connections of one kind.
pub(super) struct Connections {
    most: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    /// Connections by age, the oldest first.
    streams: VecDeque<(u64, TcpStream)>,
    accepted: u64,
}

/// Connection that is open until this is dropped.
pub(super) struct Held<'a> {
    connections: &'a Connections,
    number: u64,
}

impl Connections {
    pub(super) fn new(most: usize) -> Connections {
        Connections {
            most,
            open: Mutex::default(),
        }
    }

    /// Adds a connection; closes the oldest if there are too many.
    pub(super) fn hold(&self, stream: &TcpStream) -> io::Result<Held<'_>> {
        let stream = stream.try_clone()?;
        let mut open = self.open();
        if open.streams.len() >= self.most
            && let Some((_, oldest)) = open.streams.pop_front()
        {
            // It may be closed already.
            let _ = oldest.shutdown(Shutdown::Both);
        }
        let number = open.accepted;
        open.accepted += 1;
        open.streams.push_back((number, stream));
        Ok(Held {
            connections: self,
            number,
        })
    }

    /// Closes all connections, which ends reads and writes that wait for their clients.
    pub(super) fn close_all(&self) {
        for (_, stream) in &self.open().streams {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let number = self.number;
        let mut open = self.connections.open();
        open.streams.retain(|(other, _)| *other != number);
    }
}
