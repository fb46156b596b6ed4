//! Worker processes that are told which tasks to do. One that dies is replaced, and what it had not finished is given
//! to another.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use wavefield_numerics::observe::Progress;
use wavefield_solver::checkpoint::NotKept;
use wavefield_solver::tasks::{Crew, Key, NotDone, Tasks};

use super::super::journal::Journal;
use super::wire::{Batch, Done, Ready, receive, send};
use super::worker::fingerprint;
use super::{addresses, gathered, missing};

/// Batches are made so large that they take about this long.
const BATCH: Duration = Duration::from_millis(200);
/// Most tasks of a batch.
const LARGEST: usize = 4096;
/// A worker that is asked to stop has this long before it is killed.
const GRACE: Duration = Duration::from_secs(2);
/// Time between two looks at who has finished and whether to stop.
const LOOK: Duration = Duration::from_millis(20);
/// Workers that may die one after the other without having finished a task.
const DEATHS: usize = 5;

/// How a worker is started.
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// What it is called with.
    pub arguments: Vec<OsString>,
}

/// Processes of this machine.
pub(crate) struct Jobs<'a> {
    pub(crate) journal: &'a Journal,
    /// How many.
    pub(crate) jobs: usize,
    pub(crate) command: WorkerCommand,
}

/// What the threads that serve workers share.
struct Shared<'a> {
    tasks: &'a Tasks<'a>,
    addresses: Vec<Key>,
    fingerprint: Key,
    /// Tasks nobody does yet.
    queue: Mutex<VecDeque<u32>>,
    /// Tasks without a result.
    left: AtomicUsize,
    stop: AtomicBool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn lost(what: impl std::fmt::Display) -> NotDone {
    NotDone::NotKept(NotKept(what.to_string()))
}

impl Crew for Jobs<'_> {
    fn work(&self, tasks: &Tasks<'_>) -> Result<Vec<Vec<u8>>, NotDone> {
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
                    .unwrap_or_else(|_| Err(lost("a thread was lost")))
            });
            // What went wrong comes before the stop that it led to.
            let mut outcome = Ok(());
            for end in ends {
                outcome = match (outcome, end) {
                    (Ok(()) | Err(NotDone::Stopped), Err(error)) => Err(error),
                    (outcome, _) => outcome,
                };
            }
            outcome
        });
        self.journal.force().map_err(NotDone::NotKept)?;
        outcome?;
        gathered(self.journal, &shared.addresses)
    }
}

impl Jobs<'_> {
    /// Keeps one worker busy until nothing is left.
    fn serve(&self, shared: &Shared<'_>, place: &Mutex<Option<Child>>) -> Result<(), NotDone> {
        let served = self.serve_all(shared, place);
        end(place);
        if matches!(&served, Err(error) if *error != NotDone::Stopped) {
            shared.stop.store(true, Ordering::Relaxed);
        }
        served
    }

    fn serve_all(&self, shared: &Shared<'_>, place: &Mutex<Option<Child>>) -> Result<(), NotDone> {
        let mut deaths = 0;
        let mut size = 1;
        let mut pipes = None;
        loop {
            if shared.stop.load(Ordering::Relaxed) {
                return Err(NotDone::Stopped);
            }
            if shared.left.load(Ordering::Relaxed) == 0 {
                return Ok(());
            }
            let mut batch = shared.take(size, self.jobs);
            if batch.is_empty() {
                // Somebody else has the last ones, and may die over them.
                std::thread::sleep(LOOK);
                continue;
            }
            let start = Instant::now();
            let count = batch.len();
            let worked = self
                .pipes(&mut pipes, place, &shared.fingerprint)
                .and_then(|pipes| self.have_done(shared, pipes, &mut batch));
            // What came back counts, whatever happened then.
            let finished = count - batch.len();
            locked(&shared.queue).extend(&batch);
            match worked {
                Ok(()) => {
                    deaths = 0;
                    let speed = BATCH.as_secs_f64() / start.elapsed().as_secs_f64().max(1e-6);
                    size = ((size as f64 * speed) as usize).clamp(1, (2 * size).min(LARGEST));
                }
                Err(Trouble::Disk(reason)) => return Err(NotDone::NotKept(reason)),
                Err(Trouble::Stranger) => {
                    return Err(lost(
                        "a worker found other tasks: has the problem or one of its files been changed?",
                    ));
                }
                Err(Trouble::Gone(error)) => {
                    if shared.stop.load(Ordering::Relaxed) {
                        continue;
                    }
                    tracing::warn!("a worker is gone ({error}); another takes its place");
                    pipes = None;
                    end(place);
                    deaths = if finished > 0 { 0 } else { deaths + 1 };
                    size = 1;
                    if deaths == DEATHS {
                        return Err(lost(format!(
                            "{DEATHS} workers ended one after the other without finishing a task, the last at task {} of {}",
                            batch.first().map_or(0, |number| number + 1),
                            shared.addresses.len()
                        )));
                    }
                }
            }
        }
    }

    /// The pipes to the worker, which is started if there is none.
    fn pipes<'p>(
        &self,
        pipes: &'p mut Option<Pipes>,
        place: &Mutex<Option<Child>>,
        fingerprint: &Key,
    ) -> Result<&'p mut Pipes, Trouble> {
        if pipes.is_none() {
            let mut command = Command::new(&self.command.program);
            // Ctrl-C on a terminal is for us to hear.
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

    /// Lets the worker do a batch; what is left in it has no result.
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
    /// Takes some tasks, but not more than leaves some for the others.
    fn take(&self, size: usize, jobs: usize) -> Vec<u32> {
        let mut queue = locked(&self.queue);
        let fair = queue.len().div_ceil(2 * jobs.max(1));
        let count = size.min(fair);
        queue.drain(..count).collect()
    }
}

/// The ends of a worker's pipes.
struct Pipes {
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

/// Why a batch was not done.
enum Trouble {
    /// The worker does not answer.
    Gone(std::io::Error),
    /// It works on another problem.
    Stranger,
    /// A result could not be kept.
    Disk(NotKept),
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

/// Ends a worker, if it is still there.
fn end(place: &Mutex<Option<Child>>) {
    if let Some(mut child) = locked(place).take() {
        // It may have ended already.
        let _ = child.kill();
        let _ = child.wait();
    }
}
