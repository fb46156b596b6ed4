//! Checkpoints: finished sections of a long run, stored so that an interrupted run resumes from them.
//!
//! A solver names the sections of its run and computes each through [`load_or_compute`]. A section is a pure function of the
//! problem and of earlier sections, so the result of a resumed run is bitwise identical to that of an uninterrupted
//! one. The caller chooses the storage.

use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

use crate::tasks::Executor;

/// Storage for checkpoint sections: a file, or a no-op.
pub trait CheckpointStore: Send + Sync {
    /// Loads a section saved earlier; `None` if there is none.
    ///
    /// # Errors
    /// The section exists but cannot be read.
    fn load(&self, part: &str) -> Result<Option<Vec<u8>>, CheckpointError> {
        let _ = part;
        Ok(None)
    }

    /// Saves sections atomically, all or none, and drains the iterator one section at a time, so that they need not
    /// be in memory together. An empty section is deleted. Every section is requested, also after a failure.
    ///
    /// # Errors
    /// The sections cannot be saved, or one of them cannot be computed; the run must not continue.
    fn save_all(
        &self,
        parts: &mut dyn Iterator<Item = Result<Part, CheckpointError>>,
    ) -> Result<(), CheckpointError> {
        let mut made = Ok(());
        for part in parts {
            made = made.and(part.map(drop));
        }
        made
    }

    /// Saves a section.
    ///
    /// # Errors
    /// The section cannot be saved; the run must not continue.
    fn save(&self, part: &str, bytes: Vec<u8>) -> Result<(), CheckpointError> {
        self.save_all(&mut std::iter::once(Ok((part.to_owned(), bytes))))
    }

    /// Returns whether a long-running computation is due for its next checkpoint: the interval has elapsed, and the
    /// cost of saving is justified.
    fn is_due(&self) -> bool {
        false
    }

    /// Returns the executor of independent tasks. Without one, tasks run in this process, and their results are not
    /// saved.
    fn executor(&self) -> Option<&dyn Executor> {
        None
    }
}

/// A checkpoint section: its name and its bytes.
pub type Part = (String, Vec<u8>);

/// A checkpoint section cannot be saved or loaded, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("checkpoint failed: {0}")]
pub struct CheckpointError(pub String);

/// A [`CheckpointStore`] that stores nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NullStore;

impl CheckpointStore for NullStore {}

/// Loads the section of this name, or computes and saves it.
///
/// # Errors
/// Those of the computation, or the section cannot be loaded or saved.
pub fn load_or_compute<T, E>(
    checkpoints: &dyn CheckpointStore,
    part: &str,
    compute: impl FnOnce() -> Result<T, E>,
) -> Result<T, E>
where
    T: Serialize + DeserializeOwned,
    E: From<CheckpointError>,
{
    if let Some(bytes) = checkpoints.load(part)? {
        return Ok(read(part, &bytes)?);
    }
    let value = compute()?;
    checkpoints.save(part, written(part, &value)?)?;
    Ok(value)
}

/// Serializes a section.
///
/// # Errors
/// The value cannot be serialized.
pub fn written<T: Serialize>(part: &str, value: &T) -> Result<Vec<u8>, CheckpointError> {
    // Computes the size first: a growing buffer would take twice the memory and more.
    postcard::serialize_with_flavor(value, postcard::ser_flavors::Size::default())
        .and_then(|count| postcard::to_extend(value, Vec::with_capacity(count)))
        .map_err(|error| CheckpointError(format!("cannot serialize the section `{part}`: {error}")))
}

/// Deserializes a section.
///
/// # Errors
/// The bytes are not a section of this type.
pub fn read<T: DeserializeOwned>(part: &str, bytes: &[u8]) -> Result<T, CheckpointError> {
    postcard::from_bytes(bytes)
        .map_err(|error| CheckpointError(format!("cannot read the section `{part}`: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeMap, sync::Mutex};

    #[derive(Default)]
    struct Memory(Mutex<BTreeMap<String, Vec<u8>>>);

    impl CheckpointStore for Memory {
        fn load(&self, part: &str) -> Result<Option<Vec<u8>>, CheckpointError> {
            Ok(self.0.lock().unwrap().get(part).cloned())
        }

        fn save_all(
            &self,
            parts: &mut dyn Iterator<Item = Result<Part, CheckpointError>>,
        ) -> Result<(), CheckpointError> {
            let new = parts.collect::<Result<Vec<Part>, CheckpointError>>()?;
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
        let first: Result<Vec<f64>, CheckpointError> =
            load_or_compute(&memory, "a", || Ok(value.clone()));
        let second: Result<Vec<f64>, CheckpointError> =
            load_or_compute(&memory, "a", || unreachable!());
        let bits = |v: Vec<f64>| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(first.unwrap()), bits(second.unwrap()));
    }

    #[test]
    fn a_part_that_is_not_what_it_should_be_is_an_error() {
        let memory = Memory::default();
        memory.save("a", vec![7, 1]).unwrap();
        let read: Result<Vec<f64>, CheckpointError> =
            load_or_compute(&memory, "a", || Ok(Vec::new()));
        assert!(read.unwrap_err().to_string().contains("`a`"));
    }
}
