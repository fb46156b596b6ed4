//! Directions of vectors, those first of which most is left: Gram–Schmidt with pivots.

use num_complex::Complex64;
use rayon::prelude::*;

/// Extends an orthonormal basis until no vector has a component longer than `left` outside it, or it spans the whole space:
/// Gram–Schmidt with pivots. Removes from the vectors what lies in the new directions; that in directions given at the
/// start must have been removed already.
pub fn pivoted_gram_schmidt(
    directions: &mut Vec<Vec<Complex64>>,
    vectors: &mut [Vec<Complex64>],
    left: f64,
) {
    let size = vectors.first().map_or(0, Vec::len);
    while directions.len() < size {
        let lengths: Vec<f64> = vectors.par_iter().map(|vector| length(vector)).collect();
        let longest = (0..vectors.len()).max_by(|&a, &b| {
            // The earlier of equals.
            lengths[a].total_cmp(&lengths[b]).then(b.cmp(&a))
        });
        let Some(next) = longest.filter(|&next| lengths[next] > left) else {
            break;
        };
        let mut direction = vectors[next].clone();
        // What is left of much is mostly rounding: once more.
        for other in &*directions {
            remove(&mut direction, other);
        }
        let whole = length(&direction);
        for z in &mut direction {
            *z /= whole;
        }
        (vectors.par_iter_mut()).for_each(|vector| remove(vector, &direction));
        directions.push(direction);
    }
}

/// Takes the part along a direction off a vector.
pub(super) fn remove(vector: &mut [Complex64], direction: &[Complex64]) {
    let along = inner_product(direction, vector);
    for (value, direction) in vector.iter_mut().zip(direction) {
        *value -= along * direction;
    }
}

/// Returns Σ a*·b, summed from first to last.
pub fn inner_product(a: &[Complex64], b: &[Complex64]) -> Complex64 {
    a.iter().zip(b).map(|(a, b)| a.conj() * b).sum()
}

/// Returns the norm of a vector, summed from first to last.
pub fn length(vector: &[Complex64]) -> f64 {
    vector.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt()
}
