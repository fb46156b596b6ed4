//! The contract between Wavefield's solvers and their caller.
//!
//! A [`Solver`] turns a specification into a [`Plan`]; the plan states its [`Cost`] and executes in a [`Context`] to an
//! [`Outcome`](outcome::Outcome). Every [`Error`] has an [`ErrorClass`], which fixes the exit code of the command and the
//! Python exception.
//!
//! | module | content |
//! |---|---|
//! | [`scene`] | frequency, bodies, excitation, and observation, in one vocabulary for every solver |
//! | [`outcome`] | arrays, tables, figures, and checks of a run, in one form for every solver |
//! | [`assessment`] | whether mesh and frequency suit the method |
//! | [`checkpoint`] | sections of a long run that the caller saves and loads |
//! | [`tasks`] | independent tasks of a run and their executor: threads, shards, MPI ranks |
//! | [`transport`] | collective operations and messages between processes that share one problem |
//!
//! ```
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//! use wavefield_gpu::{Device, DeviceChoice};
//! use wavefield_numerics::observe::{Observer, Silent};
//! use wavefield_solver::checkpoint::NullStore;
//! use wavefield_solver::outcome::{KeyFigure, Outcome};
//! use wavefield_solver::{Capabilities, Context, Cost, Error, Inputs, NoInputs, Plan, Solver};
//!
//! /// Free-space path loss.
//! #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
//! struct Link {
//!     wavelengths: f64,
//! }
//!
//! struct PathLoss;
//!
//! impl Solver for PathLoss {
//!     const NAME: &'static str = "path-loss";
//!     const CAPABILITIES: Capabilities = Capabilities { gpu: false, tasks: false, ranks: false };
//!     type Spec = Link;
//!     type Plan = Link;
//!
//!     fn plan(&self, link: &Link, _: &dyn Inputs, _: &dyn Observer) -> Result<Link, Error> {
//!         if link.wavelengths > 0.0 {
//!             Ok(link.clone())
//!         } else {
//!             Err(Error::input("`wavelengths` must be positive"))
//!         }
//!     }
//! }
//!
//! impl Plan for Link {
//!     fn cost(&self, _threads: usize) -> Cost {
//!         Cost { memory: 0, seconds: 0.0, size: "one link".to_owned(), memory_hint: "" }
//!     }
//!
//!     fn execute(&self, _: &Context<'_>) -> Result<Outcome, Error> {
//!         let loss = 20.0 * (4.0 * std::f64::consts::PI * self.wavelengths).log10();
//!         let figure = KeyFigure::new("path loss", format!("{loss:.1}"), "dB");
//!         Ok(Outcome { key_figures: vec![figure], ..Outcome::default() })
//!     }
//! }
//!
//! let plan = PathLoss.plan(&Link { wavelengths: 1000.0 }, &NoInputs, &Silent)?;
//! let device = Device::open(&DeviceChoice::Cpu, Some(1)).unwrap();
//! let context = Context { device: &device, observer: &Silent, checkpoints: &NullStore, ranks: None };
//! assert_eq!(plan.execute(&context)?.key_figures[0].value, "82.0");
//! # Ok::<(), Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod assessment;
pub mod checkpoint;
mod context;
mod contract;
mod cost;
mod error;
mod inputs;
pub mod outcome;
mod ranks;
pub mod scene;
pub mod tasks;
pub mod transport;

pub use context::Context;
pub use contract::{AnySolver, AnySpec, Capabilities, Plan, Solver, validate};
pub use cost::Cost;
pub use error::{Classified, Error, ErrorClass, display_path, printable};
pub use inputs::{FEWER_TRIANGLES, Inputs, NoInputs};
pub use ranks::{Graph, Partition, Ranks};
