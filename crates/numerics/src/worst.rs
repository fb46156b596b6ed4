//! The largest of some errors.

/// The largest of some errors. A NaN is the worst of all, not the absence of an error.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst(f64);

impl Worst {
    /// The worst of a sequence; 0 if there is none.
    pub fn of(errors: impl IntoIterator<Item = f64>) -> f64 {
        let mut worst = Worst::default();
        for error in errors {
            worst.see(error);
        }
        worst.value()
    }

    /// Takes one more error in.
    pub fn see(&mut self, error: f64) {
        // The largest number stands for what is none, since JSON knows neither NaN nor infinity.
        let error = if error.is_finite() { error } else { f64::MAX };
        self.0 = self.0.max(error);
    }

    /// The worst so far.
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
