//! Result in Python: its record as JSON, its arrays as NumPy arrays.

use std::path::PathBuf;

use numpy::{Complex64, IntoPyArray, PyArrayMethods};
use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::*;
use wavefield::outcome::{Data, Outcome};
use wavefield::report;
use wavefield::result::{self, Record};

use crate::errors::exception;

/// Finished run.
#[pyclass(frozen)]
pub(crate) struct NativeResult {
    pub(crate) record: Record,
    pub(crate) outcome: Outcome,
}

#[pymethods]
impl NativeResult {
    /// Returns everything except the arrays, as JSON.
    fn record_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.record)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// Returns the names of the arrays.
    fn names(&self) -> Vec<&str> {
        self.outcome
            .arrays
            .iter()
            .map(|array| array.name.as_str())
            .collect()
    }

    /// Returns an array.
    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let array = self.outcome.array(name).ok_or_else(|| {
            PyKeyError::new_err(format!(
                "unknown array `{name}`; choose from: {}",
                self.names().join(", ")
            ))
        })?;
        let shape = array.shape.clone();
        Ok(match &array.data {
            Data::Real(values) => values.clone().into_pyarray(py).reshape(shape)?.into_any(),
            Data::Complex(values) => {
                let values: Vec<Complex64> =
                    values.iter().map(|z| Complex64::new(z.re, z.im)).collect();
                values.into_pyarray(py).reshape(shape)?.into_any()
            }
            Data::Index(values) => values.clone().into_pyarray(py).reshape(shape)?.into_any(),
        })
    }

    /// Returns the report as one HTML page.
    fn report(&self, py: Python<'_>) -> String {
        py.detach(|| report::page(&self.record, &self.outcome))
    }

    /// Writes a result folder with its report.
    fn save(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        py.detach(|| result::write(&folder, &self.record, &self.outcome))
            .map_err(exception)
    }
}
