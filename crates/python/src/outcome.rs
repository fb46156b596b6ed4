//! Results in Python: a record as JSON, and arrays by name as NumPy arrays.

use std::path::PathBuf;

use numpy::{
    Complex64, IntoPyArray, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wavefield::outcome::{Array, Data, Outcome};
use wavefield::report::{page, svg_file};
use wavefield::result::{self, Record};

use crate::errors::exception;

/// Record as JSON, and arrays by name.
pub(crate) type Parts<'py> = (String, Bound<'py, PyDict>);

/// Moves a result to Python.
pub(crate) fn parts<'py>(
    py: Python<'py>,
    record: &Record,
    outcome: Outcome,
) -> PyResult<Parts<'py>> {
    let arrays = PyDict::new(py);
    for array in outcome.arrays {
        let values = match array.data {
            Data::Real(values) => values.into_pyarray(py).reshape(array.shape)?.into_any(),
            Data::Complex(values) => values.into_pyarray(py).reshape(array.shape)?.into_any(),
            Data::Index(values) => values.into_pyarray(py).reshape(array.shape)?.into_any(),
        };
        arrays.set_item(array.name, values)?;
    }
    Ok((json(record)?, arrays))
}

/// Returns a record as JSON.
fn json(record: &Record) -> PyResult<String> {
    serde_json::to_string(record).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// Copies a result from Python.
pub(crate) fn result(record: &str, arrays: &Bound<'_, PyDict>) -> PyResult<(Record, Outcome)> {
    let record: Record = serde_json::from_str(record).map_err(|error| {
        PyValueError::new_err(format!("the record is not one of a result: {error}"))
    })?;
    let arrays = arrays
        .iter()
        .map(|(name, values)| array(name.extract()?, &values))
        .collect::<PyResult<_>>()?;
    let outcome = result::outcome(&record, arrays);
    Ok((record, outcome))
}

fn array(name: String, values: &Bound<'_, PyAny>) -> PyResult<Array> {
    fn copied<T: numpy::Element + Copy>(
        name: &str,
        values: &Bound<'_, PyArrayDyn<T>>,
    ) -> PyResult<(Vec<usize>, Vec<T>)> {
        if !values.is_aligned() {
            return Err(PyValueError::new_err(format!(
                "the values of `{name}` are not aligned in memory; pass a copy"
            )));
        }
        let values: PyReadonlyArrayDyn<'_, T> = values.readonly();
        let all = values.as_array().iter().copied().collect();
        Ok((values.shape().to_vec(), all))
    }
    let (shape, data) = if let Ok(values) = values.cast::<PyArrayDyn<f64>>() {
        let (shape, values) = copied(&name, values)?;
        (shape, Data::Real(values))
    } else if let Ok(values) = values.cast::<PyArrayDyn<Complex64>>() {
        let (shape, values) = copied(&name, values)?;
        (shape, Data::Complex(values))
    } else if let Ok(values) = values.cast::<PyArrayDyn<u32>>() {
        let (shape, values) = copied(&name, values)?;
        (shape, Data::Index(values))
    } else {
        return Err(PyTypeError::new_err(format!(
            "`{name}` must be an array of float64, complex128, or uint32"
        )));
    };
    Ok(Array { name, shape, data })
}

/// Reads the record of a result folder, and returns it with the archive of the arrays.
#[pyfunction]
pub(crate) fn read_record(py: Python<'_>, folder: PathBuf) -> PyResult<(String, PathBuf)> {
    let (record, arrays) = py
        .detach(|| Ok((result::read_record(&folder)?, result::arrays_file(&folder)?)))
        .map_err(exception)?;
    Ok((json(&record)?, arrays))
}

/// Returns the report of a result as one HTML page.
#[pyfunction]
pub(crate) fn report(py: Python<'_>, record: &str, arrays: &Bound<'_, PyDict>) -> PyResult<String> {
    let (record, outcome) = result(record, arrays)?;
    Ok(py.detach(|| page(&record, &outcome)))
}

/// Returns a figure of a result as an SVG image.
#[pyfunction]
pub(crate) fn figure_svg(
    py: Python<'_>,
    record: &str,
    arrays: &Bound<'_, PyDict>,
    number: usize,
) -> PyResult<String> {
    let (record, outcome) = result(record, arrays)?;
    let figure = (record.figures.get(number))
        .ok_or_else(|| PyValueError::new_err(format!("no figure {number}")))?;
    Ok(py.detach(|| svg_file(figure, &outcome)))
}

/// Writes a result folder with its report.
#[pyfunction]
pub(crate) fn save(
    py: Python<'_>,
    folder: PathBuf,
    record: &str,
    arrays: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let (record, outcome) = result(record, arrays)?;
    py.detach(|| result::write(&folder, &record, &outcome))
        .map_err(exception)
}
