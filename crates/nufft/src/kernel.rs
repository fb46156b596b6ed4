//! The window (spreading kernel): its values on the grid and its Fourier transform.
//!
//! A point at grid coordinate g touches the w grid points l with |l − g| ≤ w/2. The value of the window
//! at the t-th of them is a polynomial in the position of g between two grid points, so that all w
//! weights come from one Horner scheme over a table of [degree + 1] × [w] coefficients.

use std::f64::consts::PI;

use crate::direct::first_mode;
use crate::prolate::Prolate;

/// Window of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Window {
    /// Prolate spheroidal wave function, of a width chosen for the tolerance.
    #[default]
    Prolate,
    /// Kaiser–Bessel window with c = 2 and K = 6 (13 grid points) of K. Fourmont, J. Fourier Anal.
    /// Appl. 9 (2003) 431–450, as used for reflectarrays by Capozzoli et al.; its accuracy is fixed,
    /// about 1e-12.
    KaiserBessel,
}

/// Maximum width in grid points.
pub(crate) const WIDEST: usize = 16;

/// A window of a certain width for a certain upsampling factor.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) width: usize,
    /// Coefficients by power, each for all w grid points.
    pub(crate) coefficients: Vec<Vec<f64>>,
    /// Window as a function of the distance in grid points.
    shape: Shape,
    /// Quadrature of the window: distance in grid points, and value times weight.
    samples: Vec<(f64, f64)>,
}

#[derive(Clone, Debug)]
enum Shape {
    Prolate { width: f64, psi: Prolate },
    KaiserBessel { alpha: f64, k: f64 },
}

impl Shape {
    /// Returns the window at a distance of x grid points.
    fn value(&self, x: f64) -> f64 {
        match self {
            Shape::Prolate { width, psi } => psi.value((2.0 * x / width).clamp(-1.0, 1.0)),
            // (1/π) sinh(α√(K² − x²))/√(K² − x²); eq. (16) of the document reads α² − x² in the root,
            // an error: its transform (15) requires K² − x².
            Shape::KaiserBessel { alpha, k } => {
                let square = k * k - x * x;
                let root = square.abs().sqrt();
                if root < 1e-8 {
                    alpha / PI
                } else if square > 0.0 {
                    (alpha * root).sinh() / root / PI
                } else {
                    (alpha * root).sin() / root / PI
                }
            }
        }
    }
}

impl Kernel {
    /// Creates the prolate window of a width for an upsampling factor σ, band-limited to the nearest
    /// alias of the last mode, c = πw(1 − 1/2σ).
    pub(crate) fn prolate(width: usize, upsampling: f64) -> Kernel {
        let w = width as f64;
        let shape = Shape::Prolate {
            width: w,
            psi: Prolate::new(PI * w * (1.0 - 0.5 / upsampling)),
        };
        Kernel::fitted(width, shape)
    }

    /// Creates the Kaiser–Bessel window of the document: K = 6, c = 2, α slightly smaller than π(2 −
    /// 1/c).
    pub(crate) fn kaiser_bessel() -> Kernel {
        let shape = Shape::KaiserBessel {
            alpha: PI * (2.0 - 0.5) - 0.01,
            k: 6.0,
        };
        Kernel::fitted(13, shape)
    }

    fn fitted(width: usize, shape: Shape) -> Kernel {
        // Each piece is an entire function over a fraction 2/w of the window: three orders beyond the
        // width reduce its polynomial error to that of the window.
        let degree = width + 4;
        let mut coefficients = vec![vec![0.0; width]; degree + 1];
        for t in 0..width {
            let piece = |u: f64| shape.value(t as f64 + 0.5 * (u + 1.0) - 0.5 * width as f64);
            for (power, value) in polynomial(degree, piece).into_iter().enumerate() {
                coefficients[power][t] = value;
            }
        }
        let half = 0.5 * width as f64;
        // The second alias oscillates at 2.25π per grid point: Gauss–Legendre quadrature needs half as
        // many nodes as radians over the window, and some more for the window itself.
        let (nodes, weights) = quadrature(40 + 5 * width);
        let samples = nodes
            .iter()
            .zip(&weights)
            .map(|(x, w)| (half * x, w * half * shape.value(half * x)))
            .collect();
        Kernel {
            width,
            coefficients,
            shape,
            samples,
        }
    }

    /// Returns ∫ window(x) cos(θx) dx over its support: the Fourier transform at θ radians per grid
    /// point.
    pub(crate) fn transform(&self, theta: f64) -> f64 {
        if let Shape::KaiserBessel { alpha, k } = self.shape {
            // Eq. (15): the exact transform of the untruncated window.
            let square = alpha * alpha - theta * theta;
            return if square > 0.0 {
                bessel_i0(k * square.sqrt())
            } else {
                0.0
            };
        }
        self.samples
            .iter()
            .map(|(x, value)| value * (theta * x).cos())
            .sum()
    }

    /// Returns 1/transform, the deconvolution factor, for every mode of an axis with a fine grid of
    /// `length`; even in k, so that half of them are computed.
    pub(crate) fn corrections(&self, modes: usize, length: usize) -> Vec<f64> {
        let theta = |k: usize| 2.0 * PI * k as f64 / length as f64;
        let half: Vec<f64> = if modes <= 2 * FIT || matches!(self.shape, Shape::KaiserBessel { .. })
        {
            (0..=modes / 2)
                .map(|k| 1.0 / self.transform(theta(k)))
                .collect()
        } else {
            let reciprocal = self.reciprocal(theta(modes / 2));
            (0..=modes / 2).map(|k| reciprocal.at(theta(k))).collect()
        };
        let first = first_mode(modes);
        (0..modes as i64)
            .map(|index| half[(first + index).unsigned_abs() as usize])
            .collect()
    }

    /// Returns a series of 1/transform for θ up to `last`.
    pub(crate) fn reciprocal(&self, last: f64) -> Reciprocal {
        let square = last * last;
        let logarithm = |s: f64| self.transform((0.5 * (s + 1.0) * square).sqrt()).ln();
        let mut series = chebyshev(FIT, logarithm);
        // Terms below rounding are dropped.
        while series.len() > 2 && series[series.len() - 1].abs() < 0.1 * f64::EPSILON {
            series.pop();
        }
        Reciprocal { series, square }
    }

    /// Returns the relative aliasing error of a transform with this window: the aliases of every mode
    /// relative to the mode itself, as a root mean square over the modes.
    #[cfg(test)]
    pub(crate) fn aliasing(&self, upsampling: f64) -> f64 {
        let samples = 33;
        let sum: f64 = (0..samples)
            .map(|i| {
                let theta = PI / upsampling * i as f64 / (samples - 1) as f64;
                let mode = self.transform(theta);
                let aliases: f64 = [-2.0, -1.0, 1.0, 2.0]
                    .iter()
                    .map(|m| self.transform(theta + 2.0 * PI * m).abs())
                    .sum();
                (aliases / mode).powi(2)
            })
            .sum();
        (sum / samples as f64).sqrt()
    }
}

/// Reciprocal of the Fourier transform of a window: an even function without zeros, as a short
/// Chebyshev series of its logarithm in θ² instead of a quadrature for each θ.
#[derive(Clone, Debug)]
pub(crate) struct Reciprocal {
    series: Vec<f64>,
    /// θ² at the end of the range.
    square: f64,
}

impl Reciprocal {
    pub(crate) fn at(&self, theta: f64) -> f64 {
        (-clenshaw(&self.series, 2.0 * theta * theta / self.square - 1.0)).exp()
    }
}

/// Terms of the series for the transform of the window.
const FIT: usize = 40;

/// Returns the coefficients of T_0, T_1, … of the interpolant of a function at the Chebyshev points of
/// [−1, 1].
fn chebyshev(count: usize, function: impl Fn(f64) -> f64) -> Vec<f64> {
    let angle = |i: usize| PI * (i as f64 + 0.5) / count as f64;
    let values: Vec<f64> = (0..count).map(|i| function(angle(i).cos())).collect();
    (0..count)
        .map(|k| {
            let sum: f64 = (0..count)
                .map(|i| values[i] * (k as f64 * angle(i)).cos())
                .sum();
            sum * if k == 0 { 1.0 } else { 2.0 } / count as f64
        })
        .collect()
}

/// Evaluates Σ c_k T_k(s) by Clenshaw's recurrence.
fn clenshaw(series: &[f64], s: f64) -> f64 {
    let (mut here, mut above) = (0.0, 0.0);
    for &c in series[1..].iter().rev() {
        (here, above) = (2.0 * s * here - above + c, here);
    }
    s * here - above + series[0]
}

/// Returns the monomial coefficients of the interpolant of a function at the Chebyshev points of [−1,
/// 1].
fn polynomial(degree: usize, function: impl Fn(f64) -> f64) -> Vec<f64> {
    let count = degree + 1;
    let chebyshev = chebyshev(count, function);
    // T_{k+1} = 2u T_k − T_{k−1} in powers of u.
    let (mut below, mut here) = (vec![0.0; count], vec![0.0; count]);
    here[0] = 1.0;
    let mut powers = vec![0.0; count];
    for (k, c) in chebyshev.iter().enumerate() {
        for (power, t) in powers.iter_mut().zip(&here) {
            *power += c * t;
        }
        let factor = if k == 0 { 1.0 } else { 2.0 };
        let above: Vec<f64> = (0..count)
            .map(|i| {
                factor * if i == 0 { 0.0 } else { here[i - 1] }
                    - if k == 0 { 0.0 } else { below[i] }
            })
            .collect();
        below = std::mem::replace(&mut here, above);
    }
    powers
}

/// Returns the modified Bessel function I₀ by its power series, all terms positive.
fn bessel_i0(x: f64) -> f64 {
    let quarter = 0.25 * x * x;
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..500 {
        term *= quarter / (k * k) as f64;
        sum += term;
        if term < 1e-17 * sum {
            break;
        }
    }
    sum
}

/// Returns Gauss–Legendre nodes and weights on [−1, 1].
fn quadrature(count: usize) -> (Vec<f64>, Vec<f64>) {
    let mut nodes = vec![0.0; count];
    let mut weights = vec![0.0; count];
    for i in 0..count {
        let mut x = (PI * (i as f64 + 0.75) / (count as f64 + 0.5)).cos();
        let mut derivative = 1.0;
        for _ in 0..20 {
            let (mut below, mut here) = (0.0, 1.0);
            for k in 0..count {
                let above = ((2 * k + 1) as f64 * x * here - k as f64 * below) / (k + 1) as f64;
                (below, here) = (here, above);
            }
            derivative = count as f64 * (x * here - below) / (x * x - 1.0);
            let step = here / derivative;
            x -= step;
            if step.abs() < 1e-15 {
                break;
            }
        }
        nodes[i] = x;
        weights[i] = 2.0 / ((1.0 - x * x) * derivative * derivative);
    }
    (nodes, weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polynomials_reproduce_the_window() {
        for width in [2, 5, 9, 13, 16] {
            let kernel = Kernel::prolate(width, 2.0);
            for t in 0..width {
                for i in 0..11 {
                    let delta = f64::from(i) / 10.0;
                    let u = 2.0 * delta - 1.0;
                    let fitted = kernel
                        .coefficients
                        .iter()
                        .rev()
                        .fold(0.0, |sum, c| sum * u + c[t]);
                    let exact = kernel.shape.value(t as f64 + delta - 0.5 * width as f64);
                    // A tenth of the aliasing error of the same width, or the rounding of the Legendre
                    // sum from which both are computed, some fifty terms of size one.
                    let allowed = (0.1 * kernel.aliasing(2.0)).max(50.0 * f64::EPSILON);
                    assert!(
                        (fitted - exact).abs() < allowed,
                        "{width} {t} {delta}: {fitted} {exact}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_series_of_the_transform_is_the_transform() {
        let (modes, length) = (1000, 1250);
        let kernel = Kernel::prolate(16, 1.25);
        let corrections = kernel.corrections(modes, length);
        for k in [0, 1, 77, 300, 499] {
            let theta = 2.0 * PI * f64::from(k) / length as f64;
            let product = corrections[500 + k as usize] * kernel.transform(theta);
            // The transform decays to 1e-3 at the last mode, and its quadrature rounds as if it were 1.
            assert!((product - 1.0).abs() < 1e-13, "{k}: {product}");
        }
    }

    #[test]
    fn every_further_grid_point_gains_most_of_a_digit() {
        let errors: Vec<f64> = (2..=14)
            .map(|w| Kernel::prolate(w, 2.0).aliasing(2.0))
            .collect();
        for pair in errors.windows(2) {
            assert!(pair[1] < 0.2 * pair[0], "{errors:?}");
        }
    }
}
