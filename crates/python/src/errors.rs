//! Failures as Python exceptions.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use wavefield::{Error, ErrorClass};

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

create_exception!(
    wavefield,
    ConvergenceError,
    PyException,
    "The computation ended without convergence or validation."
);

/// The exception of an error's class.
pub(crate) fn exception(error: Error) -> PyErr {
    if let Some(problem) = error.downcast_ref::<wavefield::problem::ProblemError>() {
        return ProblemError::new_err(format!("\n{}", problem.render(false, 90)));
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
