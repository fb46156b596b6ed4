//! Waves in a homogeneous medium: Green's function kernels from Hankel functions of kR.

use num_complex::Complex64;
use wavefield_numerics::special::{SpecialError, hankel2_sequence};

use crate::kernels::{self, Coefficients, Points, Source};
use crate::piece::{dot, minus};

/// Attenuation in nepers beyond which a wave underflows in double precision.
const FADED: f64 = 600.0;

/// Medium by its wavenumber in rad/m; loss is a negative imaginary part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wave {
    /// Lossless medium.
    Real(f64),
    /// Lossy medium.
    Lossy(Complex64),
}

impl Wave {
    pub(crate) fn new(wavenumber: Complex64) -> Wave {
        if wavenumber.im == 0.0 && wavenumber.re > 0.0 {
            Wave::Real(wavenumber.re)
        } else {
            Wave::Lossy(wavenumber)
        }
    }

    pub(crate) fn wavenumber(self) -> Complex64 {
        match self {
            Wave::Real(k) => Complex64::new(k, 0.0),
            Wave::Lossy(k) => k,
        }
    }

    /// Evaluates H₀⁽²⁾ and H₁⁽²⁾ at distances.
    pub(crate) fn hankel(
        self,
        distance: &[f64],
    ) -> Result<(Vec<Complex64>, Vec<Complex64>), SpecialError> {
        match self {
            Wave::Real(k) => {
                let count = distance.len();
                let argument: Vec<f64> = distance.iter().map(|r| k * r).collect();
                let mut parts = vec![0.0; 4 * count];
                let (h0, h1) = parts.split_at_mut(2 * count);
                kernels::hankel(
                    &argument,
                    h0.split_at_mut(count).into(),
                    h1.split_at_mut(count).into(),
                );
                let complex = |parts: &[f64]| {
                    (0..count)
                        .map(|i| Complex64::new(parts[i], parts[count + i]))
                        .collect()
                };
                Ok((complex(h0), complex(h1)))
            }
            Wave::Lossy(k) => {
                let values: Result<Vec<[Complex64; 2]>, SpecialError> =
                    distance.iter().map(|&r| lossy_hankel(k * r)).collect();
                Ok(values?.into_iter().map(|[h0, h1]| (h0, h1)).unzip())
            }
        }
    }

    /// Adds a combination of kernels of one source at many points.
    pub(crate) fn add_column(
        self,
        points: Points<'_>,
        source: Source,
        coefficients: &Coefficients,
        out: &mut [Complex64],
    ) -> Result<(), SpecialError> {
        self.add_columns(points, source, &mut [(*coefficients, out)])
    }

    /// Adds several combinations of kernels of one source; Hankel functions of a lossy wave are computed once for all of them.
    pub(crate) fn add_columns(
        self,
        points: Points<'_>,
        source: Source,
        columns: &mut [(Coefficients, &mut [Complex64])],
    ) -> Result<(), SpecialError> {
        match self {
            Wave::Real(k) => {
                for (coefficients, out) in columns {
                    kernels::column(k, points, source, coefficients, out);
                }
            }
            Wave::Lossy(k) => {
                for i in 0..points.x.len() {
                    let place = minus([points.x[i], points.y[i]], source.at);
                    let distance = dot(place, place).max(1e-200).sqrt();
                    let [h0, h1] = lossy_hankel(k * distance)?;
                    let normal = [points.normal_x[i], points.normal_y[i]];
                    let pair = Pair {
                        distance,
                        at_point: dot(place, normal) / distance,
                        at_source: dot(place, source.normal) / distance,
                        along: dot(normal, source.normal),
                    };
                    for (coefficients, out) in columns.iter_mut() {
                        out[i] += combination(k, coefficients, &pair, h0, h1);
                    }
                }
            }
        }
        Ok(())
    }
}

fn lossy_hankel(z: Complex64) -> Result<[Complex64; 2], SpecialError> {
    if z.im < -FADED {
        return Ok([Complex64::new(0.0, 0.0); 2]);
    }
    let values = hankel2_sequence(1, z)?;
    Ok([values[0], values[1]])
}

/// Geometry of a point and a source with normals: R, R̂·n, R̂·n′ and n·n′, with R̂ from source to point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) distance: f64,
    pub(crate) at_point: f64,
    pub(crate) at_source: f64,
    pub(crate) along: f64,
}

/// Returns the combination of G = H₀/4j, ∂G/∂n′, ∂G/∂n and ∂²G/∂n∂n′. With a = R̂·n and b = R̂·n′,
///
///   ∂G/∂n′ = −(jk/4)H₁b, ∂G/∂n = (jk/4)H₁a,
///   ∂²G/∂n∂n′ = −(jk/4)[n·n′ H₁/R + (kH₀ − 2H₁/R)ab].
pub(crate) fn combination(
    k: Complex64,
    coefficients: &Coefficients,
    pair: &Pair,
    h0: Complex64,
    h1: Complex64,
) -> Complex64 {
    let (a, b) = (pair.at_point, pair.at_source);
    let derivative = coefficients.double * b - coefficients.adjoint * a;
    let both = k * h0 * (a * b) + h1 * ((pair.along - 2.0 * a * b) / pair.distance);
    Complex64::new(0.0, -0.25)
        * (coefficients.single * h0 + k * (derivative * h1 + coefficients.hyper * both))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn c(re: f64, im: f64) -> Complex64 {
        Complex64::new(re, im)
    }

    #[test]
    fn the_fast_column_agrees_with_the_plain_formula() {
        let count = 203;
        let place = |i: usize, f: f64| (f * i as f64).sin() * 3.0;
        let list = |f: f64| (0..count).map(|i| place(i, f)).collect::<Vec<_>>();
        let angles = list(0.7);
        let (x, y) = (list(0.3), list(1.1));
        let (nx, ny): (Vec<f64>, Vec<f64>) = angles.iter().map(|a| (a.cos(), a.sin())).unzip();
        let points = Points {
            x: &x,
            y: &y,
            normal_x: &nx,
            normal_y: &ny,
        };
        let source = Source {
            at: [0.21, -0.37],
            normal: [0.6, 0.8],
        };
        let all = Coefficients {
            single: c(0.3, 1.0),
            double: c(-0.2, 0.4),
            adjoint: c(1.1, 0.2),
            hyper: c(0.05, -0.3),
        };
        let only = Coefficients {
            double: c(0.0, 0.0),
            adjoint: c(0.0, 0.0),
            hyper: c(0.0, 0.0),
            ..all
        };
        let k = 4.3;
        for coefficients in [all, only] {
            let mut fast = vec![c(0.0, 0.0); count];
            let mut plain = fast.clone();
            Wave::Real(k)
                .add_column(points, source, &coefficients, &mut fast)
                .unwrap();
            Wave::Lossy(c(k, 0.0))
                .add_column(points, source, &coefficients, &mut plain)
                .unwrap();
            for i in 0..count {
                assert!((fast[i] - plain[i]).norm() < 1e-13 * (1.0 + plain[i].norm()));
            }
        }
    }

    #[test]
    fn derivatives_of_the_kernel_are_those_of_differences() {
        let (k, step) = (c(2.0, -0.3), 1e-4);
        let green = |p: [f64; 2], q: [f64; 2]| {
            let [h0, _] = lossy_hankel(k * crate::piece::norm(minus(p, q))).unwrap();
            c(0.0, -0.25) * h0
        };
        let (p, q) = ([0.4, 0.9], [-0.2, 0.1]);
        let (n, m) = ([0.8, 0.6], [-0.28, 0.96]);
        let moved = |p: [f64; 2], n: [f64; 2], by: f64| [p[0] + by * n[0], p[1] + by * n[1]];
        let mut out = [c(0.0, 0.0)];
        let points = Points {
            x: &p[..1],
            y: &p[1..],
            normal_x: &n[..1],
            normal_y: &n[1..],
        };
        let zero = c(0.0, 0.0);
        let one = c(1.0, 0.0);
        let mut value = |double: Complex64, adjoint: Complex64, hyper: Complex64| {
            out[0] = zero;
            let coefficients = Coefficients {
                single: zero,
                double,
                adjoint,
                hyper,
            };
            let source = Source { at: q, normal: m };
            Wave::Lossy(k)
                .add_column(points, source, &coefficients, &mut out)
                .unwrap();
            out[0]
        };
        let at = |a: f64, b: f64| green(moved(p, n, a * step), moved(q, m, b * step));
        let double = (at(0.0, 1.0) - at(0.0, -1.0)) / (2.0 * step);
        let adjoint = (at(1.0, 0.0) - at(-1.0, 0.0)) / (2.0 * step);
        let hyper =
            (at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0)) / (4.0 * step * step);
        // Central differences with a step of 1e-4 have a truncation error of 1e-8.
        assert!((value(one, zero, zero) - double).norm() < 1e-7);
        assert!((value(zero, one, zero) - adjoint).norm() < 1e-7);
        assert!((value(zero, zero, one) - hyper).norm() < 1e-6);
    }
}
