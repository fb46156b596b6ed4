//! MPI ranks, and METIS for mesh partitioning.

use std::sync::Arc;

use wavefield::ranks::Ranks;
use wavefield_cluster::{World, partition};

/// Joins the ranks started by the MPI launcher.
pub(crate) fn join() -> Result<Ranks, String> {
    Ok(Ranks {
        transport: Arc::new(World::join()?),
        partition,
    })
}
