//! Reference tetrahedron of one order: nodes, derivative matrices, mass matrix, lift.

use super::matrix::SquareMatrix;
use super::nodes::{lattice, warped};
use super::polynomials::{on_tetrahedron, on_triangle, tetrahedron_degrees, triangle_degrees};

/// Maximum polynomial order.
pub const HIGHEST_ORDER: usize = 8;

/// Nodal basis of one order on the tetrahedron (−1,−1,−1), (1,−1,−1), (−1,1,−1), (−1,−1,1).
///
/// Face f is opposite to corner f. The nodes of a face are numbered by the corners of that face in rising order, so
/// that two elements with their corners in the same order number the nodes of a common face alike.
#[derive(Clone, Debug)]
pub struct ReferenceElement {
    order: usize,
    /// Barycentric coordinates of the nodes.
    barycentric: Vec<[f64; 4]>,
    /// Derivative matrices of ∂/∂r, ∂/∂s, ∂/∂t, from nodal values to nodal values.
    derivatives: [SquareMatrix; 3],
    /// Lift matrix: M⁻¹ times the mass matrix of every face, row after row, face after face.
    lift: Vec<f64>,
    face_nodes: [Vec<usize>; 4],
    /// Mass matrix ∫ Lᵢ Lⱼ over the reference tetrahedron, of volume 4/3.
    mass: SquareMatrix,
    /// Weights ∫ Lᵢ over the reference triangle, of area 2, for the nodes of a face.
    face_weights: Vec<f64>,
    /// Inverse Vandermonde matrix, from nodal values to coefficients of orthonormal polynomials.
    to_modes: SquareMatrix,
}

impl ReferenceElement {
    /// Creates the reference element of an order from 1 to [`HIGHEST_ORDER`]; returns `None` for other orders.
    pub fn new(order: usize) -> Option<ReferenceElement> {
        if !(1..=HIGHEST_ORDER).contains(&order) {
            return None;
        }
        let places = lattice(order);
        let count = places.len();
        let barycentric: Vec<[f64; 4]> = places.iter().map(|&p| warped(order, p)).collect();
        let modes: Vec<[usize; 3]> = tetrahedron_degrees(order).collect();
        let at: Vec<Vec<(f64, [f64; 3])>> = barycentric
            .iter()
            .map(|&node| {
                modes
                    .iter()
                    .map(|&m| on_tetrahedron(m, coordinates(node)))
                    .collect()
            })
            .collect();
        let vandermonde = SquareMatrix::from_fn(count, |i, j| at[i][j].0);
        let to_modes = vandermonde.inverse();
        let derivatives = std::array::from_fn(|axis| {
            SquareMatrix::from_fn(count, |i, j| at[i][j].1[axis]).times(&to_modes)
        });
        let inverse_mass = vandermonde.times_transpose();
        let face_nodes: [Vec<usize>; 4] = std::array::from_fn(|face| {
            (0..count).filter(|&node| places[node][face] == 0).collect()
        });
        let face_mass = face_mass(order, &face_nodes[3], &barycentric);
        let on_face = face_mass.size();
        let mut lift = vec![0.0; count * 4 * on_face];
        for node in 0..count {
            for (face, nodes) in face_nodes.iter().enumerate() {
                for i in 0..on_face {
                    lift[(node * 4 + face) * on_face + i] = (nodes.iter().enumerate())
                        .map(|(j, &other)| inverse_mass.row(node)[other] * face_mass.row(j)[i])
                        .sum();
                }
            }
        }
        let face_weights = (0..on_face)
            .map(|i| face_mass.row(i).iter().sum())
            .collect();
        Some(ReferenceElement {
            order,
            barycentric,
            derivatives,
            lift,
            face_nodes,
            mass: inverse_mass.inverse(),
            face_weights,
            to_modes,
        })
    }

    /// Returns the polynomial order N.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns the number of nodes, (N+1)(N+2)(N+3)/6.
    pub fn nodes(&self) -> usize {
        self.barycentric.len()
    }

    /// Returns the number of nodes on a face, (N+1)(N+2)/2.
    pub fn nodes_on_face(&self) -> usize {
        self.face_weights.len()
    }

    /// Returns the barycentric coordinates of a node.
    pub fn barycentric(&self, node: usize) -> [f64; 4] {
        self.barycentric[node]
    }

    /// Returns the derivative matrices of ∂/∂r, ∂/∂s, and ∂/∂t.
    pub fn derivatives(&self) -> &[SquareMatrix; 3] {
        &self.derivatives
    }

    /// Returns the row of the lift matrix for a node: the weights of the fluxes at the nodes of all faces, face after
    /// face.
    pub fn lift(&self, node: usize) -> &[f64] {
        let width = 4 * self.nodes_on_face();
        &self.lift[node * width..(node + 1) * width]
    }

    /// Returns the nodes of a face.
    pub fn face_nodes(&self, face: usize) -> &[usize] {
        &self.face_nodes[face]
    }

    /// Returns the mass matrix ∫ Lᵢ Lⱼ over the reference tetrahedron, of volume 4/3.
    pub fn mass(&self) -> &SquareMatrix {
        &self.mass
    }

    /// Returns the quadrature weights of the nodes of a face for the mean over that face; their sum is one.
    pub fn face_average(&self) -> impl Iterator<Item = f64> {
        self.face_weights.iter().map(|weight| weight / 2.0)
    }

    /// Returns the nodal values of the polynomial δ that represents a unit impulse at a point: ∫ δ v over the reference
    /// tetrahedron is the value of v at the point, for any polynomial v.
    pub fn impulse(&self, barycentric: [f64; 4]) -> Vec<f64> {
        let point = coordinates(barycentric);
        let product = |node: usize, mode: [usize; 3]| {
            let at = coordinates(self.barycentric(node));
            on_tetrahedron(mode, at).0 * on_tetrahedron(mode, point).0
        };
        (0..self.nodes())
            .map(|node| {
                tetrahedron_degrees(self.order)
                    .map(|mode| product(node, mode))
                    .sum()
            })
            .collect()
    }

    /// Returns the interpolation weight of every node at a point given by its barycentric coordinates.
    pub fn interpolation(&self, barycentric: [f64; 4]) -> Vec<f64> {
        let point = coordinates(barycentric);
        let modes: Vec<f64> = tetrahedron_degrees(self.order)
            .map(|mode| on_tetrahedron(mode, point).0)
            .collect();
        (0..self.nodes())
            .map(|node| {
                (modes.iter().enumerate())
                    .map(|(mode, value)| value * self.to_modes.row(mode)[node])
                    .sum()
            })
            .collect()
    }
}

/// Returns the reference coordinates (r, s, t) of a point.
fn coordinates([_, b, c, d]: [f64; 4]) -> [f64; 3] {
    [b, c, d].map(|lambda| 2.0 * lambda - 1.0)
}

/// Returns the mass matrix ∫ Lᵢ Lⱼ over the reference triangle, for the nodes of face 3.
fn face_mass(order: usize, nodes: &[usize], barycentric: &[[f64; 4]]) -> SquareMatrix {
    let modes: Vec<[usize; 2]> = triangle_degrees(order).collect();
    let vandermonde = SquareMatrix::from_fn(nodes.len(), |i, j| {
        let [r, s, _] = coordinates(barycentric[nodes[i]]);
        on_triangle(modes[j], [r, s])
    });
    vandermonde.times_transpose().inverse()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn monomial(powers: [i32; 3], [r, s, t]: [f64; 3]) -> f64 {
        r.powi(powers[0]) * s.powi(powers[1]) * t.powi(powers[2])
    }

    #[test]
    fn derivatives_of_all_polynomials_up_to_the_order_are_exact() {
        for order in 1..=HIGHEST_ORDER {
            let element = ReferenceElement::new(order).unwrap();
            let points: Vec<[f64; 3]> = (0..element.nodes())
                .map(|n| coordinates(element.barycentric(n)))
                .collect();
            for powers in tetrahedron_degrees(order).map(|d| d.map(|k| k as i32)) {
                let values: Vec<f64> = points.iter().map(|&p| monomial(powers, p)).collect();
                for axis in 0..3 {
                    for (node, &point) in points.iter().enumerate() {
                        let row = element.derivatives()[axis].row(node);
                        let found: f64 = row.iter().zip(&values).map(|(d, v)| d * v).sum();
                        let mut lower = powers;
                        lower[axis] -= 1;
                        let exact = if powers[axis] == 0 {
                            0.0
                        } else {
                            f64::from(powers[axis]) * monomial(lower, point)
                        };
                        // Tolerance: rounding errors of a sum over the nodes, with entries of D that grow as N².
                        assert!(
                            (found - exact).abs() < 2e-11,
                            "{order} {powers:?} {found} {exact}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn edges_carry_gauss_lobatto_nodes() {
        // Order 4: 0 and ±√(3/7).
        let element = ReferenceElement::new(4).unwrap();
        let on_edge: Vec<f64> = (0..element.nodes())
            .map(|node| element.barycentric(node))
            .filter(|l| l[2].abs() < 1e-12 && l[3].abs() < 1e-12)
            .map(|l| l[1] - l[0])
            .collect();
        let root = (3f64 / 7.0).sqrt();
        for (found, exact) in on_edge.iter().zip([-1.0, -root, 0.0, root, 1.0]) {
            assert!((found - exact).abs() < 1e-14, "{found} {exact}");
        }
        assert_eq!(on_edge.len(), 5);
    }

    #[test]
    fn the_lift_is_the_adjoint_of_the_trace() {
        // ∫ v · lift(g) over the volume equals ∫ v g over the faces, for polynomials v and g.
        for order in 1..=HIGHEST_ORDER {
            let element = ReferenceElement::new(order).unwrap();
            let (count, on_face) = (element.nodes(), element.nodes_on_face());
            let flux: Vec<f64> = (0..4 * on_face).map(|i| (1.7 * i as f64).sin()).collect();
            let lifted: Vec<f64> = (0..count)
                .map(|n| element.lift(n).iter().zip(&flux).map(|(l, g)| l * g).sum())
                .collect();
            // v = 1: compares the integral over the volume with the weighted sum over the faces.
            let volume: f64 = (0..count)
                .map(|i| {
                    element
                        .mass()
                        .row(i)
                        .iter()
                        .zip(&lifted)
                        .map(|(m, l)| m * l)
                        .sum::<f64>()
                })
                .sum();
            let average: Vec<f64> = element.face_average().collect();
            let faces: f64 = (0..4 * on_face)
                .map(|i| 2.0 * average[i % on_face] * flux[i])
                .sum();
            assert!((volume - faces).abs() < 1e-11, "{order}: {volume} {faces}");
        }
    }

    #[test]
    fn face_nodes_are_numbered_by_the_corners_of_the_face() {
        for order in 1..=HIGHEST_ORDER {
            let element = ReferenceElement::new(order).unwrap();
            let of_face = |face: usize| -> Vec<[f64; 3]> {
                let corners: Vec<usize> = (0..4).filter(|&c| c != face).collect();
                let nodes = element.face_nodes(face).iter();
                nodes
                    .map(|&n| {
                        let lambda = element.barycentric(n);
                        assert!(lambda[face].abs() < 1e-14);
                        std::array::from_fn(|k| lambda[corners[k]])
                    })
                    .collect()
            };
            let first = of_face(0);
            for face in 1..4 {
                for (a, b) in first.iter().zip(of_face(face)) {
                    assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-13));
                }
            }
        }
    }

    #[test]
    fn an_impulse_picks_the_value_of_a_polynomial() {
        let element = ReferenceElement::new(5).unwrap();
        let point = [0.3, 0.15, 0.2, 0.35];
        let impulse = element.impulse(point);
        let value = |l: [f64; 4]| monomial([1, 3, 1], coordinates(l));
        let picked: f64 = (0..element.nodes())
            .map(|i| {
                let row = element.mass().row(i);
                let integral: f64 = row.iter().zip(&impulse).map(|(m, d)| m * d).sum();
                integral * value(element.barycentric(i))
            })
            .sum();
        assert!((picked - value(point)).abs() < 1e-12);
    }

    #[test]
    fn interpolation_is_exact_for_polynomials_and_nodes_are_good() {
        for order in 1..=HIGHEST_ORDER {
            let element = ReferenceElement::new(order).unwrap();
            let point = [0.1, 0.2, 0.3, 0.4];
            let weights = element.interpolation(point);
            let value = |l: [f64; 4]| monomial([order as i32, 0, 0], coordinates(l));
            let found: f64 = (0..element.nodes())
                .map(|n| weights[n] * value(element.barycentric(n)))
                .sum();
            assert!((found - value(point)).abs() < 1e-12);
            // Bounds of the Lebesgue constants, from some hundred points; errors in warp or blend increase them.
            let good = [1.01, 2.01, 2.94, 4.1, 5.3, 7.1, 9.1, 12.3][order - 1];
            let mut worst: f64 = 0.0;
            for k in 0..400 {
                let u: [f64; 4] = std::array::from_fn(|c| {
                    -((0.5 + (k as f64 * [0.754_877, 0.569_840, 0.324_718, 0.618_034][c]).fract())
                        / 1.5)
                        .ln()
                });
                let sum: f64 = u.iter().sum();
                let weights = element.interpolation(u.map(|x| x / sum));
                worst = worst.max(weights.iter().map(|w| w.abs()).sum());
            }
            assert!(worst < good, "{order}: {worst}");
        }
    }
}
