//! Currents of one irreducible representation (irrep): those that each symmetry operation multiplies by one character.

use num_complex::Complex64;
use rayon::prelude::*;

const ONE: Complex64 = Complex64::new(1.0, 0.0);

/// Irreducible representation: the orbits of basis functions that carry its currents.
#[derive(Clone, Debug)]
pub(crate) struct Irrep {
    /// First function of every orbit.
    pub(super) first: Vec<u32>,
    /// Orbit of each function and its weight w, which is zero if the orbit has no current of this irrep.
    pub(super) of_function: Vec<(u32, Complex64)>,
}

impl Irrep {
    /// Creates the trivial representation of a body without symmetry, with all currents.
    pub(crate) fn all(size: usize) -> Irrep {
        Irrep {
            first: (0..size as u32).collect(),
            of_function: (0..size as u32).map(|function| (function, ONE)).collect(),
        }
    }

    /// Returns the number of unknowns.
    pub(crate) fn len(&self) -> usize {
        self.first.len()
    }

    /// Returns the functions that represent their orbits, in ascending order.
    pub(crate) fn columns(&self) -> &[u32] {
        &self.first
    }

    /// Returns the orbit of a function and its weight w; `None` if it has no current of this irrep.
    pub(crate) fn row(&self, function: u32) -> Option<(usize, Complex64)> {
        let (orbit, weight) = self.of_function[function as usize];
        (weight != Complex64::ZERO).then_some((orbit as usize, weight))
    }

    /// Returns 1/w of the representative of an orbit: the square root of the size of the orbit.
    pub(crate) fn column_scale(&self, function: u32) -> f64 {
        1.0 / self.of_function[function as usize].1.re
    }

    /// Projects concatenated right-hand sides onto this irrep.
    pub(super) fn fold(&self, columns: &[Complex64]) -> Vec<Complex64> {
        let mut folded =
            vec![Complex64::ZERO; self.len() * (columns.len() / self.of_function.len())];
        folded
            .par_chunks_mut(self.len().max(1))
            .zip(columns.par_chunks(self.of_function.len()))
            .for_each(|(folded, column)| {
                for (&(orbit, weight), value) in self.of_function.iter().zip(column) {
                    if weight != Complex64::ZERO {
                        folded[orbit as usize] += weight * value;
                    }
                }
            });
        folded
    }

    /// Adds solutions of this irrep to the full solutions.
    pub(super) fn unfold(&self, folded: &[Complex64], columns: &mut [Complex64]) {
        columns
            .par_chunks_mut(self.of_function.len())
            .zip(folded.par_chunks(self.len().max(1)))
            .for_each(|(column, folded)| {
                for (&(orbit, weight), value) in self.of_function.iter().zip(column) {
                    if weight != Complex64::ZERO {
                        *value += weight.conj() * folded[orbit as usize];
                    }
                }
            });
    }
}
