//! Cases `compare/*`: the scenes of `problems/compare` solved by several methods, each limited to the difference from
//! the reference that the book documents.

use wavefield_numerics::observe::Silent;

use crate::measure::{Case, Limit, Measured, Metrics};
use wavefield::Error;
use wavefield::compare::{Candidate, compare};
use wavefield::problem::Document;
use wavefield::run::{Options, run};
use wavefield::temporary_folder::TemporaryFolder;

/// Scene with several solvers.
struct Body {
    name: &'static str,
    about: &'static str,
    /// Problem file; the most accurate of its solvers is the reference.
    problem: &'static str,
    /// Upper limits of the mean difference from the reference in dB: result, column, and limit. They are a quarter
    /// above the measured values, which allows for another version of Gmsh and not for an error in the physics.
    limits: &'static [(&'static str, &'static str, f64)],
}

const BODIES: [Body; 6] = [
    Body {
        name: "compare/almond",
        about: "bistatic RCS of the NASA almond, three wavelengths long, by DGTD and SBR compared with the 3-D method of moments",
        problem: include_str!("../../comparisons/almond/problem.toml"),
        limits: &[
            ("dgtd", "vv", 0.32),
            ("dgtd", "hh", 0.37),
            ("sbr", "vv", 7.0),
            ("sbr", "hh", 15.0),
        ],
    },
    Body {
        name: "compare/circle",
        about: "bistatic scattering width of a PEC circular cylinder, ka = 10, by locally corrected Nyström and by pulse basis functions compared with its series",
        problem: include_str!("../../comparisons/circle/problem.toml"),
        limits: &[
            ("mom2d", "tm", 1e-8),
            ("mom2d", "te", 1e-8),
            ("mom2d-pulse", "tm", 0.012),
        ],
    },
    Body {
        name: "compare/plate",
        about: "bistatic RCS of a plate, two wavelengths wide, by SBR with and without edge diffraction and by DGTD compared with the 3-D method of moments",
        problem: include_str!("../../comparisons/plate/problem.toml"),
        limits: &[
            ("sbr-edges", "vv", 0.32),
            ("sbr-edges", "hh", 0.45),
            ("sbr", "vv", 9.5),
            ("sbr", "hh", 7.4),
            ("dgtd", "vv", 0.65),
            ("dgtd", "hh", 0.33),
        ],
    },
    Body {
        name: "compare/sphere",
        about: "bistatic RCS of a PEC sphere, ka = 4.2, by the 3-D method of moments, SBR, and DGTD compared with the Mie series",
        problem: include_str!("../../comparisons/sphere/problem.toml"),
        limits: &[
            ("mom3d", "vv", 0.1),
            ("mom3d", "hh", 0.1),
            ("sbr", "vv", 1.45),
            ("sbr", "hh", 2.7),
            ("dgtd", "vv", 0.05),
            ("dgtd", "hh", 0.05),
        ],
    },
    Body {
        name: "compare/trihedral",
        about: "monostatic RCS of a trihedral of ten wavelengths versus azimuth by SBR with and without edge diffraction compared with the 3-D method of moments",
        problem: include_str!("../../comparisons/trihedral/problem.toml"),
        limits: &[
            ("sbr", "vv", 0.6),
            ("sbr", "hh", 0.5),
            ("sbr-edges", "vv", 0.59),
            ("sbr-edges", "hh", 0.49),
        ],
    },
    Body {
        name: "compare/trihedral-6ghz",
        about: "monostatic RCS of a trihedral of twenty wavelengths versus elevation by SBR with and without edge diffraction compared with the 3-D method of moments",
        problem: include_str!("../../comparisons/trihedral-6ghz/problem.toml"),
        limits: &[
            ("sbr", "vv", 0.31),
            ("sbr", "hh", 0.6),
            ("sbr-edges", "vv", 0.28),
            ("sbr-edges", "hh", 0.49),
        ],
    },
];

pub(super) fn cases() -> Vec<Case> {
    let case = |body: &'static Body| {
        let limits = (body.limits.iter())
            .map(|(result, column, most)| (metric(result, column), Limit::AtMost(*most)));
        Case::new(body.name, body.about, || measure(body)).limits(limits)
    };
    BODIES.iter().map(case).collect()
}

/// Returns the mean difference of a result from the reference in a column, dB.
fn metric(result: &str, column: &str) -> String {
    format!("{}_{column}_db", result.replace('-', "_"))
}

/// Runs the problems and compares them; reports the columns that have a limit, over all rows and near the peak.
fn measure(body: &Body) -> Result<Measured, Error> {
    let folder = TemporaryFolder::new()?;
    let problems = Document::parse(body.problem, body.name, folder.path())?.problems()?;
    let candidates = (problems.into_iter())
        .map(|(name, problem)| {
            let (record, outcome) = run(&problem, &Options::default(), &Silent)?;
            Ok(Candidate {
                about: format!("{}, {}", record.solver, record.title),
                label: name.clone(),
                name,
                title: record.title,
                solver: record.solver,
                outcome,
            })
        })
        .collect::<Result<Vec<_>, Error>>()?;
    let mut metrics = Metrics::new();
    for verdict in compare(&candidates, None)?.verdicts {
        // Column names end in their unit.
        let column = (verdict.quantity.split_once('_')).map_or("", |(column, _)| column);
        let limited =
            |(result, of, _): &(&str, &str, f64)| *result == verdict.name && *of == column;
        if body.limits.iter().any(limited) {
            let (found, name) = (verdict.agreement, verdict.name.replace('-', "_"));
            metrics.insert(metric(&verdict.name, column), found.mean_db);
            metrics.insert(format!("{name}_{column}_20db"), found.mean_20db);
            metrics.insert(format!("{name}_{column}_within_1db"), found.within_one_db);
        }
    }
    Ok(metrics.into())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Returns the names of the results of a scene.
    fn results(body: &Body) -> Vec<String> {
        let document = Document::parse(body.problem, body.name, Path::new("")).unwrap();
        let problems = document
            .problems()
            .unwrap_or_else(|error| panic!("{}", error.render(false, 90)));
        problems.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn every_folder_of_comparisons_is_a_case() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("comparisons");
        let mut folders = 0;
        for folder in std::fs::read_dir(root).unwrap() {
            let folder = folder.unwrap().path();
            let name = format!("compare/{}", folder.file_name().unwrap().display());
            assert!(
                BODIES.iter().any(|body| body.name == name),
                "{name} is not a case"
            );
            folders += 1;
        }
        assert_eq!(folders, BODIES.len());
    }

    #[test]
    fn every_result_beside_the_reference_has_a_limit() {
        for body in &BODIES {
            let free: Vec<String> = (results(body).into_iter())
                .filter(|name| body.limits.iter().all(|(result, ..)| result != name))
                .collect();
            assert_eq!(free.len(), 1, "{}: {free:?}", body.name);
            assert!(
                ["exact", "mom3d"].contains(&free[0].as_str()),
                "{}",
                body.name
            );
        }
    }

    #[test]
    fn one_scene_of_a_sphere_runs_in_four_solvers() {
        let sphere = BODIES
            .iter()
            .find(|body| body.name == "compare/sphere")
            .unwrap();
        assert_eq!(results(sphere), ["exact", "mom3d", "sbr", "dgtd"]);
    }
}
