//! Latency histogram with logarithmic bins, from which quantiles are read.

use std::time::Duration;

/// Bins per octave; quantiles are accurate to 9 %.
const PER_OCTAVE: f64 = 8.0;

/// Total number of bins, from 1 ns to more than an hour.
const BINS: usize = 8 * 42;

/// A histogram of durations measured by the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatencyHistogram {
    counts: Vec<u64>,
    longest: Duration,
}

impl Default for LatencyHistogram {
    fn default() -> Self {
        Self {
            counts: vec![0; BINS],
            longest: Duration::ZERO,
        }
    }
}

impl LatencyHistogram {
    /// Adds a duration.
    pub fn record(&mut self, duration: Duration) {
        let nanoseconds = duration.as_nanos().max(1) as f64;
        let bin = (PER_OCTAVE * nanoseconds.log2()) as usize;
        self.counts[bin.min(BINS - 1)] += 1;
        self.longest = self.longest.max(duration);
    }

    /// Returns the number of durations.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the longest duration.
    pub fn longest(&self) -> Duration {
        self.longest
    }

    /// Returns the upper end of the bin that contains the quantile `part`, 0 to 1; `None` without durations.
    pub fn quantile(&self, part: f64) -> Option<Duration> {
        let count = self.count();
        if count == 0 {
            return None;
        }
        let wanted = (part.clamp(0.0, 1.0) * count as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let bin = self.counts.iter().position(|n| {
            seen += n;
            seen >= wanted
        })?;
        let upper = 2_f64.powf((bin + 1) as f64 / PER_OCTAVE);
        Some(Duration::from_nanos(upper.ceil() as u64).min(self.longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_known_to_the_width_of_a_bin() {
        let mut histogram = LatencyHistogram::default();
        assert_eq!(histogram.quantile(0.5), None);
        for microseconds in 1..=1000 {
            histogram.record(Duration::from_micros(microseconds));
        }
        assert_eq!(histogram.count(), 1000);
        assert_eq!(histogram.longest(), Duration::from_micros(1000));
        for part in [0.1, 0.5, 0.9, 0.99, 1.0] {
            let found = histogram.quantile(part).unwrap().as_secs_f64() / (1e-3 * part);
            // The bin width is 2^{1/8}.
            assert!((0.999..1.1).contains(&found), "{part}: {found}");
        }
    }

    #[test]
    fn durations_of_any_size_are_taken() {
        let mut histogram = LatencyHistogram::default();
        histogram.record(Duration::ZERO);
        histogram.record(Duration::from_secs(1 << 40));
        assert_eq!(histogram.count(), 2);
    }
}
