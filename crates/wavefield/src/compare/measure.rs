//! Error metrics between a result and the reference, in decibels.

use serde::Serialize;

/// Floor below the peak of the reference, dB, as in the Austin RCS benchmark suite.
const FLOOR_DB: f64 = 80.0;
/// Range below the peak of the reference that counts as near the peak, dB.
const NEAR_DB: f64 = 20.0;

/// Agreement of a result with the reference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// Number of common rows.
    pub rows: usize,
    /// Mean difference over all rows, dB.
    pub mean_db: f64,
    /// Mean difference over rows within 20 dB of the reference's peak, dB.
    pub mean_20db: f64,
    /// Largest difference over these rows, dB.
    pub max_20db: f64,
    /// Fraction of all rows that differ by at most 1 dB.
    pub within_one_db: f64,
}

impl Agreement {
    /// Computes the agreement of values in decibels, row by row; rows with NaN are skipped.
    pub fn of(found: &[f64], reference: &[f64]) -> Agreement {
        let pairs: Vec<(f64, f64)> = (found.iter().copied())
            .zip(reference.iter().copied())
            .filter(|(found, reference)| !found.is_nan() && !reference.is_nan())
            .collect();
        let [mean_db, mean_20db] = suite_errors(&pairs);
        let (floor, near) = levels(&pairs);
        let close = pairs.iter().filter(|pair| apart(pair, floor) <= 1.0);
        Agreement {
            rows: pairs.len(),
            mean_db,
            mean_20db,
            max_20db: (pairs.iter().filter(|(_, reference)| *reference > near))
                .map(|pair| apart(pair, floor))
                .fold(f64::NAN, f64::max),
            within_one_db: close.count() as f64 / pairs.len() as f64,
        }
    }
}

/// Formats a difference in decibels; a value that two decimals would round to zero keeps its magnitude.
pub fn written_db(difference: f64) -> String {
    if difference > 0.0 && difference < 0.005 {
        format!("{difference:.0e}")
    } else {
        format!("{difference:.2}")
    }
}

/// Returns the intervals in which a result is within 1 dB of the reference: first and last coordinate of each.
pub(super) fn stretches(at: &[f64], found: &[f64], reference: &[f64]) -> Vec<(f64, f64)> {
    let pairs: Vec<(f64, f64)> = (found.iter().copied())
        .zip(reference.iter().copied())
        .collect();
    let (floor, _) = levels(&pairs);
    let mut stretches: Vec<(f64, f64)> = Vec::new();
    let mut inside = false;
    for (&at, pair) in at.iter().zip(&pairs) {
        // NaN is not within any tolerance.
        let close = apart(pair, floor) <= 1.0 && !pair.0.is_nan() && !pair.1.is_nan();
        match stretches.last_mut() {
            Some(stretch) if close && inside => stretch.1 = at,
            _ if close => stretches.push((at, at)),
            _ => {}
        }
        inside = close;
    }
    stretches
}

/// Returns the floor, and the level above which a row is near the peak.
fn levels(pairs: &[(f64, f64)]) -> (f64, f64) {
    let peak = (pairs.iter()).fold(f64::NEG_INFINITY, |most, (_, reference)| {
        most.max(*reference)
    });
    (peak - FLOOR_DB, peak - NEAR_DB)
}

/// Returns the difference of a pair after applying the floor to both.
fn apart((found, reference): &(f64, f64), floor: f64) -> f64 {
    (found.max(floor) - reference.max(floor)).abs()
}

/// Computes the metric of the Austin suite over pairs of result and reference: the mean of |max(s, T) − max(ref, T)|
/// with T = max(ref) − 80 dB, and its mean over rows within 20 dB of the reference's peak.
pub fn suite_errors(pairs: &[(f64, f64)]) -> [f64; 2] {
    let (floor, near) = levels(pairs);
    let mean = |chosen: &dyn Fn(f64) -> bool| {
        let differences: Vec<f64> = (pairs.iter())
            .filter(|(_, reference)| chosen(*reference))
            .map(|pair| apart(pair, floor))
            .collect();
        differences.iter().sum::<f64>() / differences.len() as f64
    };
    [mean(&|_| true), mean(&|reference| reference > near)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_below_the_peak_counts_as_the_floor() {
        // 100 dB below the peak is 20 dB below the floor; so is −∞.
        let pairs = [(0.0, 0.0), (-100.0, -90.0), (f64::NEG_INFINITY, -79.0)];
        let [mean, near] = suite_errors(&pairs);
        assert!((mean - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(near, 0.0);
    }

    #[test]
    fn small_differences_keep_their_size() {
        assert_eq!(written_db(0.0), "0.00");
        assert_eq!(written_db(0.0049), "5e-3");
        assert_eq!(written_db(3.2e-11), "3e-11");
        assert_eq!(written_db(1.234), "1.23");
    }

    #[test]
    fn stretches_end_where_a_result_is_off_or_missing() {
        let at = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        let found = [0.5, 0.2, 3.0, 0.0, f64::NAN, 0.9];
        let found = stretches(&at, &found, &[0.0; 6]);
        assert_eq!(found, [(0.0, 1.0), (3.0, 3.0), (5.0, 5.0)]);
    }

    #[test]
    fn rows_without_numbers_are_left_out() {
        let agreement = Agreement::of(&[1.0, f64::NAN, -10.0, 3.0], &[0.0, 1.0, -12.0, f64::NAN]);
        assert_eq!(agreement.rows, 2);
        assert_eq!((agreement.mean_db, agreement.max_20db), (1.5, 2.0));
        assert_eq!(agreement.within_one_db, 0.5);
        assert!(Agreement::of(&[], &[]).mean_db.is_nan());
    }
}
