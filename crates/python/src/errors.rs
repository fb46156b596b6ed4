//! Failures as Python exceptions.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use wavefield::failure::Failure;

create_exception!(
    wavefield,
    ProblemError,
    PyValueError,
    "A problem file is wrong; the message shows every place, underlined."
);
create_exception!(
    wavefield,
    DeviceError,
    PyException,
    "The device failed; no number computed after the fault was returned."
);

/// The exception that says the same as a failure.
pub(crate) fn exception(failure: Failure) -> PyErr {
    match failure {
        Failure::Problem(error) => ProblemError::new_err(format!("\n{}", error.render(false, 90))),
        Failure::Input(message) => PyValueError::new_err(message),
        Failure::Device(error) => DeviceError::new_err(error.to_string()),
        Failure::Interrupted => PyKeyboardInterrupt::new_err("stopped on request"),
        Failure::Runtime(message) | Failure::NotGood(message) => PyRuntimeError::new_err(message),
    }
}
