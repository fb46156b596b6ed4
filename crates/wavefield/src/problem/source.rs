//! Source text of a problem, if it was read from text.

use std::sync::Arc;

use toml::de::DeTable;

use super::error::{Finding, ProblemError};
use super::tree::Table;

/// Text and its name in messages.
#[derive(Clone, Debug)]
pub(super) struct Source {
    name: Arc<str>,
    text: Arc<str>,
}

impl Source {
    pub(super) fn new(name: &str, text: &str) -> Source {
        Source {
            name: name.into(),
            text: text.into(),
        }
    }

    /// Creates the source of values that have no text.
    pub(super) fn none() -> Source {
        Source::new("problem", "")
    }

    /// Returns the same text under a name that states the changed values.
    pub(super) fn with(&self, changes: &str) -> Source {
        Source {
            name: format!("{} with {changes}", self.name).into(),
            text: self.text.clone(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Parses the text.
    ///
    /// # Errors
    /// It is not TOML.
    pub(super) fn tree(&self) -> Result<Table, ProblemError> {
        let (tree, errors) = DeTable::parse_recoverable(&self.text);
        if errors.is_empty() {
            Ok(Table::from_toml(tree.get_ref()))
        } else {
            Err(self.failed(errors.iter().map(Finding::from_syntax).collect()))
        }
    }

    /// Returns the error with these findings.
    pub(super) fn failed(&self, findings: Vec<Finding>) -> ProblemError {
        ProblemError::new(&self.name, &self.text, findings)
    }
}
