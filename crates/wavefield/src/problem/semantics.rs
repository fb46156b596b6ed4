//! Semantic validation: errors that the types do not exclude, each with its position in the source.

use wavefield_solver::scene::Feature;
use wavefield_solver::{AnySolver, AnySpec};

use super::error::Finding;
use super::tree::Table;
use crate::registry;

/// Returns the findings about a specification: features that its solver does not support, and invalid values.
pub(super) fn findings(spec: &AnySpec, tree: &Table) -> Vec<Finding> {
    let unsupported = spec.unsupported().into_iter().map(|(feature, issue)| {
        let mut finding = at(tree, &issue.path, issue.message, Some(supporting(feature)));
        finding.label = "not supported".to_owned();
        finding
    });
    let issues = spec.issues().into_iter();
    let issues = issues.map(|issue| at(tree, &issue.path, issue.message, issue.help));
    unsupported.chain(issues).collect()
}

/// Returns the finding about the value at a path.
pub(super) fn at(tree: &Table, path: &str, message: String, help: Option<String>) -> Finding {
    Finding {
        path: path.to_owned(),
        message,
        span: tree.locate(path),
        label: "here".to_owned(),
        help,
    }
}

/// Lists the solvers that support a feature.
fn supporting(feature: Feature) -> String {
    let solvers = registry::solvers().into_iter();
    let names: Vec<&str> = solvers
        .filter(|solver| solver.features().contains(&feature))
        .map(AnySolver::name)
        .collect();
    match names.as_slice() {
        [] => "no solver supports it".to_owned(),
        names => format!("supported by {}", names.join(", ")),
    }
}
