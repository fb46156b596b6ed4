//! Orthonormal bases, and sums over long vectors that are bitwise identical for any number of threads.

use std::f64::consts::TAU;

use num_complex::Complex64;
use rayon::prelude::*;

use super::kernels::{self, inner_products};
use crate::random::Random;

/// Reorthogonalization criterion: a vector of which less than this fraction remains outside the basis is orthogonalized again
/// (J. W. Daniel, W. B. Gragg, L. Kaufman, G. W. Stewart, Math. Comp. 30 (1976) 772–795). With a good preconditioner more
/// remains, and once is enough.
const TWICE: f64 = 0.1;

/// A vector with more than this fraction along the basis is orthogonalized again. A single pass amplifies the loss of
/// orthogonality by up to 1/[`TWICE`] per step, and residuals are accurate as long as it stays below √ε (H. D. Simon, Math.
/// Comp. 42 (1984) 115–142).
const LOST: f64 = 1e-10;

/// Seed of the phases of the probe.
const SEED: u64 = 0x0a7b_51e5;

/// A vector of which no more than this fraction remains outside the basis is linearly dependent: the remainder is rounding.
const DEPENDENT: f64 = 1e-13;

/// Numbers per partial sum.
const PIECE: usize = 1 << 11;

/// An orthonormal basis.
#[derive(Default)]
pub(super) struct Orthonormal {
    pub(super) vectors: Vec<Vec<Complex64>>,
    /// Sum of the basis vectors with random phases: the component of a vector along it estimates that along the whole basis.
    probe: Vec<Complex64>,
}

impl Orthonormal {
    /// Extends the basis by the components of vectors outside it and outside each other; returns the coefficients of each vector
    /// in the extended basis.
    pub(super) fn extend(&mut self, mut vectors: Vec<Vec<Complex64>>) -> Vec<Vec<Complex64>> {
        let whole: Vec<f64> = vectors.iter().map(|vector| norm(vector)).collect();
        let mut parts = make_orthogonal(&self.vectors, &mut vectors);
        // A small remainder is mostly rounding; two passes are enough.
        let again: Vec<usize> = (0..vectors.len())
            .filter(|&at| {
                let left = norm(&vectors[at]);
                left < TWICE * whole[at] || self.has_part_in(&vectors[at], left)
            })
            .collect();
        let mut left: Vec<Vec<Complex64>> = (again.iter())
            .map(|&at| std::mem::take(&mut vectors[at]))
            .collect();
        let more = make_orthogonal(&self.vectors, &mut left);
        for ((at, left), more) in again.into_iter().zip(left).zip(more) {
            vectors[at] = left;
            add(&mut parts[at], &more);
        }
        let before = self.vectors.len();
        for ((vector, parts), whole) in vectors.into_iter().zip(&mut parts).zip(whole) {
            let own = &mut [vector];
            let new = &self.vectors[before..];
            let beside = norm(&own[0]);
            let mut along = make_orthogonal(new, own).concat();
            let mut rest = norm(&own[0]);
            let depends = rest <= DEPENDENT * whole;
            let lost = !new.is_empty() && !depends && self.has_part_in(&own[0], rest);
            if rest < TWICE * beside || lost {
                // Against the whole basis, along which rounding has left components.
                let more = make_orthogonal(&self.vectors, own).concat();
                add(parts, &more[..before]);
                add(&mut along, &more[before..]);
                rest = norm(&own[0]);
            }
            parts.extend(along);
            // A NaN is not dependent either; it shows in the residuals.
            let depends = rest <= DEPENDENT * whole;
            if !depends {
                parts.push(rest.into());
                let [vector] = own;
                let vector = std::mem::take(vector);
                self.push(vector.into_iter().map(|z| z / rest).collect());
            }
        }
        parts
    }

    /// Returns whether a vector of this length has a significant component along the basis.
    fn has_part_in(&self, vector: &[Complex64], length: f64) -> bool {
        !self.vectors.is_empty() && inner_product(&self.probe, vector).norm() > LOST * length
    }

    fn push(&mut self, vector: Vec<Complex64>) {
        let angle = TAU * Random::stream(SEED, self.vectors.len() as u64).uniform();
        self.probe.resize(vector.len(), Complex64::ZERO);
        let (vector, phase) = ([vector], [vec![Complex64::cis(angle)]]);
        add_combinations(&vector, &phase, std::slice::from_mut(&mut self.probe));
        self.vectors.extend(vector);
    }
}

fn add(sum: &mut [Complex64], more: &[Complex64]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += more;
    }
}

/// Subtracts the projections onto an orthonormal basis from vectors and returns the coefficients, vector by vector (classical
/// Gram–Schmidt).
fn make_orthogonal(
    basis: &[Vec<Complex64>],
    vectors: &mut [Vec<Complex64>],
) -> Vec<Vec<Complex64>> {
    let size = vectors.first().map_or(0, Vec::len);
    let of_pieces: Vec<Vec<Complex64>> = (0..size.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let mut products = vec![Complex64::ZERO; basis.len() * vectors.len()];
            inner_products(
                &pieces(basis, piece),
                &pieces(vectors, piece),
                &mut products,
            );
            products
        })
        .collect();
    let parts: Vec<Vec<Complex64>> = (0..vectors.len())
        .map(|vector| {
            (0..basis.len())
                .map(|number| number * vectors.len() + vector)
                .map(|place| of_pieces.iter().map(|products| products[place]).sum())
                .collect()
        })
        .collect();
    let taken: Vec<Vec<Complex64>> = (parts.iter())
        .map(|parts| parts.iter().map(|part| -part).collect())
        .collect();
    add_combinations(basis, &taken, vectors);
    parts
}

/// Returns the same piece of each vector.
fn pieces(vectors: &[Vec<Complex64>], piece: usize) -> Vec<&[Complex64]> {
    let of = |vector: &Vec<Complex64>| piece * PIECE..vector.len().min((piece + 1) * PIECE);
    (vectors.iter()).map(|vector| &vector[of(vector)]).collect()
}

/// Adds linear combinations of vectors, as many as there are factors, to sums.
pub(super) fn add_combinations(
    vectors: &[Vec<Complex64>],
    factors: &[Vec<Complex64>],
    sums: &mut [Vec<Complex64>],
) {
    let factors: Vec<&[Complex64]> = factors.iter().map(|factors| &factors[..]).collect();
    let used = factors.first().map_or(0, |factors| factors.len());
    let size = sums.first().map_or(0, Vec::len);
    // Pieces of all sums, by position.
    let mut places: Vec<Vec<&mut [Complex64]>> =
        (0..size.div_ceil(PIECE)).map(|_| Vec::new()).collect();
    for sum in sums {
        for (place, piece) in places.iter_mut().zip(sum.chunks_mut(PIECE)) {
            place.push(piece);
        }
    }
    (places.par_iter_mut().enumerate()).for_each(|(piece, sums)| {
        kernels::add_combinations(&pieces(&vectors[..used], piece), &factors, sums);
    });
}

/// Returns the inner product Σ a*·b.
fn inner_product(a: &[Complex64], b: &[Complex64]) -> Complex64 {
    let pieces: Vec<Complex64> = (a.par_chunks(PIECE).zip(b.par_chunks(PIECE)))
        .map(|(a, b)| {
            let mut product = Complex64::ZERO;
            inner_products(&[a], &[b], std::slice::from_mut(&mut product));
            product
        })
        .collect();
    pieces.into_iter().sum()
}

/// Returns the norm of a vector, summed in parallel pieces: bitwise identical for any number of threads.
pub fn norm(vector: &[Complex64]) -> f64 {
    inner_product(vector, vector).re.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of every product lies along its factor, so that a single pass amplifies the loss of orthogonality in every step.
    #[test]
    fn a_basis_of_many_products_stays_orthonormal() {
        let size = 400;
        let some = |seed: f64| -> Vec<Complex64> {
            let phase = |i: usize| Complex64::cis(seed * (i * i) as f64);
            (0..size).map(phase).collect()
        };
        let product = |x: &Vec<Complex64>| -> Vec<Complex64> {
            (0..size)
                .map(|i| match i {
                    0 => Complex64::ZERO,
                    _ => x[i] + 0.4 * x[i - 1],
                })
                .collect()
        };
        for block in [1, 3] {
            let mut basis = Orthonormal::default();
            basis.extend((0..block).map(|wave| some(0.3 + wave as f64)).collect());
            for step in 0..100 / block {
                let images: Vec<Vec<Complex64>> = (basis.vectors[step * block..].iter())
                    .map(product)
                    .collect();
                let parts = basis.extend(images.clone());
                for (parts, image) in parts.iter().zip(images) {
                    let mut left = [image];
                    let taken = [parts.iter().map(|part| -part).collect()];
                    add_combinations(&basis.vectors, &taken, &mut left);
                    assert!(norm(&left[0]) < 1e-13);
                }
            }
            let vectors = &basis.vectors;
            assert!(vectors.len() > 99);
            for (i, a) in vectors.iter().enumerate() {
                assert!((norm(a) - 1.0).abs() < 1e-13);
                for b in &vectors[..i] {
                    assert!(inner_product(a, b).norm() < 1e-8);
                }
            }
        }
    }
}
