//! Matrix column: the kernels of one source point at many points.

use num_complex::Complex64;
use wavefield_numerics::simd::{LANES, dispatch};

use super::hankel::of_lanes;

/// Points with unit normals, as separate arrays of coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Points<'a> {
    pub(crate) x: &'a [f64],
    pub(crate) y: &'a [f64],
    pub(crate) normal_x: &'a [f64],
    pub(crate) normal_y: &'a [f64],
}

/// Source point with its unit normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) at: [f64; 2],
    pub(crate) normal: [f64; 2],
}

/// Coefficients of G, ∂G/∂n′, ∂G/∂n and ∂²G/∂n∂n′ in a combination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Coefficients {
    pub(crate) single: Complex64,
    pub(crate) double: Complex64,
    pub(crate) adjoint: Complex64,
    pub(crate) hyper: Complex64,
}

impl Coefficients {
    /// Returns all coefficients times a weight.
    pub(crate) fn scaled(&self, by: f64) -> Coefficients {
        Coefficients {
            single: self.single * by,
            double: self.double * by,
            adjoint: self.adjoint * by,
            hyper: self.hyper * by,
        }
    }
}

dispatch! {
    /// Adds the combination of kernels at every point to `out`, for a real wavenumber. With a = R̂·n, b = R̂·n′ and R̂ from
    /// source to point,
    ///
    ///   −(j/4) { H₀ [s + h k² ab] + H₁ [k(d b − d′ a) + h k (n·n′ − 2ab)/R] }.
    ///
    /// At a point that coincides with the source the value is huge but finite.
    pub(crate) fn column(
        wavenumber: f64,
        points: Points<'_>,
        source: Source,
        coefficients: &Coefficients,
        out: &mut [Complex64],
    ) = either
}

#[inline(always)]
fn either<const FUSED: bool>(
    wavenumber: f64,
    points: Points<'_>,
    source: Source,
    coefficients: &Coefficients,
    out: &mut [Complex64],
) {
    let zero = Complex64::new(0.0, 0.0);
    let Coefficients {
        double,
        adjoint,
        hyper,
        ..
    } = *coefficients;
    if double == zero && adjoint == zero && hyper == zero {
        groups::<FUSED, false>(wavenumber, points, source, coefficients, out);
    } else {
        groups::<FUSED, true>(wavenumber, points, source, coefficients, out);
    }
}

#[inline(always)]
fn groups<const FUSED: bool, const FIRST: bool>(
    k: f64,
    points: Points<'_>,
    source: Source,
    coefficients: &Coefficients,
    out: &mut [Complex64],
) {
    let quarter = Complex64::new(0.0, -0.25);
    let s = quarter * coefficients.single;
    let d = quarter * coefficients.double * k;
    let e = quarter * coefficients.adjoint * k;
    let h = quarter * coefficients.hyper * k;
    let count = out.len();
    let mut start = 0;
    while start < count {
        let size = LANES.min(count - start);
        let lanes = |from: &[f64]| {
            let mut group = [0.0; LANES];
            if size == LANES {
                group.copy_from_slice(&from[start..start + LANES]);
            } else {
                group[..size].copy_from_slice(&from[start..start + size]);
            }
            group
        };
        let (x, y) = (lanes(points.x), lanes(points.y));
        let mut dx = [0.0; LANES];
        let mut dy = [0.0; LANES];
        let mut distance = [0.0; LANES];
        let mut argument = [0.0; LANES];
        for i in 0..LANES {
            dx[i] = x[i] - source.at[0];
            dy[i] = y[i] - source.at[1];
            let square = dx[i] * dx[i] + dy[i] * dy[i];
            distance[i] = (if square > 1e-200 { square } else { 1e-200 }).sqrt();
            argument[i] = k * distance[i];
        }
        let values = of_lanes::<FUSED, FIRST>(argument);
        let mut re = [0.0; LANES];
        let mut im = [0.0; LANES];
        if FIRST {
            let (nx, ny) = (lanes(points.normal_x), lanes(points.normal_y));
            for i in 0..LANES {
                let inverse = 1.0 / distance[i];
                let a = (dx[i] * nx[i] + dy[i] * ny[i]) * inverse;
                let b = (dx[i] * source.normal[0] + dy[i] * source.normal[1]) * inverse;
                let along = nx[i] * source.normal[0] + ny[i] * source.normal[1];
                let both = k * a * b;
                let bend = (along - 2.0 * a * b) * inverse;
                let c0 = [s.re + h.re * both, s.im + h.im * both];
                let c1 = [
                    d.re * b - e.re * a + h.re * bend,
                    d.im * b - e.im * a + h.im * bend,
                ];
                let [r0, i0] = [values.h0[0][i], values.h0[1][i]];
                let [r1, i1] = [values.h1[0][i], values.h1[1][i]];
                re[i] = c0[0] * r0 - c0[1] * i0 + c1[0] * r1 - c1[1] * i1;
                im[i] = c0[0] * i0 + c0[1] * r0 + c1[0] * i1 + c1[1] * r1;
            }
        } else {
            for i in 0..LANES {
                let [r0, i0] = [values.h0[0][i], values.h0[1][i]];
                re[i] = s.re * r0 - s.im * i0;
                im[i] = s.re * i0 + s.im * r0;
            }
        }
        for (i, out) in out[start..start + size].iter_mut().enumerate() {
            out.re += re[i];
            out.im += im[i];
        }
        start += size;
    }
}
