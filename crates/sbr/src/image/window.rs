//! Windows over a sweep: lower sidelobes at the cost of a wider main lobe.

use std::f64::consts::PI;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Window over a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Window {
    /// Uniform weights: sidelobes at −13 dB.
    None,
    /// Hann window ½ + ½ cos: sidelobes at −31 dB that decay fast, main lobe 1.6 times as wide.
    Hann,
    /// Taylor window with five nearly equal sidelobes at −35 dB, main lobe 1.3 times as wide.
    #[default]
    Taylor,
}

/// Sidelobe level of the Taylor window in dB below the peak, and number of nearly equal sidelobes.
const TAYLOR: (f64, u32) = (35.0, 5);

impl Window {
    /// Returns the weights of `count` samples at the midpoints of equal intervals of the aperture.
    pub fn weights(self, count: usize) -> Vec<f64> {
        (0..count)
            .map(|number| self.at((number as f64 + 0.5) / count as f64 - 0.5))
            .collect()
    }

    /// Returns the weight at a position of the aperture, −½ … ½.
    fn at(self, place: f64) -> f64 {
        match self {
            Window::None => 1.0,
            Window::Hann => 0.5 + 0.5 * (2.0 * PI * place).cos(),
            Window::Taylor => {
                let terms = (1..TAYLOR.1)
                    .map(|m| 2.0 * taylor_coefficient(m) * (2.0 * PI * f64::from(m) * place).cos());
                1.0 + terms.sum::<f64>()
            }
        }
    }
}

/// Returns F_m of T. T. Taylor, IRE Trans. Antennas Propag. 3 (1955) 16–28, as in W. G. Carrara et al.,
/// Spotlight Synthetic Aperture Radar, Artech House, 1995, appendix D.
fn taylor_coefficient(m: u32) -> f64 {
    let (sidelobe, equal) = TAYLOR;
    let a = 10f64.powf(sidelobe / 20.0).acosh() / PI;
    let n = f64::from(equal);
    let dilation = n * n / (a * a + (n - 0.5).powi(2));
    let square = f64::from(m * m);
    let above: f64 = (1..equal)
        .map(|i| 1.0 - square / (dilation * (a * a + (f64::from(i) - 0.5).powi(2))))
        .product();
    let below: f64 = (1..equal)
        .filter(|&j| j != m)
        .map(|j| 1.0 - square / f64::from(j * j))
        .product();
    let sign = if m % 2 == 1 { 1.0 } else { -1.0 };
    0.5 * sign * above / below
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns |Σ w cos(2πux)|/Σ w with u in resolution cells.
    fn response(window: Window, count: usize, u: f64) -> f64 {
        let weights = window.weights(count);
        let sum: f64 = weights
            .iter()
            .enumerate()
            .map(|(n, w)| w * (2.0 * PI * u * ((n as f64 + 0.5) / count as f64 - 0.5)).cos())
            .sum();
        sum / weights.iter().sum::<f64>()
    }

    /// Returns the peak sidelobe level beyond the first null, dB.
    fn highest_sidelobe(window: Window) -> f64 {
        let along: Vec<f64> = (0..4000)
            .map(|i| response(window, 256, f64::from(i) * 0.01).abs())
            .collect();
        let valley = along.windows(2).position(|w| w[1] > w[0]).unwrap();
        20.0 * along[valley..].iter().copied().fold(0.0, f64::max).log10()
    }

    /// Returns the half-power width of the main lobe, in resolution cells.
    fn width(window: Window) -> f64 {
        let half = (0..4000).find(|&i| response(window, 256, f64::from(i) * 1e-3).powi(2) < 0.5);
        2e-3 * f64::from(half.unwrap())
    }

    #[test]
    fn sidelobes_are_where_they_should_be() {
        assert!((highest_sidelobe(Window::None) + 13.26).abs() < 0.05);
        assert!((highest_sidelobe(Window::Hann) + 31.47).abs() < 0.05);
        // Taylor's design is asymptotic in the number of equal sidelobes; with five the error is a few
        // tenths of a dB.
        let taylor = highest_sidelobe(Window::Taylor);
        assert!((taylor + 35.0).abs() < 0.4, "{taylor}");
    }

    #[test]
    fn main_lobes_are_as_wide_as_said() {
        assert!((width(Window::None) - 0.886).abs() < 0.003);
        assert!((width(Window::Hann) / width(Window::None) - 1.62).abs() < 0.02);
        let taylor = width(Window::Taylor) / width(Window::None);
        assert!((taylor - 1.34).abs() < 0.03, "{taylor}");
    }
}
