//! Planning of problem files, as `wavefield check` does it, without Gmsh.

use std::path::{Path, PathBuf};

use wavefield::ErrorClass;
use wavefield::mesh::AnyMesh;
use wavefield::mesh::gmsh::Task;
use wavefield::numerics::observe::{Observer, Silent};
use wavefield::problem::Document;
use wavefield::solver::{Error, Inputs};

/// End of the planning of a problem file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planning {
    /// Every problem of the file was planned and assessed.
    Planned,
    /// The file was rejected with a message: exit code 2.
    Rejected,
}

/// Files of a folder, no mesh generator, and a limited memory.
struct LimitedInputs {
    folder: PathBuf,
    memory: usize,
}

impl Inputs for LimitedInputs {
    fn file(&self, path: &str) -> Result<Vec<u8>, Error> {
        std::fs::read(self.folder.join(path))
            .map_err(|error| Error::input(format!("cannot read {path}: {error}")))
    }

    fn generate_mesh(&self, _: &Task, _: &dyn Observer) -> Result<AnyMesh, Error> {
        Err(Error::input("no mesh generator"))
    }

    fn memory(&self) -> usize {
        self.memory
    }
}

/// Plans the problems of a file whose paths are relative to `folder`, with `memory` bytes for their runs.
///
/// # Panics
/// If an error has another exit code than 2, or no message.
pub fn plan_problem(text: &str, folder: &Path, memory: usize) -> Planning {
    let document = Document::parse(text, "problem.toml", folder);
    let Ok(problems) = document.and_then(|document| document.problems()) else {
        return Planning::Rejected;
    };
    let inputs = LimitedInputs {
        folder: folder.to_owned(),
        memory,
    };
    for (_, problem) in problems {
        match problem.spec.plan(&inputs, &Silent) {
            Ok(plan) => {
                let cost = plan.cost(2);
                assert!(!cost.size.is_empty() && !cost.seconds.is_nan());
                assert!(plan.assess().iter().all(|a| !a.value.is_empty()));
            }
            Err(error) => {
                assert_eq!(error.class(), ErrorClass::Input, "{error}");
                assert!(!error.to_string().is_empty());
                return Planning::Rejected;
            }
        }
    }
    Planning::Planned
}
