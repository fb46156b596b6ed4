//! What is wrong with a problem file, each finding with its place in the source.

use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};
use wavefield_solver::{Classified, ErrorClass};

/// One thing that is wrong, at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What is wrong.
    pub message: String,
    /// Bytes of the source it is about.
    pub span: Range<usize>,
    /// A few words under the underlined source.
    pub label: String,
    /// What would be right.
    pub help: Option<String>,
}

impl Finding {
    /// A finding that has no place in the source.
    pub(super) fn whole_file(message: String) -> Finding {
        Finding {
            message,
            span: 0..0,
            label: "here".to_owned(),
            help: None,
        }
    }

    /// A finding of the TOML parser.
    pub fn from_syntax(error: &toml::de::Error) -> Finding {
        Finding {
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

/// Everything that is wrong with a problem file.
#[derive(Debug)]
pub struct ProblemError {
    name: Box<str>,
    source: NamedSource<String>,
    /// The findings, in the order of the file; no more than a person reads.
    pub findings: Vec<Finding>,
    /// How many there were.
    all: usize,
}

/// Most findings that are shown: a file of another kind has hundreds.
const MOST: usize = 12;

impl ProblemError {
    /// Collects the findings about one source.
    pub fn new(name: &str, text: &str, mut findings: Vec<Finding>) -> ProblemError {
        findings.sort_by_key(|finding| (finding.span.start, finding.span.end));
        let all = findings.len();
        findings.truncate(MOST);
        ProblemError {
            all,
            name: name.into(),
            source: NamedSource::new(name, text.to_owned()).with_language("toml"),
            findings,
        }
    }

    /// The text a person sees: each finding with its line underlined.
    pub fn render(&self, colour: bool, width: usize) -> String {
        let theme = if colour {
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
            count if count > MOST => {
                write!(
                    f,
                    "{}: {count} errors, of which the first {MOST}",
                    self.name
                )
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
