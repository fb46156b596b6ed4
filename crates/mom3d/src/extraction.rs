//! Static potentials of a triangle in closed form, for singularity extraction in near integrals.
//!
//! With R = |r − r′|, d the height of r above the plane, and for edge i: t its distance from the projection of r (positive if
//! the projection is inside), s∓ the ends along the edge, R∓ their distances, R₀² = t² + d²:
//!
//!   f = ln (R₊ + s₊)/(R₋ + s₋),  β = arctan t s₊/(R₀² + |d|R₊) − arctan t s₋/(R₀² + |d|R₋),
//!   ∫1/R = Σ t f − |d| Σ β,  ∇∫1/R = −Σ m f − n sgn d Σ β,  m the outward normal of the edge in the plane.
//!
//! D. R. Wilton et al., IEEE Trans. Antennas Propag. 32 (1984) 276–281; R. D. Graglia, ibid. 41 (1993) 1448–1455. Powers of R
//! follow by the divergence theorem: (q + 2) ∫R^q = q d² ∫R^(q−2) + Σ t ∫R^q ds, ∇′_s R^(q+2) = (q + 2) R^q (ρ′ − ρ).

use wavefield_numerics::vector::{Vector, add, cross, dot, norm, scaled, sub};

use crate::basis::Triangle;

/// Averages over a triangle of functions of **R** = r − r′.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StaticPotentials {
    /// Mean of 1/R.
    pub(crate) inverse: f64,
    /// Mean of R.
    pub(crate) distance: f64,
    /// Mean of **R**/R³.
    pub(crate) cubed: Vector,
    /// Mean of **R**/R.
    pub(crate) unit: Vector,
    /// Mean of **R** R.
    pub(crate) stretched: Vector,
}

impl StaticPotentials {
    /// Evaluates the potentials at a point. On an edge **R**/R³ is not integrable, and its singular part is omitted.
    pub(crate) fn new(triangle: &Triangle, at: Vector) -> StaticPotentials {
        let normal = triangle.normal;
        let height = dot(normal, sub(at, triangle.corners[0]));
        let above = height.abs();
        let (mut inverse, mut angle, mut edges_of_distance) = (0.0, 0.0, 0.0);
        // Σ m f, Σ m ∫R ds, Σ m ∫R³ ds.
        let (mut logarithms, mut lengths, mut cubes) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        for edge in 0..3 {
            let (from, to) = (triangle.corners[edge], triangle.corners[(edge + 1) % 3]);
            let side = sub(to, from);
            let along = scaled(side, 1.0 / norm(side));
            let outward = cross(along, normal);
            let (first, last) = (sub(from, at), sub(to, at));
            let t = dot(outward, first);
            let (s_first, s_last) = (dot(along, first), dot(along, last));
            let (r_first, r_last) = (norm(first), norm(last));
            let square = t * t + height * height;
            // On the line of the edge beyond its ends R + s cancels on one side: R + s = R₀²/(R − s).
            let f = if square <= 1e-24 * dot(side, side) && s_first * s_last <= 0.0 {
                0.0
            } else if s_first + s_last >= 0.0 {
                ((r_last + s_last) / (r_first + s_first)).ln()
            } else {
                ((r_first - s_first) / (r_last - s_last)).ln()
            };
            let turn = |s: f64, r: f64| (t * s).atan2(square + above * r);
            if square > 0.0 {
                angle += turn(s_last, r_last) - turn(s_first, r_first);
            }
            inverse += t * f;
            // ∫R ds and ∫R³ ds.
            let length = 0.5 * (s_last * r_last - s_first * r_first + square * f);
            let cube = 0.25
                * (s_last * r_last.powi(3) - s_first * r_first.powi(3) + 3.0 * square * length);
            edges_of_distance += t * length;
            logarithms = add(logarithms, scaled(outward, f));
            lengths = add(lengths, scaled(outward, length));
            cubes = add(cubes, scaled(outward, cube));
        }
        let inverse = inverse - above * angle;
        let distance = (height * height * inverse + edges_of_distance) / 3.0;
        let upward = if height == 0.0 {
            0.0
        } else {
            height.signum() * angle
        };
        // r − r′ = d n − (ρ′ − ρ).
        let lifted = |power: f64, edges: Vector| {
            scaled(
                sub(scaled(normal, height * power), edges),
                1.0 / triangle.area,
            )
        };
        StaticPotentials {
            inverse: inverse / triangle.area,
            distance: distance / triangle.area,
            cubed: scaled(add(logarithms, scaled(normal, upward)), 1.0 / triangle.area),
            unit: lifted(inverse, lengths),
            stretched: lifted(distance, scaled(cubes, 1.0 / 3.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basis::Basis;
    use crate::quadrature;
    use wavefield_mesh::TriangleMesh;

    #[test]
    fn closed_forms_are_the_integrals() {
        let points = vec![[0.1, 0.0, 0.2], [1.3, 0.2, -0.1], [0.4, 1.1, 0.5]];
        let mesh = TriangleMesh::single_group(points, vec![[0, 1, 2]], "one");
        let triangle = Basis::new(&mesh).triangles[0];
        // Points where quadrature is accurate to ten digits: off the plane, in it outside, on the line of an edge.
        let on_line = add(
            triangle.corners[0],
            scaled(sub(triangle.corners[1], triangle.corners[0]), 2.5),
        );
        for at in [[0.6, 0.5, 1.1], [0.3, 0.4, -0.9], on_line, [-2.0, 0.3, 0.2]] {
            let found = StaticPotentials::new(&triangle, at);
            let mut wanted = [0.0; 11];
            for (weights, weight) in quadrature::product(40) {
                let r = sub(at, triangle.at(weights));
                let distance = norm(r);
                let mut add = |place: usize, value: f64| wanted[place] += weight * value;
                add(0, 1.0 / distance);
                add(1, distance);
                for axis in 0..3 {
                    add(2 + axis, r[axis] / distance.powi(3));
                    add(5 + axis, r[axis] / distance);
                    add(8 + axis, r[axis] * distance);
                }
            }
            let mut values = vec![found.inverse, found.distance];
            values.extend(
                found
                    .cubed
                    .iter()
                    .chain(&found.unit)
                    .chain(&found.stretched),
            );
            for (found, wanted) in values.iter().zip(wanted) {
                assert!((found - wanted).abs() < 1e-10, "{at:?}: {found} {wanted}");
            }
        }
    }

    #[test]
    fn inside_the_triangle_the_potential_is_that_of_three_parts() {
        let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let of = |corners: [[f64; 3]; 3], at: Vector| {
            let mesh = TriangleMesh::single_group(corners.to_vec(), vec![[0, 1, 2]], "one");
            let triangle = Basis::new(&mesh).triangles[0];
            StaticPotentials::new(&triangle, at).inverse * triangle.area
        };
        let at = [0.2, 0.3, 0.0];
        let whole = of([points[0], points[1], points[2]], at);
        let parts: f64 = (0..3)
            .map(|i| of([points[i], points[(i + 1) % 3], at], at))
            .sum();
        assert!((whole - parts).abs() < 1e-14);
        // Polar coordinates around the right-angled corner: ∫1/R = ∫dφ/(cos φ + sin φ) = √2 ln(1 + √2).
        let exact = 2_f64.sqrt() * (1.0 + 2_f64.sqrt()).ln();
        assert!((of([points[0], points[1], points[2]], points[0]) - exact).abs() < 1e-14);
    }
}
