//! Problem in Python: a dictionary or a problem file, which can be run, checked, and read as a dictionary.

use std::path::PathBuf;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping};
use toml::{Table, Value};
use wavefield::Error;
use wavefield::gpu::DeviceChoice;
use wavefield::numerics::observe::Silent;
use wavefield::planned::Planned;
use wavefield::problem::{Document, Problem};
use wavefield::run::Options;

use crate::errors::exception;
use crate::outcome::Parts;
use crate::{run, schema, values};

/// Problem of one or several solvers; paths are relative to a folder.
#[pyclass(frozen)]
pub(crate) struct NativeProblem {
    document: Document,
    folder: PathBuf,
}

#[pymethods]
impl NativeProblem {
    /// Takes a dictionary.
    #[staticmethod]
    fn from_values(problem: &Bound<'_, PyMapping>, folder: PathBuf) -> PyResult<NativeProblem> {
        let document = Document::from_values(values::problem(problem)?, &folder);
        Ok(NativeProblem { document, folder })
    }

    /// Takes TOML text; `name` appears in messages.
    #[staticmethod]
    fn from_text(text: &str, name: &str, folder: PathBuf) -> PyResult<NativeProblem> {
        let parsed = Document::parse(text, name, &folder);
        let document = parsed.map_err(|error| exception(error.into()))?;
        Ok(NativeProblem { document, folder })
    }

    /// Returns the problem as a dictionary with absolute paths.
    fn values(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut values = self.document.values().map_err(exception)?;
        schema::resolve_files(&mut values, &self.folder);
        Ok(dictionary(py, &values)?.into_any().unbind())
    }

    /// Returns the identity of a run: program version, problem with all defaults, and contents of its files.
    fn identity(&self, py: Python<'_>, solver: Option<&str>) -> PyResult<String> {
        let problem = self.document.problem(solver);
        let problem = problem.map_err(|error| exception(error.into()))?;
        py.detach(|| problem.identity()).map_err(exception)
    }

    /// Plans the problem and returns its cost and assessments as JSON.
    fn check(
        &self,
        py: Python<'_>,
        solver: Option<&str>,
        device: &str,
        threads: Option<usize>,
    ) -> PyResult<String> {
        let (problem, options) = self.request(solver, device, threads)?;
        let checked = py.detach(|| {
            let planned = Planned::new(&problem, &options.device, options.threads, &Silent)?;
            Ok::<_, Error>(planned.summary(&problem, 1, &planned.assess(1)))
        });
        Ok(checked.map_err(exception)?.to_string())
    }

    /// Runs the problem.
    fn run<'py>(
        &self,
        py: Python<'py>,
        solver: Option<&str>,
        device: &str,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Parts<'py>> {
        let (problem, options) = self.request(solver, device, threads)?;
        run::run_problem(py, &problem, &options, progress.as_ref())
    }
}

impl NativeProblem {
    /// Returns the problem of one solver and the options of its run.
    fn request(
        &self,
        solver: Option<&str>,
        device: &str,
        threads: Option<usize>,
    ) -> PyResult<(Problem, Options)> {
        let problem = self.document.problem(solver);
        let problem = problem.map_err(|error| exception(error.into()))?;
        let choice = device.parse::<DeviceChoice>();
        let device = choice.map_err(|error| exception(Error::input(error.to_string())))?;
        let options = Options {
            device,
            threads,
            ..Options::default()
        };
        Ok((problem, options))
    }
}

fn dictionary<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let dictionary = PyDict::new(py);
    for (key, value) in table {
        dictionary.set_item(key, python(py, value)?)?;
    }
    Ok(dictionary)
}

fn python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Integer(number) => number.into_pyobject(py)?.into_any(),
        Value::Float(number) => number.into_pyobject(py)?.into_any(),
        Value::Boolean(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        Value::Array(items) => {
            let items: Vec<_> = (items.iter())
                .map(|item| python(py, item))
                .collect::<PyResult<_>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Table(table) => dictionary(py, table)?.into_any(),
        Value::Datetime(date) => {
            let message = format!("a problem holds no date such as {date}");
            return Err(PyRuntimeError::new_err(message));
        }
    })
}
