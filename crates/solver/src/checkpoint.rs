//! What a long run has finished is kept, so that an interrupted one goes on where it was.
//!
//! A solver names the parts of its work and computes each through [`once`]; a part is a pure function of the
//! problem and of earlier parts, so that a run that goes on ends with the same bits as one that was never
//! interrupted. Where parts are kept is the caller's business.

use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::tasks::Crew;

/// Somebody who keeps the finished parts of a run: a file, or nobody.
pub trait Keeper: Send + Sync {
    /// A part finished earlier.
    ///
    /// # Errors
    /// It was kept and cannot be read.
    fn recall(&self, part: &str) -> Result<Option<Vec<u8>>, NotKept> {
        let _ = part;
        Ok(None)
    }

    /// Keeps parts, all or none, one after another, so that they need not be in memory together; one without bytes is
    /// forgotten. Whatever happens, all are asked for.
    ///
    /// # Errors
    /// They could not be kept, or one of them could not be made; going on would break a promise.
    fn keep_all(
        &self,
        parts: &mut dyn Iterator<Item = Result<Part, NotKept>>,
    ) -> Result<(), NotKept> {
        let mut made = Ok(());
        for part in parts {
            made = made.and(part.map(drop));
        }
        made
    }

    /// Keeps a part.
    ///
    /// # Errors
    /// It could not be kept; going on would break a promise.
    fn keep(&self, part: &str, bytes: Vec<u8>) -> Result<(), NotKept> {
        self.keep_all(&mut std::iter::once(Ok((part.to_owned(), bytes))))
    }

    /// Whether work that goes on for long is to be kept anew: it is time, and keeping it is worth what it costs.
    fn is_due(&self) -> bool {
        false
    }

    /// Who does tasks that need nothing of each other; nobody but this process if there is none, and then nothing of
    /// them is kept.
    fn crew(&self) -> Option<&dyn Crew> {
        None
    }
}

/// A part of a run: its name and its bytes.
pub type Part = (String, Vec<u8>);

/// A finished part could not be kept, and why.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("what was finished could not be kept: {0}")]
pub struct NotKept(pub String);

/// Keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Forgetful;

impl Keeper for Forgetful {}

/// The part of this name: recalled, or computed and kept.
///
/// # Errors
/// Those of the computation, or the part could not be kept.
pub fn once<T, E>(
    keeper: &dyn Keeper,
    part: &str,
    compute: impl FnOnce() -> Result<T, E>,
) -> Result<T, E>
where
    T: Serialize + DeserializeOwned,
    E: From<NotKept>,
{
    if let Some(bytes) = keeper.recall(part)? {
        return Ok(read(part, &bytes)?);
    }
    let value = compute()?;
    keeper.keep(part, written(part, &value)?)?;
    Ok(value)
}

/// A part as bytes.
///
/// # Errors
/// It holds what bytes cannot.
pub fn written<T: Serialize>(part: &str, value: &T) -> Result<Vec<u8>, NotKept> {
    // Counted first: bytes that grow take twice the room and more.
    postcard::serialize_with_flavor(value, postcard::ser_flavors::Size::default())
        .and_then(|count| postcard::to_extend(value, Vec::with_capacity(count)))
        .map_err(|error| NotKept(format!("`{part}` cannot be written: {error}")))
}

/// A part back from its bytes.
///
/// # Errors
/// They are those of something else.
pub fn read<T: DeserializeOwned>(part: &str, bytes: &[u8]) -> Result<T, NotKept> {
    postcard::from_bytes(bytes)
        .map_err(|error| NotKept(format!("`{part}` cannot be read back: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeMap, sync::Mutex};

    #[derive(Default)]
    struct Memory(Mutex<BTreeMap<String, Vec<u8>>>);

    impl Keeper for Memory {
        fn recall(&self, part: &str) -> Result<Option<Vec<u8>>, NotKept> {
            Ok(self.0.lock().unwrap().get(part).cloned())
        }

        fn keep_all(
            &self,
            parts: &mut dyn Iterator<Item = Result<Part, NotKept>>,
        ) -> Result<(), NotKept> {
            let new = parts.collect::<Result<Vec<Part>, NotKept>>()?;
            self.0.lock().unwrap().extend(new);
            Ok(())
        }

        fn is_due(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_part_is_computed_once_and_comes_back_bit_by_bit() {
        let memory = Memory::default();
        let value = vec![0.1 + 0.2, -0.0, f64::MIN_POSITIVE / 8.0, f64::INFINITY];
        let first: Result<Vec<f64>, NotKept> = once(&memory, "a", || Ok(value.clone()));
        let second: Result<Vec<f64>, NotKept> = once(&memory, "a", || unreachable!());
        let bits = |v: Vec<f64>| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(first.unwrap()), bits(second.unwrap()));
    }

    #[test]
    fn a_part_that_is_not_what_it_should_be_is_an_error() {
        let memory = Memory::default();
        memory.keep("a", vec![7, 1]).unwrap();
        let read: Result<Vec<f64>, NotKept> = once(&memory, "a", || Ok(Vec::new()));
        assert!(read.unwrap_err().to_string().contains("`a`"));
    }
}
