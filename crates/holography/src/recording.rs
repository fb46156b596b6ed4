//! Recordings of PCM samples.

use std::f64::consts::TAU;

use num_complex::Complex64;

use crate::error::{Error, positive};

/// Simultaneous samples of all channels at a constant sampling rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    sample_rate: f64,
    channels: usize,
    /// Interleaved samples: all channels of the first sample, then of the second.
    samples: Vec<f32>,
}

impl Recording {
    /// Creates a recording of at least one channel; a trailing incomplete sample is dropped.
    pub(crate) fn new(sample_rate: f64, channels: usize, mut samples: Vec<f32>) -> Self {
        samples.truncate(samples.len() / channels * channels);
        Self {
            sample_rate,
            channels,
            samples,
        }
    }

    /// Returns the sampling rate, Hz.
    pub fn sample_rate(&self) -> f64 {
        self.sample_rate
    }

    /// Returns the number of channels.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Returns the number of samples per channel.
    pub fn frames(&self) -> usize {
        self.samples.len() / self.channels
    }

    /// Returns the interleaved samples: all channels of the first sample, then of the second.
    pub fn samples(&self) -> &[f32] {
        &self.samples
    }

    /// Returns the DFT bin nearest to a frequency in Hz, for a frame of `frame` samples.
    ///
    /// # Errors
    /// Returns [`Error::Bin`] if there is none between zero and the Nyquist frequency.
    pub fn nearest_bin(&self, frame: usize, frequency: f64) -> Result<usize, Error> {
        let bin = (frequency * frame as f64 / self.sample_rate).round() as usize;
        // The Hann window couples neighboring bins.
        let most = (frame / 2).saturating_sub(2);
        if (1..=most).contains(&bin) {
            Ok(bin)
        } else {
            Err(Error::Bin {
                bin,
                samples: frame,
                most,
            })
        }
    }

    /// Returns the frequency of a DFT bin, Hz.
    pub fn frequency(&self, frame: usize, bin: usize) -> f64 {
        bin as f64 * self.sample_rate / frame as f64
    }

    /// Computes the amplitudes a of tones a·e^{jωt} in all channels from `frame` samples, weighted by the Hann window w
    /// = ½(1 − cos(2πn/N)), Σw = N/2. Time zero is the first sample, `first`.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the recording is shorter, [`Error::NotPositive`] for an empty frame, and
    /// [`Error::NotANumber`] for samples that are not finite.
    pub fn amplitudes(
        &self,
        first: usize,
        frame: usize,
        bin: usize,
    ) -> Result<Vec<Complex64>, Error> {
        positive("the number of samples in a frame", frame as f64)?;
        if self.frames() < first.saturating_add(frame) {
            return Err(Error::Length {
                what: "a recording",
                expected: first.saturating_add(frame),
                found: self.frames(),
            });
        }
        let mut sums = vec![Complex64::new(0.0, 0.0); self.channels];
        let n = frame as f64;
        for (i, row) in self
            .samples
            .chunks_exact(self.channels)
            .skip(first)
            .take(frame)
            .enumerate()
        {
            let hann = 0.5 * (1.0 - (TAU * i as f64 / n).cos());
            // Whole periods are removed in integer arithmetic, which is exact.
            let turn = (bin * i % frame) as f64 / n;
            let weight = Complex64::from_polar(4.0 * hann / n, -TAU * turn);
            for (sum, &sample) in sums.iter_mut().zip(row) {
                *sum += weight * f64::from(sample);
            }
        }
        match sums.iter().position(|sum| !sum.is_finite()) {
            Some(channel) => Err(Error::NotANumber { channel }),
            None => Ok(sums),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_has_its_amplitude() {
        let wanted = [
            Complex64::from_polar(0.7, 0.4),
            Complex64::from_polar(0.1, -2.0),
        ];
        let (frame, bin) = (512, 17);
        let samples = (0..2 * frame)
            .map(|i| {
                let turn = TAU * (bin * (i / 2)) as f64 / frame as f64;
                (wanted[i % 2] * Complex64::cis(turn)).re as f32
            })
            .collect();
        let recording = Recording::new(51_200.0, 2, samples);
        assert_eq!(recording.nearest_bin(frame, 1730.0).unwrap(), bin);
        assert_eq!(recording.frequency(frame, bin), 1700.0);
        let found = recording.amplitudes(0, frame, bin).unwrap();
        for (found, wanted) in found.iter().zip(wanted) {
            // Samples have a relative rounding error of 6·10⁻⁸.
            assert!((found - wanted).norm() < 1e-7, "{found} {wanted}");
        }
        assert!(recording.amplitudes(0, frame + 1, bin).is_err());
        assert!(recording.amplitudes(0, 0, bin).is_err());
        assert!(recording.amplitudes(1, frame, bin).is_err());
        assert!(recording.nearest_bin(frame, 30e3).is_err());
    }

    #[test]
    fn samples_that_are_no_numbers_are_refused_by_their_channel() {
        let mut samples = vec![0.0; 3 * 64];
        samples[3 * 20 + 1] = f32::NAN;
        let recording = Recording::new(48e3, 3, samples);
        assert_eq!(
            recording.amplitudes(0, 64, 5),
            Err(Error::NotANumber { channel: 1 })
        );
    }
}
