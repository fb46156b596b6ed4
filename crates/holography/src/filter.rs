//! Regularization filters of back-propagation in k-space.
//!
//! An evanescent wave that decays by s = |e^{−jk_z d}| between source and array is amplified by 1/s in
//! back-propagation, together with the noise at its wavenumber. The filter attenuates wavenumbers dominated by noise.

use num_complex::Complex64;

use crate::wavenumber::Wavenumbers;

/// A regularization filter with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Filter {
    /// No filter.
    None,
    /// Exponential low-pass filter with cut-off and slope (W. A. Veronesi and J. D. Maynard, J. Acoust. Soc. Am. 81
    /// (1987) 1307–1322): 1 − ½e^{(k_r/k_c − 1)/α} for k_r < k_c, ½e^{(1 − k_r/k_c)/α} otherwise.
    CutOff {
        /// Cut-off wavenumber k_c, rad/m.
        cut_off: f64,
        /// Slope α; smaller is steeper.
        slope: f64,
    },
    /// Tikhonov filter s²/(s² + λ).
    Tikhonov {
        /// Regularization parameter λ.
        parameter: f64,
    },
    /// Modified Tikhonov filter s²/(s² + λ(λ/(λ + s²))²), whose high-pass penalty preserves waves of low decay (E. G.
    /// Williams, J. Acoust. Soc. Am. 110 (2001) 1976–1988).
    ModifiedTikhonov {
        /// Regularization parameter λ.
        parameter: f64,
    },
}

impl Filter {
    /// Returns the gain for a plane wave of radial wavenumber k_r that decays by s.
    pub fn gain(&self, radial: f64, decay: f64) -> f64 {
        let s = decay * decay;
        match *self {
            Self::None => 1.0,
            Self::CutOff { cut_off, slope } => {
                let relative = radial / cut_off;
                if relative < 1.0 {
                    1.0 - 0.5 * ((relative - 1.0) / slope).exp()
                } else {
                    0.5 * ((1.0 - relative) / slope).exp()
                }
            }
            Self::Tikhonov { parameter } => s / (s + parameter),
            Self::ModifiedTikhonov { parameter } => {
                s / (s + parameter * (parameter / (parameter + s)).powi(2))
            }
        }
    }

    /// Returns the gains of all plane waves for a back-propagation distance, m.
    pub fn gains(&self, wavenumbers: &Wavenumbers, distance: f64) -> Vec<f64> {
        (0..wavenumbers.len())
            .map(|i| {
                let decay = decay(wavenumbers.along_z(i), distance);
                self.gain(wavenumbers.radial(i), decay)
            })
            .collect()
    }
}

/// Returns the decay s = |e^{−jk_z d}|.
pub(crate) fn decay(along_z: Complex64, distance: f64) -> f64 {
    (along_z.im * distance).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILTERS: [Filter; 4] = [
        Filter::None,
        Filter::CutOff {
            cut_off: 50.0,
            slope: 0.3,
        },
        Filter::Tikhonov { parameter: 1e-3 },
        Filter::ModifiedTikhonov { parameter: 1e-3 },
    ];

    #[test]
    fn gains_fall_from_one_towards_zero_without_a_step() {
        let wavenumbers = Wavenumbers::new(64, 64, 0.01, 20.0);
        for filter in FILTERS {
            let distance = 0.04;
            let gains = filter.gains(&wavenumbers, distance);
            assert!(gains.iter().all(|g| (0.0..=1.0).contains(g)), "{filter:?}");
            let mut by_radius: Vec<(f64, f64)> = (0..gains.len())
                .map(|i| (wavenumbers.radial(i), gains[i]))
                .collect();
            by_radius.sort_by(|a, b| a.0.total_cmp(&b.0));
            for pair in by_radius.windows(2) {
                assert!(pair[1].1 <= pair[0].1 + 1e-12, "{filter:?} {pair:?}");
            }
        }
    }

    #[test]
    fn the_cut_off_is_where_half_passes() {
        let filter = FILTERS[1];
        assert!((filter.gain(50.0, 1.0) - 0.5).abs() < 1e-15);
        assert!((filter.gain(50.0 - 1e-9, 1.0) - 0.5).abs() < 1e-9);
    }
}
