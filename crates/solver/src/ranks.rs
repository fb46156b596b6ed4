//! The processes that share a run, and how they partition a mesh.

use std::sync::Arc;

use crate::transport::Transport;

/// A weighted graph to be partitioned: pieces of a mesh, and the faces between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Work of each piece.
    pub work: Vec<u32>,
    /// Neighbors of each piece, with the number of faces that they share.
    pub neighbors: Vec<Vec<(u32, u32)>>,
}

impl Graph {
    /// Divides the pieces into contiguous runs of nearly equal work: the part of each piece.
    pub fn contiguous_parts(&self, parts: u32) -> Vec<u32> {
        let whole: u64 = self.work.iter().map(|&work| u64::from(work)).sum();
        let mut before = 0;
        (self.work.iter())
            .map(|&work| {
                let middle = before + u64::from(work) / 2;
                before += u64::from(work);
                (middle * u64::from(parts) / whole.max(1)).min(u64::from(parts - 1)) as u32
            })
            .collect()
    }
}

/// Partitions a graph into a number of parts: the part of each piece.
pub type Partition = fn(&Graph, u32) -> Result<Vec<u32>, String>;

/// The processes of a run.
#[derive(Clone)]
pub struct Ranks {
    /// How they communicate.
    pub transport: Arc<dyn Transport>,
    /// How a mesh is partitioned between them.
    pub partition: Partition,
}

impl std::fmt::Debug for Ranks {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "rank {} of {}",
            self.transport.rank(),
            self.transport.size()
        )
    }
}

impl Ranks {
    /// Returns whether this process has the result folder.
    pub fn is_first(&self) -> bool {
        self.transport.rank() == 0
    }

    /// Returns the number of processes.
    pub fn size(&self) -> u32 {
        self.transport.size()
    }
}
