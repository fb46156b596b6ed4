//! Directions in which a beam is optimized and evaluated.

use serde::{Deserialize, Serialize};
use wavefield_physics::far_field::power_db;

use crate::coverage::Coverage;
use crate::error::Error;

/// Directions of a coverage: interior grid first, then the edge. The minimum directivity of a beam is mostly at
/// the edge, between grid points, and often at a vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct Directions {
    /// All directions.
    pub all: Vec<[f64; 2]>,
    /// Number of directions on the interior grid.
    pub inside: usize,
}

impl Directions {
    /// Returns directions for evaluation, at most `step` apart, including every vertex of the edge.
    ///
    /// # Errors
    /// Returns an error if the step is not positive or yields too many directions.
    pub fn evaluated(coverage: &Coverage, step: f64) -> Result<Directions, Error> {
        Directions::new(coverage, step, coverage.boundary_points(step)?)
    }

    /// Returns directions for optimization, at most `step` apart; their number along the edge does not depend
    /// on its vertices.
    ///
    /// # Errors
    /// Returns an error if the step is not positive or yields too many directions.
    pub fn sampled(coverage: &Coverage, step: f64) -> Result<Directions, Error> {
        Directions::new(coverage, step, coverage.boundary_samples(step)?)
    }

    fn new(coverage: &Coverage, step: f64, edge: Vec<[f64; 2]>) -> Result<Directions, Error> {
        let mut all = coverage.interior_points(step)?;
        let inside = all.len();
        all.extend(edge);
        Ok(Directions { all, inside })
    }

    /// Returns the minimum directivity, and the mean over the interior grid, dBi. For a coverage smaller than
    /// the grid the mean is along the edge.
    pub fn evaluate(&self, directivity: &[f64]) -> CoverageMetrics {
        let least = directivity.iter().copied().fold(f64::INFINITY, f64::min);
        let counted = if self.inside > 0 {
            &directivity[..self.inside]
        } else {
            directivity
        };
        let mean = counted.iter().sum::<f64>() / counted.len() as f64;
        CoverageMetrics {
            least_dbi: power_db(least),
            mean_dbi: power_db(mean),
        }
    }
}

/// Minimum and mean directivity over a coverage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoverageMetrics {
    /// Minimum directivity over the coverage, dBi.
    pub least_dbi: f64,
    /// Mean directivity over the coverage, dBi.
    pub mean_dbi: f64,
}
