//! Lagrange interpolation on Chebyshev nodes: smooth sequences from few values.

use crate::modes::Modes;

/// Returns Lagrange polynomials of `nodes` values at `count` points, uniform over [−1, 1].
pub(crate) fn modes(count: usize, nodes: usize) -> Modes {
    let values = (0..count)
        .flat_map(|number| polynomials(nodes, (2 * number + 1) as f64 / count as f64 - 1.0))
        .collect();
    Modes::new(nodes, values)
}

/// Interpolates a polynomial to more nodes.
pub(crate) fn refined(values: &[f64], nodes: usize) -> Vec<f64> {
    (0..nodes)
        .map(|i| {
            let polynomials = polynomials(values.len(), node(nodes, i));
            polynomials.iter().zip(values).map(|(p, v)| p * v).sum()
        })
        .collect()
}

/// Returns a Chebyshev node.
fn node(nodes: usize, number: usize) -> f64 {
    (std::f64::consts::PI * (number as f64 + 0.5) / nodes as f64).cos()
}

/// Evaluates all Lagrange polynomials at a point.
fn polynomials(nodes: usize, x: f64) -> Vec<f64> {
    (0..nodes)
        .map(|i| {
            let others = (0..nodes).filter(|&j| j != i);
            let factor = |j| (x - node(nodes, j)) / (node(nodes, i) - node(nodes, j));
            others.map(factor).product()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_is_met_between_its_nodes_and_kept_by_more_of_them() {
        let cubic = |x: f64| 1.0 - 2.0 * x + 0.5 * x * x * x;
        let values: Vec<f64> = (0..5).map(|i| cubic(node(5, i))).collect();
        for (nodes, values) in [(5, values.clone()), (8, refined(&values, 8))] {
            for (number, value) in modes(17, nodes).expand(&values).iter().enumerate() {
                let x = (2 * number + 1) as f64 / 17.0 - 1.0;
                assert!((value - cubic(x)).abs() < 1e-12);
            }
        }
    }
}
