//! Small real matrices of the reference element.

/// A square matrix of real numbers, row after row.
#[derive(Clone, Debug, PartialEq)]
pub struct SquareMatrix {
    size: usize,
    entries: Vec<f64>,
}

impl SquareMatrix {
    /// The matrix with these entries.
    pub(super) fn from_fn(size: usize, entry: impl Fn(usize, usize) -> f64) -> SquareMatrix {
        let entries = (0..size * size).map(|k| entry(k / size, k % size));
        SquareMatrix {
            size,
            entries: entries.collect(),
        }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.size..(row + 1) * self.size]
    }

    /// The product with another matrix of the same size.
    pub(super) fn times(&self, other: &SquareMatrix) -> SquareMatrix {
        SquareMatrix::from_fn(self.size, |i, j| {
            (0..self.size)
                .map(|k| self.row(i)[k] * other.row(k)[j])
                .sum()
        })
    }

    /// This matrix times its transpose.
    pub(super) fn times_transpose(&self) -> SquareMatrix {
        SquareMatrix::from_fn(self.size, |i, j| {
            self.row(i)
                .iter()
                .zip(self.row(j))
                .map(|(a, b)| a * b)
                .sum()
        })
    }

    /// The inverse, by elimination with the largest pivot of each column.
    ///
    /// Vandermonde matrices over good nodes are far from singular: their condition number is below 100.
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
