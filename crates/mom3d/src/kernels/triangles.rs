//! Far interactions of eight source triangles with a test triangle: SIMD version of `pair.rs`.

use wavefield_numerics::simd::{LANES, Lanes, dispatch, mul_add, sine_and_cosine};

const ZERO: Lanes = [0.0; LANES];

/// Vectors of eight triangles, coordinate by coordinate.
type Vectors = [Lanes; 3];

/// Eight source triangles.
#[derive(Clone, Debug)]
pub(crate) struct SourceGroup {
    pub(crate) corners: [Vectors; 3],
    /// Quadrature points.
    pub(crate) points: [Vectors; 7],
}

/// Quadrature point of the test triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestPoint {
    pub(crate) at: [f64; 3],
    pub(crate) weight: f64,
    /// Vectors from the corners to the point.
    pub(crate) arms: [[f64; 3]; 3],
}

/// Test triangle, with the weights of the EFIE and the MFIE.
#[derive(Clone, Debug)]
pub(crate) struct TestTriangle {
    pub(crate) normal: [f64; 3],
    pub(crate) electric: f64,
    pub(crate) magnetic: f64,
    pub(crate) points: Vec<TestPoint>,
}

/// Entries [i][j] of eight pairs, real and imaginary parts.
#[derive(Clone, Debug)]
pub(crate) struct Blocks(pub(crate) [[[Lanes; 2]; 3]; 3]);

impl Blocks {
    pub(crate) fn zero() -> Blocks {
        Blocks([[[ZERO; 2]; 3]; 3])
    }
}

dispatch! {
    /// Writes the entries of a test triangle with eight sources; `weights` are those of the source points.
    pub(crate) fn far_blocks(
        wavenumber: f64,
        test: &TestTriangle,
        source: &SourceGroup,
        weights: &[f64],
        out: &mut Blocks,
    ) = either
}

#[inline(always)]
fn either<const FUSED: bool>(
    wavenumber: f64,
    test: &TestTriangle,
    source: &SourceGroup,
    weights: &[f64],
    out: &mut Blocks,
) {
    *out = Blocks::zero();
    for point in &test.points {
        at_point::<FUSED>(wavenumber, test, point, source, weights, out);
    }
}

#[inline(always)]
fn at_point<const FUSED: bool>(
    k: f64,
    test: &TestTriangle,
    point: &TestPoint,
    source: &SourceGroup,
    weights: &[f64],
    out: &mut Blocks,
) {
    // ⟨G⟩, ⟨G R⟩ and ⟨∇G⟩: real, then imaginary parts.
    let (mut s0, mut s1, mut t) = ([ZERO; 2], [[ZERO; 2]; 3], [[ZERO; 2]; 3]);
    for (from, weight) in source.points.iter().zip(weights) {
        let mut r = [ZERO; 3];
        let (mut inverse, mut x) = (ZERO, ZERO);
        for i in 0..LANES {
            for axis in 0..3 {
                r[axis][i] = point.at[axis] - from[axis][i];
            }
            let square = mul_add::<FUSED>(
                r[0][i],
                r[0][i],
                mul_add::<FUSED>(r[1][i], r[1][i], r[2][i] * r[2][i]),
            );
            // Coincident pairs are discarded by the caller; the limit keeps them from producing infinities in other lanes.
            let square = if square > 1e-200 { square } else { 1e-200 };
            let distance = square.sqrt();
            inverse[i] = 1.0 / distance;
            x[i] = k * distance;
        }
        let (sine, cosine) = sine_and_cosine::<FUSED>(x);
        for i in 0..LANES {
            let scale = weight * std::f64::consts::FRAC_1_PI * 0.25 * inverse[i];
            let g = [scale * cosine[i], -scale * sine[i]];
            // −(1 + jx) G/R².
            let over = -inverse[i] * inverse[i];
            let slope = [
                over * mul_add::<FUSED>(-x[i], g[1], g[0]),
                over * mul_add::<FUSED>(x[i], g[0], g[1]),
            ];
            for part in 0..2 {
                s0[part][i] += g[part];
                for axis in 0..3 {
                    s1[axis][part][i] = mul_add::<FUSED>(r[axis][i], g[part], s1[axis][part][i]);
                    t[axis][part][i] = mul_add::<FUSED>(r[axis][i], slope[part], t[axis][part][i]);
                }
            }
        }
    }
    let electric = point.weight * test.electric;
    let (quarter, over) = (0.25 * k * electric, electric / k);
    let magnetic = 0.25 * point.weight * test.magnetic;
    let mut normal_t = [ZERO; 2];
    let (mut arm_s1, mut arm_t) = ([[ZERO; 2]; 3], [[ZERO; 2]; 3]);
    for part in 0..2 {
        for i in 0..LANES {
            let along = |v: [f64; 3], f: &[[Lanes; 2]; 3]| {
                mul_add::<FUSED>(
                    v[0],
                    f[0][part][i],
                    mul_add::<FUSED>(v[1], f[1][part][i], v[2] * f[2][part][i]),
                )
            };
            normal_t[part][i] = along(test.normal, &t);
            for arm in 0..3 {
                arm_s1[arm][part][i] = along(point.arms[arm], &s1);
                arm_t[arm][part][i] = along(point.arms[arm], &t);
            }
        }
    }
    for (j, corner) in source.corners.iter().enumerate() {
        let (mut d, mut lifted) = ([ZERO; 3], ZERO);
        for i in 0..LANES {
            for axis in 0..3 {
                d[axis][i] = point.at[axis] - corner[axis][i];
            }
            lifted[i] = mul_add::<FUSED>(
                test.normal[0],
                d[0][i],
                mul_add::<FUSED>(test.normal[1], d[1][i], test.normal[2] * d[2][i]),
            );
        }
        for arm in 0..3 {
            let a = point.arms[arm];
            let [re, im] = &mut out.0[arm][j];
            for i in 0..LANES {
                let along = mul_add::<FUSED>(
                    a[0],
                    d[0][i],
                    mul_add::<FUSED>(a[1], d[1][i], a[2] * d[2][i]),
                );
                // j [k/4 (a·d S₀ − a·S₁) − S₀/k].
                let part = |part: usize| {
                    mul_add::<FUSED>(
                        quarter,
                        mul_add::<FUSED>(along, s0[part][i], -arm_s1[arm][part][i]),
                        -over * s0[part][i],
                    )
                };
                // −¼ [(a·T)(n·d) − (a·d)(n·T)].
                let across = |part: usize| {
                    mul_add::<FUSED>(along, normal_t[part][i], -(arm_t[arm][part][i] * lifted[i]))
                };
                re[i] += mul_add::<FUSED>(magnetic, across(0), -part(1));
                im[i] += mul_add::<FUSED>(magnetic, across(1), part(0));
            }
        }
    }
}
