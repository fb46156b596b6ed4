//! Few numbers in place of many: values at every place as a sum of modes.

/// Modes over some places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Modes {
    count: usize,
    /// Values of all modes, place by place.
    values: Vec<f64>,
}

impl Modes {
    /// Modes by their values at each place in turn.
    pub(crate) fn new(count: usize, values: Vec<f64>) -> Modes {
        Modes { count, values }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The sum of the modes with these coefficients, at every place.
    pub(crate) fn expand(&self, coefficients: &[f64]) -> Vec<f64> {
        let sum = |values: &[f64]| values.iter().zip(coefficients).map(|(m, c)| m * c).sum();
        self.values.chunks_exact(self.count).map(sum).collect()
    }

    /// The slope by the coefficients from that by the values: the transpose of [`Modes::expand`].
    pub(crate) fn reduce(&self, slope: &[f64], by_coefficient: &mut [f64]) {
        by_coefficient.fill(0.0);
        for (values, slope) in self.values.chunks_exact(self.count).zip(slope) {
            for (by, value) in by_coefficient.iter_mut().zip(values) {
                *by += slope * value;
            }
        }
    }
}
