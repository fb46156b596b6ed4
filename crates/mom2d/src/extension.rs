//! Extension of a panel's polynomial to the nearest nodes of its neighbors.
//!
//! The hypersingular operator differentiates: with the polynomial of a panel's own q nodes its error is of order q − 1 at the
//! nodes. With two more nodes, one of each neighbor, the degree increases by two and the error is of the order of the other
//! operators. Only neighbors on the same smooth piece are used; at a corner or an end both nodes come from the other neighbor.

use crate::boundary::{Boundary, legendre};

/// Nodes of a panel's extended polynomial and the matrix that maps Legendre moments to nodal weights.
#[derive(Clone, Debug)]
pub(crate) struct Extension {
    /// Node indices, the panel's own first.
    pub(crate) nodes: Vec<usize>,
    /// Row by row: the weight of node j is Σ inverse[j·count + n]·Mₙ.
    inverse: Vec<f64>,
}

impl Extension {
    pub(crate) fn new(boundary: &Boundary, panel: usize) -> Extension {
        let own = boundary.panels[panel];
        let order = boundary.rule.order();
        let mut nodes: Vec<usize> = (own.first..own.first + order).collect();
        let mut places = boundary.rule.nodes.clone();
        let range = boundary.panels_of(own.body);
        let curve = &boundary.curves[own.body];
        let ring = curve.closed && curve.pieces.len() == 1;
        let at = |offset: i64| -> Option<usize> {
            let count = range.len() as i64;
            let place = (panel - range.start) as i64 + offset;
            let place = if ring { place.rem_euclid(count) } else { place };
            let index = range.start + usize::try_from(place).ok()?;
            let usable = (0..count).contains(&place)
                && index != panel
                && boundary.panels[index].piece == own.piece;
            usable.then_some(index)
        };
        let (before, after) = (at(-1), at(1));
        // Panel and index of the node in it, counted from the side of this panel.
        let extra: Vec<(usize, usize, bool)> = match (before, after) {
            (Some(before), Some(after)) => vec![(before, 0, true), (after, 0, false)],
            (Some(before), None) => (0..order.min(2)).map(|i| (before, i, true)).collect(),
            (None, Some(after)) => (0..order.min(2)).map(|i| (after, i, false)).collect(),
            (None, None) => Vec::new(),
        };
        for (index, i, is_before) in extra {
            let other = &boundary.panels[index];
            let i = if is_before { order - 1 - i } else { i };
            let mut t = other.parameter(boundary.rule.nodes[i]);
            if is_before && t > own.from {
                t -= 1.0;
            }
            if !is_before && t < own.to {
                t += 1.0;
            }
            places.push((t - own.parameter(0.0)) / own.half());
            nodes.push(other.first + i);
        }
        Extension {
            inverse: inverse(&places),
            nodes,
        }
    }

    /// Returns the number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the row that maps moments to the weight of a node.
    pub(crate) fn to_node(&self, j: usize) -> &[f64] {
        &self.inverse[j * self.len()..(j + 1) * self.len()]
    }
}

/// Returns the inverse of the matrix Pₙ(x_j) (row n, column j), by Gauss–Jordan elimination with pivoting.
fn inverse(places: &[f64]) -> Vec<f64> {
    let count = places.len();
    let mut matrix = vec![0.0; count * count];
    let mut values = vec![0.0; count];
    for (j, &x) in places.iter().enumerate() {
        legendre(x, &mut values);
        for n in 0..count {
            matrix[n * count + j] = values[n];
        }
    }
    let mut result = vec![0.0; count * count];
    for i in 0..count {
        result[i * count + i] = 1.0;
    }
    for k in 0..count {
        let pivot = (k..count)
            .max_by(|&a, &b| {
                let size = |i: usize| matrix[i * count + k].abs();
                size(a).total_cmp(&size(b))
            })
            .unwrap_or(k);
        for c in 0..count {
            matrix.swap(k * count + c, pivot * count + c);
            result.swap(k * count + c, pivot * count + c);
        }
        let by = 1.0 / matrix[k * count + k];
        for c in 0..count {
            matrix[k * count + c] *= by;
            result[k * count + c] *= by;
        }
        for i in (0..count).filter(|&i| i != k) {
            let factor = matrix[i * count + k];
            for c in 0..count {
                matrix[i * count + c] -= factor * matrix[k * count + c];
                result[i * count + c] -= factor * result[k * count + c];
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_takes_moments_of_polynomials_to_their_values() {
        // Moments ∫ PₙPₘ of a polynomial Pₘ: the weights integrate any polynomial of that degree against it.
        let places = [-1.2, -0.8, -0.2, 0.3, 0.9, 1.1];
        let inverse = inverse(&places);
        let count = places.len();
        let integral = |n: usize| if n == 0 { 2.0 } else { 0.0 };
        let weights: Vec<f64> = (0..count)
            .map(|j| {
                (0..count)
                    .map(|n| inverse[j * count + n] * integral(n))
                    .sum()
            })
            .collect();
        for degree in 0..count {
            let sum: f64 = places
                .iter()
                .zip(&weights)
                .map(|(x, w)| w * x.powi(degree as i32))
                .sum();
            let exact = if degree % 2 == 0 {
                2.0 / (degree + 1) as f64
            } else {
                0.0
            };
            assert!((sum - exact).abs() < 1e-13);
        }
    }
}
