//! Fixed-tree sums compared with exact integer arithmetic.

use num_complex::Complex;
use wavefield_numerics::sum;

/// Returns multiples of 2⁻³⁰, so that an integer sum is the exact reference.
fn numerator(index: usize) -> i64 {
    let mixed = (index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 34) as i64
}

const UNIT: f64 = 1.0 / (1_u64 << 30) as f64;

#[test]
fn a_million_terms_of_one_sign() {
    let count = 1_000_003;
    let exact = (0..count).map(numerator).sum::<i64>() as f64 * UNIT;
    let doubles: Vec<f64> = (0..count)
        .map(|index| numerator(index) as f64 * UNIT)
        .collect();
    // At most 128 additions in a lane, 3 across lanes, and 10 in the tree, half a unit in the last place
    // each.
    let bound = 141.0 * 0.5 * f64::EPSILON;
    assert!((sum::sum(&doubles) / exact - 1.0).abs() <= bound);

    let singles: Vec<f32> = doubles.iter().map(|&value| value as f32).collect();
    let rounded: f64 = sum::sum_by(count, |index| f64::from(singles[index]));
    let found = f64::from(sum::sum(&singles));
    assert!((found / rounded - 1.0).abs() <= 141.0 * 0.5 * f64::from(f32::EPSILON));
}

#[test]
fn equal_terms_do_not_drift() {
    // Sequential summation in single precision is almost one percent too high.
    let tenths = vec![0.1_f32; 1_000_000];
    let exact = f64::from(0.1_f32) * 1e6;
    let found = f64::from(sum::sum(&tenths));
    // The same bound of 141 half units.
    assert!((found / exact - 1.0).abs() <= 141.0 * 0.5 * f64::from(f32::EPSILON));
}

#[test]
fn inner_products_conjugate_the_left() {
    let left = [Complex::new(1.0, 2.0), Complex::new(0.0, 1.0)];
    let right = [Complex::new(3.0, -1.0), Complex::new(2.0, 2.0)];
    assert_eq!(
        sum::dot(&left, &right),
        Complex::new(1.0, -7.0) + Complex::new(2.0, -2.0)
    );
}

#[test]
fn nothing_sums_to_zero() {
    assert_eq!(sum::sum::<f64>(&[]), 0.0);
    assert_eq!(
        sum::reduce_blocks(0, 0, 7, |_| 1, |left, right| left + right),
        7
    );
}
