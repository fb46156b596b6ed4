//! Mesh partitioning with METIS.

use metis::{Graph as MetisGraph, Idx, option};
use wavefield_solver::Graph;

/// Partitions a graph into parts of nearly equal weight with a small edge cut (multilevel k-way, METIS) and returns the
/// part of each vertex. The result is deterministic and independent of the machine.
///
/// # Errors
/// The graph exceeds the index range of METIS, or METIS fails.
pub fn partition(graph: &Graph, parts: u32) -> Result<Vec<u32>, String> {
    if parts <= 1 || graph.work.len() <= 1 {
        return Ok(vec![0; graph.work.len()]);
    }
    let index = |number: usize| Idx::try_from(number).map_err(|error| error.to_string());
    let mut starts: Vec<Idx> = vec![0];
    let (mut others, mut shared): (Vec<Idx>, Vec<Idx>) = Default::default();
    for neighbors in &graph.neighbors {
        for &(other, faces) in neighbors {
            others.push(index(other as usize)?);
            shared.push(index(faces as usize)?);
        }
        starts.push(index(others.len())?);
    }
    let work = (graph.work.iter())
        .map(|&work| index(work as usize))
        .collect::<Result<Vec<Idx>, _>>()?;
    let mut division = vec![0; graph.work.len()];
    MetisGraph::new(1, index(parts as usize)?, &starts, &others)
        .map_err(|error| error.to_string())?
        .set_vwgt(&work)
        .set_adjwgt(&shared)
        .set_option(option::Seed(1))
        .part_kway(&mut division)
        .map_err(|error| error.to_string())?;
    Ok(division.into_iter().map(|part| part as u32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a chain of vertices.
    fn line(pieces: u32) -> Graph {
        Graph {
            work: vec![64; pieces as usize],
            neighbors: (0..pieces)
                .map(|piece| {
                    let before = piece.checked_sub(1);
                    let after = Some(piece + 1).filter(|&next| next < pieces);
                    before.into_iter().chain(after).map(|n| (n, 10)).collect()
                })
                .collect(),
        }
    }

    #[test]
    fn a_line_is_cut_into_equal_stretches() {
        for parts in [1, 2, 3, 4] {
            let division = partition(&line(48), parts).unwrap();
            let size = |part: u32| division.iter().filter(|&&p| p == part).count();
            for part in 0..parts {
                assert!(
                    size(part).abs_diff(48 / parts as usize) <= 2,
                    "{division:?}"
                );
            }
            let cuts = division.windows(2).filter(|w| w[0] != w[1]).count();
            assert!(cuts <= 2 * parts as usize, "{division:?}");
            assert_eq!(division, partition(&line(48), parts).unwrap());
        }
    }
}
