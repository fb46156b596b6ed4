//! Solution irrep by irrep, with one matrix in memory at a time.

use num_complex::Complex64;
use wavefield_numerics::dense::Lu;
use wavefield_numerics::krylov::norm;
use wavefield_numerics::observe::{Observer, Progress};

use super::Symmetry;
use crate::error::Error;
use crate::fill::fill;
use crate::pair::Pairs;

/// Relative norm of the right-hand sides below which an irrep is skipped as rounding error.
const NOTHING: f64 = 1e-13;

impl Symmetry {
    /// Replaces concatenated right-hand sides by solutions; returns the largest condition number of an irrep.
    pub(crate) fn solve(
        &self,
        pairs: &Pairs<'_>,
        columns: &mut [Complex64],
        observer: &dyn Observer,
    ) -> Result<Option<f64>, Error> {
        let whole = norm(columns);
        // The right-hand sides of all irreps together take as much memory as the originals.
        let mut right: Vec<Vec<Complex64>> = (0..self.count())
            .map(|irrep| self.irrep(irrep).fold(columns))
            .collect();
        columns.fill(Complex64::ZERO);
        let transposes = pairs.are_symmetric();
        let mut condition: Option<f64> = None;
        for number in self.with_matrices(transposes) {
            let conjugate = self.conjugate(number);
            let mut own = std::mem::take(&mut right[number]);
            let mut other = match transposes && conjugate != number {
                true => std::mem::take(&mut right[conjugate]),
                false => Vec::new(),
            };
            if norm(&own).hypot(norm(&other)) <= NOTHING * whole {
                continue;
            }
            let irrep = self.irrep(number);
            let matrix = fill(pairs, &irrep, observer)?;
            let norm_one = matrix.norm1();
            let factors = Lu::factor(matrix, observer)?;
            let found = factors.condition(norm_one);
            condition = Some(condition.map_or(found, |known| known.max(found)));
            factors.solve_in_place(&mut own);
            irrep.unfold(&own, columns);
            if !other.is_empty() {
                // Âᵀ x = b is Âᴴ conj(x) = conj(b).
                conjugate_all(&mut other);
                factors.solve_adjoint_in_place(&mut other);
                conjugate_all(&mut other);
                self.irrep(conjugate).unfold(&other, columns);
            }
            observer.progress(&Progress::new(
                "irreps",
                number as u64 + 1,
                self.count() as u64,
            ));
        }
        Ok(condition)
    }
}

fn conjugate_all(columns: &mut [Complex64]) {
    for z in columns {
        *z = z.conj();
    }
}
