//! Least-squares problem min ‖HY − G‖ of GMRES for a growing Hessenberg matrix H, triangularized by Givens
//! rotations.

use num_complex::Complex64;

/// Diagonal element, relative to the norm of its column, at which the column depends on those before.
const DEPENDENT: f64 = 8.0 * f64::EPSILON;

/// H as an upper triangular matrix, and the rotated right-hand sides.
pub(super) struct LeastSquares {
    /// Columns of the triangular matrix.
    triangle: Vec<Vec<Complex64>>,
    /// Givens rotations: upper row, cosine, sine.
    rotations: Vec<(usize, f64, Complex64)>,
    right: Vec<Vec<Complex64>>,
}

impl LeastSquares {
    pub(super) fn new(right: Vec<Vec<Complex64>>) -> LeastSquares {
        LeastSquares {
            triangle: Vec::new(),
            rotations: Vec::new(),
            right,
        }
    }

    /// Returns the number of columns.
    pub(super) fn columns(&self) -> usize {
        self.triangle.len()
    }

    /// Adds a column, at least as long as those before.
    pub(super) fn add_column(&mut self, mut column: Vec<Complex64>) {
        for &(row, c, s) in &self.rotations {
            rotate(&mut column, row, c, s);
        }
        let diagonal = self.triangle.len();
        for right in &mut self.right {
            let length = right.len().max(column.len());
            right.resize(length, Complex64::ZERO);
        }
        for row in (diagonal..column.len().saturating_sub(1)).rev() {
            // Givens rotation that annihilates b.
            let (a, b) = (column[row], column[row + 1]);
            let length = a.norm().hypot(b.norm());
            if b == Complex64::ZERO {
                continue;
            }
            let (c, s) = if a == Complex64::ZERO {
                (0.0, b.conj() / b.norm())
            } else {
                (a.norm() / length, a / a.norm() * (b.conj() / length))
            };
            rotate(&mut column, row, c, s);
            for right in &mut self.right {
                rotate(right, row, c, s);
            }
            self.rotations.push((row, c, s));
        }
        column.truncate(diagonal + 1);
        self.triangle.push(column);
    }

    /// Returns the largest residual.
    pub(super) fn residual(&self) -> f64 {
        let left = |right: &Vec<Complex64>| {
            let rest = right.get(self.columns()..).unwrap_or(&[]);
            rest.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt()
        };
        self.right.iter().map(left).fold(0.0, super::larger)
    }

    /// Returns the residuals as components along the first `vectors` basis vectors.
    pub(super) fn residuals(&self, vectors: usize) -> Vec<Vec<Complex64>> {
        (self.right.iter())
            .map(|right| {
                let mut residual = right.clone();
                residual.resize(vectors, Complex64::ZERO);
                residual[..self.columns()].fill(Complex64::ZERO);
                for &(row, c, s) in self.rotations.iter().rev() {
                    rotate(&mut residual, row, c, -s);
                }
                residual
            })
            .collect()
    }

    /// Returns the coefficients of the columns, for every right-hand side; zero for a column that depends on those before.
    pub(super) fn solutions(&self) -> Vec<Vec<Complex64>> {
        let count = self.columns();
        // A diagonal of rounding errors would amplify them without limit.
        let dependent: Vec<bool> = (self.triangle.iter().enumerate())
            .map(|(i, column)| {
                let size = column.iter().map(Complex64::norm_sqr).sum::<f64>();
                column[i].norm() <= DEPENDENT * size.sqrt()
            })
            .collect();
        (self.right.iter())
            .map(|right| {
                let mut weights = right.clone();
                weights.resize(count, Complex64::ZERO);
                for i in (0..count).rev() {
                    weights[i] = if dependent[i] {
                        Complex64::ZERO
                    } else {
                        weights[i] / self.triangle[i][i]
                    };
                    let value = weights[i];
                    for (j, weight) in weights[..i].iter_mut().enumerate() {
                        *weight -= self.triangle[i][j] * value;
                    }
                }
                weights
            })
            .collect()
    }
}

fn rotate(column: &mut [Complex64], row: usize, c: f64, s: Complex64) {
    let (a, b) = (column[row], column[row + 1]);
    column[row] = c * a + s * b;
    column[row + 1] = -s.conj() * a + c * b;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependent_column_has_no_coefficient() {
        let right = vec![Complex64::new(2.0, 1.0), Complex64::ONE, Complex64::ZERO];
        let mut problem = LeastSquares::new(vec![right]);
        let column = |a: f64, b: f64| vec![Complex64::from(a), Complex64::from(b), Complex64::ZERO];
        problem.add_column(column(0.3, 0.7));
        // Three times the first, to rounding.
        problem.add_column(column(0.9, 3.0 * 0.7));
        let found = &problem.solutions()[0];
        assert_eq!(found[1], Complex64::ZERO);
        // The residual is orthogonal to the column.
        let residual = [
            Complex64::new(2.0, 1.0) - 0.3 * found[0],
            Complex64::ONE - 0.7 * found[0],
        ];
        assert!((0.3 * residual[0] + 0.7 * residual[1]).norm() < 1e-15);
    }
}
