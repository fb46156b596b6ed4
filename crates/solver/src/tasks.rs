//! Independent tasks of a run: the aspects of a sweep, the cases of a problem.
//!
//! A solver lists the [keys](key) of its tasks and computes them through [`run_all`]. The caller provides the
//! executor: the threads of this process, or an [`Executor`] of several processes that saves every result under its
//! key. A key is a digest of everything that determines the result, so results cannot be confused.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest as _, Sha256};
use wavefield_numerics::observe::{Cancelled, Observer, Progress};

use crate::checkpoint::{CheckpointError, CheckpointStore, read, written};

/// Key of a task: a digest of everything that determines its result.
pub type Key = [u8; 32];

/// Returns the key of a task from the content common to all tasks of a run and from its own.
///
/// # Errors
/// The content cannot be serialized.
pub fn key<T: Serialize>(common: &Key, own: &T) -> Result<Key, CheckpointError> {
    let mut digest = Sha256::new();
    digest.update(common);
    digest.update(written("task", own)?);
    Ok(digest.finalize().into())
}

/// Returns the key of the content common to all tasks of a run.
///
/// # Errors
/// The content cannot be serialized.
pub fn common<T: Serialize>(content: &T) -> Result<Key, CheckpointError> {
    key(&Key::default(), content)
}

/// The tasks of a run, as passed to an executor.
pub struct Tasks<'a> {
    /// Stage name in progress reports.
    pub stage: &'a str,
    /// Keys of the tasks.
    pub keys: &'a [Key],
    /// Computes a task by its index; `None` if it failed, which ends the run.
    pub compute: &'a (dyn Fn(usize) -> Option<Vec<u8>> + Sync),
    /// Receiver of progress, and source of cancellation.
    pub observer: &'a dyn Observer,
}

/// Errors of an executor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskError {
    /// A task failed; its error is with the caller.
    Failed,
    /// The run was canceled.
    Stopped,
    /// A result could not be saved, or a process was lost.
    Checkpoint(CheckpointError),
}

/// Executor of the tasks of a run.
pub trait Executor: Send + Sync {
    /// Computes all tasks that have no saved result, and returns the results of all tasks in order, shared with
    /// the journal that holds them.
    ///
    /// # Errors
    /// A task failed, the run was canceled, or a result could not be saved.
    fn work(&self, tasks: &Tasks<'_>) -> Result<Vec<Arc<[u8]>>, TaskError>;
}

/// Computes every task, on the executor of `checkpoints` if it has one, and returns the results in order.
///
/// # Errors
/// The first error of a task, cancellation, or a result that could not be saved.
pub fn run_all<T, E>(
    checkpoints: &dyn CheckpointStore,
    observer: &dyn Observer,
    stage: &str,
    keys: &[Key],
    compute: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E>
where
    T: Serialize + DeserializeOwned + Send,
    E: From<CheckpointError> + From<Cancelled> + Send,
{
    let Some(executor) = checkpoints.executor() else {
        return alone(observer, stage, keys.len(), compute);
    };
    let failure = Mutex::new(None);
    let task = |number: usize| {
        let result = compute(number).and_then(|value| Ok(written(stage, &value)?));
        match result {
            Ok(bytes) => Some(bytes),
            Err(error) => {
                let mut first = failure
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                first.get_or_insert(error);
                None
            }
        }
    };
    let tasks = Tasks {
        stage,
        keys,
        compute: &task,
        observer,
    };
    let done = executor.work(&tasks);
    let failure = failure
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(error) = failure {
        return Err(error);
    }
    match done {
        Ok(results) => results
            .iter()
            .map(|bytes| Ok(read(stage, bytes)?))
            .collect(),
        Err(TaskError::Checkpoint(reason)) => Err(reason.into()),
        Err(TaskError::Stopped) => Err(Cancelled.into()),
        Err(TaskError::Failed) => {
            Err(CheckpointError("a task failed without a message".to_owned()).into())
        }
    }
}

/// Computes all tasks on the threads of this process.
fn alone<T: Send, E: From<Cancelled> + Send>(
    observer: &dyn Observer,
    stage: &str,
    count: usize,
    compute: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let done = AtomicU64::new(0);
    (0..count)
        .into_par_iter()
        .map(|number| {
            observer.checkpoint()?;
            let result = compute(number)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            observer.progress(&Progress::new(stage, done, count as u64));
            Ok(result)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_numerics::observe::{Cancel, Silent};

    use crate::checkpoint::NullStore;

    #[derive(Debug, PartialEq, thiserror::Error)]
    enum Error {
        #[error("{0}")]
        Checkpoint(#[from] CheckpointError),
        #[error("{0}")]
        Cancelled(#[from] Cancelled),
        #[error("task {0}")]
        Task(usize),
    }

    /// An executor that computes the tasks sequentially in reverse order.
    struct Backwards;

    impl Executor for Backwards {
        fn work(&self, tasks: &Tasks<'_>) -> Result<Vec<Arc<[u8]>>, TaskError> {
            let numbers = (0..tasks.keys.len()).rev();
            let mut done: Vec<Arc<[u8]>> = numbers
                .map(|number| {
                    (tasks.compute)(number)
                        .map(Arc::from)
                        .ok_or(TaskError::Failed)
                })
                .collect::<Result<_, _>>()?;
            done.reverse();
            Ok(done)
        }
    }

    struct Crewed;

    impl CheckpointStore for Crewed {
        fn executor(&self) -> Option<&dyn Executor> {
            Some(&Backwards)
        }
    }

    fn square(number: usize) -> Result<f64, Error> {
        Ok((number as f64).powi(2))
    }

    #[test]
    fn a_crew_returns_what_one_process_computes() {
        let keys = vec![Key::default(); 20];
        let alone = run_all(&NullStore, &Silent, "squares", &keys, square).unwrap();
        let crewed = run_all(&Crewed, &Silent, "squares", &keys, square).unwrap();
        assert_eq!(alone[7], 49.0);
        assert_eq!(alone, crewed);
    }

    #[test]
    fn the_error_of_a_task_is_the_error_of_the_run() {
        let keys = vec![Key::default(); 5];
        let failing = |number| {
            if number == 3 {
                Err(Error::Task(number))
            } else {
                square(number)
            }
        };
        for checkpoints in [&NullStore as &dyn CheckpointStore, &Crewed] {
            let failed = run_all(checkpoints, &Silent, "squares", &keys, failing);
            assert_eq!(failed.unwrap_err(), Error::Task(3));
        }
    }

    #[test]
    fn a_stop_is_heard_between_tasks() {
        let stop = Cancel::new();
        stop.request();
        let stopped = run_all(&NullStore, &stop, "squares", &[Key::default()], square);
        assert_eq!(stopped.unwrap_err(), Error::Cancelled(Cancelled));
    }

    #[test]
    fn a_key_changes_with_all_that_it_is_made_of() {
        let body = common(&"body").unwrap();
        let first = key(&body, &1.0).unwrap();
        assert_eq!(first, key(&body, &1.0).unwrap());
        assert_ne!(first, key(&body, &1.0f64.next_up()).unwrap());
        assert_ne!(first, key(&common(&"other").unwrap(), &1.0).unwrap());
    }
}
