//! Quadrature over a triangle: barycentric coordinates with weights that sum to one.

use wavefield_numerics::special::gauss_legendre;

/// Quadrature point: barycentric coordinates and weight.
pub(crate) type Node = ([f64; 3], f64);

/// Returns the seven-point rule, exact to degree 5 (J. Radon, Monatsh. Math. 52 (1948) 286–300).
pub(crate) fn seven_points() -> Vec<Node> {
    let root = 15_f64.sqrt();
    let mut nodes = vec![([1.0 / 3.0; 3], 9.0 / 40.0)];
    nodes.extend(orbit((6.0 - root) / 21.0, (155.0 - root) / 1200.0));
    nodes.extend(orbit((6.0 + root) / 21.0, (155.0 + root) / 1200.0));
    nodes
}

/// Returns a collapsed Gauss product rule, exact to degree 2n − 2, for tests.
#[cfg(test)]
pub(crate) fn product(count: usize) -> Vec<Node> {
    let line = unit_interval(count);
    let mut nodes = Vec::with_capacity(count * count);
    for &(u, weight_u) in &line {
        for &(v, weight_v) in &line {
            nodes.push((
                [1.0 - u, u * (1.0 - v), u * v],
                2.0 * u * weight_u * weight_v,
            ));
        }
    }
    nodes
}

/// Returns the Gauss–Legendre points on [0, 1] with their weights.
pub(crate) fn unit_interval(count: usize) -> Vec<(f64, f64)> {
    let (nodes, weights) = gauss_legendre(count);
    (nodes.iter().zip(weights))
        .map(|(x, weight)| (0.5 * (1.0 + x), 0.5 * weight))
        .collect()
}

/// Returns the three points with two equal barycentric coordinates.
fn orbit(equal: f64, weight: f64) -> Vec<Node> {
    let other = 1.0 - 2.0 * equal;
    vec![
        ([other, equal, equal], weight),
        ([equal, other, equal], weight),
        ([equal, equal, other], weight),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the mean of aⁱbʲ over a triangle: 2 i! j! / (i + j + 2)!.
    fn mean(i: u32, j: u32) -> f64 {
        let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
        2.0 * factorial(i) * factorial(j) / factorial(i + j + 2)
    }

    #[test]
    fn rules_are_exact_to_their_degree() {
        for (rule, degree) in [(seven_points(), 5), (product(5), 8)] {
            for i in 0..=degree {
                for j in 0..=degree - i {
                    let sum: f64 = (rule.iter())
                        .map(|(at, weight)| weight * at[0].powi(i as i32) * at[1].powi(j as i32))
                        .sum();
                    assert!((sum - mean(i, j)).abs() < 1e-15, "{degree}: {i} {j}");
                }
            }
        }
    }
}
