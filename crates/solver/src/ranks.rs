//! Processes (MPI ranks) that share a run, and the mesh partition between them.

use std::sync::Arc;

use crate::transport::Transport;

/// A weighted dual graph of a mesh: elements, or blocks of them, connected through faces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Weight of each vertex: its computational work.
    pub work: Vec<u32>,
    /// Neighbors of each vertex, with the number of shared faces.
    pub neighbors: Vec<Vec<(u32, u32)>>,
}

impl Graph {
    /// Partitions the vertices into contiguous ranges of nearly equal work and returns the part of
    /// each vertex.
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

/// A function that partitions a graph into a number of parts and returns the part of each vertex.
pub type Partition = fn(&Graph, u32) -> Result<Vec<u32>, String>;

/// The processes of a run.
#[derive(Clone)]
pub struct Ranks {
    /// Communication between the processes.
    pub transport: Arc<dyn Transport>,
    /// Mesh partitioner.
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
    /// Returns whether this process is rank 0, which writes the results.
    pub fn is_first(&self) -> bool {
        self.transport.rank() == 0
    }

    /// Returns the number of processes.
    pub fn size(&self) -> u32 {
        self.transport.size()
    }
}
