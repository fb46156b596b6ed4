//! Rao–Wilton–Glisson (RWG) basis functions: surface currents on triangles, one per edge between two triangles.
//!
//! On the triangle T⁺ of an edge of length l the function is f = l/(2A⁺) (r − v⁺), on T⁻ it is −l/(2A⁻) (r − v⁻), where v is
//! the corner opposite the edge. The normal component is continuous across the edge and zero on the other edges, and ∇·f =
//! ±l/A. At an edge where n triangles meet, n − 1 functions join the first triangle to each of the others.
//!
//! S. M. Rao, D. R. Wilton, A. W. Glisson, IEEE Trans. Antennas Propag. 30 (1982) 409–418.

use std::ops::Range;
use wavefield_mesh::{Components, Edges, TriangleMesh};
use wavefield_numerics::vector::{Vector, add, norm, scaled, sub};

/// Triangle with the geometry that the integral equations need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    pub(crate) corners: [Vector; 3],
    /// Unit normal, outward on a closed surface.
    pub(crate) normal: Vector,
    pub(crate) area: f64,
    pub(crate) center: Vector,
    /// Distance from the centroid to the farthest corner, m.
    pub(crate) radius: f64,
    /// Vertex indices of the corners in the mesh.
    pub(crate) points: [u32; 3],
    /// Whether the triangle belongs to a closed surface.
    pub(crate) closed: bool,
}

impl Triangle {
    /// Returns the point with the given barycentric coordinates.
    pub(crate) fn at(&self, weights: [f64; 3]) -> Vector {
        std::array::from_fn(|axis| {
            (0..3)
                .map(|corner| weights[corner] * self.corners[corner][axis])
                .sum()
        })
    }
}

/// Part of a function on one triangle: `weight`/(2A) (r − corner), with the weight ±l.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) function: u32,
    /// Corner opposite the edge.
    pub(crate) corner: u32,
    pub(crate) weight: f64,
}

/// One of the two triangles of a function, with the corner opposite the edge and the weight ±l.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) triangle: u32,
    pub(crate) corner: u32,
    pub(crate) weight: f64,
}

/// Triangles and the basis functions on them, ordered for locality.
#[derive(Clone, Debug)]
pub(crate) struct Basis {
    pub(crate) triangles: Vec<Triangle>,
    /// Index in the mesh of every triangle.
    pub(crate) of_mesh: Vec<usize>,
    shares: Vec<Share>,
    /// Offsets of the function parts of each triangle, and their total.
    first: Vec<usize>,
    /// Both triangles of every function.
    pub(crate) sides: Vec<[Side; 2]>,
    /// Number of basis functions.
    pub(crate) size: usize,
}

impl Basis {
    /// Creates the functions of a mesh whose closed components are oriented outward. Degenerate triangles carry none.
    pub(crate) fn new(mesh: &TriangleMesh) -> Basis {
        let edges = Edges::of(mesh);
        let components = Components::of(mesh, &edges);
        let mut open = vec![false; components.count];
        for edge in edges.iter() {
            if !edge.is_consistent(mesh) {
                for side in edge.half_edges {
                    open[components.of_triangle[side.triangle() as usize] as usize] = true;
                }
            }
        }
        let of_mesh = along_a_curve(mesh);
        let mut place = vec![usize::MAX; mesh.triangles.len()];
        for (at, &triangle) in of_mesh.iter().enumerate() {
            place[triangle] = at;
        }
        let triangles = (of_mesh.iter())
            .map(|&number| {
                let corners = mesh.corners(number);
                let area_vector = mesh.area_vector(number);
                let area = norm(area_vector);
                let center = scaled(add(add(corners[0], corners[1]), corners[2]), 1.0 / 3.0);
                let far = |corner: &Vector| norm(sub(*corner, center));
                Triangle {
                    corners,
                    normal: scaled(area_vector, 1.0 / area),
                    area,
                    center,
                    radius: corners.iter().map(far).fold(0.0, f64::max),
                    points: mesh.triangles[number],
                    closed: !open[components.of_triangle[number] as usize],
                }
            })
            .collect::<Vec<_>>();
        let mut functions: Vec<[Side; 2]> = Vec::with_capacity(edges.len());
        for edge in edges.iter() {
            let [from, to] = edge.ends.map(|point| mesh.points[point as usize]);
            let length = norm(sub(to, from));
            let mut sides = (edge.half_edges.iter())
                .map(|side| {
                    let opposite = (side.corner() as u32 + 2) % 3;
                    (place[side.triangle() as usize], opposite)
                })
                .filter(|&(at, _)| at != usize::MAX)
                .collect::<Vec<_>>();
            sides.sort_unstable();
            let side = |(at, corner): (usize, u32), weight| Side {
                triangle: at as u32,
                corner,
                weight,
            };
            for &other in sides.iter().skip(1) {
                functions.push([side(sides[0], length), side(other, -length)]);
            }
        }
        functions.sort_by_key(|[first, other]| (first.triangle, other.triangle, first.corner));
        let mut first = vec![0; triangles.len() + 1];
        for side in functions.iter().flatten() {
            first[side.triangle as usize + 1] += 1;
        }
        for at in 0..triangles.len() {
            first[at + 1] += first[at];
        }
        let mut next = first.clone();
        let nothing = Share {
            function: 0,
            corner: 0,
            weight: 0.0,
        };
        let mut shares = vec![nothing; 2 * functions.len()];
        for (function, sides) in (0..).zip(&functions) {
            for side in sides {
                let at = side.triangle as usize;
                shares[next[at]] = Share {
                    function,
                    corner: side.corner,
                    weight: side.weight,
                };
                next[at] += 1;
            }
        }
        Basis {
            triangles,
            of_mesh,
            shares,
            first,
            size: functions.len(),
            sides: functions,
        }
    }

    /// Returns the triangles that support any of these functions, in ascending order.
    pub(crate) fn carriers(&self, functions: Range<usize>) -> Vec<usize> {
        let sides = self.sides[functions].iter().flatten();
        let mut carriers: Vec<usize> = sides.map(|side| side.triangle as usize).collect();
        carriers.sort_unstable();
        carriers.dedup();
        carriers
    }

    /// Returns the function parts on a triangle.
    pub(crate) fn shares(&self, triangle: usize) -> &[Share] {
        &self.shares[self.first[triangle]..self.first[triangle + 1]]
    }

    /// Returns the current Σ x f at a point of a triangle, in the unit of the coefficients.
    pub(crate) fn current<T>(&self, triangle: usize, at: Vector, coefficients: &[T]) -> [T; 3]
    where
        T: Copy + Default + std::ops::AddAssign + std::ops::Mul<f64, Output = T>,
    {
        let shape = &self.triangles[triangle];
        let mut current = [T::default(); 3];
        for share in self.shares(triangle) {
            let arm = sub(at, shape.corners[share.corner as usize]);
            let scale = share.weight / (2.0 * shape.area);
            for axis in 0..3 {
                current[axis] += coefficients[share.function as usize] * (scale * arm[axis]);
            }
        }
        current
    }
}

/// Returns the nondegenerate triangles along a Morton curve.
fn along_a_curve(mesh: &TriangleMesh) -> Vec<usize> {
    const BITS: u32 = 16;
    let corner = mesh.bounding_box().map_or([0.0; 3], |bounds| bounds.min);
    let longest =
        (mesh.bounding_box()).map_or(0.0, |bounds| bounds.size().into_iter().fold(0.0, f64::max));
    let cells = f64::from((1_u32 << BITS) - 1) / longest.max(f64::MIN_POSITIVE);
    let mut order: Vec<(u64, usize)> = (0..mesh.triangles.len())
        .filter(|&number| norm(mesh.area_vector(number)) > 0.0)
        .map(|number| {
            let [a, b, c] = mesh.corners(number);
            let middle = scaled(add(add(a, b), c), 1.0 / 3.0);
            let cell = sub(middle, corner).map(|x| (x * cells) as u64);
            let mut key = 0;
            for bit in 0..BITS {
                for (axis, at) in (0..).zip(cell) {
                    key |= (at >> bit & 1) << (3 * bit + axis);
                }
            }
            (key, number)
        })
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, number)| number).collect()
}
