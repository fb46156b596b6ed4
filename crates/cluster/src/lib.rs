//! MPI transport between processes ([`World`]) and METIS partitioning of meshes ([`partition`]).
//!
//! This is a separate crate because it requires an MPI library and libclang at build time; the feature `mpi` of
//! `wavefield-cli` enables it.
//!
//! ```
//! use wavefield_solver::Graph;
//!
//! // Two pairs of elements that share many faces, connected by one face.
//! let graph = Graph {
//!     work: vec![1; 4],
//!     neighbors: vec![vec![(1, 9)], vec![(0, 9), (2, 1)], vec![(1, 1), (3, 9)], vec![(2, 9)]],
//! };
//! let part = wavefield_cluster::partition(&graph, 2)?;
//! assert!(part[0] == part[1] && part[2] == part[3] && part[1] != part[2]);
//! # Ok::<(), String>(())
//! ```

#![forbid(unsafe_code)]

mod division;
mod world;

pub use division::partition;
pub use world::World;
