//! Several machines on one problem: what `wavefield` needs of MPI and METIS, and nothing else of it does.
//!
//! A crate of its own, since it takes libraries that a machine alone does not need; the feature `mpi` of `wavefield`
//! brings it in.

#![forbid(unsafe_code)]

mod division;
mod world;

pub use division::partition;
pub use world::World;
