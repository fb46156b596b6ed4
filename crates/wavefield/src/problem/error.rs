//! Errors of problem files, each finding with its position in the source.

use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};
use wavefield_solver::{Classified, ErrorClass};

/// One error at one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Keys and indices from the problem to the value, as in the keys of `sweep`; empty if it has no place.
    pub path: String,
    /// Description of the error.
    pub message: String,
    /// Byte range of the source.
    pub span: Range<usize>,
    /// Label of the underlined source.
    pub label: String,
    /// Remedy.
    pub help: Option<String>,
}

impl Finding {
    /// Creates a finding without a position in the source.
    pub(super) fn whole_file(message: String) -> Finding {
        Finding {
            path: String::new(),
            message,
            span: 0..0,
            label: "here".to_owned(),
            help: None,
        }
    }

    /// Converts a finding of the TOML parser.
    pub fn from_syntax(error: &toml::de::Error) -> Finding {
        Finding {
            path: String::new(),
            message: error.message().to_owned(),
            span: error.span().unwrap_or(0..0),
            label: "here".to_owned(),
            help: None,
        }
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Finding {}

impl Diagnostic for Finding {
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let length = self.span.len().max(1);
        let label = LabeledSpan::new(Some(self.label.clone()), self.span.start, length);
        Some(Box::new(std::iter::once(label)))
    }

    fn help(&self) -> Option<Box<dyn std::fmt::Display + '_>> {
        self.help
            .as_ref()
            .map(|help| Box::new(help) as Box<dyn std::fmt::Display>)
    }
}

/// All errors of a problem file.
#[derive(Debug)]
pub struct ProblemError {
    name: Box<str>,
    source: NamedSource<String>,
    /// Findings in the order of the file, limited in number.
    pub findings: Vec<Finding>,
    /// Total number of findings.
    all: usize,
}

/// Maximum number of findings shown: a file of another format has hundreds.
const MAX: usize = 12;

impl ProblemError {
    /// Collects the findings about one source.
    pub fn new(name: &str, text: &str, mut findings: Vec<Finding>) -> ProblemError {
        findings.sort_by_key(|finding| (finding.span.start, finding.span.end));
        let all = findings.len();
        findings.truncate(MAX);
        ProblemError {
            all,
            name: name.into(),
            source: NamedSource::new(name, text.to_owned()).with_language("toml"),
            findings,
        }
    }

    /// Formats the findings, each with its source line underlined.
    pub fn render(&self, color: bool, width: usize) -> String {
        let theme = if color {
            miette::GraphicalTheme::unicode()
        } else {
            miette::GraphicalTheme::unicode_nocolor()
        };
        let handler = miette::GraphicalReportHandler::new_themed(theme)
            .with_width(width)
            .with_context_lines(1)
            .without_cause_chain();
        let mut text = String::new();
        if handler.render_report(&mut text, self).is_err() {
            return self.to_string();
        }
        text
    }
}

impl std::fmt::Display for ProblemError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.all {
            1 => write!(f, "{}: one error", self.name),
            count if count > MAX => {
                write!(f, "{}: {count} errors, showing the first {MAX}", self.name)
            }
            count => write!(f, "{}: {count} errors", self.name),
        }
    }
}

impl std::error::Error for ProblemError {}

impl Classified for ProblemError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Input
    }
}

impl Diagnostic for ProblemError {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(
            self.findings
                .iter()
                .map(|finding| finding as &dyn Diagnostic),
        ))
    }
}
