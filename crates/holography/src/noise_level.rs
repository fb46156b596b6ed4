//! Noise estimate from a single hologram.

use num_complex::Complex64;

use crate::error::{Error, within};
use crate::hologram::Hologram;

/// Sum of the squared weights 1, −3, 3, −1 of a third difference.
const GAIN: f64 = 20.0;

/// Estimates the RMS of noise that is uncorrelated between microphones, Pa.
///
/// Third differences along rows and columns remove the smooth field and amplify the noise power by 20 along each axis.
/// The median of their squared magnitudes, ln 2 of the mean for Gaussian noise, is robust against a few points at which
/// the field is not smooth.
///
/// # Errors
/// Returns [`Error::OutOfRange`] for fewer than four rows or columns.
pub fn noise_level(hologram: &Hologram) -> Result<f64, Error> {
    let array = hologram.array();
    for (what, count) in [
        ("the rows of the hologram", array.rows),
        ("the columns of the hologram", array.columns),
    ] {
        within(what, count as f64, 4.0, f64::MAX)?;
    }
    let at = |row: usize, column: usize| hologram.values()[row * array.columns + column];
    let third = |x: [Complex64; 4]| x[3] - x[0] + 3.0 * (x[1] - x[2]);
    let mut powers: Vec<f64> = (0..array.rows - 3)
        .flat_map(|row| (0..array.columns - 3).map(move |column| (row, column)))
        .map(|(row, column)| {
            let lines =
                std::array::from_fn(|r| third(std::array::from_fn(|c| at(row + r, column + c))));
            third(lines).norm_sqr()
        })
        .collect();
    let middle = powers.len() / 2;
    let (_, median, _) = powers.select_nth_unstable_by(middle, f64::total_cmp);
    Ok((*median / (2_f64.ln() * GAIN * GAIN)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::MicrophoneArray;

    #[test]
    fn noise_is_measured_under_a_smooth_field() {
        let array = MicrophoneArray::default();
        let values = (0..1024)
            .map(|c| {
                let [x, y] = array.position(c);
                Complex64::cis(9.0 * x + 5.0 * y) * (-4.0 * (x * x + y * y)).exp()
            })
            .collect();
        let clean = Hologram::new(array, 1000.0, values).unwrap();
        for decibels in [20.0, 30.0, 40.0] {
            let noisy = clean.with_noise(decibels, 4);
            let expected = clean.mean_square().sqrt() * 10_f64.powf(-decibels / 20.0);
            let found = noise_level(&noisy).unwrap();
            // The median of 841 correlated values has a relative standard deviation of some 5 %.
            assert!((found / expected - 1.0).abs() < 0.15, "{found} {expected}");
        }
    }

    #[test]
    fn small_arrays_are_refused() {
        let array = MicrophoneArray::new(3, 8, 0.02).unwrap();
        let hologram = Hologram::new(array, 1.0, vec![Complex64::new(1.0, 0.0); 24]).unwrap();
        assert!(noise_level(&hologram).is_err());
    }
}
