//! Maximum of errors in which a NaN counts as the largest.

/// Maximum of errors; NaN and infinity count as the largest error, `f64::MAX`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst(f64);

impl Worst {
    /// Returns the maximum of a sequence; 0 if it is empty.
    pub fn of(errors: impl IntoIterator<Item = f64>) -> f64 {
        let mut worst = Worst::default();
        for error in errors {
            worst.see(error);
        }
        worst.value()
    }

    /// Includes an error.
    pub fn see(&mut self, error: f64) {
        // `f64::MAX` stands for NaN and infinity, which JSON cannot represent.
        let error = if error.is_finite() { error } else { f64::MAX };
        self.0 = self.0.max(error);
    }

    /// Returns the maximum so far.
    pub fn value(self) -> f64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nan_is_the_worst_error() {
        assert_eq!(Worst::of([1.0, f64::NAN, 2.0]), f64::MAX);
        assert_eq!(Worst::of([f64::INFINITY]), f64::MAX);
        assert_eq!(Worst::of([0.5, 0.25]), 0.5);
    }
}
