//! Range profiles: scattered amplitude versus down-range, from frequencies with a uniform step.
//!
//! p(R) = Σ_n w_n S(f_n) e^{2jk_n R} / Σ_n w_n, by one zero-padded FFT of the sweep.

use num_complex::Complex64;
use wavefield_gpu::Device;
use wavefield_gpu::fft::FftPlan;
use wavefield_numerics::fft::{FftKind, next_good_size};
use wavefield_physics::constants::vacuum_wavenumber;

use super::band::Band;
use super::error::ProductError;
use super::window::Window;

/// Minimum number of samples of a profile per resolution cell.
const OVERSAMPLING: usize = 4;

/// Range profiles of several aspects.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeProfiles {
    /// Down-range of the samples, m: zero at the origin of coordinates, positive away from the radar.
    pub ranges: Vec<f64>,
    /// Amplitudes √σ·e^{j phase}, m, ordered by aspect; an isolated point reads its own amplitude.
    pub amplitudes: Vec<Complex64>,
}

/// Returns the down-range of the samples of a profile, m: the unambiguous extent of the band, centered
/// on the origin.
pub fn ranges(band: &Band) -> Vec<f64> {
    let count = samples(band);
    let step = band.unambiguous() / count as f64;
    (0..count)
        .map(|number| (number as f64 - (count / 2) as f64) * step)
        .collect()
}

fn samples(band: &Band) -> usize {
    next_good_size(OVERSAMPLING * band.count)
}

impl RangeProfiles {
    /// Computes the profiles of aspects from amplitudes ordered by frequency.
    ///
    /// # Errors
    /// Returns an error if the transform cannot be planned.
    ///
    /// # Panics
    /// Panics if the number of amplitudes is not a multiple of the number of frequencies.
    pub fn new(
        device: &Device,
        band: &Band,
        window: Window,
        amplitudes: &[Complex64],
    ) -> Result<RangeProfiles, ProductError> {
        let aspects = amplitudes.len() / band.count;
        assert_eq!(aspects * band.count, amplitudes.len());
        let ranges = ranges(band);
        let length = ranges.len();
        let weights = window.weights(band.count);
        let total: f64 = weights.iter().sum();
        let mut lines = vec![Complex64::ZERO; aspects * length];
        for (number, weight) in weights.iter().enumerate() {
            let of_all = &amplitudes[number * aspects..][..aspects];
            for (line, amplitude) in lines.chunks_exact_mut(length).zip(of_all) {
                line[number] = amplitude * (weight / total);
            }
        }
        let plan = FftPlan::<f64>::new(device, &[length], aspects, FftKind::Complex)?;
        plan.inverse(&mut lines)?;
        // e^{2jk_n R} = e^{2jk_0 R} e^{2πjn l/N} with R = l·c/2Nδf; l starts at −N/2.
        let carrier: Vec<Complex64> = ranges
            .iter()
            .map(|range| Complex64::cis(2.0 * vacuum_wavenumber(band.first) * range))
            .collect();
        for line in lines.chunks_exact_mut(length) {
            line.rotate_right(length / 2);
            for (value, carrier) in line.iter_mut().zip(&carrier) {
                *value *= carrier;
            }
        }
        Ok(RangeProfiles {
            ranges,
            amplitudes: lines,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_gpu::DeviceChoice;

    fn device() -> Device {
        Device::open(&DeviceChoice::Cpu, Some(1)).unwrap()
    }

    fn band(count: usize) -> Band {
        Band {
            first: 9e9,
            step: 2e7,
            count,
        }
    }

    /// Returns the samples of points at down-ranges with their amplitudes over a band.
    fn seen(band: &Band, points: &[(f64, Complex64)]) -> Vec<Complex64> {
        band.wavenumbers()
            .map(|k| {
                let waves = points.iter().map(|(r, s)| s * Complex64::cis(-2.0 * k * r));
                waves.sum()
            })
            .collect()
    }

    #[test]
    fn profiles_are_the_plain_sum() {
        let band = band(41);
        let samples: Vec<Complex64> = (0..2 * 41)
            .map(|n| Complex64::cis(f64::from(n * n)) * f64::from(n % 7))
            .collect();
        for window in [Window::None, Window::Hann, Window::Taylor] {
            let found = RangeProfiles::new(&device(), &band, window, &samples).unwrap();
            let weights = window.weights(41);
            for aspect in 0..2 {
                for (number, range) in found.ranges.iter().enumerate().step_by(7) {
                    let terms = band.wavenumbers().zip(&weights).enumerate();
                    let sum: Complex64 = terms
                        .map(|(n, (k, w))| {
                            samples[2 * n + aspect] * Complex64::cis(2.0 * k * range) * w
                        })
                        .sum();
                    let plain = sum / weights.iter().sum::<f64>();
                    let value = found.amplitudes[aspect * found.ranges.len() + number];
                    assert!((value - plain).norm() < 1e-12, "{value} {plain}");
                }
            }
        }
    }

    #[test]
    fn a_point_peaks_at_its_range_with_its_amplitude() {
        let band = band(64);
        let amplitude = Complex64::from_polar(3.0, 1.1);
        for window in [Window::None, Window::Hann, Window::Taylor] {
            // On a sample the amplitude is exact, including its phase.
            let range = ranges(&band)[170];
            let samples = seen(&band, &[(range, amplitude)]);
            let found = RangeProfiles::new(&device(), &band, window, &samples).unwrap();
            assert!((found.amplitudes[170] - amplitude).norm() < 1e-12);
            let largest = |a: &usize, b: &usize| {
                let norm = |i: &usize| found.amplitudes[*i].norm();
                norm(a).total_cmp(&norm(b))
            };
            assert_eq!((0..found.ranges.len()).max_by(largest), Some(170));
        }
    }

    #[test]
    fn two_points_a_cell_and_a_half_apart_are_two_and_farther_ones_fold_back() {
        let band = band(64);
        let cell = band.resolution();
        let one = Complex64::ONE;
        let norms = |points: &[(f64, Complex64)]| -> Vec<f64> {
            let samples = seen(&band, points);
            let found = RangeProfiles::new(&device(), &band, Window::None, &samples).unwrap();
            found.amplitudes.iter().map(|a| a.norm()).collect()
        };
        let peaks = |norms: &[f64]| {
            let inner = norms.windows(3);
            inner
                .filter(|w| w[1] > w[0] && w[1] > w[2] && w[1] > 0.7)
                .count()
        };
        assert_eq!(peaks(&norms(&[(0.0, one), (1.5 * cell, one)])), 2);
        assert_eq!(peaks(&norms(&[(0.0, one), (0.5 * cell, one)])), 1);
        let (near, far) = (
            norms(&[(0.3, one)]),
            norms(&[(0.3 + band.unambiguous(), one)]),
        );
        assert!(near.iter().zip(&far).all(|(a, b)| (a - b).abs() < 1e-9));
    }
}
