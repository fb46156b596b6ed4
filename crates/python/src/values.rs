//! Problems as Python dictionaries.

use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyComplex, PyFloat, PyInt, PyMapping, PyMemoryView, PySequence,
    PyString,
};
use toml::{Table, Value};
use wavefield::problem::{FORMAT, Finding, ProblemError};

use crate::errors::exception;
use crate::schema;

/// Maximum nesting of dictionaries and lists, which stops at one that contains itself.
const MAX_DEPTH: usize = 32;

/// Converts the dictionary of a problem, which has the current format by default. Tuples, ranges, and NumPy arrays are lists, paths
/// are strings, and a complex number is `[real, imaginary]`.
///
/// # Errors
/// `ProblemError` with every value that a problem cannot hold, or what the dictionary itself raises.
pub(crate) fn problem(dictionary: &Bound<'_, PyMapping>) -> PyResult<Table> {
    let mut conversion = Conversion::default();
    let mut table = conversion.table(dictionary)?;
    if !conversion.findings.is_empty() {
        let error = ProblemError::new("problem", "", conversion.findings);
        return Err(exception(error.into()));
    }
    table.entry("format").or_insert(Value::Integer(FORMAT));
    schema::add_units(&mut table);
    Ok(table)
}

/// A conversion in progress.
#[derive(Default)]
struct Conversion {
    /// Keys and indices from the problem to the current value.
    path: Vec<String>,
    /// Values without an equivalent.
    findings: Vec<Finding>,
}

impl Conversion {
    fn table(&mut self, mapping: &Bound<'_, PyMapping>) -> PyResult<Table> {
        let mut table = Table::new();
        for item in mapping.items()?.iter() {
            let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
            let Ok(name) = key.cast::<PyString>() else {
                let message = format!("is not a string but {}", described(&key)?);
                self.within(key.str()?.to_string(), |conversion| {
                    conversion.refuse(&format!("key {message}"), None);
                });
                continue;
            };
            let name = name.to_string();
            if let Some(value) = self.inner(name.clone(), &value)? {
                table.insert(name, value);
            }
        }
        Ok(table)
    }

    /// Converts a value of a table or list; `None` if it has no equivalent.
    fn inner(&mut self, step: String, value: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
        self.within(step, |conversion| conversion.value(value))
    }

    fn within<T>(&mut self, step: String, action: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let done = action(self);
        self.path.pop();
        done
    }

    fn value(&mut self, value: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
        if self.path.len() > MAX_DEPTH {
            self.refuse("is nested too deeply", None);
            return Ok(None);
        }
        if value.is_none() {
            self.refuse("is None", Some("omit a key for its default"));
            return Ok(None);
        }
        // In Python a Boolean is an integer, too.
        if let Ok(flag) = value.cast::<PyBool>() {
            return Ok(Some(Value::Boolean(flag.is_true())));
        }
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(Some(Value::String(text.to_string())));
        }
        if let Ok(number) = value.cast::<PyInt>() {
            let Ok(number) = number.extract() else {
                self.refuse("is an integer of more than 64 bits", None);
                return Ok(None);
            };
            return Ok(Some(Value::Integer(number)));
        }
        if let Ok(number) = value.cast::<PyFloat>() {
            return Ok(self.number(number.extract()?));
        }
        if let Ok(number) = value.cast::<PyComplex>() {
            let parts = [number.real(), number.imag()].map(|part| self.number(part));
            return Ok(parts.into_iter().collect::<Option<_>>().map(Value::Array));
        }
        if let Some(plain) = plain(value)? {
            return self.value(&plain);
        }
        if let Ok(mapping) = value.cast::<PyMapping>() {
            return self.table(mapping).map(|table| Some(Value::Table(table)));
        }
        let bytes = value.is_instance_of::<PyBytes>()
            || value.is_instance_of::<PyByteArray>()
            || value.is_instance_of::<PyMemoryView>();
        if let Ok(sequence) = value.cast::<PySequence>()
            && !bytes
        {
            return self.list(sequence);
        }
        let message = format!("cannot be {}", described(value)?);
        self.refuse(
            &message,
            Some("a problem holds dictionaries, lists, strings, and numbers"),
        );
        Ok(None)
    }

    fn list(&mut self, sequence: &Bound<'_, PySequence>) -> PyResult<Option<Value>> {
        let mut items = Vec::new();
        for (index, item) in sequence.try_iter()?.enumerate() {
            items.extend(self.inner(index.to_string(), &item?)?);
        }
        Ok(Some(Value::Array(items)))
    }

    fn number(&mut self, number: f64) -> Option<Value> {
        if number.is_nan() {
            self.refuse("is NaN", None);
            return None;
        }
        Some(Value::Float(number))
    }

    fn refuse(&mut self, message: &str, help: Option<&str>) {
        self.findings.push(Finding {
            path: self.path.join("."),
            message: format!("`{}` {message}", self.path.join(".")),
            span: 0..0,
            label: "here".to_owned(),
            help: help.map(str::to_owned),
        });
    }
}

/// Returns the Python value of a NumPy array or scalar, or the string of a path; `None` for anything else.
fn plain<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if value.hasattr("dtype")? && value.hasattr("tolist")? {
        let plain = value.call_method0("tolist")?;
        // A number of extended precision is left unchanged.
        return Ok((!plain.get_type().is(value.get_type())).then_some(plain));
    }
    if value.hasattr("__fspath__")? {
        return value.call_method0("__fspath__").map(Some);
    }
    Ok(None)
}

/// Returns the type of a value with its article.
fn described(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let name = value.get_type().fully_qualified_name()?.to_string();
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    Ok(format!("{article} {name}"))
}
