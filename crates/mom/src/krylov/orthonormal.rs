//! Orthonormal vectors, and sums over long ones whose bits do not depend on the number of threads.

use num_complex::Complex64;
use rayon::prelude::*;

/// A vector of which less than this part is left beside the basis is made orthogonal again (W. Kahan; B. N. Parlett, The
/// Symmetric Eigenvalue Problem, 1980, § 6.9).
const TWICE: f64 = 0.7;

/// A vector of which no more than this part is left depends on the basis: what is left is rounding.
const DEPENDENT: f64 = 1e-13;

/// Numbers that are added up together.
const PIECE: usize = 1 << 12;

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
        let again =
            (vectors.iter().zip(&whole)).any(|(vector, whole)| norm(vector) < TWICE * whole);
        // What is left of much is mostly rounding: twice is enough.
        if again {
            let more = make_orthogonal(&self.vectors, &mut vectors);
            for (parts, more) in parts.iter_mut().zip(more) {
                add(parts, &more);
            }
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

/// Takes the parts along an orthonormal basis off vectors and returns them, vector by vector. The basis is read piece by
/// piece, while pieces of the vectors are at hand (classical Gram–Schmidt).
fn make_orthogonal(
    basis: &[Vec<Complex64>],
    vectors: &mut [Vec<Complex64>],
) -> Vec<Vec<Complex64>> {
    if basis.is_empty() {
        return vec![Vec::new(); vectors.len()];
    }
    let size = vectors.first().map_or(0, Vec::len);
    let range = |piece: usize| piece * PIECE..size.min((piece + 1) * PIECE);
    let pieces = size.div_ceil(PIECE);
    let of_pieces: Vec<Vec<Vec<Complex64>>> = (0..pieces)
        .into_par_iter()
        .map(|piece| {
            let range = range(piece);
            let mut along = vec![Vec::with_capacity(basis.len()); vectors.len()];
            for other in basis {
                for (along, vector) in along.iter_mut().zip(&*vectors) {
                    along.push(dot(&other[range.clone()], &vector[range.clone()]));
                }
            }
            along
        })
        .collect();
    let parts: Vec<Vec<Complex64>> = (0..vectors.len())
        .map(|vector| {
            (0..basis.len())
                .map(|number| of_pieces.iter().map(|of| of[vector][number]).sum())
                .collect()
        })
        .collect();
    // Pieces of all vectors, by place.
    let mut places: Vec<Vec<&mut [Complex64]>> = (0..pieces).map(|_| Vec::new()).collect();
    for vector in vectors {
        for (place, piece) in places.iter_mut().zip(vector.chunks_mut(PIECE)) {
            place.push(piece);
        }
    }
    (places.par_iter_mut().enumerate()).for_each(|(piece, vectors)| {
        let range = range(piece);
        for (number, other) in basis.iter().enumerate() {
            let other = &other[range.clone()];
            for (vector, parts) in vectors.iter_mut().zip(&parts) {
                let along = parts[number];
                for (v, o) in vector.iter_mut().zip(other) {
                    *v -= along * o;
                }
            }
        }
    });
    parts
}

fn dot(a: &[Complex64], b: &[Complex64]) -> Complex64 {
    a.iter().zip(b).map(|(a, b)| a.conj() * b).sum()
}

/// Σ a*·b.
fn inner_product(a: &[Complex64], b: &[Complex64]) -> Complex64 {
    let pieces: Vec<Complex64> = (a.par_chunks(PIECE).zip(b.par_chunks(PIECE)))
        .map(|(a, b)| dot(a, b))
        .collect();
    pieces.into_iter().sum()
}

/// Adds a multiple of a vector to another.
pub(super) fn add_times(sum: &mut [Complex64], factor: Complex64, vector: &[Complex64]) {
    sum.par_chunks_mut(PIECE)
        .zip(vector.par_chunks(PIECE))
        .for_each(|(sum, vector)| {
            for (sum, v) in sum.iter_mut().zip(vector) {
                *sum += factor * v;
            }
        });
}

pub(crate) fn norm(vector: &[Complex64]) -> f64 {
    inner_product(vector, vector).re.sqrt()
}
