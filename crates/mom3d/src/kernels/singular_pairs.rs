//! Touching pairs of triangles, eight pairs of quadrature points at a time: SIMD version of `pair.rs`.

use wavefield_numerics::simd::{LANES, Lanes, dispatch, mul_add, sine_and_cosine};

const ZERO: Lanes = [0.0; LANES];

/// Eight pairs of points in barycentric coordinates, of the test and of the source, with weights.
#[derive(Clone, Debug)]
pub(crate) struct PairPoints {
    pub(crate) test: [Lanes; 3],
    pub(crate) source: [Lanes; 3],
    pub(crate) weight: Lanes,
}

/// Corners of two triangles, in the order of the barycentric coordinates, and the normal of the test triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingularPair {
    pub(crate) test: [[f64; 3]; 3],
    pub(crate) source: [[f64; 3]; 3],
    pub(crate) normal: [f64; 3],
}

/// Sums over pairs of points, by corners of the test and of the source, real and imaginary parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct SingularSums {
    /// Σ (k²/4 (r − v_i)·(r′ − v_j) − 1) G.
    pub(crate) electric: [[[f64; 2]; 3]; 3],
    /// −¼ Σ [((r − v_i)·R) (n·(r′ − v_j)) − (r − v_i)·(r′ − v_j) (n·R)] g.
    pub(crate) magnetic: [[[f64; 2]; 3]; 3],
}

dispatch! {
    /// Sums over all pairs of points.
    pub(crate) fn singular_sums(
        wavenumber: f64,
        pair: &SingularPair,
        points: &[PairPoints],
        sums: &mut SingularSums,
    ) = all
}

#[inline(always)]
fn all<const FUSED: bool>(
    k: f64,
    pair: &SingularPair,
    points: &[PairPoints],
    sums: &mut SingularSums,
) {
    let mut electric = [[[ZERO; 2]; 3]; 3];
    let mut magnetic = [[[ZERO; 2]; 3]; 3];
    for points in points {
        let (at, a) = arms::<FUSED>(&pair.test, &points.test);
        let (from, b) = arms::<FUSED>(&pair.source, &points.source);
        let mut r = [ZERO; 3];
        let (mut inverse, mut x) = (ZERO, ZERO);
        for i in 0..LANES {
            for axis in 0..3 {
                r[axis][i] = at[axis][i] - from[axis][i];
            }
            let square = mul_add::<FUSED>(
                r[0][i],
                r[0][i],
                mul_add::<FUSED>(r[1][i], r[1][i], r[2][i] * r[2][i]),
            );
            // Padding points have no weight and may coincide.
            let square = if square > 1e-200 { square } else { 1e-200 };
            let distance = square.sqrt();
            inverse[i] = 1.0 / distance;
            x[i] = k * distance;
        }
        let (sine, cosine) = sine_and_cosine::<FUSED>(x);
        let (mut g, mut derivative) = ([ZERO; 2], [ZERO; 2]);
        for i in 0..LANES {
            let scale = points.weight[i] * (0.25 * std::f64::consts::FRAC_1_PI) * inverse[i];
            g[0][i] = scale * cosine[i];
            g[1][i] = -scale * sine[i];
            // A quarter of (1 + jx) G/R², without the minus signs of both.
            let over = 0.25 * inverse[i] * inverse[i];
            derivative[0][i] = over * mul_add::<FUSED>(-x[i], g[1][i], g[0][i]);
            derivative[1][i] = over * mul_add::<FUSED>(x[i], g[0][i], g[1][i]);
        }
        let normal = pair.normal.map(|part| [part; LANES]);
        let normal_r = dot::<FUSED>(&normal, &r);
        let lifted = [
            dot::<FUSED>(&normal, &b[0]),
            dot::<FUSED>(&normal, &b[1]),
            dot::<FUSED>(&normal, &b[2]),
        ];
        let quarter = 0.25 * k * k;
        for corner in 0..3 {
            let along = dot::<FUSED>(&a[corner], &r);
            for other in 0..3 {
                let both = dot::<FUSED>(&a[corner], &b[other]);
                for i in 0..LANES {
                    let e = mul_add::<FUSED>(quarter, both[i], -1.0);
                    let m = mul_add::<FUSED>(along[i], lifted[other][i], -(both[i] * normal_r[i]));
                    for part in 0..2 {
                        let electric = &mut electric[corner][other][part][i];
                        *electric = mul_add::<FUSED>(e, g[part][i], *electric);
                        let magnetic = &mut magnetic[corner][other][part][i];
                        *magnetic = mul_add::<FUSED>(m, derivative[part][i], *magnetic);
                    }
                }
            }
        }
    }
    for corner in 0..3 {
        for other in 0..3 {
            for part in 0..2 {
                sums.electric[corner][other][part] +=
                    electric[corner][other][part].iter().sum::<f64>();
                sums.magnetic[corner][other][part] +=
                    magnetic[corner][other][part].iter().sum::<f64>();
            }
        }
    }
}

/// Returns eight points from barycentric coordinates, and the vectors from the corners to them.
// A function, because closures are not compiled with the SIMD target features of their caller.
#[inline(always)]
fn arms<const FUSED: bool>(
    corners: &[[f64; 3]; 3],
    weights: &[Lanes; 3],
) -> ([Lanes; 3], [[Lanes; 3]; 3]) {
    let mut at = [ZERO; 3];
    for axis in 0..3 {
        for i in 0..LANES {
            at[axis][i] = mul_add::<FUSED>(
                corners[0][axis],
                weights[0][i],
                mul_add::<FUSED>(
                    corners[1][axis],
                    weights[1][i],
                    corners[2][axis] * weights[2][i],
                ),
            );
        }
    }
    let mut arms = [[ZERO; 3]; 3];
    for corner in 0..3 {
        for axis in 0..3 {
            for i in 0..LANES {
                arms[corner][axis][i] = at[axis][i] - corners[corner][axis];
            }
        }
    }
    (at, arms)
}

#[inline(always)]
fn dot<const FUSED: bool>(u: &[Lanes; 3], v: &[Lanes; 3]) -> Lanes {
    let mut sum = ZERO;
    for i in 0..LANES {
        sum[i] = mul_add::<FUSED>(
            u[0][i],
            v[0][i],
            mul_add::<FUSED>(u[1][i], v[1][i], u[2][i] * v[2][i]),
        );
    }
    sum
}
