//! Interpolation nodes on the tetrahedron: warp and blend of equidistant nodes, with Gauss–Lobatto nodes on every edge.
//!
//! T. Warburton, J. Eng. Math. 56 (2006) 247–262. All computations use barycentric coordinates, so that the nodes have
//! all symmetries of the tetrahedron and those on a face depend on that face alone.

use super::polynomials::{jacobi, jacobi_derivative};

/// Blending parameter for orders 1 to 8, which minimizes the Lebesgue constant (same source).
const BLEND: [f64; 8] = [0.0, 0.0, 0.0, 0.1002, 1.1332, 1.5608, 1.3413, 1.2577];
/// Tolerance below which a barycentric coordinate counts as zero.
const ZERO: f64 = 1e-10;

/// Returns the integer barycentric coordinates (n₀, n₁, n₂, n₃) of all nodes, whose sum is the order.
pub(super) fn lattice(order: usize) -> Vec<[usize; 4]> {
    let mut nodes = Vec::new();
    for k in 0..=order {
        for j in 0..=order - k {
            for i in 0..=order - j - k {
                nodes.push([order - i - j - k, i, j, k]);
            }
        }
    }
    nodes
}

/// Returns the warped node of a lattice point, in barycentric coordinates.
pub(super) fn warped(order: usize, place: [usize; 4]) -> [f64; 4] {
    let lambda = place.map(|n| n as f64 / order as f64);
    let warp = Warp::new(order);
    let alpha = BLEND[order - 1];
    let mut shift = [0.0; 4];
    for opposite in 0..4 {
        let corners: [usize; 3] = std::array::from_fn(|k| (opposite + 1 + k) % 4);
        let on_face = warp.of_face(alpha, lambda, corners);
        let away = lambda[opposite];
        let on_edge = away < ZERO && corners.iter().any(|&c| lambda[c] < ZERO);
        if on_edge {
            // The warps of both faces agree on their common edge; one is enough.
            shift = on_face;
            continue;
        }
        let product: f64 = corners.iter().map(|&c| lambda[c]).product();
        let whole: f64 = corners.iter().map(|&c| lambda[c] + 0.5 * away).product();
        let blend = (1.0 + (alpha * away).powi(2)) * product / whole;
        for c in 0..4 {
            shift[c] += blend * on_face[c];
        }
    }
    std::array::from_fn(|c| lambda[c] + shift[c])
}

/// Displacement from equidistant nodes of an edge to Gauss–Lobatto nodes.
struct Warp {
    equidistant: Vec<f64>,
    displacement: Vec<f64>,
}

impl Warp {
    fn new(order: usize) -> Warp {
        let equidistant: Vec<f64> = (0..=order)
            .map(|i| 2.0 * i as f64 / order as f64 - 1.0)
            .collect();
        let displacement = equidistant
            .iter()
            .zip(gauss_lobatto(order))
            .map(|(x, lobatto)| lobatto - x)
            .collect();
        Warp {
            equidistant,
            displacement,
        }
    }

    /// Returns the interpolated displacement at x, divided by 1 − x².
    fn over_bubble(&self, x: f64) -> f64 {
        let nodes = &self.equidistant;
        let last = nodes.len() - 1;
        // The displacement vanishes at both ends, so the factors 1 − x² of every term cancel.
        (1..last)
            .map(|i| {
                let others = (1..last).filter(|&j| j != i);
                let lagrange: f64 = others
                    .map(|j| (x - nodes[j]) / (nodes[i] - nodes[j]))
                    .product();
                self.displacement[i] * lagrange / (1.0 - nodes[i] * nodes[i])
            })
            .sum()
    }

    /// Returns the shift of barycentric coordinates within the face of three corners.
    fn of_face(&self, alpha: f64, lambda: [f64; 4], corners: [usize; 3]) -> [f64; 4] {
        let mut shift = [0.0; 4];
        for k in 0..3 {
            let [apex, from, to] = std::array::from_fn(|step| corners[(k + step) % 3]);
            // The coordinate along an edge has a range of two, so a displacement shifts each barycentric coordinate by
            // half.
            let along = 4.0
                * lambda[from]
                * lambda[to]
                * self.over_bubble(lambda[to] - lambda[from])
                * (1.0 + (alpha * lambda[apex]).powi(2));
            shift[to] += 0.5 * along;
            shift[from] -= 0.5 * along;
        }
        shift
    }
}

/// Returns the Gauss–Lobatto nodes: ±1 and the zeros of the derivative of the Legendre polynomial, in rising order.
fn gauss_lobatto(order: usize) -> Vec<f64> {
    let derivative = |x: f64| jacobi_derivative(order, 0.0, 0.0, x);
    let mut nodes: Vec<f64> = (0..=order)
        .map(|i| -(std::f64::consts::PI * i as f64 / order as f64).cos())
        .collect();
    for node in &mut nodes[1..order] {
        // Newton's method; Legendre's equation gives (1 − x²) P'' = 2x P' − n(n+1) P.
        let degree = (order * (order + 1)) as f64;
        for _ in 0..50 {
            let x = *node;
            let first = derivative(x);
            let second = (2.0 * x * first - degree * jacobi(order, 0.0, 0.0, x)) / (1.0 - x * x);
            let step = first / second;
            *node -= step;
            if step.abs() < 1e-15 {
                break;
            }
        }
    }
    nodes
}
