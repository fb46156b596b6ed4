//! Running problems and the command line from Python.

use std::ffi::OsString;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wavefield::Error;
use wavefield::compare::{Candidate, compare};
use wavefield::examples::EXAMPLES;
use wavefield::numerics::observe::{Cancel, Observer, Progress};
use wavefield::outcome::Outcome;
use wavefield::problem::Problem;
use wavefield::result::Record;
use wavefield::run::{Options, run};

use crate::errors::exception;
use crate::outcome::{self, Parts};

/// Interval at which the main thread checks for Ctrl-C and reports progress.
const PULSE: Duration = Duration::from_millis(50);

/// Message from the worker thread to the main thread.
enum Message {
    Progress {
        stage: String,
        done: u64,
        total: Option<u64>,
        residual: Option<f64>,
    },
    Finished(Box<Result<(Record, Outcome), Error>>),
}

/// Sends progress to the main thread, which alone may call Python.
struct Relay {
    cancel: Cancel,
    sender: Sender<Message>,
}

impl Observer for Relay {
    fn progress(&self, event: &Progress<'_>) {
        // Sending fails only if the main thread was interrupted.
        let _ = self.sender.send(Message::Progress {
            stage: event.stage.to_owned(),
            done: event.done,
            total: event.total,
            residual: event.residual,
        });
    }

    fn stop_requested(&self) -> bool {
        self.cancel.is_requested()
    }
}

/// Runs a problem on a thread of its own, while the main thread reports progress and checks for Ctrl-C.
pub(crate) fn run_problem<'py>(
    py: Python<'py>,
    problem: &Problem,
    options: &Options,
    progress: Option<&Py<PyAny>>,
) -> PyResult<Parts<'py>> {
    let cancel = Cancel::new();
    let (sender, receiver) = channel();
    let relay = Relay {
        cancel: cancel.clone(),
        sender: sender.clone(),
    };
    let outcome = py.detach(move || {
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let finished = run(problem, options, &relay);
                // Sending fails only if the main thread was interrupted.
                let _ = sender.send(Message::Finished(Box::new(finished)));
            });
            watch(&receiver, &cancel, progress)
        })
    });
    let (record, outcome) = outcome?.map_err(exception)?;
    outcome::parts(py, &record, outcome)
}

/// Waits for the run; checks for signals and reports progress to Python about every pulse.
fn watch(
    receiver: &Receiver<Message>,
    cancel: &Cancel,
    progress: Option<&Py<PyAny>>,
) -> PyResult<Result<(Record, Outcome), Error>> {
    let mut interrupted: Option<PyErr> = None;
    let mut latest = None;
    let mut last_look = Instant::now();
    loop {
        match receiver.recv_timeout(PULSE) {
            Ok(Message::Finished(finished)) => {
                return match interrupted {
                    Some(error) => Err(error),
                    None => {
                        report(progress, latest)?;
                        Ok(*finished)
                    }
                };
            }
            Ok(event @ Message::Progress { .. }) => latest = Some(event),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let lost = Error::runtime("the run ended without a result".to_owned());
                return interrupted.map_or(Ok(Err(lost)), Err);
            }
        }
        if interrupted.is_none() && last_look.elapsed() >= PULSE {
            last_look = Instant::now();
            if let Err(error) = signals().and_then(|()| report(progress, latest.take())) {
                cancel.request();
                interrupted = Some(error);
            }
        }
    }
}

/// Returns the exception of a signal that Python has received.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the bare method is not general over the lifetime of the interpreter"
)]
fn signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

fn report(progress: Option<&Py<PyAny>>, event: Option<Message>) -> PyResult<()> {
    if let (
        Some(callback),
        Some(Message::Progress {
            stage,
            done,
            total,
            residual,
        }),
    ) = (progress, event)
    {
        Python::attach(|py| {
            callback
                .call1(py, (stage, done, total, residual))
                .map(|_| ())
        })?;
    }
    Ok(())
}

/// Compares results by their names; returns the comparison and, as JSON, the agreement of each result with the reference.
#[pyfunction]
#[pyo3(signature = (results, reference))]
#[expect(clippy::needless_pass_by_value, reason = "arguments come from Python")]
pub(crate) fn compare_results<'py>(
    py: Python<'py>,
    results: Vec<(String, String, Bound<'py, PyDict>)>,
    reference: Option<String>,
) -> PyResult<(Parts<'py>, String)> {
    let candidates: Vec<Candidate> = results
        .into_iter()
        .map(|(name, record, arrays)| {
            let (record, outcome) = outcome::result(&record, &arrays)?;
            Ok(Candidate {
                label: name.clone(),
                name,
                about: format!("{}, {}", record.solver, record.title),
                solver: record.solver,
                title: record.title,
                outcome,
            })
        })
        .collect::<PyResult<_>>()?;
    let compared = compare(&candidates, reference.as_deref()).map_err(exception)?;
    let verdicts = serde_json::to_string(&compared.verdicts)
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let parts = outcome::parts(py, &compared.record, compared.outcome)?;
    Ok((parts, verdicts))
}

/// Runs the command line and returns its exit code.
#[pyfunction]
pub(crate) fn run_cli(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| wavefield_cli::main(arguments))
}

/// Returns the built-in examples: name and problem text.
#[pyfunction]
pub(crate) fn examples() -> Vec<(&'static str, &'static str)> {
    EXAMPLES
        .iter()
        .map(|example| (example.name, example.problem))
        .collect()
}
