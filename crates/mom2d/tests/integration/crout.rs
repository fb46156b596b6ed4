//! Crout's LU factorization without pivoting and the inverses of both triangles, as in published matrix-inversion programs:
//! three times the operations of LU with pivoting, in a slow order, with rounding errors that grow at small pivots. It serves
//! as an independent reference solution.

use num_complex::Complex64;
use std::f64::consts::{FRAC_2_PI, TAU};
use wavefield_mom2d::{Plan, Spec};
use wavefield_numerics::dense::{FactorError, Lu, Matrix};
use wavefield_numerics::observe::Silent;
use wavefield_numerics::special::CylinderFunctions;
use wavefield_physics::constants::VACUUM_IMPEDANCE;

/// L⁻¹ and U⁻¹, where U has a unit diagonal.
#[derive(Clone, Debug)]
struct CroutInverse {
    size: usize,
    lower: Vec<Complex64>,
    upper: Vec<Complex64>,
}

const ONE: Complex64 = Complex64::new(1.0, 0.0);

impl CroutInverse {
    /// Factors a matrix and inverts the factors; refuses zero pivots.
    fn new(matrix: &Matrix) -> Result<CroutInverse, FactorError> {
        let n = matrix.rows();
        // Rows of L and columns of U, so that both are contiguous in the sums.
        let mut lower = vec![Complex64::ZERO; n * n];
        let mut upper = vec![Complex64::ZERO; n * n];
        for j in 0..n {
            for i in j..n {
                let sum = product(&lower[i * n..i * n + j], &upper[j * n..j * n + j]);
                lower[i * n + j] = matrix.column(j)[i] - sum;
            }
            let pivot = lower[j * n + j];
            if pivot == Complex64::ZERO || !pivot.is_finite() {
                return Err(FactorError::Singular { column: j });
            }
            upper[j * n + j] = ONE;
            for i in j + 1..n {
                let sum = product(&lower[j * n..j * n + j], &upper[i * n..i * n + j]);
                upper[i * n + j] = (matrix.column(i)[j] - sum) / pivot;
            }
        }
        Ok(CroutInverse {
            size: n,
            lower: inverse_of_rows(&lower, n),
            // The columns of an upper triangular matrix are the rows of its transpose, which is lower triangular.
            upper: inverse_of_rows(&upper, n),
        })
    }

    /// Replaces the right-hand sides, concatenated in `columns`, by the solutions U⁻¹L⁻¹b.
    fn solve(&self, columns: &mut [Complex64]) {
        let n = self.size;
        for right in columns.chunks_mut(n) {
            let middle: Vec<Complex64> = (0..n)
                .map(|i| product(&self.lower[i * n..=i * n + i], &right[..=i]))
                .collect();
            right.fill(Complex64::ZERO);
            for (j, middle) in middle.into_iter().enumerate() {
                for (right, u) in right[..=j].iter_mut().zip(&self.upper[j * n..=j * n + j]) {
                    *right += u * middle;
                }
            }
        }
    }
}

fn product(a: &[Complex64], b: &[Complex64]) -> Complex64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the inverse of a lower triangular matrix; both are stored by rows.
fn inverse_of_rows(lower: &[Complex64], n: usize) -> Vec<Complex64> {
    let mut inverse = vec![Complex64::ZERO; n * n];
    for i in 0..n {
        let pivot = lower[i * n + i];
        let (done, rest) = inverse.split_at_mut(i * n);
        let row = &mut rest[..n];
        row[i] = ONE / pivot;
        for k in 0..i {
            let factor = lower[i * n + k] / pivot;
            for (x, y) in row[..=k].iter_mut().zip(&done[k * n..=k * n + k]) {
                *x -= factor * y;
            }
        }
    }
    inverse
}

#[test]
fn the_inverse_of_the_triangles_solves_as_the_pivoted_factors_do() {
    let size = 60;
    let matrix = Matrix::from_fn(size, size, |row, column| {
        let i = (column * size + row) as f64;
        let weight = if row == column { 9.0 } else { 0.0 };
        Complex64::new((1.3 * i).sin() + weight, (0.7 * i).cos())
    });
    let mut a: Vec<Complex64> = (0..2 * size)
        .map(|i| Complex64::new(1.0, i as f64))
        .collect();
    let mut b = a.clone();
    CroutInverse::new(&matrix).unwrap().solve(&mut a);
    Lu::factor(matrix, &Silent).unwrap().solve_in_place(&mut b);
    for (a, b) in a.iter().zip(&b) {
        assert!((a - b).norm() < 1e-10 * (1.0 + b.norm()));
    }
}

/// Pulses and point matching for a circle in TM, from the textbook and solved by the inverses of the triangles.
#[test]
fn the_textbook_program_finds_the_current_of_the_solver() {
    let spec: Spec = toml::from_str(
        r#"
        frequency = "299792458 Hz"
        bodies = [{ geometry = { shape = "circle", radius = "1.5 m" }, material = "pec" }]
        excitation = { kind = "plane-wave", phi = "180 deg", polarization = "tm" }
        observation = { kind = "monostatic" }
        mom2d.error_estimate = "none"
        mom2d.method = { kind = "pulse", unknowns = 160 }
        "#,
    )
    .unwrap();
    let case = &Plan::new(&spec, Vec::new())
        .unwrap()
        .execute(&Silent)
        .unwrap()
        .cases[0];
    let k = case.wavenumber();
    let centers: Vec<[f64; 2]> = case.nodes().iter().map(|node| node.position).collect();
    let width = TAU * 1.5 / centers.len() as f64;
    // A. F. Peterson, S. L. Ray, R. Mittra, Computational Methods for Electromagnetics, §2.1.
    let matrix = Matrix::from_fn(centers.len(), centers.len(), |m, n| {
        let [a, b] = [centers[m], centers[n]];
        let hankel = if m == n {
            let logarithm = (1.781_072_417_990_197_9 * k * width / 4.0).ln() - 1.0;
            Complex64::new(1.0, -FRAC_2_PI * logarithm)
        } else {
            let distance = (a[0] - b[0]).hypot(a[1] - b[1]);
            CylinderFunctions::new(1, k * distance).unwrap().hankel2(0)
        };
        0.25 * k * width * hankel
    });
    let mut current: Vec<Complex64> = (centers.iter())
        .map(|[x, _]| Complex64::cis(-k * x))
        .collect();
    CroutInverse::new(&matrix).unwrap().solve(&mut current);
    let wanted = case.current(0);
    let largest = wanted.iter().map(|z| z.norm()).fold(0.0, f64::max);
    for (found, wanted) in current.iter().zip(&wanted) {
        // Hankel functions to 1e-13 times a condition number of some hundreds.
        assert!((found / VACUUM_IMPEDANCE - wanted).norm() < 1e-10 * largest);
    }
}
