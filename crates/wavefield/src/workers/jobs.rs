//! Executor with worker processes. A worker that dies is replaced, and its unfinished tasks are assigned again.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use wavefield_numerics::observe::Progress;
use wavefield_solver::checkpoint::CheckpointError;
use wavefield_solver::tasks::{Executor, Key, TaskError, Tasks};

use super::wire::{Batch, Done, Ready, receive, send};
use super::worker::fingerprint;
use super::{addresses, gathered, missing};
use crate::checkpoint::journal::Journal;

/// Target duration of a batch of tasks.
const BATCH: Duration = Duration::from_millis(200);
/// Maximum number of tasks per batch.
const LARGEST: usize = 4096;
/// Time between the stop request of a worker and its kill.
const GRACE: Duration = Duration::from_secs(2);
/// Polling interval for finished workers and the stop request.
const LOOK: Duration = Duration::from_millis(20);
/// Number of consecutive worker deaths without a finished task after which the run fails.
const DEATHS: usize = 5;

/// Command line of a worker.
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    /// Executable.
    pub program: PathBuf,
    /// Arguments.
    pub arguments: Vec<OsString>,
}

/// Worker processes on this machine.
pub(crate) struct Jobs<'a> {
    pub(crate) journal: &'a Journal,
    /// Number of workers.
    pub(crate) jobs: usize,
    pub(crate) command: WorkerCommand,
}

/// State shared by the threads that serve workers.
struct Shared<'a> {
    tasks: &'a Tasks<'a>,
    addresses: Vec<Key>,
    fingerprint: Key,
    /// Unassigned tasks.
    queue: Mutex<VecDeque<u32>>,
    /// Number of tasks without a result.
    left: AtomicUsize,
    stop: AtomicBool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn lost(what: impl std::fmt::Display) -> TaskError {
    TaskError::Checkpoint(CheckpointError(what.to_string()))
}

impl Executor for Jobs<'_> {
    fn work(&self, tasks: &Tasks<'_>) -> Result<Vec<Vec<u8>>, TaskError> {
        let addresses = addresses(tasks.keys)?;
        let numbers = (missing(self.journal, &addresses).into_iter())
            .map(|number| u32::try_from(number).map_err(|_| lost("more than 2³² tasks")))
            .collect::<Result<VecDeque<u32>, _>>()?;
        let shared = Shared {
            tasks,
            fingerprint: fingerprint(tasks.keys)?,
            addresses,
            left: numbers.len().into(),
            queue: Mutex::new(numbers),
            stop: false.into(),
        };
        let jobs = self.jobs.min(shared.left.load(Ordering::Relaxed));
        let children: Vec<Mutex<Option<Child>>> = (0..jobs).map(|_| Mutex::default()).collect();
        let outcome = std::thread::scope(|scope| {
            let served: Vec<_> = (children.iter())
                .map(|child| scope.spawn(|| self.serve(&shared, child)))
                .collect();
            let mut asked = None;
            while served.iter().any(|thread| !thread.is_finished()) {
                std::thread::sleep(LOOK);
                let failed = shared.stop.load(Ordering::Relaxed);
                if asked.is_none() && (failed || tasks.observer.stop_requested()) {
                    shared.stop.store(true, Ordering::Relaxed);
                    asked = Some(Instant::now());
                }
                if asked.is_some_and(|asked| asked.elapsed() > GRACE) {
                    for child in &children {
                        end(child);
                    }
                }
            }
            let ends = (served.into_iter()).map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err(lost("a worker thread panicked")))
            });
            // The failure takes precedence over the stop that it caused.
            let mut outcome = Ok(());
            for end in ends {
                outcome = match (outcome, end) {
                    (Ok(()) | Err(TaskError::Stopped), Err(error)) => Err(error),
                    (outcome, _) => outcome,
                };
            }
            outcome
        });
        self.journal.force().map_err(TaskError::Checkpoint)?;
        outcome?;
        gathered(self.journal, &shared.addresses)
    }
}

impl Jobs<'_> {
    /// Serves one worker until no tasks are left.
    fn serve(&self, shared: &Shared<'_>, place: &Mutex<Option<Child>>) -> Result<(), TaskError> {
        let served = self.serve_all(shared, place);
        end(place);
        if matches!(&served, Err(error) if *error != TaskError::Stopped) {
            shared.stop.store(true, Ordering::Relaxed);
        }
        served
    }

    fn serve_all(
        &self,
        shared: &Shared<'_>,
        place: &Mutex<Option<Child>>,
    ) -> Result<(), TaskError> {
        let mut deaths = 0;
        let mut size = 1;
        let mut pipes = None;
        loop {
            if shared.stop.load(Ordering::Relaxed) {
                return Err(TaskError::Stopped);
            }
            if shared.left.load(Ordering::Relaxed) == 0 {
                return Ok(());
            }
            let mut batch = shared.take(size, self.jobs);
            if batch.is_empty() {
                // The remaining tasks run in other workers, which may die.
                std::thread::sleep(LOOK);
                continue;
            }
            let start = Instant::now();
            let count = batch.len();
            let worked = self
                .pipes(&mut pipes, place, &shared.fingerprint)
                .and_then(|pipes| self.have_done(shared, pipes, &mut batch));
            // Returned results count, whatever happened afterward.
            let finished = count - batch.len();
            locked(&shared.queue).extend(&batch);
            match worked {
                Ok(()) => {
                    deaths = 0;
                    let speed = BATCH.as_secs_f64() / start.elapsed().as_secs_f64().max(1e-6);
                    size = ((size as f64 * speed) as usize).clamp(1, (2 * size).min(LARGEST));
                }
                Err(Trouble::Disk(reason)) => return Err(TaskError::Checkpoint(reason)),
                Err(Trouble::Stranger) => {
                    return Err(lost(
                        "a worker read a different problem; do not change the problem or its files during a run",
                    ));
                }
                Err(Trouble::Gone(error)) => {
                    if shared.stop.load(Ordering::Relaxed) {
                        continue;
                    }
                    tracing::warn!("a worker died ({error}); starting a replacement");
                    pipes = None;
                    end(place);
                    deaths = if finished > 0 { 0 } else { deaths + 1 };
                    size = 1;
                    if deaths == DEATHS {
                        return Err(lost(format!(
                            "{DEATHS} consecutive workers died without finishing a task, the last at task {} of {}",
                            batch.first().map_or(0, |number| number + 1),
                            shared.addresses.len()
                        )));
                    }
                }
            }
        }
    }

    /// Returns the pipes of the worker, which is started if necessary.
    fn pipes<'p>(
        &self,
        pipes: &'p mut Option<Pipes>,
        place: &Mutex<Option<Child>>,
        fingerprint: &Key,
    ) -> Result<&'p mut Pipes, Trouble> {
        if pipes.is_none() {
            let mut command = Command::new(&self.command.program);
            // Ctrl-C on a terminal must reach the coordinator only.
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            let mut child = command
                .args(&self.command.arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .map_err(Trouble::Gone)?;
            let (to, from) = (child.stdin.take(), child.stdout.take());
            *locked(place) = Some(child);
            let (Some(to), Some(from)) = (to, from) else {
                return Err(Trouble::Gone(std::io::ErrorKind::BrokenPipe.into()));
            };
            let mut from = BufReader::new(from);
            let ready: Ready = received(&mut from)?;
            if ready.tasks != *fingerprint {
                return Err(Trouble::Stranger);
            }
            *pipes = Some(Pipes { to, from });
        }
        pipes
            .as_mut()
            .ok_or_else(|| Trouble::Gone(std::io::ErrorKind::BrokenPipe.into()))
    }

    /// Sends a batch to the worker; tasks left in it have no result.
    fn have_done(
        &self,
        shared: &Shared<'_>,
        pipes: &mut Pipes,
        batch: &mut Vec<u32>,
    ) -> Result<(), Trouble> {
        send(&mut pipes.to, &Batch(batch.clone())).map_err(Trouble::Gone)?;
        while !batch.is_empty() {
            let done: Done = received(&mut pipes.from)?;
            let Some(place) = batch.iter().position(|&number| number == done.number) else {
                return Err(Trouble::Gone(std::io::ErrorKind::InvalidData.into()));
            };
            (self.journal)
                .record(&shared.addresses[done.number as usize], &done.result)
                .map_err(Trouble::Disk)?;
            batch.swap_remove(place);
            let left = shared.left.fetch_sub(1, Ordering::Relaxed) - 1;
            let total = shared.addresses.len();
            let event = Progress::new(shared.tasks.stage, (total - left) as u64, total as u64);
            shared.tasks.observer.progress(&event);
        }
        Ok(())
    }
}

impl Shared<'_> {
    /// Takes a batch, leaving enough tasks for the other workers.
    fn take(&self, size: usize, jobs: usize) -> Vec<u32> {
        let mut queue = locked(&self.queue);
        let fair = queue.len().div_ceil(2 * jobs.max(1));
        let count = size.min(fair);
        queue.drain(..count).collect()
    }
}

/// Pipes of a worker.
struct Pipes {
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

/// Reason why a batch was not completed.
enum Trouble {
    /// The worker does not answer.
    Gone(std::io::Error),
    /// The worker reads another problem.
    Stranger,
    /// A result could not be recorded.
    Disk(CheckpointError),
}

fn received<T: serde::de::DeserializeOwned>(
    from: &mut BufReader<ChildStdout>,
) -> Result<T, Trouble> {
    match receive(from) {
        Ok(Some(message)) => Ok(message),
        Ok(None) => Err(Trouble::Gone(std::io::ErrorKind::UnexpectedEof.into())),
        Err(error) => Err(Trouble::Gone(error)),
    }
}

/// Kills a worker, if it is still running.
fn end(place: &Mutex<Option<Child>>) {
    if let Some(mut child) = locked(place).take() {
        // It may have exited already.
        let _ = child.kill();
        let _ = child.wait();
    }
}
