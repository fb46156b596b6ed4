//! Errors as Python exceptions.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use wavefield::{Error, ErrorClass};

create_exception!(
    wavefield,
    ProblemError,
    PyValueError,
    "A problem is invalid; the message lists every error with its position."
);
create_exception!(
    wavefield,
    DeviceError,
    PyException,
    "The GPU failed; no result was returned."
);

create_exception!(
    wavefield,
    ConvergenceError,
    PyException,
    "The computation did not converge, or a check failed."
);

/// Error of a problem: its place, what is wrong, and what to do.
#[pyclass(frozen, get_all)]
pub(crate) struct Finding {
    /// Keys and indices from the problem to the value; empty if the error concerns no value.
    path: String,
    message: String,
    suggestion: Option<String>,
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        format!("<wavefield.Finding {}: {}>", self.path, self.message)
    }
}

/// Returns the exception for the class of an error.
pub(crate) fn exception(error: Error) -> PyErr {
    if let Some(problem) = error.downcast_ref::<wavefield::problem::ProblemError>() {
        let exception = ProblemError::new_err(findings(problem));
        let found = problem.findings.iter().map(|finding| Finding {
            path: finding.path.clone(),
            message: finding.message.clone(),
            suggestion: finding.help.clone(),
        });
        let found: Vec<Finding> = found.collect();
        let set = Python::attach(|py| exception.value(py).setattr("findings", found));
        return set.err().unwrap_or(exception);
    }
    let message = error.to_string();
    match error.class() {
        ErrorClass::Input => PyValueError::new_err(message),
        ErrorClass::NotConverged => ConvergenceError::new_err(message),
        ErrorClass::Device => DeviceError::new_err(message),
        ErrorClass::Runtime => PyRuntimeError::new_err(message),
        ErrorClass::Interrupted => PyKeyboardInterrupt::new_err(message),
    }
}

/// Formats all findings about a problem: underlined in its text, or as a list if it is a dictionary.
fn findings(problem: &wavefield::problem::ProblemError) -> String {
    if problem
        .findings
        .iter()
        .any(|finding| !finding.span.is_empty())
    {
        return format!("\n{}", problem.render(false, 90));
    }
    let mut text = problem.to_string();
    for finding in &problem.findings {
        text += &format!("\n  × {finding}");
        if let Some(help) = &finding.help {
            text += &format!("\n    help: {help}");
        }
    }
    text
}
