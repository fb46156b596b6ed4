//! A solver in its own crate: registered by one call, it runs from a problem file through check, run, report,
//! comparison, and Python, without a change to any other file.

mod path_loss {
    use std::f64::consts::PI;

    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use wavefield::numerics::observe::Observer;
    use wavefield::outcome::{Data, KeyFigure, Outcome};
    use wavefield_physics::{constants::SPEED_OF_LIGHT, quantity::*, sweep::Sweep};
    use wavefield_solver::scene::{Issues, Scene};
    use wavefield_solver::{Capabilities, Context, Cost, Error, Inputs, Plan, Solver};

    /// Free-space path loss between isotropic antennas, H. T. Friis, Proc. IRE 34 (1946) 254–256.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Link {
        /// One frequency or a sweep.
        frequency: Sweep<Frequency>,
        /// Distance between the antennas.
        distance: Length,
    }

    pub(super) struct PathLoss;

    impl Solver for PathLoss {
        const NAME: &'static str = "path-loss";
        const CAPABILITIES: Capabilities = Capabilities {
            gpu: false,
            tasks: false,
            ranks: false,
        };
        type Spec = Link;
        type Plan = Link;

        fn scene<'a>(&self, link: &'a Link) -> Scene<'a> {
            Scene {
                frequency: Some(&link.frequency),
                ..Scene::default()
            }
        }

        fn check(&self, link: &Link, issues: &mut Issues) {
            issues.positive("distance", link.distance.meters(1.0), "m");
        }

        fn plan(&self, link: &Link, _: &dyn Inputs, _: &dyn Observer) -> Result<Link, Error> {
            Ok(link.clone())
        }
    }

    impl Plan for Link {
        fn cost(&self, _threads: usize) -> Cost {
            Cost {
                memory: 0,
                seconds: 0.0,
                size: "one link".to_owned(),
                memory_hint: "",
            }
        }

        fn execute(&self, _: &Context<'_>) -> Result<Outcome, Error> {
            let frequency: Vec<f64> = self
                .frequency
                .values()
                .unwrap()
                .iter()
                .map(|f| f.0)
                .collect();
            let loss =
                |f: &f64| 4.0 * PI * self.distance.meters(SPEED_OF_LIGHT / f) * f / SPEED_OF_LIGHT;
            let loss_db: Vec<f64> = frequency.iter().map(|f| 20.0 * loss(f).log10()).collect();
            let figure = KeyFigure::new("path loss", format!("{:.1}", loss_db[0]), "dB");
            let mut outcome = Outcome {
                key_figures: vec![figure],
                ..Outcome::default()
            };
            let columns = vec![
                ("frequency", "Hz", Data::Real(frequency)),
                ("loss_db", "dB", Data::Real(loss_db)),
            ];
            outcome.add_table("loss", "Free-space path loss", columns);
            Ok(outcome)
        }
    }
}

use std::path::Path;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wavefield::registry;

const PROBLEM: &str = r#"
format = 1
solver = "path-loss"
title = "A link"
frequency = { start = "1 GHz", stop = "2 GHz", count = 3 }
distance = "300 m"
"#;

/// Runs the command and returns its exit code.
fn command(arguments: &[&str]) -> u8 {
    let program = std::iter::once("wavefield");
    wavefield_cli::main(program.chain(arguments.iter().copied()).map(Into::into))
}

#[test]
fn a_solver_of_sixty_lines_joins_the_program() {
    assert!(registry::register(&path_loss::PathLoss));
    assert!(
        !registry::register(&path_loss::PathLoss),
        "the name is taken now"
    );
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (problem, near, far, compared) = (at("near.toml"), at("near"), at("far"), at("compared"));
    std::fs::write(&problem, PROBLEM).unwrap();

    assert_eq!(command(&["check", &problem]), 0);
    assert_eq!(command(&["run", &problem, "--out", &near, "--quiet"]), 0);
    assert_eq!(command(&["report", &near]), 0);
    assert!(
        std::fs::read_to_string(Path::new(&near).join("report.html"))
            .unwrap()
            .contains("path loss")
    );
    let second = at("far.toml");
    std::fs::write(&second, PROBLEM.replace("300 m", "600 m")).unwrap();
    assert_eq!(command(&["run", &second, "--out", &far, "--quiet"]), 0);
    assert_eq!(
        command(&["compare", &near, &far, "--out", &compared, "--quiet"]),
        0
    );
    // Twice the distance is 6.02 dB.
    let table = std::fs::read_to_string(Path::new(&compared).join("comparison.csv")).unwrap();
    assert!(table.contains("6.02"), "{table}");

    std::fs::write(&problem, PROBLEM.replace("300 m", "-3 m")).unwrap();
    assert_eq!(command(&["check", &problem]), 2);

    pyo3::append_to_inittab!(_native);
    Python::initialize();
    Python::attach(|py| {
        let locals = PyDict::new(py);
        let code = c"
import _native
problem = {'format': 1, 'solver': 'path-loss', 'frequency': '1 GHz', 'distance': '300 m'}
figures, arrays = _native.NativeProblem.from_values(problem, '.').run(None, 'auto', None, None)
try:
    wrong = _native.NativeProblem.from_values({**problem, 'distance': '0 m'}, '.')
    wrong.run(None, 'auto', None, None)
    said = ''
except _native.ProblemError as error:
    said = str(error)
";
        py.run(code, None, Some(&locals)).unwrap();
        let said = |name: &str| {
            locals
                .get_item(name)
                .unwrap()
                .unwrap()
                .str()
                .unwrap()
                .to_string()
        };
        // 4π · 300 m · 1 GHz / c.
        assert!(said("figures").contains("82.0"), "{}", said("figures"));
        assert!(
            said("said").contains("`distance` must be positive"),
            "{}",
            said("said")
        );
    });
}

use wavefield_native::_native;
