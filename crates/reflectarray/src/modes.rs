//! Modal expansions: values at all positions from few coefficients.

/// Modes sampled at a set of positions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Modes {
    count: usize,
    /// Values of all modes, position by position.
    values: Vec<f64>,
}

impl Modes {
    /// Creates modes from their values, position by position.
    pub(crate) fn new(count: usize, values: Vec<f64>) -> Modes {
        Modes { count, values }
    }

    /// Returns the number of modes.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Evaluates the modal expansion at every position.
    pub(crate) fn expand(&self, coefficients: &[f64]) -> Vec<f64> {
        let sum = |values: &[f64]| values.iter().zip(coefficients).map(|(m, c)| m * c).sum();
        self.values.chunks_exact(self.count).map(sum).collect()
    }

    /// Computes the gradient by coefficients from that by values: the transpose of [`Modes::expand`].
    pub(crate) fn reduce(&self, gradient: &[f64], by_coefficient: &mut [f64]) {
        by_coefficient.fill(0.0);
        for (values, gradient) in self.values.chunks_exact(self.count).zip(gradient) {
            for (by, value) in by_coefficient.iter_mut().zip(values) {
                *by += gradient * value;
            }
        }
    }
}
