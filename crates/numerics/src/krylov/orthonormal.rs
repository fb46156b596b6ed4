//! Orthonormal vectors, and sums over long ones whose bits do not depend on the number of threads.

use num_complex::Complex64;
use rayon::prelude::*;

use super::kernels::{self, inner_products};

const ZERO: Complex64 = Complex64::new(0.0, 0.0);

/// A vector of which less than this part is left beside the basis is made orthogonal again (J. W. Daniel, W. B. Gragg,
/// L. Kaufman, G. W. Stewart, Math. Comp. 30 (1976) 772–795): of products with a matrix times nearly its inverse more
/// is left, and once is enough.
const TWICE: f64 = 0.1;

/// A vector of which no more than this part is left depends on the basis: what is left is rounding.
const DEPENDENT: f64 = 1e-13;

/// Numbers that are added up together.
const PIECE: usize = 1 << 11;

/// Vectors of length one at right angles to each other.
#[derive(Default)]
pub(super) struct Orthonormal {
    pub(super) vectors: Vec<Vec<Complex64>>,
}

impl Orthonormal {
    /// Adds what vectors have beside the basis and each other. Tells of each its parts along the basis as it is after it.
    pub(super) fn extend(&mut self, mut vectors: Vec<Vec<Complex64>>) -> Vec<Vec<Complex64>> {
        let whole: Vec<f64> = vectors.iter().map(|vector| norm(vector)).collect();
        let mut parts = make_orthogonal(&self.vectors, &mut vectors);
        // What is left of much is mostly rounding: twice is enough.
        let again: Vec<usize> = (0..vectors.len())
            .filter(|&at| norm(&vectors[at]) < TWICE * whole[at])
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
            if rest < TWICE * beside {
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
                self.vectors
                    .push(vector.into_iter().map(|z| z / rest).collect());
            }
        }
        parts
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
            let mut products = vec![ZERO; basis.len() * vectors.len()];
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
            let mut product = ZERO;
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
