//! Gram–Schmidt orthogonalization with pivoting: directions with the largest remainder first.

use num_complex::Complex64;
use rayon::prelude::*;

/// Extends an orthonormal basis until no vector has a component longer than `left` outside it, or it spans the whole space,
/// by Gram–Schmidt with pivoting. The components along new directions are subtracted from the vectors; those along
/// directions given at the start must have been subtracted already.
pub fn pivoted_gram_schmidt(
    directions: &mut Vec<Vec<Complex64>>,
    vectors: &mut [Vec<Complex64>],
    left: f64,
) {
    let size = vectors.first().map_or(0, Vec::len);
    while directions.len() < size {
        let lengths: Vec<f64> = vectors.par_iter().map(|vector| length(vector)).collect();
        let longest = (0..vectors.len()).max_by(|&a, &b| {
            // The first of equal lengths.
            lengths[a].total_cmp(&lengths[b]).then(b.cmp(&a))
        });
        let Some(next) = longest.filter(|&next| lengths[next] > left) else {
            break;
        };
        let mut direction = vectors[next].clone();
        // A small remainder is mostly rounding, so orthogonalize again.
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

/// Subtracts the projection onto a direction from a vector.
pub(super) fn remove(vector: &mut [Complex64], direction: &[Complex64]) {
    let along = inner_product(direction, vector);
    for (value, direction) in vector.iter_mut().zip(direction) {
        *value -= along * direction;
    }
}

/// Returns the inner product Σ a*·b, summed in order.
pub fn inner_product(a: &[Complex64], b: &[Complex64]) -> Complex64 {
    a.iter().zip(b).map(|(a, b)| a.conj() * b).sum()
}

/// Returns the norm of a vector, summed in order.
pub fn length(vector: &[Complex64]) -> f64 {
    vector.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt()
}
