//! MPI ranks, and METIS to partition a mesh between them.

use std::sync::Arc;

use wavefield::ranks::Ranks;
use wavefield_cluster::{World, partition};

/// Joins the processes that the MPI launcher has started.
pub(crate) fn join() -> Result<Ranks, String> {
    Ok(Ranks {
        transport: Arc::new(World::join()?),
        partition,
    })
}
