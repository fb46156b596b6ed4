//! Interaction of two triangles: the entries of the EFIE and the MFIE.
//!
//! For half RWG functions of unit edge length h_i = (r − v_i)/2A on the test triangle and h_j = (r′ − v_j)/2A′ on the source
//! triangle, with G = e^{−jkR}/4πR and **R** = r − r′,
//!
//!   electric  E_ij = jk ∬ [h_i·h_j − ∇·h_i ∇′·h_j/k²] G,
//!   magnetic  M_ij = ½ ∫ h_i·h_j − ∬ h_i·[n × (∇G × h_j)].
//!
//! They represent E/η and n × H in the unknown J. Since r′ − v_j = (r − v_j) − **R** and ∇G is along **R**, both need only S₀
//! = ⟨G⟩, S₁ = ⟨G **R**⟩ and T = ⟨∇G⟩, averaged over the source; the areas cancel in the averages.

use num_complex::Complex64;
use std::f64::consts::PI;
use wavefield_numerics::vector::{Vector, dot, norm, sub};

use crate::basis::{Basis, Triangle};
use crate::extraction::StaticPotentials;
use crate::kernels::{SingularPair, SingularSums, singular_sums};
use crate::quadrature::{self, Node};
use crate::singular_quadrature::SingularPairRules;

const J: Complex64 = Complex64::new(0.0, 1.0);

/// Entries of a pair of triangles, indexed by the corners opposite the edges, test first.
pub(crate) type Block = [[Complex64; 3]; 3];

/// Weights of the EFIE and the MFIE on a closed surface; open surfaces have the EFIE alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Combination {
    pub(crate) electric: f64,
    pub(crate) magnetic: f64,
}

impl Combination {
    /// Returns whether the matrix is symmetric, which holds if only the EFIE is tested.
    pub(crate) fn is_symmetric(&self, basis: &Basis) -> bool {
        self.magnetic == 0.0 || basis.triangles.iter().all(|triangle| !triangle.closed)
    }

    /// Returns the weights with which a triangle is tested: the EFIE alone on open surfaces.
    pub(crate) fn on(self, test: &Triangle) -> Combination {
        if test.closed {
            self
        } else {
            Combination {
                electric: 1.0,
                magnetic: 0.0,
            }
        }
    }
}

/// Distance of centroids over the sum of radii below which static potentials are extracted.
const NEAR: f64 = 2.5;
/// Distance of a point from the centroid over the radius below which static potentials are extracted.
const CLOSE: f64 = 4.0;
/// Gauss points per coordinate of pairs with one, two, and three common corners.
const TOUCHING: [usize; 3] = [4, 4, 5];

/// Proximity of the triangles of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The triangles share this number of corners.
    Touching(usize),
    Near,
    Far,
}

impl Reach {
    pub(crate) fn of(test: &Triangle, source: &Triangle) -> Reach {
        let apart = norm(sub(test.center, source.center)) / (test.radius + source.radius);
        if apart >= NEAR {
            return Reach::Far;
        }
        // Triangles that touch are no farther apart than the sum of their radii.
        if apart <= 1.0 + 1e-9 {
            let shared = |point: &&u32| source.points.contains(*point);
            let common = test.points.iter().filter(shared).count();
            if common > 0 {
                return Reach::Touching(common);
            }
        }
        Reach::Near
    }
}

/// Entries of pairs of triangles of a basis at one frequency.
#[derive(Clone, Debug)]
pub(crate) struct Pairs<'a> {
    basis: &'a Basis,
    wavenumber: f64,
    combination: Combination,
    rule: Vec<Node>,
    touching: SingularPairRules,
}

impl<'a> Pairs<'a> {
    pub(crate) fn new(basis: &'a Basis, wavenumber: f64, combination: Combination) -> Pairs<'a> {
        Pairs {
            basis,
            wavenumber,
            combination,
            rule: quadrature::seven_points(),
            touching: SingularPairRules::new(TOUCHING),
        }
    }

    pub(crate) fn basis(&self) -> &'a Basis {
        self.basis
    }

    pub(crate) fn wavenumber(&self) -> f64 {
        self.wavenumber
    }

    /// Returns the potentials of a triangle at a point, with singularity extraction near it.
    pub(crate) fn potentials(&self, source: &Triangle, at: Vector) -> Potentials {
        if norm(sub(at, source.center)) < CLOSE * source.radius {
            self.near(source, at)
        } else {
            self.far(source, at)
        }
    }

    /// Returns whether the matrix is symmetric.
    pub(crate) fn are_symmetric(&self) -> bool {
        self.combination.is_symmetric(self.basis)
    }

    /// Returns the weights of the EFIE and the MFIE on closed surfaces.
    pub(crate) fn combination(&self) -> Combination {
        self.combination
    }

    /// Returns the weights with which a triangle is tested.
    pub(crate) fn weights(&self, test: &Triangle) -> Combination {
        self.combination.on(test)
    }

    /// Returns the entries of a pair.
    pub(crate) fn block(&self, test: usize, source: usize) -> Block {
        let (t, s) = (&self.basis.triangles[test], &self.basis.triangles[source]);
        match Reach::of(t, s) {
            Reach::Touching(common) => self.touching(t, s, common),
            Reach::Near => self.tested(t, s, |at| self.near(s, at)),
            Reach::Far => self.tested(t, s, |at| self.far(s, at)),
        }
    }

    /// Tests the potentials of a source with the three functions of a triangle.
    fn tested(
        &self,
        test: &Triangle,
        source: &Triangle,
        potentials: impl Fn(Vector) -> Potentials,
    ) -> Block {
        let k = self.wavenumber;
        let Combination { electric, magnetic } = self.weights(test);
        let mut block = [[Complex64::ZERO; 3]; 3];
        for (weights, weight) in &self.rule {
            let at = test.at(*weights);
            let Potentials { s0, s1, t } = potentials(at);
            let normal_t = complex_dot(test.normal, t);
            let arms = test.corners.map(|corner| sub(at, corner));
            for (j, corner) in source.corners.iter().enumerate() {
                let d = sub(at, *corner);
                let lifted = dot(test.normal, d);
                for (i, &a) in arms.iter().enumerate() {
                    let along = dot(a, d);
                    let e = J * k * 0.25 * (along * s0 - complex_dot(a, s1)) - J / k * s0;
                    let m = -0.25 * (complex_dot(a, t) * lifted - along * normal_t);
                    block[i][j] += weight * (electric * e + magnetic * m);
                }
            }
        }
        block
    }

    /// Returns the potentials by quadrature alone.
    fn far(&self, source: &Triangle, at: Vector) -> Potentials {
        let mut sums = Potentials::default();
        for (weights, weight) in &self.rule {
            let r = sub(at, source.at(*weights));
            let (g, derivative) = green(self.wavenumber, norm(r));
            sums.add(*weight, r, g, derivative);
        }
        sums
    }

    /// Returns the potentials with 1/R and R in closed form; the quadrature integrates e^{−jx} − 1 + x²/2 and (1 + jx)e^{−jx}
    /// − 1 − x²/2.
    fn near(&self, source: &Triangle, at: Vector) -> Potentials {
        let k = self.wavenumber;
        let mut sums = Potentials::default();
        for (weights, weight) in &self.rule {
            let r = sub(at, source.at(*weights));
            let (g, derivative) = smooth_green(k, norm(r));
            sums.add(*weight, r, g, derivative);
        }
        let StaticPotentials {
            inverse,
            distance,
            cubed,
            unit,
            stretched,
        } = StaticPotentials::new(source, at);
        let half = 0.5 * k * k;
        let scale = 1.0 / (4.0 * PI);
        sums.s0 += scale * (inverse - half * distance);
        for axis in 0..3 {
            sums.s1[axis] += scale * (unit[axis] - half * stretched[axis]);
            sums.t[axis] -= scale * (cubed[axis] + half * unit[axis]);
        }
        sums
    }

    fn touching(&self, test: &Triangle, source: &Triangle, common: usize) -> Block {
        let [order_test, order_source] = common_first(test.points, source.points);
        let pair = SingularPair {
            test: order_test.map(|corner| test.corners[corner]),
            source: order_source.map(|corner| source.corners[corner]),
            normal: test.normal,
        };
        let mut sums = SingularSums::default();
        singular_sums(self.wavenumber, &pair, self.touching.of(common), &mut sums);
        let mut block = [[Complex64::ZERO; 3]; 3];
        let Combination { electric, magnetic } = self.weights(test);
        for (i, &row) in order_test.iter().enumerate() {
            for (j, &column) in order_source.iter().enumerate() {
                let [re, im] = sums.electric[i][j];
                let e = J / self.wavenumber * Complex64::new(re, im);
                let [re, im] = sums.magnetic[i][j];
                // Of coincident triangles the magnetic integral vanishes, and half the current remains.
                let m = if common == 3 {
                    Complex64::new(self.half_overlap(test, row, column), 0.0)
                } else {
                    Complex64::new(re, im)
                };
                block[row][column] = electric * e + magnetic * m;
            }
        }
        block
    }

    /// Returns ½ ∫ h_i·h_j over a triangle.
    fn half_overlap(&self, triangle: &Triangle, i: usize, j: usize) -> f64 {
        let of_node = |(weights, weight): &Node| {
            let at = triangle.at(*weights);
            let [a, b] = [i, j].map(|corner| sub(at, triangle.corners[corner]));
            0.125 * weight * dot(a, b) / triangle.area
        };
        self.rule.iter().map(of_node).sum()
    }

    /// Reference implementation of the SIMD sums over touching pairs of points.
    #[cfg(test)]
    fn plain_singular_sums(&self, pair: &SingularPair, common: usize) -> SingularSums {
        let k = self.wavenumber;
        let at = |corners: &[Vector; 3], weights: [f64; 3]| -> Vector {
            std::array::from_fn(|axis| (0..3).map(|i| weights[i] * corners[i][axis]).sum())
        };
        let mut sums = SingularSums::default();
        for node in self.touching.nodes(common) {
            let (to, from) = (at(&pair.test, node.test), at(&pair.source, node.source));
            let r = sub(to, from);
            let (g, derivative) = green(k, norm(r));
            for i in 0..3 {
                let a = sub(to, pair.test[i]);
                for j in 0..3 {
                    let b = sub(from, pair.source[j]);
                    let e = node.weight * (0.25 * k * k * dot(a, b) - 1.0) * g;
                    let turned = dot(a, r) * dot(pair.normal, b) - dot(a, b) * dot(pair.normal, r);
                    let m = -0.25 * node.weight * turned * derivative;
                    sums.electric[i][j][0] += e.re;
                    sums.electric[i][j][1] += e.im;
                    sums.magnetic[i][j][0] += m.re;
                    sums.magnetic[i][j][1] += m.im;
                }
            }
        }
        sums
    }
}

/// Averages ⟨G⟩, ⟨G **R**⟩, and ⟨∇G⟩ over a triangle, at a point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Potentials {
    pub(crate) s0: Complex64,
    pub(crate) s1: [Complex64; 3],
    pub(crate) t: [Complex64; 3],
}

impl Potentials {
    fn add(&mut self, weight: f64, r: Vector, g: Complex64, derivative: Complex64) {
        self.s0 += weight * g;
        for axis in 0..3 {
            self.s1[axis] += weight * r[axis] * g;
            self.t[axis] += weight * r[axis] * derivative;
        }
    }
}

/// Returns G, and g of ∇G = g **R**: −(1 + jkR) e^{−jkR}/4πR³.
pub(crate) fn green(k: f64, distance: f64) -> (Complex64, Complex64) {
    let x = k * distance;
    let g = Complex64::from_polar(1.0 / (4.0 * PI * distance), -x);
    let derivative = -g * Complex64::new(1.0, x) / (distance * distance);
    (g, derivative)
}

/// Returns G and g without the terms whose value or derivative is singular.
fn smooth_green(k: f64, distance: f64) -> (Complex64, Complex64) {
    let x = k * distance;
    // Below this, the truncation error of the series is smaller than the cancellation error of the difference.
    if x < 0.02 {
        let g = k / (4.0 * PI) * Complex64::new(x.powi(3) / 24.0, -1.0 + x * x / 6.0);
        let derivative =
            -k.powi(3) / (4.0 * PI) * Complex64::new(-x / 8.0, -1.0 / 3.0 + x * x / 30.0);
        return (g, derivative);
    }
    let wave = Complex64::from_polar(1.0, -x);
    let scale = 1.0 / (4.0 * PI * distance);
    let g = scale * (wave - 1.0 + 0.5 * x * x);
    let derivative =
        -scale / (distance * distance) * (wave * Complex64::new(1.0, x) - 1.0 - 0.5 * x * x);
    (g, derivative)
}

fn complex_dot(a: Vector, b: [Complex64; 3]) -> Complex64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the corner orders of both triangles, with the common corners first and matching.
fn common_first(test: [u32; 3], source: [u32; 3]) -> [[usize; 3]; 2] {
    let mut order = [[0; 3]; 2];
    let mut count = 0;
    for (i, point) in test.iter().enumerate() {
        if let Some(j) = source.iter().position(|other| other == point) {
            order[0][count] = i;
            order[1][count] = j;
            count += 1;
        }
    }
    for (own, (mine, other)) in [(test, source), (source, test)].into_iter().enumerate() {
        let mut next = count;
        for (i, point) in mine.iter().enumerate() {
            if !other.contains(point) {
                order[own][next] = i;
                next += 1;
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fill;
    use crate::kernels::{Blocks, far_blocks};
    use wavefield_mesh::primitive;
    use wavefield_numerics::simd::LANES;

    const HALF: Combination = Combination {
        electric: 0.5,
        magnetic: 0.5,
    };

    fn largest(block: &Block) -> f64 {
        block.iter().flatten().map(|z| z.norm()).fold(0.0, f64::max)
    }

    fn apart(a: &Block, b: &Block) -> f64 {
        let pairs = a.iter().flatten().zip(b.iter().flatten());
        pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    }

    /// Rules with more points change entries by less than the discretization error.
    #[test]
    fn rules_are_fine_enough() {
        let mesh = primitive::sphere(0.5, 0.12).unwrap();
        let basis = Basis::new(&mesh);
        let k = std::f64::consts::TAU;
        let pairs = Pairs::new(&basis, k, HALF);
        let mut fine = pairs.clone();
        fine.touching = SingularPairRules::new([9; 3]);
        fine.rule = quadrature::product(8);
        let mut worst = [0.0_f64; 5];
        for test in (0..basis.triangles.len()).step_by(37) {
            let own = largest(&fine.block(test, test));
            for source in 0..basis.triangles.len() {
                let place = match Reach::of(&basis.triangles[test], &basis.triangles[source]) {
                    Reach::Touching(common) => common - 1,
                    Reach::Near => 3,
                    Reach::Far => 4,
                };
                let (coarse, exact) = (pairs.block(test, source), fine.block(test, source));
                worst[place] = worst[place].max(apart(&coarse, &exact) / own);
            }
        }
        // Relative to the diagonal entries.
        assert!(worst.iter().all(|&worst| worst < 5e-6), "{worst:?}");
    }

    /// The EFIE is reciprocal: test and source may be exchanged.
    #[test]
    fn electric_entries_are_reciprocal() {
        let mesh = primitive::sphere(0.5, 0.2).unwrap();
        let basis = Basis::new(&mesh);
        let electric = Combination {
            electric: 1.0,
            magnetic: 0.0,
        };
        let pairs = Pairs::new(&basis, std::f64::consts::TAU, electric);
        for (test, source) in (0..40).flat_map(|t| (0..basis.triangles.len()).map(move |s| (t, s)))
        {
            let (there, back) = (pairs.block(test, source), pairs.block(source, test));
            let turned = std::array::from_fn(|i| std::array::from_fn(|j| back[j][i]));
            let own = largest(&pairs.block(test, test));
            // Near pairs have a closed form on one side and seven points on the other.
            assert!(apart(&there, &turned) < 1e-5 * own);
        }
    }

    #[test]
    fn vector_instructions_make_the_same_sums_of_touching_pairs() {
        let mesh = primitive::sphere(0.5, 0.2).unwrap();
        let basis = Basis::new(&mesh);
        let k = std::f64::consts::TAU;
        let pairs = Pairs::new(&basis, k, HALF);
        for common in 1..=3 {
            let test = &basis.triangles[0];
            let source = (basis.triangles.iter())
                .find(|source| Reach::of(test, source) == Reach::Touching(common))
                .unwrap();
            let [order_test, order_source] = common_first(test.points, source.points);
            let pair = SingularPair {
                test: order_test.map(|corner| test.corners[corner]),
                source: order_source.map(|corner| source.corners[corner]),
                normal: test.normal,
            };
            let wanted = pairs.plain_singular_sums(&pair, common);
            let mut found = SingularSums::default();
            singular_sums(k, &pair, pairs.touching.of(common), &mut found);
            let flat = |sums: &SingularSums| -> Vec<f64> {
                let both = [sums.electric, sums.magnetic];
                both.iter().flatten().flatten().flatten().copied().collect()
            };
            let (wanted, found) = (flat(&wanted), flat(&found));
            let size = wanted.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            for (wanted, found) in wanted.iter().zip(found) {
                assert!((wanted - found).abs() < 1e-13 * size, "{common}");
            }
        }
    }

    #[test]
    fn vector_instructions_make_the_same_entries() {
        let mesh = primitive::sphere(0.5, 0.12).unwrap();
        let basis = Basis::new(&mesh);
        let k = std::f64::consts::TAU;
        let pairs = Pairs::new(&basis, k, HALF);
        let rule = quadrature::seven_points();
        let weights: Vec<f64> = rule.iter().map(|node| node.1).collect();
        for test in [0, 50] {
            let own = &basis.triangles[test];
            let sources: Vec<usize> = (0..basis.triangles.len())
                .filter(|&source| Reach::of(own, &basis.triangles[source]) == Reach::Far)
                .take(LANES)
                .collect();
            assert_eq!(sources.len(), LANES);
            let group = fill::group(&basis, &sources, &rule);
            let tested = fill::tested(own, &pairs, &rule);
            let mut blocks = Blocks::zero();
            far_blocks(k, &tested, &group, &weights, &mut blocks);
            for (lane, &source) in sources.iter().enumerate() {
                let wanted = pairs.block(test, source);
                let found = std::array::from_fn(|i| {
                    std::array::from_fn(|j| {
                        let [re, im] = &blocks.0[i][j];
                        Complex64::new(re[lane], im[lane])
                    })
                });
                assert!(apart(&found, &wanted) < 1e-13 * largest(&wanted).max(1e-3));
            }
        }
    }
}
