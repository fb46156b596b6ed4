//! Equivalent point sources on the grid for the sources on a triangle.
//!
//! The 4 × 4 × 4 grid points of a box around a triangle get weights such that their field matches the triangle's on a sphere
//! around both; outside it the fields then agree too. The 64 points reproduce multipoles up to the seventh order, where
//! interpolation with four points per axis reproduces polynomials of the third degree. By reciprocity the same weights map a
//! far field at the points to its average over the triangle.
//!
//! J. R. Phillips, J. K. White, IEEE Trans. Comput.-Aided Design 16 (1997) 1059–1072; E. Bleszynski, M. Bleszynski, T.
//! Jaroszewicz, Radio Sci. 31 (1996) 1225–1251.

use num_complex::Complex64;
use std::f64::consts::PI;
use wavefield_numerics::simd::{LANES, lane_sums};
use wavefield_numerics::vector::{Vector, norm, sub};

use crate::kernels::{ACROSS, BOX, BoxWeights};
use crate::pair::green;

/// Points of a box.
pub(crate) const POINTS: usize = BOX;
/// Collocation points on the sphere.
const COMPARED: usize = 144;
const _: () = assert!((2 * COMPARED).is_multiple_of(LANES));
/// Regularization parameter relative to the fields: limits weights that cancel.
const RESTRAINT: f64 = 1e-7;

/// Weights of the points of a box, z fastest.
pub(crate) type Weights = BoxWeights;

/// Map from fields on the sphere to weights.
pub(crate) struct Equivalent {
    wavenumber: f64,
    /// Collocation points on the sphere around the center of the box, m.
    pub(crate) compared: Vec<Vector>,
    /// Rows of the pseudoinverse, one per point of the box: real, then imaginary parts of fields.
    inverse: Vec<f64>,
}

impl Equivalent {
    /// Creates the map for boxes of grid step `step` (m) and a sphere of radius `radius` (m).
    pub(crate) fn new(wavenumber: f64, step: f64, radius: f64) -> Equivalent {
        let compared = on_sphere(radius);
        let rows = 2 * COMPARED + POINTS;
        // Columns: fields of the points of the box on the sphere, and the regularization.
        let mut columns = vec![vec![0.0; rows]; POINTS];
        let mut largest = 0.0_f64;
        for (number, column) in columns.iter_mut().enumerate() {
            let at = point(step, number);
            for (i, on) in compared.iter().enumerate() {
                let (g, _) = green(wavenumber, norm(sub(*on, at)));
                column[i] = g.re;
                column[COMPARED + i] = g.im;
            }
            largest = largest.max(length(column));
        }
        for (number, column) in columns.iter_mut().enumerate() {
            column[2 * COMPARED + number] = RESTRAINT * largest;
        }
        Equivalent {
            wavenumber,
            compared,
            inverse: pseudoinverse(columns, 2 * COMPARED),
        }
    }

    /// Evaluates G from a point, relative to the center of the box, at the collocation points, and g of its gradient at the
    /// point.
    pub(crate) fn fields(
        &self,
        at: Vector,
    ) -> impl Iterator<Item = (Vector, Complex64, Complex64)> {
        self.compared.iter().map(move |on| {
            let r = sub(at, *on);
            let (g, slope) = green(self.wavenumber, norm(r));
            (r, g, slope)
        })
    }

    /// Returns the weights that reproduce each of several fields on the sphere, given as real, then imaginary parts.
    pub(crate) fn weights<const N: usize>(&self, fields: &[Vec<f64>; N]) -> [Weights; N] {
        let rows: Vec<&[f64]> = self.inverse.chunks(2 * COMPARED).collect();
        let fields = fields.each_ref().map(|field| &field[..]);
        let mut sums = vec![[0.0; LANES]; POINTS * N];
        lane_sums(&rows, &fields, &mut sums);
        std::array::from_fn(|field| {
            std::array::from_fn(|point| sums[point * N + field].iter().sum::<f64>() as f32)
        })
    }

    /// Allocates fields on the sphere.
    pub(crate) fn room() -> Vec<f64> {
        vec![0.0; 2 * COMPARED]
    }

    /// Adds a complex field at a collocation point.
    pub(crate) fn add(fields: &mut [f64], number: usize, value: Complex64) {
        fields[number] += value.re;
        fields[COMPARED + number] += value.im;
    }
}

/// Returns a point of the box relative to its center.
fn point(step: f64, number: usize) -> Vector {
    let place = [
        number / (ACROSS * ACROSS),
        number / ACROSS % ACROSS,
        number % ACROSS,
    ];
    place.map(|at| step * (at as f64 - 0.5 * (ACROSS - 1) as f64))
}

/// Returns points distributed evenly over a sphere along a golden-angle spiral.
fn on_sphere(radius: f64) -> Vec<Vector> {
    let golden = PI * (3.0 - 5_f64.sqrt());
    (0..COMPARED)
        .map(|i| {
            let z = 1.0 - (2 * i + 1) as f64 / COMPARED as f64;
            let (sin, cos) = (golden * i as f64).sin_cos();
            let across = (1.0 - z * z).sqrt();
            [radius * across * cos, radius * across * sin, radius * z]
        })
        .collect()
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Returns the first `kept` columns of (AᵀA)⁻¹Aᵀ, row after row, by twice-iterated Gram–Schmidt.
fn pseudoinverse(mut columns: Vec<Vec<f64>>, kept: usize) -> Vec<f64> {
    let count = columns.len();
    let mut triangle = vec![vec![0.0; count]; count];
    for j in 0..count {
        let (before, rest) = columns.split_at_mut(j);
        let column = &mut rest[0];
        for _ in 0..2 {
            for (i, other) in before.iter().enumerate() {
                let along: f64 = other.iter().zip(&*column).map(|(a, b)| a * b).sum();
                triangle[i][j] += along;
                for (x, o) in column.iter_mut().zip(other) {
                    *x -= along * o;
                }
            }
        }
        let size = length(column);
        triangle[j][j] = size;
        for x in column.iter_mut() {
            *x /= size;
        }
    }
    // R X = Qᵀ by back substitution.
    let mut inverse = vec![0.0; count * kept];
    for i in (0..count).rev() {
        let mut row = columns[i][..kept].to_vec();
        for j in i + 1..count {
            let factor = triangle[i][j];
            for (x, y) in row.iter_mut().zip(&inverse[j * kept..(j + 1) * kept]) {
                *x -= factor * y;
            }
        }
        for (out, x) in inverse[i * kept..(i + 1) * kept].iter_mut().zip(row) {
            *out = x / triangle[i][i];
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Grid steps and sphere radii in use, in wavelengths.
    #[test]
    fn points_of_a_box_make_the_field_of_a_source_in_it() {
        let k = 2.0 * PI;
        let equivalent = Equivalent::new(k, 0.1, 0.3);
        // As far from the center as a corner of a triangle may be.
        let at = [0.08, -0.07, 0.06];
        let mut fields = Equivalent::room();
        for (number, (_, g, _)) in equivalent.fields(at).enumerate() {
            Equivalent::add(&mut fields, number, g);
        }
        let [weights] = equivalent.weights(&[fields]);
        for far in [[0.45, 0.0, 0.0], [0.25, -0.25, 0.3], [2.0, 1.0, -3.0]] {
            let (wanted, _) = green(k, norm(sub(far, at)));
            let found: Complex64 = (weights.iter().enumerate())
                .map(|(number, w)| f64::from(*w) * green(k, norm(sub(far, point(0.1, number)))).0)
                .sum();
            let error = (found - wanted).norm() / wanted.norm();
            assert!(error < 1e-3, "{far:?}: {error:e}");
        }
    }
}
