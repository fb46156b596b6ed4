//! Cases `compare/*`: the bodies of `problems/compare` by several methods, each held to the difference from the reference
//! that the book documents.

use wavefield_numerics::observe::Silent;

use crate::measure::{Case, Limit, Measured, Metrics};
use wavefield::Error;
use wavefield::compare::{Entrant, compare};
use wavefield::problem::Problem;
use wavefield::run::{Options, run};
use wavefield::temporary_folder::TemporaryFolder;

/// One body by several methods.
struct Body {
    name: &'static str,
    about: &'static str,
    /// Names and texts of the problems; the best solver among them is the reference.
    problems: &'static [(&'static str, &'static str)],
    /// Mean differences from the reference in dB that are not to be passed: result, column, and limit. They are a quarter
    /// above what was measured, which leaves room for another version of Gmsh and not for another physics.
    limits: &'static [(&'static str, &'static str, f64)],
}

macro_rules! problems {
    ($folder:literal: $($name:literal),*) => {
        &[$((
            $name,
            include_str!(concat!("../../comparisons/", $folder, "/", $name, ".toml")),
        )),*]
    };
}

const BODIES: [Body; 6] = [
    Body {
        name: "compare/almond",
        about: "the NASA almond of three wavelengths, bistatic, in time and by rays, against the integral equation on its surface",
        problems: problems!("almond": "rays", "surface", "time"),
        limits: &[
            ("time", "vv", 0.32),
            ("time", "hh", 0.37),
            ("rays", "vv", 7.0),
            ("rays", "hh", 15.0),
        ],
    },
    Body {
        name: "compare/circle",
        about: "a conducting circle, ka = 10, by panels and by pulses, against its series",
        problems: problems!("circle": "exact", "nystrom", "pulses"),
        limits: &[
            ("nystrom", "tm", 1e-8),
            ("nystrom", "te", 1e-8),
            ("pulses", "tm", 0.012),
        ],
    },
    Body {
        name: "compare/plate",
        about: "a plate of two wavelengths, bistatic, by rays with and without fringe currents and in time, against the integral equation on its surface",
        problems: problems!("plate": "rays", "rays-edges", "surface", "time"),
        limits: &[
            ("rays-edges", "vv", 0.32),
            ("rays-edges", "hh", 0.45),
            ("rays", "vv", 9.5),
            ("rays", "hh", 7.4),
            ("time", "vv", 0.65),
            ("time", "hh", 0.33),
        ],
    },
    Body {
        name: "compare/sphere",
        about: "a conducting sphere, ka = 4.2, by rays and in time, against its series",
        problems: problems!("sphere": "exact", "rays", "time"),
        limits: &[
            ("rays", "vv", 1.45),
            ("rays", "hh", 2.7),
            ("time", "vv", 0.05),
            ("time", "hh", 0.05),
        ],
    },
    Body {
        name: "compare/trihedral",
        about: "a trihedral of ten wavelengths over azimuth by rays with and without fringe currents, against the integral equation on its surface",
        problems: problems!("trihedral": "rays", "rays-edges", "surface"),
        limits: &[
            ("rays", "vv", 0.6),
            ("rays", "hh", 0.5),
            ("rays-edges", "vv", 0.59),
            ("rays-edges", "hh", 0.49),
        ],
    },
    Body {
        name: "compare/trihedral-6ghz",
        about: "a trihedral of twenty wavelengths over the angle from the vertical by rays with and without fringe currents, against the integral equation on its surface",
        problems: problems!("trihedral-6ghz": "rays", "rays-edges", "surface"),
        limits: &[
            ("rays", "vv", 0.31),
            ("rays", "hh", 0.6),
            ("rays-edges", "vv", 0.28),
            ("rays-edges", "hh", 0.49),
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

/// The mean difference of a result from the reference in a column.
fn metric(result: &str, column: &str) -> String {
    format!("{}_{column}_db", result.replace('-', "_"))
}

/// Runs the problems and compares them; columns that have a limit are told, over all rows and near the peak.
fn measure(body: &Body) -> Result<Measured, Error> {
    let folder = TemporaryFolder::new()?;
    let entrants = (body.problems.iter())
        .map(|(name, text)| {
            let problem = Problem::parse(text, name, folder.path())?;
            let (record, outcome) = run(&problem, &Options::default(), &Silent)?;
            Ok(Entrant {
                name: (*name).to_owned(),
                about: format!("{}, {}", record.solver, record.title),
                solver: record.solver,
                outcome,
            })
        })
        .collect::<Result<Vec<_>, Error>>()?;
    let mut metrics = Metrics::new();
    for verdict in compare(&entrants, None)?.verdicts {
        // Columns end in their unit.
        let column = (verdict.quantity.split_once('_')).map_or("", |(column, _)| column);
        let limited =
            |(result, of, _): &(&str, &str, f64)| *result == verdict.name && *of == column;
        if body.limits.iter().any(limited) {
            let (found, name) = (verdict.agreement, verdict.name.replace('-', "_"));
            metrics.insert(metric(&verdict.name, column), found.mean_db);
            metrics.insert(format!("{name}_{column}_20db"), found.near_db);
            metrics.insert(format!("{name}_{column}_within_1db"), found.within_one_db);
        }
    }
    Ok(metrics.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_of_comparisons_is_a_case_with_all_its_problems() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("comparisons");
        let mut folders = 0;
        for folder in std::fs::read_dir(root).unwrap() {
            let folder = folder.unwrap().path();
            let name = format!("compare/{}", folder.file_name().unwrap().display());
            let body = BODIES.iter().find(|body| body.name == name);
            let body = body.unwrap_or_else(|| panic!("{name} is no case"));
            let mut files: Vec<String> = (std::fs::read_dir(folder).unwrap())
                .map(|file| file.unwrap().path())
                .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
                .map(|path| path.file_stem().unwrap().display().to_string())
                .collect();
            files.sort();
            let embedded: Vec<&str> = body.problems.iter().map(|(name, _)| *name).collect();
            assert_eq!(files, embedded, "{name}");
            folders += 1;
        }
        assert_eq!(folders, BODIES.len());
    }

    #[test]
    fn every_result_beside_the_reference_has_a_limit() {
        for body in &BODIES {
            let free: Vec<&str> = (body.problems.iter())
                .map(|(name, _)| *name)
                .filter(|name| body.limits.iter().all(|(result, ..)| result != name))
                .collect();
            assert_eq!(free.len(), 1, "{}: {free:?}", body.name);
            assert!(["exact", "surface"].contains(&free[0]), "{}", body.name);
        }
    }
}
