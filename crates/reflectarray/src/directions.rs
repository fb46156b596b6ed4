//! Directions in which a beam is shaped, and in which it is judged.

use serde::{Deserialize, Serialize};
use wavefield_physics::far_field::power_db;

use crate::coverage::Coverage;
use crate::error::Error;

/// Directions of a coverage: first those inside, on an even grid, then those along the edge. A beam has its
/// least directivity mostly at the edge, between the points of any grid, and often on a vertex of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Directions {
    /// All of them.
    pub all: Vec<[f64; 2]>,
    /// How many lie on the grid inside.
    pub inside: usize,
}

impl Directions {
    /// Directions to evaluate a beam in, no farther apart than `step`, with every vertex of the edge.
    ///
    /// # Errors
    /// A step that is not positive or makes too many of them.
    pub fn evaluated(coverage: &Coverage, step: f64) -> Result<Directions, Error> {
        Directions::new(coverage, step, coverage.boundary_points(step)?)
    }

    /// Directions to shape a beam in, no farther apart than `step`, as few along a finely drawn edge as along a
    /// coarse one.
    ///
    /// # Errors
    /// A step that is not positive or makes too many of them.
    pub fn sampled(coverage: &Coverage, step: f64) -> Result<Directions, Error> {
        Directions::new(coverage, step, coverage.boundary_samples(step)?)
    }

    fn new(coverage: &Coverage, step: f64, edge: Vec<[f64; 2]>) -> Result<Directions, Error> {
        let mut all = coverage.interior_points(step)?;
        let inside = all.len();
        all.extend(edge);
        Ok(Directions { all, inside })
    }

    /// Least directivity, and mean over the grid inside, in dBi. A coverage smaller than the grid has its
    /// mean along the edge.
    pub fn judge(&self, directivity: &[f64]) -> Judgement {
        let least = directivity.iter().copied().fold(f64::INFINITY, f64::min);
        let counted = if self.inside > 0 {
            &directivity[..self.inside]
        } else {
            directivity
        };
        let mean = counted.iter().sum::<f64>() / counted.len() as f64;
        Judgement {
            least_dbi: power_db(least),
            mean_dbi: power_db(mean),
        }
    }
}

/// How a beam fills its coverage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Least directivity over the coverage, dBi.
    pub least_dbi: f64,
    /// Mean directivity over the coverage, dBi.
    pub mean_dbi: f64,
}
