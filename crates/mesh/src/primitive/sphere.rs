use std::collections::HashMap;

use super::{PrimitiveError, affordable, positive};
use crate::TriangleMesh;
use wavefield_numerics::vector::{dot, scaled, unit};

/// Generates a sphere around the origin; all points are at distance `radius`.
///
/// The faces of an icosahedron are subdivided into n² triangles and projected onto the sphere.
pub fn sphere(radius: f64, edge: f64) -> Result<TriangleMesh, PrimitiveError> {
    positive("the radius", radius)?;
    positive("the edge length", edge)?;
    // A face has edges of 1.0515 R and its center at 0.7558 R; the projection stretches by at most
    // 1/0.7558.
    let stretched = 1.0515 / 0.7557 * radius;
    affordable(edge, 20.0 * (stretched / edge + 1.0).powi(2))?;
    let n = super::pieces(stretched, edge);

    let (corners, faces) = icosahedron();
    let mut points = Vec::new();
    let mut triangles = Vec::with_capacity(20 * (n * n) as usize);
    // A point on an edge is identified by the corners that it lies between and its weights, so that faces share it
    // exactly.
    let mut number_of: HashMap<[(usize, u32); 3], u32> = HashMap::new();
    let side = n as usize + 1;
    for face in faces {
        let mut of_face = vec![u32::MAX; side * side];
        let mut at = |i: u32, j: u32| {
            let known = &mut of_face[i as usize * side + j as usize];
            if *known != u32::MAX {
                return *known;
            }
            let mut weights = [(face[0], n - i - j), (face[1], i), (face[2], j)];
            weights.sort_unstable_by_key(|&(corner, weight)| (weight == 0, corner));
            for weight in &mut weights {
                if weight.1 == 0 {
                    weight.0 = usize::MAX;
                }
            }
            let mut new_point = || {
                let mut sum = [0.0; 3];
                for &(corner, weight) in weights.iter().filter(|w| w.1 > 0) {
                    for axis in 0..3 {
                        sum[axis] += f64::from(weight) * corners[corner][axis];
                    }
                }
                points.push(scaled(unit(sum), radius));
                (points.len() - 1) as u32
            };
            *known = if weights.iter().all(|w| w.1 > 0) {
                new_point()
            } else {
                *number_of.entry(weights).or_insert_with(new_point)
            };
            *known
        };
        for i in 0..n {
            for j in 0..n - i {
                triangles.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
                if i + j + 1 < n {
                    triangles.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        }
    }
    Ok(TriangleMesh::single_group(points, triangles, "sphere"))
}

/// Returns the twelve corners of an icosahedron on the unit sphere and its twenty faces,
/// counterclockwise from outside.
fn icosahedron() -> ([[f64; 3]; 12], Vec<[usize; 3]>) {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = [[0.0; 3]; 12];
    for (number, corner) in corners.iter_mut().enumerate() {
        // (0, ±1, ±φ) and its cyclic permutations.
        let axis = number / 4;
        corner[(axis + 1) % 3] = if number % 2 == 0 { 1.0 } else { -1.0 };
        corner[(axis + 2) % 3] = if number / 2 % 2 == 0 { golden } else { -golden };
        *corner = unit(*corner);
    }
    // The directions of adjacent corners have the cosine 1/√5 = 0.447, those of all other pairs −0.447
    // or −1.
    let adjacent = |a: usize, b: usize| dot(corners[a], corners[b]) > 0.4 && a != b;
    let mut faces = Vec::with_capacity(20);
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if adjacent(a, b) && adjacent(b, c) && adjacent(c, a) {
                    let normal = wavefield_numerics::vector::cross(corners[a], corners[b]);
                    let outward = dot(normal, corners[c]) > 0.0;
                    faces.push(if outward { [a, b, c] } else { [a, c, b] });
                }
            }
        }
    }
    (corners, faces)
}
