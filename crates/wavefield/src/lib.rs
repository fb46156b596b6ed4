//! Wavefield: solvers for electromagnetics and acoustics behind one library.
//!
//! The [`registry`] holds the solvers: DGTD, method of moments in 2-D and 3-D, shooting and bouncing rays (SBR),
//! reflectarray synthesis, near-field acoustic holography (NAH), and exact Mie and cylinder series. A
//! [`problem::Problem`] is read from a TOML file, planned, and run; its [`outcome::Outcome`] is written to a result
//! folder (`result`) and shown as one self-contained page (`report`). Runs write checkpoints and task journals
//! ([`checkpoint`]), so that an interrupted run resumes with a bitwise identical result. [`compare`] compares several results
//! with a reference. The command is the crate `wavefield-cli`; validation cases and benchmarks are in
//! `wavefield-validation`.
//!
//! ```
//! use wavefield::{problem::Problem, run};
//!
//! let text = wavefield::examples::Example::find("exact/sphere").unwrap().problem;
//! let problem = Problem::parse(text, "problem.toml", std::path::Path::new(""))?;
//! let (record, outcome) = run::run(&problem, &run::Options::default(), &wavefield_numerics::observe::Silent)?;
//! assert_eq!(record.solver, "exact");
//! assert_eq!(outcome.array("rcs/vv_dbsm").unwrap().shape, [721]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod bit_source;
pub mod checkpoint;
pub mod compare;
pub mod device;
pub mod examples;
pub(crate) mod executors;
pub mod gmsh;
pub mod inputs;
pub mod live;
pub mod memory;
mod options;
mod output_file;
pub mod planned;
pub mod problem;
pub mod ranks;
pub mod registry;
mod replacement;
pub mod result;
pub mod run;
pub mod suggest;
mod sweep;
pub mod temporary_folder;
pub mod this_program;

pub use wavefield_exact as exact;
pub use wavefield_gpu as gpu;
pub use wavefield_holography as holography;
pub use wavefield_mesh as mesh;
pub use wavefield_nufft as nufft;
pub use wavefield_numerics as numerics;
pub use wavefield_physics as physics;
pub use wavefield_report as report;
pub use wavefield_solver as solver;
pub use wavefield_solver::{Error, ErrorClass, display_path, outcome};
