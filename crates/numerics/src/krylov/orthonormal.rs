//! Orthonormal vectors, and sums over long ones whose bits do not depend on the number of threads.

use std::f64::consts::TAU;

use num_complex::Complex64;
use rayon::prelude::*;

use super::kernels::{self, inner_products};
use crate::random::Random;

/// A vector of which less than this part is left beside the basis is made orthogonal again (J. W. Daniel, W. B. Gragg,
/// L. Kaufman, G. W. Stewart, Math. Comp. 30 (1976) 772–795): of products with a matrix times nearly its inverse more
/// is left, and once is enough.
const TWICE: f64 = 0.1;

/// A vector with more than this part along the basis is made orthogonal again. Once alone multiplies what is lost by up to
/// 1/[`TWICE`] in every step, and residuals are right as long as it stays below √ε (H. D. Simon, Math. Comp. 42 (1984) 115–142).
const LOST: f64 = 1e-10;

/// Seed of the phases of the probe.
const SEED: u64 = 0x0a7b_51e5;

/// A vector of which no more than this part is left depends on the basis: what is left is rounding.
const DEPENDENT: f64 = 1e-13;

/// Numbers that are added up together.
const PIECE: usize = 1 << 11;

/// Vectors of length one at right angles to each other.
#[derive(Default)]
pub(super) struct Orthonormal {
    pub(super) vectors: Vec<Vec<Complex64>>,
    /// The sum of the vectors with random phases: along it a vector has about as much as along all of them.
    probe: Vec<Complex64>,
}

impl Orthonormal {
    /// Adds what vectors have beside the basis and each other. Tells of each its parts along the basis as it is after it.
    pub(super) fn extend(&mut self, mut vectors: Vec<Vec<Complex64>>) -> Vec<Vec<Complex64>> {
        let whole: Vec<f64> = vectors.iter().map(|vector| norm(vector)).collect();
        let mut parts = make_orthogonal(&self.vectors, &mut vectors);
        // What is left of much is mostly rounding: twice is enough.
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
                // With the whole basis, along which rounding has left something.
                let more = make_orthogonal(&self.vectors, own).concat();
                add(parts, &more[..before]);
                add(&mut along, &more[before..]);
                rest = norm(&own[0]);
            }
            parts.extend(along);
            // Also where it is no number, which residuals tell.
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

    /// Whether a vector of this length has a part along the basis that matters.
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

/// Takes the parts along an orthonormal basis off vectors and returns them, vector by vector (classical Gram–Schmidt).
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

/// The same piece of vectors.
fn pieces(vectors: &[Vec<Complex64>], piece: usize) -> Vec<&[Complex64]> {
    let of = |vector: &Vec<Complex64>| piece * PIECE..vector.len().min((piece + 1) * PIECE);
    (vectors.iter()).map(|vector| &vector[of(vector)]).collect()
}

/// Adds combinations of vectors, of as many as there are factors, to sums.
pub(super) fn add_combinations(
    vectors: &[Vec<Complex64>],
    factors: &[Vec<Complex64>],
    sums: &mut [Vec<Complex64>],
) {
    let factors: Vec<&[Complex64]> = factors.iter().map(|factors| &factors[..]).collect();
    let used = factors.first().map_or(0, |factors| factors.len());
    let size = sums.first().map_or(0, Vec::len);
    // Pieces of all sums, by place.
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

/// Σ a*·b.
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

/// Returns the norm of a vector, summed in pieces in parallel: bitwise identical for any number of threads.
pub fn norm(vector: &[Complex64]) -> f64 {
    inner_product(vector, vector).re.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of every product lies along its factor, so that in every step once alone makes what is lost larger.
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
