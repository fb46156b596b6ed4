//! Messages between a coordinator and its workers, over pipes.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use wavefield_solver::tasks::Key;

/// Maximum length of a message, bytes: one task result.
const LONGEST: u32 = 1 << 30;

/// First message of a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ready {
    /// Digest of all task keys, which shows whether the worker has read the same problem.
    pub(super) tasks: Key,
}

/// Message to a worker: task numbers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Batch(pub(super) Vec<u32>);

/// Message of a worker: task results.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Done {
    pub(super) number: u32,
    pub(super) result: Vec<u8>,
}

fn broken(what: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_string())
}

/// Sends a message.
pub(super) fn send<T: Serialize>(to: &mut impl Write, message: &T) -> io::Result<()> {
    let bytes = wavefield_solver::checkpoint::written("message", message).map_err(broken)?;
    let length = u32::try_from(bytes.len()).map_err(broken)?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&bytes)?;
    to.flush()
}

/// Receives a message; `None` if the other side has closed the pipe between two messages.
pub(super) fn receive<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    if from.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut length[1..])?;
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(broken("message length exceeds the limit"));
    }
    let mut bytes = Vec::new();
    from.take(length.into()).read_to_end(&mut bytes)?;
    if bytes.len() != length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    wavefield_solver::checkpoint::read("message", &bytes)
        .map(Some)
        .map_err(broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent_and_cut_ones_are_refused() {
        let mut pipe = Vec::new();
        for number in 0..3 {
            let result = vec![7; number as usize];
            send(&mut pipe, &Done { number, result }).unwrap();
        }
        let mut reader = &pipe[..];
        for number in 0..3 {
            let done: Done = receive(&mut reader).unwrap().unwrap();
            assert_eq!((done.number, done.result.len()), (number, number as usize));
        }
        assert!(receive::<Done>(&mut reader).unwrap().is_none());
        assert!(receive::<Done>(&mut &pipe[..2]).is_err());
        assert!(receive::<Done>(&mut &pipe[..5]).is_err());
        assert!(receive::<Done>(&mut &[255u8; 9][..]).is_err());
    }
}
