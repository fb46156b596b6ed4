//! Singular quadrature over pairs of touching triangles: Sauter–Schwab coordinates, in which the integrands are smooth.
//!
//! The four-dimensional domain of a pair (x, y) is split into subdomains on which R vanishes like a product of coordinates.
//! The Jacobian of each cancels the singularity of any kernel up to 1/R² (1/R³ if it is odd). S. A. Sauter, C. Schwab,
//! Boundary Element Methods, Springer 2011, § 5.2. The reference triangle is 0 ≤ x₂ ≤ x₁ ≤ 1, with shared corners first.

use wavefield_numerics::simd::LANES;

use crate::kernels::PairPoints;
use crate::quadrature::unit_interval;

/// Pair of points in barycentric coordinates with its weight; weights sum to one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairNode {
    pub(crate) test: [f64; 3],
    pub(crate) source: [f64; 3],
    pub(crate) weight: f64,
}

/// Rules for pairs with one, two, and three common corners, with points grouped for SIMD.
#[derive(Clone, Debug)]
pub(crate) struct SingularPairRules([Vec<PairPoints>; 3]);

/// Four coordinates between 0 and 1: ξ, η₁, η₂, η₃.
type Unit = [f64; 4];
/// Map from the unit cube to (x₁, x₂), (y₁, y₂) on a subdomain, with the Jacobian.
type Piece = fn(Unit) -> ([f64; 2], [f64; 2], f64);

const CORNER: [Piece; 1] = [|[p, a, b, c]| ([p, p * a], [p * b, p * b * c], p.powi(3) * b)];

const EDGE: [Piece; 5] = [
    |[p, a, b, c]| {
        (
            [p, p * a * c],
            [p * (1.0 - a * b), p * a * (1.0 - b)],
            p.powi(3) * a * a,
        )
    },
    |[p, a, b, c]| {
        (
            [p, p * a],
            [p * (1.0 - a * b * c), p * a * b * (1.0 - c)],
            p.powi(3) * a * a * b,
        )
    },
    |[p, a, b, c]| {
        (
            [p * (1.0 - a * b), p * a * (1.0 - b)],
            [p, p * a * b * c],
            p.powi(3) * a * a * b,
        )
    },
    |[p, a, b, c]| {
        (
            [p * (1.0 - a * b * c), p * a * b * (1.0 - c)],
            [p, p * a],
            p.powi(3) * a * a * b,
        )
    },
    |[p, a, b, c]| {
        (
            [p * (1.0 - a * b * c), p * a * (1.0 - b * c)],
            [p, p * a * b],
            p.powi(3) * a * a * b,
        )
    },
];

const WHOLE: [Piece; 3] = [
    |[p, a, b, c]| {
        (
            [p, p * (1.0 - a + a * b)],
            [p * (1.0 - a * b * c), p * (1.0 - a)],
            p.powi(3) * a * a * b,
        )
    },
    |[p, a, b, c]| {
        (
            [p, p * a * (1.0 - b + b * c)],
            [p * (1.0 - a * b), p * a * (1.0 - b)],
            p.powi(3) * a * a * b,
        )
    },
    |[p, a, b, c]| {
        (
            [p * (1.0 - a * b * c), p * a * (1.0 - b * c)],
            [p, p * a * (1.0 - b)],
            p.powi(3) * a * a * b,
        )
    },
];

impl SingularPairRules {
    /// Creates rules with `counts` Gauss points per coordinate, for one, two, and three common corners.
    pub(crate) fn new(counts: [usize; 3]) -> SingularPairRules {
        SingularPairRules([
            grouped(&rule(&CORNER, true, counts[0])),
            grouped(&rule(&EDGE, false, counts[1])),
            grouped(&rule(&WHOLE, true, counts[2])),
        ])
    }

    /// Returns the rule for one to three common corners.
    pub(crate) fn of(&self, common: usize) -> &[PairPoints] {
        &self.0[common - 1]
    }

    /// Returns the rule point by point.
    #[cfg(test)]
    pub(crate) fn nodes(&self, common: usize) -> Vec<PairNode> {
        let of_group = |group: &PairPoints| {
            std::array::from_fn::<_, LANES, _>(|lane| PairNode {
                test: group.test.map(|lanes| lanes[lane]),
                source: group.source.map(|lanes| lanes[lane]),
                weight: group.weight[lane],
            })
        };
        self.of(common).iter().flat_map(of_group).collect()
    }
}

/// Groups points for SIMD; the last group is padded with its last pair at zero weight.
fn grouped(rule: &[PairNode]) -> Vec<PairPoints> {
    (rule.chunks(LANES))
        .map(|nodes| {
            let of = |lane: usize| nodes[lane.min(nodes.len() - 1)];
            let weights = |lane: usize| {
                if lane < nodes.len() {
                    nodes[lane].weight
                } else {
                    0.0
                }
            };
            PairPoints {
                test: std::array::from_fn(|i| std::array::from_fn(|lane| of(lane).test[i])),
                source: std::array::from_fn(|i| std::array::from_fn(|lane| of(lane).source[i])),
                weight: std::array::from_fn(weights),
            }
        })
        .collect()
}

/// Returns the rule of the subdomains, and if `swapped` also of those with x and y exchanged.
fn rule(pieces: &[Piece], swapped: bool, count: usize) -> Vec<PairNode> {
    let line = unit_interval(count);
    let barycentric = |x: [f64; 2]| [1.0 - x[0], x[0] - x[1], x[1]];
    let mut nodes = Vec::new();
    for piece in pieces {
        for &(p, weight_p) in &line {
            for &(a, weight_a) in &line {
                for &(b, weight_b) in &line {
                    for &(c, weight_c) in &line {
                        let (x, y, jacobian) = piece([p, a, b, c]);
                        // The area of each reference triangle is 1/2.
                        let weight = 4.0 * jacobian * weight_p * weight_a * weight_b * weight_c;
                        let (test, source) = (barycentric(x), barycentric(y));
                        nodes.push(PairNode {
                            test,
                            source,
                            weight,
                        });
                        if swapped {
                            nodes.push(PairNode {
                                test: source,
                                source: test,
                                weight,
                            });
                        }
                    }
                }
            }
        }
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_fill_the_pair_of_triangles_once() {
        let rules = SingularPairRules::new([6; 3]);
        let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
        let mean =
            |p: [i32; 2]| 2.0 * factorial(p[0]) * factorial(p[1]) / factorial(p[0] + p[1] + 2);
        for common in 1..=3 {
            for powers in [
                [0, 0, 0, 0],
                [1, 0, 0, 0],
                [0, 2, 1, 0],
                [1, 1, 2, 1],
                [0, 3, 0, 2],
            ] {
                let [a, b, c, d] = powers;
                let value: f64 = (rules.nodes(common).iter())
                    .map(|node| {
                        node.weight
                            * node.test[1].powi(a)
                            * node.test[2].powi(b)
                            * node.source[1].powi(c)
                            * node.source[2].powi(d)
                    })
                    .sum();
                let exact = mean([a, b]) * mean([c, d]);
                assert!((value - exact).abs() < 1e-14, "{common} {powers:?}");
            }
        }
    }

    /// ∬1/R over a right triangle with unit legs and itself: closed form of Eibert and Hansen.
    #[test]
    fn the_potential_energy_of_a_triangle_converges_to_its_closed_form() {
        let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let energy = |count: usize| -> f64 {
            let rules = SingularPairRules::new([count; 3]);
            (rules.nodes(3).iter())
                .map(|node| {
                    let r: [f64; 2] = std::array::from_fn(|axis| {
                        (0..3)
                            .map(|i| (node.test[i] - node.source[i]) * corners[i][axis])
                            .sum()
                    });
                    node.weight / r[0].hypot(r[1])
                })
                .sum()
        };
        // For sides a, b, c and half perimeter p the mean of 1/R over pairs is −(4/3) Σ ln(1 − a/p)/a.
        let (leg, long) = (1.0, 2_f64.sqrt());
        let half = leg + 0.5 * long;
        let term = |a: f64| (1.0 - a / half).ln() / a;
        let exact = -4.0 / 3.0 * (2.0 * term(leg) + term(long));
        assert!((energy(5) - exact).abs() < 1e-4 * exact, "{}", energy(5));
        assert!(
            (energy(10) - exact).abs() < 1e-8 * exact,
            "{} {exact}",
            energy(10)
        );
    }
}
