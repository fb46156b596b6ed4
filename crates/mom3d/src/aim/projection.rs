//! Projection of the current on every triangle onto the point sources of its box, and testing of fields at those points.
//!
//! With averages over the triangle, half RWG functions ½(r − v_i), and ⟨·⟩ the weights of its box: currents are projected with
//! ½[w_c + (m − v_i)_c w₁], where m is the centroid and w_c the weights of (r − m)_c; charges with w₁. Testing uses the same
//! weights times αjk and −αj/k, and for the MFIE −½β⟨[(r − v_i) × n] × ∇⟩, whose weights follow from gradients.

use num_complex::{Complex32, Complex64};
use rayon::prelude::*;
use wavefield_numerics::vector::{Vector, cross, sub};

use super::equivalent::{Equivalent, Weights};
use super::grid::Grid;
use super::single;
use crate::kernels::{BoxPlace, add_to_box, box_sums};
use crate::pair::Pairs;
use crate::quadrature;

const NOTHING: Complex32 = Complex32::new(0.0, 0.0);

/// Triangle projected onto the grid.
#[derive(Clone)]
pub(crate) struct Projected {
    /// First point of its box.
    pub(crate) cell: [u32; 3],
    /// Weights of 1 and of (r − m) along x, y, z.
    pub(crate) moments: [Weights; 4],
    /// Weights of −½⟨[(r − v_i) × n] × ∇⟩ by corner and component; `None` without the MFIE.
    pub(crate) turned: Option<Box<[[Weights; 3]; 3]>>,
    /// Vectors from the corners to the centroid, m.
    pub(crate) arms: [Vector; 3],
}

/// Fields at the points of a box, real and imaginary parts: scalar potential, then the components of the vector potential.
pub(crate) type BoxFields = [[Weights; 2]; 4];

impl Projected {
    /// Projects all triangles of a basis.
    pub(crate) fn all(pairs: &Pairs<'_>, grid: &Grid, equivalent: &Equivalent) -> Vec<Projected> {
        let rule = quadrature::seven_points();
        (pairs.basis().triangles.par_iter())
            .map(|triangle| {
                let cell = grid.cell(triangle.center);
                let middle = grid.middle(cell);
                let magnetic = pairs.weights(triangle).magnetic != 0.0;
                let mut moments: [Vec<f64>; 4] = std::array::from_fn(|_| Equivalent::room());
                let mut turned: [[Vec<f64>; 3]; 3] =
                    std::array::from_fn(|_| std::array::from_fn(|_| Equivalent::room()));
                for (weights, weight) in &rule {
                    let at = triangle.at(*weights);
                    let from_center = sub(at, triangle.center);
                    // t = (r − v_i) × n.
                    let tangents = triangle
                        .corners
                        .map(|corner| cross(sub(at, corner), triangle.normal));
                    let fields = equivalent.fields(sub(at, middle));
                    for (number, (r, g, slope)) in fields.enumerate() {
                        let (g, slope) = (*weight * g, *weight * slope);
                        Equivalent::add(&mut moments[0], number, g);
                        for axis in 0..3 {
                            let value = from_center[axis] * g;
                            Equivalent::add(&mut moments[1 + axis], number, value);
                        }
                        if magnetic {
                            for (turned, tangent) in turned.iter_mut().zip(tangents) {
                                let along = cross(tangent, r);
                                for (fields, along) in turned.iter_mut().zip(along) {
                                    Equivalent::add(fields, number, -0.5 * along * slope);
                                }
                            }
                        }
                    }
                }
                Projected {
                    cell: cell.map(|at| at as u32),
                    moments: equivalent.weights(&moments),
                    turned: magnetic
                        .then(|| Box::new(turned.map(|of_corner| equivalent.weights(&of_corner)))),
                    arms: triangle.corners.map(|corner| sub(triangle.center, corner)),
                }
            })
            .collect()
    }

    /// Returns the bytes of a projected triangle.
    pub(crate) fn memory(magnetic: bool) -> usize {
        let turned = if magnetic {
            size_of::<[[Weights; 3]; 3]>()
        } else {
            0
        };
        size_of::<Projected>() + turned
    }

    /// Returns the factors of the weights of a current: those of 1, for the charge and each component, and the common one of
    /// (r − m).
    pub(crate) fn source(&self, halves: [Complex64; 3]) -> ([Complex64; 4], Complex64) {
        let whole: Complex64 = halves.iter().sum();
        let mut first = [whole, Complex64::ZERO, Complex64::ZERO, Complex64::ZERO];
        for (half, arm) in halves.iter().zip(self.arms) {
            for axis in 0..3 {
                first[1 + axis] += 0.5 * arm[axis] * half;
            }
        }
        (first, 0.5 * whole)
    }

    /// Tests fields in the box with the three half functions.
    pub(crate) fn tested(
        &self,
        fields: &BoxFields,
        wavenumber: f64,
        electric: f64,
        magnetic: f64,
    ) -> [Complex64; 3] {
        let complex = |[re, im]: [f64; 2]| Complex64::new(re, im);
        let mut charge = [[0.0; 2]];
        box_sums(&fields[0], &[&self.moments[0]], &mut charge);
        let charge = complex(charge[0]);
        let mut along = Complex64::ZERO;
        let mut means = [Complex64::ZERO; 3];
        // ⟨[(r − v_i) × n] × ∇⟩ of the vector potential, by corner.
        let mut turns = [Complex64::ZERO; 3];
        for axis in 0..3 {
            let (own, field) = (&self.moments[1 + axis], &fields[1 + axis]);
            let mut sums = [[0.0; 2]; 5];
            match &self.turned {
                None => box_sums(field, &[&self.moments[0], own], &mut sums),
                Some(turned) => {
                    let [a, b, c] = turned.each_ref().map(|of_corner| &of_corner[axis]);
                    box_sums(field, &[&self.moments[0], own, a, b, c], &mut sums);
                }
            }
            let [mean, own, of_corners @ ..] = sums.map(complex);
            means[axis] = mean;
            along += own;
            for (turn, part) in turns.iter_mut().zip(of_corners) {
                *turn += part;
            }
        }
        let j = Complex64::new(0.0, electric);
        std::array::from_fn(|corner| {
            let mut current = along;
            for axis in 0..3 {
                current += self.arms[corner][axis] * means[axis];
            }
            j * (0.5 * wavenumber * current - charge / wavenumber) + magnetic * turns[corner]
        })
    }
}

/// Planes per slab. Boxes reach into the next slab, so even and odd slabs are spread in two passes.
const PLANES: usize = 4;

/// Triangles sorted by the grid plane in which their box begins.
pub(crate) struct Slabs {
    /// Triangles of each slab of `PLANES` planes.
    triangles: Vec<Vec<u32>>,
}

impl Slabs {
    pub(crate) fn new(projected: &[Projected], grid: &Grid) -> Slabs {
        let mut triangles = vec![Vec::new(); grid.shape[0].div_ceil(PLANES)];
        for (number, triangle) in (0..).zip(projected) {
            triangles[triangle.cell[0] as usize / PLANES].push(number);
        }
        Slabs { triangles }
    }

    /// Spreads sources onto a zeroed grid: charges (component 0) or one component of the current.
    pub(crate) fn spread(
        &self,
        projected: &[Projected],
        halves: &[[Complex64; 3]],
        component: usize,
        grid: &Grid,
        values: &mut [Complex32],
    ) {
        let [_, ny, nz] = grid.shape;
        for turn in 0..2 {
            let first = turn * PLANES * ny * nz;
            let Some(values) = values.get_mut(first..) else {
                continue;
            };
            values
                .par_chunks_mut(2 * PLANES * ny * nz)
                .enumerate()
                .for_each(|(chunk, values)| {
                    let slab = 2 * chunk + turn;
                    for &number in self.triangles.get(slab).into_iter().flatten() {
                        let triangle = &projected[number as usize];
                        let (first, shared) = triangle.source(halves[number as usize]);
                        let (first, shared) = (first.map(single), single(shared));
                        let [x, y, z] = triangle.cell.map(|at| at as usize);
                        let place = BoxPlace {
                            first: ((x - slab * PLANES) * ny + y) * nz + z,
                            steps: [ny * nz, nz],
                        };
                        let [mean, own] = [0, component].map(|moment| &triangle.moments[moment]);
                        // Charges are constant on a triangle.
                        let shared = if component > 0 { shared } else { NOTHING };
                        add_to_box([mean, own], [first[component], shared], place, values);
                    }
                });
        }
    }
}
