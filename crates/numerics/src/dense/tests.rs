//! The factors compared with the reference implementation, on every instruction set of the CPU.

use num_complex::Complex64;

use super::{
    FactorError, Lu, Matrix,
    lines::{element, swap_rows, swap_rows_back},
};
use crate::{
    cpu::CpuPool,
    observe::{Cancel, Silent},
    simd::InstructionSet,
};

const SIZES: [usize; 15] = [0, 1, 2, 3, 7, 8, 9, 48, 49, 63, 64, 65, 130, 257, 520];

/// Returns pseudorandom numbers in (−½, ½)².
fn noise(i: usize, j: usize) -> Complex64 {
    let mut state = ((i as u64) << 32 | j as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    Complex64::new(next(), next())
}

/// Returns an entry of a matrix whose rows and columns differ greatly in scale.
fn badly_scaled(i: usize, j: usize) -> Complex64 {
    noise(i, j) * 10.0_f64.powi(((i * 7) % 41) as i32 * 3 - 60 + ((j * 5) % 31) as i32 - 15)
}

/// Returns the matrix rebuilt from the factors: PᵀLU.
fn rebuilt(lu: &Lu) -> Vec<Vec<Complex64>> {
    let n = lu.order;
    let mut rows: Vec<Vec<Complex64>> = Vec::new();
    let column = |j: usize| &lu.lines[j * lu.stride..(j + 1) * lu.stride];
    // Columns of L with all later interchanges applied, the textbook form.
    let lower: Vec<Vec<Complex64>> = (0..n)
        .map(|j| {
            let mut lines = column(j).to_vec();
            let later = n.min((j / lu.width + 1) * lu.width);
            swap_rows(&mut lines, lu.stride, later, &lu.swaps[later..]);
            (0..n)
                .map(|i| match i.cmp(&j) {
                    std::cmp::Ordering::Less => Complex64::ZERO,
                    std::cmp::Ordering::Equal => Complex64::ONE,
                    std::cmp::Ordering::Greater => element(&lines, i),
                })
                .collect()
        })
        .collect();
    for j in 0..n {
        let mut sum = vec![Complex64::ZERO; n];
        for k in 0..=j {
            let factor = element(column(j), k);
            for i in k..n {
                sum[i] += lower[k][i] * factor;
            }
        }
        let mut lines = vec![super::lines::Line::ZERO; lu.stride];
        for (i, &value) in sum.iter().enumerate() {
            super::lines::set_element(&mut lines, i, value);
        }
        swap_rows_back(&mut lines, 0, &lu.swaps);
        rows.push((0..n).map(|i| element(&lines, i)).collect());
    }
    rows
}

/// Factors by textbook Gaussian elimination, the reference implementation; returns interchanges, and L and U in one array.
fn plain(n: usize, entry: impl Fn(usize, usize) -> Complex64) -> (Vec<usize>, Vec<Vec<Complex64>>) {
    let mut a: Vec<Vec<Complex64>> = (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect();
    let size = |z: Complex64| z.re.abs() + z.im.abs();
    let mut swaps = Vec::new();
    for k in 0..n {
        let pivot = (k..n).fold(k, |best, i| {
            if size(a[i][k]) > size(a[best][k]) {
                i
            } else {
                best
            }
        });
        a.swap(k, pivot);
        swaps.push(pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            a[i][k] = factor;
            for j in k + 1..n {
                let known = a[k][j];
                a[i][j] -= factor * known;
            }
        }
    }
    (swaps, a)
}

fn factored(instructions: InstructionSet, n: usize, entry: fn(usize, usize) -> Complex64) -> Lu {
    Lu::factor_with(instructions, Matrix::from_fn(n, n, entry), &Silent).unwrap()
}

#[test]
fn factors_are_those_of_the_plain_elimination() {
    for n in SIZES {
        let (swaps, expected) = plain(n, noise);
        for &instructions in InstructionSet::all() {
            let lu = factored(instructions, n, noise);
            // Pivots of a random matrix are well separated, so both implementations choose the same.
            assert_eq!(lu.swaps, swaps, "{instructions:?}, order {n}");
            for j in 0..n {
                let column = &lu.lines[j * lu.stride..(j + 1) * lu.stride];
                for i in 0..=j {
                    let error = (element(column, i) - expected[i][j]).norm();
                    // Rounding errors grow with the condition numbers of the leading blocks: a few hundred
                    // here.
                    assert!(
                        error < 1e-10,
                        "{instructions:?}, order {n}, ({i}, {j}): {error}"
                    );
                }
            }
        }
    }
}

#[test]
fn factors_multiply_to_the_matrix() {
    for &instructions in InstructionSet::all() {
        for entry in [noise, badly_scaled] {
            for n in SIZES {
                let lu = factored(instructions, n, entry);
                let rebuilt = rebuilt(&lu);
                for j in 0..n {
                    // Relative to each column, so that small columns count as much as large ones.
                    let largest = (0..n).map(|i| entry(i, j).norm()).fold(0.0, f64::max);
                    for i in 0..n {
                        let error = (rebuilt[j][i] - entry(i, j)).norm();
                        // Nε with a margin for the growth factor of partial pivoting, about N^⅔.
                        let limit = 4.0 * (n as f64 + 10.0) * f64::EPSILON * largest;
                        assert!(
                            error <= limit,
                            "{instructions:?}, order {n}, ({i}, {j}): {error} > {limit}"
                        );
                    }
                }
            }
        }
    }
}

/// Returns the largest row-wise |A·x − b| / (ε (N + 10) Σ|a| max|x|); the 10 covers the roundings of a single
/// division.
fn residual(rows: &[Vec<Complex64>], x: &[Complex64], b: &[Complex64]) -> f64 {
    let largest = x.iter().map(|z| z.norm()).fold(0.0, f64::max);
    let errors = rows.iter().zip(b).map(|(row, b)| {
        let sum: Complex64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
        let scale: f64 = row.iter().map(|a| a.re.abs() + a.im.abs()).sum();
        (sum - b).norm() / (scale * largest)
    });
    errors.fold(0.0, f64::max) / (f64::EPSILON * (x.len() as f64 + 10.0))
}

/// Returns the rows of a random matrix or of its adjoint.
fn rows(n: usize, adjoint: bool) -> Vec<Vec<Complex64>> {
    let entry = |i: usize, j: usize| match adjoint {
        true => noise(j, i).conj(),
        false => noise(i, j),
    };
    (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect()
}

#[test]
fn solutions_satisfy_their_systems() {
    for &instructions in InstructionSet::all() {
        for n in SIZES.into_iter().filter(|&n| n > 0) {
            let lu = factored(instructions, n, noise);
            let (matrix, conjugate) = (rows(n, false), rows(n, true));
            for columns in [1, 2, 7, 8, 9, 33] {
                let b: Vec<Complex64> = (0..n * columns).map(|at| noise(at, 77)).collect();
                let mut x = b.clone();
                lu.solve_in_place(&mut x);
                let mut adjoint = b.clone();
                lu.solve_adjoint_in_place(&mut adjoint);
                for ((b, x), y) in b.chunks(n).zip(x.chunks(n)).zip(adjoint.chunks(n)) {
                    // Backward stability bounds the residual by εN|A||x|; observed values are far below for
                    // large N.
                    let error = residual(&matrix, x, b);
                    assert!(
                        error < 1.0,
                        "{instructions:?}, order {n}, {columns}: {error}"
                    );
                    let error = residual(&conjugate, y, b);
                    assert!(error < 1.0, "{instructions:?}, order {n}, adjoint: {error}");
                }
            }
        }
    }
}

#[test]
fn bits_do_not_depend_on_threads() {
    for n in [65, 257, 520, 1700] {
        let run = |threads: usize| {
            CpuPool::new(Some(threads)).unwrap().install(|| {
                let lu = Lu::factor(Matrix::from_fn(n, n, noise), &Silent).unwrap();
                let mut x: Vec<Complex64> = (0..n * 20).map(|at| noise(at, 5)).collect();
                lu.solve_in_place(&mut x);
                let mut y: Vec<Complex64> = (0..n).map(|at| noise(at, 6)).collect();
                lu.solve_in_place(&mut y);
                lu.solve_adjoint_in_place(&mut y);
                (lu.lines, lu.swaps, x, y)
            })
        };
        let one = run(1);
        // The largest order uses wider block columns than the other tests.
        let b: Vec<Complex64> = (0..n).map(|at| noise(at, 5)).collect();
        let error = residual(&rows(n, false), &one.2[..n], &b);
        assert!(error < 1.0, "order {n}: {error}");
        for threads in [2, 3] {
            let several = run(threads);
            assert!(one == several, "order {n}, {threads} threads");
        }
    }
}

#[test]
fn a_column_solved_alone_is_the_same_solution() {
    let n = 257;
    let lu = factored(InstructionSet::widest(), n, noise);
    let b: Vec<Complex64> = (0..n * 5).map(|at| noise(at, 9)).collect();
    let mut together = b.clone();
    lu.solve_in_place(&mut together);
    for (b, together) in b.chunks(n).zip(together.chunks(n)) {
        let mut alone = b.to_vec();
        lu.solve_in_place(&mut alone);
        for (one, other) in alone.iter().zip(together) {
            // Two summation orders, times the condition number of the matrix (some thousands).
            assert!((one - other).norm() < 1e-9 * one.norm().max(1.0));
        }
    }
}

#[test]
fn singular_matrices_are_named_by_their_column() {
    for n in [1, 2, 9, 64, 130, 257] {
        let dependent = n / 2;
        let matrix = Matrix::from_fn(n, n, |i, j| {
            if j == dependent {
                Complex64::ZERO
            } else {
                noise(i, j)
            }
        });
        let error = Lu::factor(matrix, &Silent).unwrap_err();
        assert_eq!(error, FactorError::Singular { column: dependent });
    }
}

#[test]
fn what_is_not_a_number_is_found() {
    for value in [f64::NAN, f64::INFINITY] {
        let matrix = Matrix::from_fn(50, 50, |i, j| {
            if (i, j) == (31, 20) {
                Complex64::new(0.0, value)
            } else {
                noise(i, j)
            }
        });
        let error = Lu::factor(matrix, &Silent).unwrap_err();
        let expected = FactorError::NotFinite {
            row: 31,
            column: 20,
        };
        assert_eq!(error, expected);
    }
}

#[test]
fn a_rectangle_is_refused() {
    let error = Lu::factor(Matrix::zeros(3, 4), &Silent).unwrap_err();
    let expected = FactorError::NotSquare {
        rows: 3,
        columns: 4,
    };
    assert_eq!(error, expected);
}

#[test]
fn a_stop_is_heard() {
    let stop = Cancel::new();
    stop.request();
    let error = Lu::factor(Matrix::from_fn(9, 9, noise), &stop).unwrap_err();
    assert!(matches!(error, FactorError::Cancelled(_)), "{error}");
}

#[test]
fn the_estimated_condition_is_close_to_the_condition() {
    for n in [1, 2, 9, 64, 130] {
        for entry in [noise, badly_scaled] {
            let matrix = Matrix::from_fn(n, n, entry);
            let norm = matrix.norm1();
            let lu = Lu::factor(matrix, &Silent).unwrap();
            let mut inverse: Vec<Complex64> = (0..n * n)
                .map(|at| Complex64::from(f64::from(at % n == at / n)))
                .collect();
            lu.solve_in_place(&mut inverse);
            let exact = norm
                * inverse
                    .chunks(n)
                    .map(|column| column.iter().map(|z| z.norm()).sum::<f64>())
                    .fold(0.0, f64::max);
            let estimate = lu.condition(norm);
            // A lower bound up to rounding; observed within a factor of three.
            let ratio = estimate / exact;
            assert!((0.3..1.0 + 1e-6).contains(&ratio), "order {n}: {ratio}");
        }
    }
}

#[test]
fn the_norm_holds_where_squares_leave_the_range() {
    for scale in [1e-200, 1e-141, 1e-100, 1.0, 1e100, 1e200] {
        let matrix = Matrix::from_fn(3, 2, |i, j| {
            Complex64::new(3.0, -4.0) * (scale * (1 + i + j) as f64)
        });
        // Moduli 5, 10, 15 and 10, 15, 20.
        assert!((matrix.norm1() / (45.0 * scale) - 1.0).abs() < 1e-14);
    }
}
