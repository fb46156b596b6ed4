//! Pixel grid of an image.

use super::error::ProductError;

/// Maximum number of pixels of an image.
const MAX_CELLS: f64 = 2e7;

/// Pixel grid: cross-range along a row, down-range from row to row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Cross-range and down-range of the first pixel, m.
    pub first: [f64; 2],
    /// Pixel size, m.
    pub step: [f64; 2],
    /// Number of columns and rows.
    pub count: [usize; 2],
}

impl Grid {
    /// Creates a grid over a rectangle, corners included, with pixels no larger than `step`, m.
    ///
    /// # Errors
    /// Returns an error if the number of pixels exceeds the limit.
    pub fn over(low: [f64; 2], high: [f64; 2], step: [f64; 2]) -> Result<Grid, ProductError> {
        let cells =
            [0, 1].map(|axis| ((high[axis] - low[axis]) / step[axis]).ceil().max(1.0) + 1.0);
        let all = cells[0] * cells[1];
        if all.is_nan() || all > MAX_CELLS {
            return Err(ProductError::TooManyCells {
                rows: cells[1],
                columns: cells[0],
                most: MAX_CELLS,
            });
        }
        Ok(Grid {
            first: low,
            step: [0, 1].map(|axis| (high[axis] - low[axis]) / (cells[axis] - 1.0)),
            count: cells.map(|count| count as usize),
        })
    }

    /// Returns the number of pixels.
    pub fn cells(&self) -> usize {
        self.count[0] * self.count[1]
    }

    /// Returns the cross-range and down-range of a pixel by its index, m.
    pub fn place(&self, number: usize) -> [f64; 2] {
        self.at([number % self.count[0], number / self.count[0]])
    }

    /// Returns the cross-range and down-range of a pixel by its column and row, m.
    pub fn at(&self, cell: [usize; 2]) -> [f64; 2] {
        [0, 1].map(|axis| self.first[axis] + self.step[axis] * cell[axis] as f64)
    }

    /// Returns the cross-range and down-range of the last pixel, m.
    pub fn last(&self) -> [f64; 2] {
        self.at(self.count.map(|count| count - 1))
    }
}
