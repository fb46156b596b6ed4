//! Small dense matrices of the reference element.

/// Square real matrix in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub struct SquareMatrix {
    size: usize,
    entries: Vec<f64>,
}

impl SquareMatrix {
    /// Creates a matrix of entries given by row and column.
    pub(super) fn from_fn(size: usize, entry: impl Fn(usize, usize) -> f64) -> SquareMatrix {
        let entries = (0..size * size).map(|k| entry(k / size, k % size));
        SquareMatrix {
            size,
            entries: entries.collect(),
        }
    }

    /// Returns the number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns a row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.size..(row + 1) * self.size]
    }

    /// Returns the product with another matrix of the same size.
    pub(super) fn times(&self, other: &SquareMatrix) -> SquareMatrix {
        SquareMatrix::from_fn(self.size, |i, j| {
            (0..self.size)
                .map(|k| self.row(i)[k] * other.row(k)[j])
                .sum()
        })
    }

    /// Returns the product of this matrix with its transpose.
    pub(super) fn times_transpose(&self) -> SquareMatrix {
        SquareMatrix::from_fn(self.size, |i, j| {
            self.row(i)
                .iter()
                .zip(self.row(j))
                .map(|(a, b)| a * b)
                .sum()
        })
    }

    /// Returns the inverse, by Gauss–Jordan elimination with partial pivoting.
    ///
    /// Vandermonde matrices of the interpolation nodes are well conditioned: their condition number is below 100.
    pub(super) fn inverse(&self) -> SquareMatrix {
        let n = self.size;
        let mut left = self.clone();
        let mut right = SquareMatrix::from_fn(n, |i, j| if i == j { 1.0 } else { 0.0 });
        for column in 0..n {
            let pivot = (column..n)
                .max_by(|&i, &j| {
                    let [a, b] = [i, j].map(|row| left.row(row)[column].abs());
                    a.total_cmp(&b)
                })
                .unwrap_or(column);
            for matrix in [&mut left, &mut right] {
                for k in 0..n {
                    matrix.entries.swap(column * n + k, pivot * n + k);
                }
            }
            let factor = left.row(column)[column].recip();
            for matrix in [&mut left, &mut right] {
                for entry in &mut matrix.entries[column * n..(column + 1) * n] {
                    *entry *= factor;
                }
            }
            for row in (0..n).filter(|&row| row != column) {
                let factor = left.row(row)[column];
                for matrix in [&mut left, &mut right] {
                    for k in 0..n {
                        matrix.entries[row * n + k] -= factor * matrix.entries[column * n + k];
                    }
                }
            }
        }
        right
    }
}
