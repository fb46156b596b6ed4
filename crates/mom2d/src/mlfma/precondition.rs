//! Preconditioner of the MLFMA operator: on large smooth bodies the inverse of their equation along the curve, elsewhere a
//! block-diagonal preconditioner with the blocks of the leaves.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::dense::Matrix;
use wavefield_numerics::krylov::Operator;

use super::MlfmaOperator;
use super::arc::{Curve, Multiplier};
use crate::error::Error;
use crate::factor::Factors;

/// Inverses along curves, and the remaining unknowns of every leaf with the LU factors of their block.
pub(crate) struct NearInverse<'a> {
    size: usize,
    curves: Vec<(&'a Curve, Multiplier)>,
    blocks: Vec<(Vec<u32>, Factors)>,
}

impl<'a> NearInverse<'a> {
    /// Creates the preconditioner of an operator, with the leaves of the exterior.
    ///
    /// # Errors
    /// A block is singular.
    pub(crate) fn new(operator: &'a MlfmaOperator<'_>) -> Result<NearInverse<'a>, Error> {
        let outside = &operator.media[0];
        let tree = &outside.multipole.tree;
        let unknowns = operator.system.unknowns();
        let curves: Vec<(&Curve, Multiplier)> = (operator.curves.iter())
            .map(|curve| (curve, curve.inverse(operator.system)))
            .collect();
        let is_left = |number: &u32| {
            let mut curves = curves.iter().map(|(curve, _)| &curve.unknowns);
            !curves.any(|own| own.contains(&(*number as usize)))
        };
        let blocks = (tree.leaves().cells.par_iter())
            .map(|leaf| {
                // Equations are numbered like unknowns.
                let mut numbers: Vec<u32> = (tree.order[leaf.nodes.clone()].iter())
                    .flat_map(|&node| {
                        let of_node = unknowns.iter().filter(move |u| u.nodes.contains(&node));
                        of_node.map(move |u| (u.numbers.start + node - u.nodes.start) as u32)
                    })
                    .filter(is_left)
                    .collect();
                numbers.sort_unstable();
                let block = Matrix::from_fn(numbers.len(), numbers.len(), |row, column| {
                    operator.near_entry(numbers[row] as usize, numbers[column] as usize)
                });
                Ok((numbers, Factors::new(block)?))
            })
            .filter(|block| !matches!(block, Ok((numbers, _)) if numbers.is_empty()))
            .collect::<Result<_, Error>>()?;
        Ok(NearInverse {
            size: operator.size(),
            curves,
            blocks,
        })
    }
}

impl Operator for NearInverse<'_> {
    fn size(&self) -> usize {
        self.size
    }

    fn apply(&self, x: &[Complex64], y: &mut [Complex64]) {
        let solved: Vec<Vec<Complex64>> = (self.blocks.par_iter())
            .map(|(numbers, factors)| {
                let mut right: Vec<Complex64> = numbers.iter().map(|&n| x[n as usize]).collect();
                factors.solve(&mut right);
                right
            })
            .collect();
        y.fill(Complex64::ZERO);
        for (curve, inverse) in &self.curves {
            let own = curve.unknowns.clone();
            curve.add(inverse, &x[own.clone()], &mut y[own]);
        }
        for ((numbers, _), solved) in self.blocks.iter().zip(solved) {
            for (&number, value) in numbers.iter().zip(solved) {
                y[number as usize] = value;
            }
        }
    }
}
