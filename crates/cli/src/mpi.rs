//! MPI ranks, and METIS to partition a mesh between them.

use std::sync::Arc;

use wavefield::ranks::{Pieces, Ranks};
use wavefield_cluster::{Graph, World, divided};

/// Joins the processes that the MPI launcher has started.
pub(crate) fn join() -> Result<Ranks, String> {
    Ok(Ranks {
        transport: Arc::new(World::join()?),
        divide,
    })
}

/// Partitions the graph of mesh pieces by METIS.
fn divide(pieces: &Pieces, parts: u32) -> Result<Vec<u32>, String> {
    let neighbors = pieces.neighbours.iter().map(|others| {
        let weighted = others.iter().map(|(&piece, &faces)| (piece, faces));
        weighted.collect()
    });
    let graph = Graph {
        work: pieces.work.clone(),
        neighbours: neighbors.collect(),
    };
    divided(&graph, parts)
}
