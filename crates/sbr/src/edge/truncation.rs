//! Fringe-current coefficients of one face, integrated over a truncated strip.
//!
//! On the path of steepest descent, sin(ξ/2) = e^{jπ/4} t/√2, the fringe field on the face is
//!
//!   H_z = H_z⁰ (√2/πn) e^{3jπ/4} e^{−jκx} ∫ F(t²) e^{−κxt²} dt,
//!   F = ½[cot((π+ξ+φ')/2n) + cot((π+ξ−φ')/2n)]/cos(ξ/2), its part even in t,
//!
//! and the part beyond x = X has, with K = κX and a² = 1 − μ, the moment
//!
//!   h_beyond = (√2/2πn) e^{jπ/4} e^{−jKa²} ∫ F(t²) e^{−Kt²}/(t² + ja²) dt.
//!
//! For the half-plane F = 2j cos(φ'/2)/(t² + jb²), b² = 1 + cos φ', and the integral is a difference of two
//! error functions; this is Johansen's correction and is exact here. With w(x) = e^{jx²} erfc(e^{jπ/4}x):
//!
//!   h = ± [ b erf(e^{jπ/4}√K a)/a − 1 + e^{−jKa²} w(√K b) ] / 2(b² − a²)        (+ illuminated, − shadowed)
//!   s = −(sin ½φ'/√2) [ b(1 − e^{−jKa²} w(√K b)) − a erf(e^{jπ/4}√K a) ] / (b² − a²)
//!   H_z(X) e^{jKμ} = ∓ H_z⁰ e^{−jKa²} w(√K b).
//!
//! For any other wedge F differs by a function without the pole at t² = −jb², which four Gauss–Hermite
//! points integrate; the observation pole at t² = −ja² is subtracted first if it is close.

use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

use num_complex::Complex64;
use wavefield_numerics::special::half_erfc_diagonal;

use super::fresnel::{DIAGONAL, erf_diagonal_over, scaled_erfc_diagonal};
use super::fringe::{
    COTANGENT, SMALL, StripCoefficients, cotangent_difference, endless, odd_power_quotient,
    series_weight, sine_ratio,
};

/// Positive half of the eight-point Gauss–Hermite quadrature; the integrands are even.
const HERMITE: [(f64, f64); 4] = [
    (0.381_186_990_207_322_1, 0.661_147_012_558_241_3),
    (1.157_193_712_446_780_2, 0.207_802_325_814_891_9),
    (1.981_656_756_695_843, 0.017_077_983_007_413_5),
    (2.930_637_420_257_244, 0.000_199_604_072_211_367_6),
];

/// Six-point Gauss–Legendre quadrature on 0 … 1.
const LEGENDRE: [(f64, f64); 6] = [
    (0.033_765_242_898_423_99, 0.085_662_246_189_585_18),
    (0.169_395_306_766_867_74, 0.180_380_786_524_069_3),
    (0.380_690_406_958_401_55, 0.233_956_967_286_345_5),
    (0.619_309_593_041_598_4, 0.233_956_967_286_345_5),
    (0.830_604_693_233_132_3, 0.180_380_786_524_069_3),
    (0.966_234_757_101_576, 0.085_662_246_189_585_18),
];

/// Minimum reduced length of the Gauss–Hermite quadrature for wedges (for an observer with μ ≥ 0).
const SHORT: f64 = 1.0;

/// Returns the moments of a strip truncated at the reduced length K = κX = kL sin²β'.
///
/// `mu` ≤ 1 and `incidence` as in [`endless`]. The moments are exact to rounding for a half-plane; for
/// other wedges the error is about 1e-4 at K = 3 and 1e-7 beyond K = 10 for n ≥ 1.5 (n = 1.2: 3e-2 and
/// 5e-4). Below K = 1 they are blended to zero.
pub fn truncated(mu: f64, incidence: f64, n: f64, reduced_length: f64) -> StripCoefficients {
    if n == 2.0 {
        return half_plane(mu, incidence, reduced_length.max(1e-9));
    }
    // For observation far off the direction of the strip the phase varies faster by a² = 1 − μ, and the
    // threshold of a short strip decreases. A fixed threshold would spoil the balance of μh against the
    // field at the edge, which is multiplied by 1/sin β' for a wave along the edge.
    let short = SHORT / (1.0 - mu).max(1.0);
    if reduced_length < short {
        // The field near an edge is bounded and its derivative grows like x^{1/n−1}.
        let full = wedge(mu, incidence, n, short);
        let ratio = (reduced_length / short).max(0.0);
        let start = 1.0 / n - if incidence < PI { 1.0 } else { 0.0 };
        return StripCoefficients {
            hard: full.hard * ratio,
            soft: full.soft * ratio.powf(1.0 / n),
            end: full.end * ratio + start * (1.0 - ratio),
        };
    }
    wedge(mu, incidence, n, reduced_length)
}

fn half_plane(mu: f64, incidence: f64, length: f64) -> StripCoefficients {
    let a = (1.0 - mu).max(0.0).sqrt();
    let cosine = (0.5 * incidence).cos();
    let sign = if incidence < PI { 1.0 } else { -1.0 };
    // Grazing incidence from behind: h is discontinuous there together with physical optics.
    let b = (SQRT_2 * cosine.abs()).max(1e-6);
    let sine = (0.5 * incidence).sin() * FRAC_1_SQRT_2;
    let root = length.sqrt();
    let turn = Complex64::from_polar(1.0, -length * a * a);
    let tail = turn * scaled_erfc_diagonal(root * b);
    let difference = b * b - a * a;
    let (hard, soft) = if difference.abs() < 0.05 * (a * a).max(b * b) {
        let (falling, rising) = mean_slopes(a * a, b * b, length);
        (
            sign * (0.5 / (a * (a + b)) + 0.5 * b * turn * falling),
            -sine * (1.0 / (a + b) - turn * rising),
        )
    } else {
        let ratio = root * erf_diagonal_over(root * a);
        (
            sign * 0.5 / difference * (b * ratio - 1.0 + tail),
            -sine / difference * (b * (1.0 - tail) - a * a * ratio),
        )
    };
    StripCoefficients {
        hard,
        soft,
        end: -0.5 * sign * tail,
    }
}

/// Returns the mean derivatives between u₀ and u₁ of w(√(Ku))/√u and √u w(√(Ku)): the difference quotients
/// that the closed forms leave undetermined at a = b.
fn mean_slopes(from: f64, to: f64, length: f64) -> (Complex64, Complex64) {
    let mut slopes = [Complex64::new(0.0, 0.0); 2];
    for (x, weight) in LEGENDRE {
        let u = from + (to - from) * x;
        let r = u.sqrt();
        let w = scaled_erfc_diagonal(length.sqrt() * r);
        // w' = 2jKr w − 2e^{jπ/4}√(K/π).
        let dw = Complex64::new(0.0, 2.0 * length * r) * w - 2.0 * DIAGONAL * (length / PI).sqrt();
        slopes[0] += weight * (dw / r - w / u) / (2.0 * r);
        slopes[1] += weight * (w + r * dw) / (2.0 * r);
    }
    (slopes[0], slopes[1])
}

/// Returns the moments of a half-plane strip plus the correction of the wedge.
fn wedge(mu: f64, incidence: f64, n: f64, length: f64) -> StripCoefficients {
    let sheet = half_plane(mu, incidence, length);
    let a = (1.0 - mu).max(0.0).sqrt();
    let root = length.sqrt();
    let turn = Complex64::from_polar(1.0, -length * a * a);
    let near = a < f64::min(1.0, 0.8 * other_face(incidence, n));
    let pole = if near {
        Pole::taken_out(a, incidence, n, root)
    } else {
        let (full, half) = (endless(mu, incidence, n), endless(mu, incidence, 2.0));
        Pole {
            hard: full.hard - half.hard,
            soft: full.soft - half.soft,
            spectrum: Spectrum::default(),
        }
    };
    let (mut hard, mut soft, mut end) = (
        Complex64::new(0.0, 0.0),
        Complex64::new(0.0, 0.0),
        Complex64::new(0.0, 0.0),
    );
    for (x, weight) in HERMITE {
        let t = x / root;
        let spectrum = Spectrum::at(2.0 * (DIAGONAL * (t * FRAC_1_SQRT_2)).asin(), incidence, n);
        // The factor 2 accounts for the negative half of the quadrature.
        let weight = 2.0 * weight / root;
        let denominator = Complex64::new(t * t, a * a);
        hard += weight * (spectrum.hard - pole.spectrum.hard) / denominator;
        soft += weight * (spectrum.soft - pole.spectrum.soft) / denominator;
        end += weight * spectrum.hard;
    }
    let front = FRAC_1_SQRT_2 / (PI * n) * DIAGONAL * turn;
    StripCoefficients {
        hard: sheet.hard + pole.hard - front * hard,
        soft: sheet.soft + pole.soft + front * soft,
        end: sheet.end + Complex64::new(0.0, 1.0) * front * end,
    }
}

/// Returns the value of a at which the spectrum itself has a pole, that of the wave reflected by the other
/// face, or √2 if none is near. Subtracting the observation pole next to it would be the difference of two
/// singular terms.
fn other_face(incidence: f64, n: f64) -> f64 {
    let alpha = (2.0 * n - 1.0) * PI - incidence;
    SQRT_2 * (0.5 * alpha.min(PI)).sin()
}

/// Spectra of the wedge minus those of the half-plane (times n/2), even in the path variable.
#[derive(Clone, Copy, Default)]
struct Spectrum {
    hard: Complex64,
    soft: Complex64,
}

impl Spectrum {
    fn at(xi: Complex64, incidence: f64, n: f64) -> Self {
        let g = |xi: Complex64, phi: f64| cotangent_difference(0.5 * (PI + xi + phi), n, 2.0);
        let (pp, mp) = (g(xi, incidence), g(-xi, incidence));
        let (pm, mm) = (g(xi, -incidence), g(-xi, -incidence));
        Self {
            hard: 0.25 * n * (pp + pm + mp + mm) / (0.5 * xi).cos(),
            soft: -0.5 * n * (0.5 * xi).sin() * (pp - mp - pm + mm),
        }
    }
}

/// Truncated contribution of the observation pole, and the spectra there.
struct Pole {
    hard: Complex64,
    soft: Complex64,
    spectrum: Spectrum,
}

impl Pole {
    /// Returns, with sin(α/2) = a/√2, the infinite strip minus the spectrum at the pole times
    /// erfc(e^{jπ/4}√K a). Both grow like 1/a in the hard case; the form with erf is bounded.
    fn taken_out(a: f64, incidence: f64, n: f64, root: f64) -> Self {
        let alpha = 2.0 * (a * FRAC_1_SQRT_2).min(1.0).asin();
        let spectrum = Spectrum::at(Complex64::new(alpha, 0.0), incidence, n);
        let g = |y: f64| cotangent_difference(Complex64::new(y, 0.0), n, 2.0);
        let delta = PI - alpha;
        let (p, q) = (0.5 * (delta + incidence), 0.5 * (delta - incidence));
        let four = g(PI - q) - g(p) - g(PI - p) + g(q);
        let slope = difference_over_sine(0.5 * (PI + incidence), alpha, n)
            + difference_over_sine(0.5 * (PI - incidence), alpha, n);
        Self {
            hard: 0.25 * slope + spectrum.hard / (SQRT_2 * n) * root * erf_diagonal_over(root * a),
            soft: 0.5 * (g(q) - g(p)) - 0.5 * four * half_erfc_diagonal(root * a),
            spectrum,
        }
    }
}

/// Returns [g(c − α/2) − g(c + α/2)]/sin α with g(y) = cot(y/n)/n − cot(y/2)/2, finite at α = 0 and c = 0.
fn difference_over_sine(c: f64, alpha: f64, n: f64) -> Complex64 {
    let complex = |x: f64| Complex64::new(x, 0.0);
    let (low, high) = (complex(c - 0.5 * alpha), complex(c + 0.5 * alpha));
    if alpha > 0.3 {
        (cotangent_difference(low, n, 2.0) - cotangent_difference(high, n, 2.0)) / alpha.sin()
    } else if low.norm() < SMALL && high.norm() < SMALL {
        let sum: Complex64 = (0..COTANGENT.len())
            .map(|m| COTANGENT[m] * series_weight(m, n, 2.0) * odd_power_quotient(low, high, m))
            .sum();
        -sum / sine_ratio(complex(alpha))
    } else {
        let part = |n: f64| {
            let ratio = sine_ratio(complex(alpha / n)) / (n * n * sine_ratio(complex(alpha)));
            ratio / ((low / n).sin() * (high / n).sin())
        };
        part(n) - part(2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_numerics::special::gauss_legendre;
    use wavefield_physics::exact::cylinder::Polarization;
    use wavefield_physics::exact::half_plane::total_field;

    /// Integrates Sommerfeld's surface field minus physical optics over 0 … K on either face, by direct
    /// quadrature.
    fn by_quadrature(mu: f64, incidence: f64, length: f64) -> Complex64 {
        let (nodes, weights) = gauss_legendre(160);
        let mut sum = Complex64::new(0.0, 0.0);
        for (node, weight) in nodes.iter().zip(&weights) {
            // x = K t² removes the √x behavior at the edge.
            let t = 0.5 * (1.0 + node);
            let x = length * t * t;
            let total = total_field(Polarization::Te, 1.0, incidence, x, 0.0).unwrap();
            let optics = if incidence < PI {
                Complex64::from_polar(2.0, x * incidence.cos())
            } else {
                Complex64::new(0.0, 0.0)
            };
            sum += weight * length * t * (total - optics) * Complex64::from_polar(1.0, mu * x);
        }
        sum / Complex64::new(0.0, 2.0)
    }

    #[test]
    fn the_half_plane_strip_is_the_integral_of_sommerfelds_current() {
        let pi = PI;
        for length in [0.3, 3.0, 40.0] {
            for (mu, incidence) in [
                (0.3, 1.0),
                (1.0, 0.5),
                (1.0, pi - 1e-3),
                (1.0 - 1e-7, pi + 1e-3),
                (-f64::cos(1.2), 1.2),
                (-f64::cos(1.2) + 1e-9, 1.2),
                (-2.7, 2.0),
                (0.2, 4.0),
                (-1.0, 2.0 * pi),
                (0.96, 0.0),
            ] {
                let strip = truncated(mu, incidence, 2.0, length);
                let exact = by_quadrature(mu, incidence, length);
                assert!(
                    (strip.hard - exact).norm() < 1e-9 * (1.0 + exact.norm()),
                    "{mu} {incidence} {length}: {} {exact}",
                    strip.hard
                );
            }
        }
    }

    #[test]
    fn wedge_strips_are_the_integrals_of_the_exact_series() {
        for [n, incidence, mu, length, hr, hi, sr, si, er, ei] in EXACT_SERIES {
            let strip = truncated(mu, incidence, n, length);
            let close = |a: Complex64, re: f64, im: f64| (a - Complex64::new(re, im)).norm();
            // Four Gauss–Hermite points: the largest error of the rows with K = 3 sets the bound.
            let bound = if length < 5.0 { 2e-3 } else { 2e-5 };
            assert!(
                close(strip.hard, hr, hi) < bound,
                "hard {n} {incidence} {mu} {length}: {}",
                strip.hard
            );
            assert!(
                close(strip.soft, sr, si) < bound,
                "soft {n} {incidence} {mu} {length}: {}",
                strip.soft
            );
            assert!(
                close(strip.end, er, ei) < bound,
                "end {n} {incidence} {mu} {length}: {}",
                strip.end
            );
        }
    }

    #[test]
    fn a_very_long_strip_is_endless() {
        for n in [2.0, 1.5, 1.3] {
            for (mu, incidence) in [(0.3, 1.0), (-0.8, 2.0), (-2.5, 0.4), (0.5, 3.8)] {
                let (long, endless) = (truncated(mu, incidence, n, 1e9), endless(mu, incidence, n));
                // The current decays like 1/√(Kπ)/b² and its tail is 1/a² of that.
                assert!((long.hard - endless.hard).norm() < 1e-3);
                assert!((long.soft - endless.soft).norm() < 1e-6);
            }
        }
    }

    #[test]
    fn a_wave_along_the_edge_stays_bounded() {
        // sin β' = ε: K = kLε², μ ≈ −2/ε². The current along the edge is ∝ (μh + U − 1/n + e)/ε.
        for n in [2.0, 1.5, 1.25] {
            for incidence in [0.0, 1.0, 3.5] {
                let lit = if incidence < PI { 1.0 } else { 0.0 };
                for epsilon in [0.1, 0.01, 0.001] {
                    let (mu, length) = (-2.0 / (epsilon * epsilon), 30.0 * epsilon * epsilon);
                    let strip = truncated(mu, incidence, n, length);
                    let balance = mu * strip.hard + lit - 1.0 / n + strip.end;
                    assert!(
                        balance.norm() < 2.0 * epsilon.min(1.0).powf(1.0 / n),
                        "{n} {incidence} {epsilon}: {balance}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_pole_of_the_other_face_is_not_felt() {
        // Back edges of a box with its sides exactly edge-on: φ' = nπ and μ = 0 to rounding.
        for n in [1.5, 1.5 + 2e-16, 1.3, 1.2] {
            for incidence in [n * PI, n * PI - 1e-15, n * PI - 0.1] {
                let a = other_face(incidence, n);
                let at = |mu: f64| truncated(mu, incidence, n, 70.0);
                let center = 1.0 - a * a;
                let beside = at(center + 1e-6);
                for shift in [-1e-9, -1e-15, 0.0, 6e-17, 1e-15, 1e-9] {
                    let strip = at(center + shift);
                    assert!((strip.hard - beside.hard).norm() < 1e-4, "{n} {shift}");
                    assert!((strip.soft - beside.soft).norm() < 1e-4, "{n} {shift}");
                }
            }
        }
    }

    #[test]
    fn branches_meet() {
        // The observation pole is subtracted for a < 1; the two sides use separate quadratures.
        for incidence in [0.4, 2.0, 3.5] {
            let at = |mu: f64| truncated(mu, incidence, 1.5, 12.0);
            let (below, above) = (at(-1e-9), at(1e-9));
            assert!((below.hard - above.hard).norm() < 1e-5);
            assert!((below.soft - above.soft).norm() < 1e-5);
        }
        // The half-plane's difference quotient is used for |b² − a²| < 0.05 b².
        let incidence = 1.2f64;
        let b2 = 1.0 + incidence.cos();
        for edge in [b2 * 0.95, b2 / 0.95] {
            let at = |a2: f64| truncated(1.0 - a2, incidence, 2.0, 30.0);
            let (below, above) = (at(edge * (1.0 - 1e-12)), at(edge * (1.0 + 1e-12)));
            assert!((below.hard - above.hard).norm() < 1e-10);
            assert!((below.soft - above.soft).norm() < 1e-10);
        }
    }

    /// n, φ', μ, K, h, s, e (real, imaginary): Gauss quadrature of the wedge's Bessel series minus physical
    /// optics, computed independently of this crate.
    const EXACT_SERIES: [[f64; 10]; 11] = [
        [
            1.5,
            0.7,
            0.3,
            3.0,
            0.315039204,
            0.0596293704,
            -0.0917288895,
            0.004150276,
            0.0877705113,
            0.0322757117,
        ],
        [
            1.5,
            0.7,
            -0.7648421873,
            12.0,
            0.1324775981,
            0.0020662331,
            -0.0681252415,
            0.0004711811,
            0.0475863041,
            0.0025536836,
        ],
        [
            1.5,
            2.6,
            1.0,
            12.0,
            1.0596916718,
            2.5924249129,
            -1.0739042681,
            -0.379465243,
            -0.1504477155,
            0.0944478455,
        ],
        [
            1.5,
            3.1315926536,
            0.999999,
            30.0,
            -0.1985412368,
            14.1039206693,
            -2.9029058406,
            -2.9361632104,
            -0.4746004606,
            0.0049462343,
        ],
        [
            1.5,
            3.3415926536,
            0.8,
            12.0,
            -3.6764916963,
            -0.768606161,
            -1.2736794828,
            0.082104661,
            -0.3338223681,
            -0.1416114553,
        ],
        [
            1.5,
            4.5,
            -1.4,
            12.0,
            -0.2102018241,
            0.0531325747,
            -0.0427728346,
            0.0004289208,
            -0.0410773054,
            0.1285241005,
        ],
        [
            1.75,
            1.1,
            -0.5,
            3.0,
            0.123022811,
            -0.072393902,
            -0.1300672029,
            -0.0002527959,
            -0.0544158345,
            -0.1082791331,
        ],
        [
            1.75,
            5.0,
            0.9,
            20.0,
            -1.8457316856,
            -0.328043595,
            -0.1658398674,
            0.0034825981,
            -0.0626559891,
            -0.024688794,
        ],
        [
            1.9,
            0.05,
            0.99,
            20.0,
            1.0727517726,
            1.124304602,
            -0.0113112641,
            -0.0006264022,
            -0.0243322892,
            0.0357172809,
        ],
        [
            1.3,
            1.0,
            0.2,
            30.0,
            0.1193595903,
            -0.0117601223,
            -0.0921273274,
            -0.0003448366,
            -0.023687447,
            -0.0089363782,
        ],
        [
            2.0,
            3.3,
            0.7,
            12.0,
            -2.3054071371,
            0.7502874208,
            -1.0833733141,
            0.2151645402,
            -0.2776091675,
            0.2421637735,
        ],
    ];
}
