//! The text that a problem was read from, if any.

use toml::de::DeTable;

use super::error::{Finding, ProblemError};
use super::tree::Table;

/// A text and its name in messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

impl Source<'_> {
    /// Values that a program has made.
    pub(super) const NONE: Source<'static> = Source {
        name: "problem",
        text: "",
    };

    /// Parses the text.
    ///
    /// # Errors
    /// It is no TOML.
    pub(super) fn tree(&self) -> Result<Table, ProblemError> {
        let (tree, errors) = DeTable::parse_recoverable(self.text);
        if errors.is_empty() {
            Ok(Table::from_toml(tree.get_ref()))
        } else {
            Err(self.failed(errors.iter().map(Finding::from_syntax).collect()))
        }
    }

    /// Returns the error with these findings.
    pub(super) fn failed(&self, findings: Vec<Finding>) -> ProblemError {
        ProblemError::new(self.name, self.text, findings)
    }
}
