//! The contract between Wavefield's solvers and their caller.
//!
//! | module | content |
//! |---|---|
//! | [`checkpoint`] | sections of a long run that are stored and loaded by the caller |
//! | [`tasks`] | independent tasks of a run and their executor: threads, processes, MPI ranks |
//! | [`transport`] | messages between processes that share one problem |
//!
//! A solver computes each section through [`checkpoint::once`], which loads it if an earlier run stored it:
//!
//! ```
//! use wavefield_solver::checkpoint::{Forgetful, NotKept, once};
//!
//! let factors = once(&Forgetful, "factors", || Ok::<_, NotKept>(vec![1.0, 2.0]))?;
//! assert_eq!(factors, [1.0, 2.0]);
//! # Ok::<(), NotKept>(())
//! ```
#![forbid(unsafe_code)]

pub mod checkpoint;
pub mod tasks;
pub mod transport;
