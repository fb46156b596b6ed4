use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::observe::Silent;

/// A cyclic shift of the unknowns, or one that yields a NaN.
struct Turn {
    size: usize,
    broken: bool,
}

impl Operator for Turn {
    fn size(&self) -> usize {
        self.size
    }

    fn apply(&self, x: &[Complex64], y: &mut [Complex64]) {
        for (at, value) in x.iter().enumerate() {
            y[(at + 1) % self.size] = *value;
        }
        if self.broken {
            y[0] = Complex64::new(f64::NAN, 0.0);
        }
    }
}

/// With a cyclic shift the residual does not fall before a full cycle.
#[test]
fn an_iteration_that_stands_still_says_so() {
    let solve = |restart: usize, broken: bool| {
        let turn = Turn { size: 20, broken };
        let mut right = vec![Complex64::ZERO; 20];
        right[0] = Complex64::new(1.0, 0.0);
        let limits = Limits {
            tolerance: 1e-9,
            restart,
            iterations: 1000,
            vectors: usize::MAX,
        };
        gmres(&turn, &right, limits, &Silent)
    };
    assert_eq!(solve(20, false).unwrap().iterations, 20);
    match solve(5, false).unwrap_err() {
        KrylovError::Stagnated { iterations, .. } => assert_eq!(iterations, 5),
        other => panic!("{other}"),
    }
    assert!(matches!(
        solve(20, true).unwrap_err(),
        KrylovError::Stagnated { .. }
    ));
}

/// A dense matrix with eigenvalues on a line segment away from zero, which counts its products.
struct Dense {
    matrix: crate::dense::Matrix,
    products: AtomicUsize,
}

impl Operator for Dense {
    fn size(&self) -> usize {
        self.matrix.size()
    }

    fn apply(&self, x: &[Complex64], y: &mut [Complex64]) {
        self.products.fetch_add(1, Ordering::Relaxed);
        self.matrix.apply(x, y);
    }
}

impl Dense {
    fn new(size: usize) -> Dense {
        let matrix = crate::dense::Matrix::from_fn(size, size, |i, j| {
            let own = if i == j { 2.0 + i as f64 / 7.0 } else { 0.0 };
            let phase = (3 * i + 5 * j * j) as f64;
            Complex64::new(own, 0.0) + Complex64::from_polar(0.1, phase)
        });
        Dense {
            matrix,
            products: AtomicUsize::new(0),
        }
    }
}

fn right_sides(size: usize, count: usize) -> Vec<Vec<Complex64>> {
    (0..count)
        .map(|wave| {
            (0..size)
                .map(|i| Complex64::from_polar(1.0, 0.05 * (wave * i) as f64))
                .collect()
        })
        .collect()
}

/// Several right-hand sides at once have the same solutions with fewer products each, also if some are linearly
/// dependent or zero.
#[test]
fn blocks_of_waves_are_solved_with_fewer_products() {
    let size = 120;
    let dense = Dense::new(size);
    let limits = Limits {
        tolerance: 1e-9,
        restart: 100,
        iterations: 200,
        vectors: usize::MAX,
    };
    let mut right = right_sides(size, 6);
    let both: Vec<Complex64> = right[0]
        .iter()
        .zip(&right[3])
        .map(|(a, b)| a - 2.0 * b)
        .collect();
    right.push(both);
    right.push(vec![Complex64::ZERO; size]);
    let wanted: Vec<Vec<Complex64>> = (right.iter())
        .map(|right| {
            let found = gmres(&dense, right, limits, &Silent).unwrap();
            found.solution
        })
        .collect();
    let alone = dense.products.swap(0, Ordering::Relaxed);
    for restart in [100, 7] {
        let limits = Limits { restart, ..limits };
        let mut found = right.clone();
        let (_, residual) = block_gmres(&dense, None, &mut found, limits, &Silent).unwrap();
        assert!(residual <= 1e-9);
        let together = dense.products.swap(0, Ordering::Relaxed);
        // Half as many if all directions were multiplied.
        if restart == 100 {
            assert!(3 * together < alone, "{together} {alone}");
        }
        for (found, wanted) in found.iter().zip(&wanted) {
            let apart: Vec<Complex64> = found.iter().zip(wanted).map(|(a, b)| a - b).collect();
            assert!(norm(&apart) <= 1e-8 * norm(wanted).max(1.0));
        }
    }
}

/// A bounded basis does not exceed its limit, and all right-hand sides are solved, some of them later.
#[test]
fn a_full_basis_goes_on_with_fewer_right_hand_sides() {
    let size = 120;
    let dense = Dense::new(size);
    let right = right_sides(size, 8);
    let solve = |vectors: usize| {
        let limits = Limits {
            tolerance: 1e-9,
            restart: 100,
            iterations: 400,
            vectors,
        };
        let mut found = right.clone();
        let (_, residual) = block_gmres(&dense, None, &mut found, limits, &Silent).unwrap();
        assert!(residual <= 1e-9);
        (found, dense.products.swap(0, Ordering::Relaxed))
    };
    let (wanted, few) = solve(usize::MAX);
    let (found, more) = solve(30);
    assert!(more > few, "{more} {few}");
    for (found, wanted) in found.iter().zip(&wanted) {
        let apart: Vec<Complex64> = found.iter().zip(wanted).map(|(a, b)| a - b).collect();
        assert!(norm(&apart) <= 1e-8 * norm(wanted));
    }
}
