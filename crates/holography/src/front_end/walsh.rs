//! Walsh functions in sequency order, and Fourier coefficients of a series from its Walsh coefficients.
//!
//! WAL(i, t) is the product of the Rademacher functions whose bits are set in the Gray code of i; it has i sign
//! changes. With N = 2ᵐ points the Walsh coefficients of a series are A = (1/N) W x (5.3). A series with Fourier
//! coefficients c, in the order a₀, b₁, a₁, b₂, a₂, …, is x = F c, so A = (1/N) W F c. Since W Wᵀ = N, the inverse
//! (5.11) is F⁻¹ Wᵀ, whose rows are the Walsh coefficients of 2cos and 2sin: one fast transform computes a row, and the
//! N × N matrix is never formed. K. Siemens and R. Kitai, IEEE Trans. Instrum. Meas. 18 (1969) 316–321; Y. Tadokoro and
//! T. Higuchi, IEEE Trans. ASSP 26 (1978) 236–240.

use std::f64::consts::TAU;

use crate::error::Error;

/// Returns the sign of the Rademacher function `index` at point n of 2ᵐ: 2^{index − 1} periods of +1 and −1; index 0 is
/// constant.
pub fn rademacher(index: u32, m: u32, n: usize) -> i32 {
    if index == 0 || index > m {
        return 1;
    }
    1 - 2 * (n >> (m - index) & 1) as i32
}

/// Returns the sign of the Walsh function `index` at point n of 2ᵐ, as a product of Rademacher functions.
pub fn walsh(index: usize, m: u32, n: usize) -> i32 {
    let gray = index ^ index >> 1;
    (0..m)
        .filter(|bit| gray >> bit & 1 == 1)
        .map(|bit| rademacher(bit + 1, m, n))
        .product()
}

/// Returns the index of the Walsh function `index` in Hadamard order: its Gray code, bit-reversed.
pub(super) fn hadamard_index(index: usize, m: u32) -> usize {
    (index ^ index >> 1).reverse_bits() >> (usize::BITS - m)
}

/// Computes the coefficients A = (1/N) W x of a series of N = 2ᵐ points, in sequency order, by the fast Walsh–Hadamard
/// transform.
///
/// # Errors
/// Returns [`Error::OutOfRange`] unless the number of points is a power of two above one.
pub fn walsh_transform(series: &[f64]) -> Result<Vec<f64>, Error> {
    let points = series.len();
    let m = exponent(points)?;
    let mut data = series.to_vec();
    hadamard(&mut data);
    Ok((0..points)
        .map(|index| data[hadamard_index(index, m)] / points as f64)
        .collect())
}

/// Computes the fast Walsh–Hadamard transform in place, in Hadamard order; the number of points is a power of two.
fn hadamard(data: &mut [f64]) {
    let mut half = 1;
    while half < data.len() {
        for pair in data.chunks_exact_mut(2 * half) {
            let (left, right) = pair.split_at_mut(half);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

/// Returns a row of A_N⁻¹: the Fourier coefficient `row`, in the order a₀, b₁, a₁, b₂, a₂, …, a_{N/2}, as a sum of
/// Walsh coefficients.
///
/// # Errors
/// Returns [`Error::OutOfRange`] unless N is a power of two above one and the row is less than N.
pub fn walsh_fourier_row(points: usize, row: usize) -> Result<Vec<f64>, Error> {
    exponent(points)?;
    if row >= points {
        return Err(Error::OutOfRange {
            what: "the index of the Fourier coefficient",
            value: row as f64,
            least: 0.0,
            most: (points - 1) as f64,
        });
    }
    let harmonic = row.div_ceil(2);
    let angle = |i: usize| TAU * (harmonic * i % points) as f64 / points as f64;
    let function: Vec<f64> = (0..points)
        .map(|i| match row {
            0 => 1.0,
            _ if row == points - 1 => angle(i).cos(),
            _ if row % 2 == 1 => 2.0 * angle(i).sin(),
            _ => 2.0 * angle(i).cos(),
        })
        .collect();
    walsh_transform(&function)
}

/// Computes N·A(index) of a series of bits by counting: twice the population count of the bits XOR the complement of
/// the Walsh function, minus N (5.12). The least significant bit of the first word is the first point.
///
/// # Errors
/// Returns [`Error::OutOfRange`] unless the number of bits is a power of two.
pub fn walsh_coefficient(bits: &[u32], index: usize) -> Result<i64, Error> {
    let points = 32 * bits.len();
    let m = exponent(points)?;
    let ones: u32 = bits
        .iter()
        .enumerate()
        .map(|(word, bits)| {
            // A bit of 1 represents +1, in the Walsh function −1, so that XOR is the product.
            let function = (0..32).fold(0, |function, bit| {
                function | u32::from(walsh(index, m, 32 * word + bit) < 0) << bit
            });
            (bits ^ function).count_ones()
        })
        .sum();
    Ok(2 * i64::from(ones) - points as i64)
}

fn exponent(points: usize) -> Result<u32, Error> {
    if points.is_power_of_two() && points > 1 {
        Ok(points.trailing_zeros())
    } else {
        Err(Error::OutOfRange {
            what: "the number of points of the Walsh transform, a power of two,",
            value: points as f64,
            least: 2.0,
            most: usize::MAX as f64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::EIGHT_POINTS;

    #[test]
    fn the_index_of_a_walsh_function_is_its_number_of_sign_changes() {
        let m = 6;
        for index in 0..1 << m {
            let changes = (1..1 << m)
                .filter(|&n| walsh(index, m, n) != walsh(index, m, n - 1))
                .count();
            assert_eq!(changes, index);
        }
    }

    #[test]
    fn the_fast_transform_agrees_with_products_of_rademacher_functions() {
        let m = 5;
        let series: Vec<f64> = (0..32).map(|i| f64::from(i * i % 17) - 6.0).collect();
        let fast = walsh_transform(&series).unwrap();
        for (index, fast) in fast.iter().enumerate() {
            let sum: f64 = series
                .iter()
                .enumerate()
                .map(|(n, x)| x * f64::from(walsh(index, m, n)))
                .sum();
            assert!((fast - sum / 32.0).abs() < 1e-14);
        }
    }

    #[test]
    fn parsevals_theorem_holds() {
        let series: Vec<f64> = (0..256).map(|i| (f64::from(i) * 1.3).sin() + 0.2).collect();
        let energy: f64 = series.iter().map(|x| x * x).sum::<f64>() / 256.0;
        let spectrum: f64 = walsh_transform(&series)
            .unwrap()
            .iter()
            .map(|a| a * a)
            .sum();
        assert!((energy - spectrum).abs() < 1e-14, "{energy} {spectrum}");
    }

    #[test]
    fn eight_points_have_the_published_matrix() {
        for (row, expected) in EIGHT_POINTS.iter().enumerate() {
            let found = walsh_fourier_row(8, row).unwrap();
            for (a, b) in found.iter().zip(expected) {
                assert!((a - b).abs() < 1e-4, "row {row}: {found:?}");
            }
        }
    }

    #[test]
    fn counting_bits_gives_the_coefficients() {
        let bits: Vec<u32> = (0..8_u32)
            .map(|i| (i + 3).wrapping_mul(0x9e37_79b9))
            .collect();
        let series: Vec<f64> = (0..256)
            .map(|n| f64::from(bits[n / 32] >> (n % 32) & 1) * 2.0 - 1.0)
            .collect();
        let coefficients = walsh_transform(&series).unwrap();
        for (index, coefficient) in coefficients.iter().enumerate() {
            let counted = walsh_coefficient(&bits, index).unwrap();
            assert!((counted as f64 - 256.0 * coefficient).abs() < 1e-10);
        }
    }

    #[test]
    fn sizes_that_are_no_power_of_two_are_refused() {
        assert!(walsh_transform(&[0.0; 12]).is_err());
        assert!(walsh_fourier_row(12, 0).is_err());
        assert!(walsh_fourier_row(8, 8).is_err());
        assert!(walsh_coefficient(&[0; 3], 0).is_err());
    }
}
