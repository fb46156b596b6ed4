//! Semantic errors of a specification that the types cannot exclude, each with the path of its key.

use wavefield_physics::sweep::{Spaced, Sweep};

use crate::error::{Classified, ErrorClass};

/// A semantic error of a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Path of the key, such as `bodies.0.geometry.radius`.
    pub path: String,
    /// Fault.
    pub message: String,
    /// Remedy.
    pub help: Option<String>,
}

/// Semantic errors of a specification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Issues(Vec<Issue>);

impl Issues {
    /// Adds an issue.
    pub fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.0.push(Issue {
            path: path.into(),
            message: message.into(),
            help: None,
        });
    }

    /// Adds an issue with its remedy.
    pub fn add_with_help(
        &mut self,
        path: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.0.push(Issue {
            path: path.into(),
            message: message.into(),
            help: Some(help.into()),
        });
    }

    /// Requires a number to be positive and finite; `unit` is its unit in the message.
    pub fn positive(&mut self, path: &str, value: f64, unit: &str) {
        if !(value > 0.0 && value.is_finite()) {
            let value = [&value.to_string(), unit].join(" ");
            self.add(
                path,
                format!("`{path}` must be positive and finite, not {}", value.trim()),
            );
        }
    }

    /// Requires a number to lie in a closed interval.
    pub fn range(&mut self, path: &str, value: f64, low: f64, high: f64) {
        if !(low..=high).contains(&value) {
            self.add(
                path,
                format!("`{path}` must lie between {low} and {high}, not at {value}"),
            );
        }
    }

    /// Returns the values of a sweep; if the sweep is invalid, adds an issue and returns none.
    pub fn sweep<T: Spaced>(&mut self, path: &str, sweep: &Sweep<T>) -> Vec<T> {
        sweep.values().unwrap_or_else(|error| {
            self.add(path, format!("`{path}`: {error}"));
            Vec::new()
        })
    }

    /// Returns the issues, in the order in which they were added.
    pub fn into_vec(self) -> Vec<Issue> {
        self.0
    }

    /// Returns an error if there are issues.
    ///
    /// # Errors
    /// [`InvalidSpec`] with all of them.
    pub fn into_result(self) -> Result<(), InvalidSpec> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(InvalidSpec(self.0))
        }
    }
}

/// A specification with issues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSpec(pub Vec<Issue>);

impl std::fmt::Display for InvalidSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let messages: Vec<&str> = self.0.iter().map(|issue| issue.message.as_str()).collect();
        f.write_str(&messages.join("; "))
    }
}

impl std::error::Error for InvalidSpec {}

impl Classified for InvalidSpec {
    fn class(&self) -> ErrorClass {
        ErrorClass::Input
    }
}
