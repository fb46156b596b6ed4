//! Wavefield: one program for people who compute waves.
//!
//! A [`problem::Problem`] is read from a TOML file, planned and run by a solver (`solver`), and
//! its [`outcome::Outcome`] is written to a result folder (`result`) and shown as one
//! self-contained page (`report`); [`compare`] lays several over each other. `validate` and `bench` hold results against exact solutions,
//! reference data and the machine's own bounds. Only this crate knows files, people and clocks;
//! the solvers below know only physics.
//!
//! ```
//! use wavefield::{problem::Problem, run};
//!
//! let text = wavefield::examples::Example::find("exact/sphere").unwrap().problem;
//! let problem = Problem::parse(text, "problem.toml", std::path::Path::new(""))?;
//! let (record, outcome) = run::run(&problem, &run::Options::default(), &wavefield_compute::observe::Silent)?;
//! assert_eq!(record.solver, "exact");
//! assert_eq!(outcome.array("rcs/vv_dbsm").unwrap().shape, [721]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

/// Prints a line of data. A closed pipe is the reader's choice, not our failure.
macro_rules! say {
    ($($what:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($what)*);
    }};
}

pub mod bench;
pub mod bit_source;
pub mod command;
pub mod compare;
pub mod device;
pub mod examples;
pub mod failure;
pub mod gmsh;
mod keep;
pub mod live;
pub mod measure;
mod memory;
pub mod mesh_file;
pub mod outcome;
mod output_file;
pub mod problem;
pub mod progress;
pub mod ranks;
pub mod reference_data;
pub mod report;
pub mod result;
pub mod run;
pub mod solver;
pub mod sound_files;
mod suggest;
mod sweep;
mod temporary_folder;
mod this_program;
pub mod validate;

pub use wavefield_compute as compute;
pub use wavefield_exact as exact;
pub use wavefield_holography as holography;
pub use wavefield_mesh as mesh;
pub use wavefield_nufft as nufft;
pub use wavefield_physics as physics;
