//! Vectorized sine and cosine, and their polynomials.

use crate::simd::LANES;

/// One number per lane.
pub type Lanes = [f64; LANES];

/// Returns a·b + c, rounded once if `FUSED`.
#[inline(always)]
pub fn mul_add<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// Evaluates a polynomial in every lane by Horner's rule.
#[inline(always)]
pub fn polynomial<const FUSED: bool, const N: usize>(coefficients: &[f64; N], s: Lanes) -> Lanes {
    let mut value = [coefficients[N - 1]; LANES];
    for k in (0..N - 1).rev() {
        for i in 0..LANES {
            value[i] = mul_add::<FUSED>(value[i], s[i], coefficients[k]);
        }
    }
    value
}

/// Returns sin x and cos x: Cody–Waite reduction by multiples of π/2 in three parts, then the polynomials of
/// fdlibm.
#[inline(always)]
pub fn sine_and_cosine<const FUSED: bool>(x: Lanes) -> (Lanes, Lanes) {
    const NEAREST: f64 = 6_755_399_441_055_744.0;
    const RIGHT_ANGLE: [f64; 3] = [
        1.570_796_326_734_125_614_17,
        6.077_100_506_303_965_976_60e-11,
        2.022_266_248_795_950_631_54e-21,
    ];
    const SINE: [f64; 6] = [
        -1.666_666_666_666_663_243_48e-01,
        8.333_333_333_322_489_461_24e-03,
        -1.984_126_982_985_794_931_34e-04,
        2.755_731_370_707_006_767_89e-06,
        -2.505_076_025_340_686_341_95e-08,
        1.589_690_995_211_550_102_21e-10,
    ];
    const COSINE: [f64; 6] = [
        4.166_666_666_666_660_190_37e-02,
        -1.388_888_888_887_410_957_49e-03,
        2.480_158_728_947_672_941_78e-05,
        -2.755_731_435_139_066_330_35e-07,
        2.087_572_321_298_174_827_90e-09,
        -1.135_964_755_778_819_482_65e-11,
    ];
    let mut quadrant = [0_u64; LANES];
    let mut r = [0.0; LANES];
    let mut z = [0.0; LANES];
    for i in 0..LANES {
        let shifted = x[i] * std::f64::consts::FRAC_2_PI + NEAREST;
        let whole = shifted - NEAREST;
        quadrant[i] = shifted.to_bits();
        r[i] = ((x[i] - whole * RIGHT_ANGLE[0]) - whole * RIGHT_ANGLE[1]) - whole * RIGHT_ANGLE[2];
        z[i] = r[i] * r[i];
    }
    let sine_series = polynomial::<FUSED, _>(&SINE, z);
    let cosine_series = polynomial::<FUSED, _>(&COSINE, z);
    let (mut sine, mut cosine) = ([0.0; LANES], [0.0; LANES]);
    for i in 0..LANES {
        let s = mul_add::<FUSED>(r[i] * z[i], sine_series[i], r[i]);
        let half = 0.5 * z[i];
        let c = mul_add::<FUSED>(z[i] * z[i], cosine_series[i], 1.0 - half);
        let odd = quadrant[i] & 1 == 1;
        let (a, b) = if odd { (c, s) } else { (s, c) };
        let sign_a = (quadrant[i] & 2) << 62;
        let sign_b = (quadrant[i].wrapping_add(1) & 2) << 62;
        sine[i] = f64::from_bits(a.to_bits() ^ sign_a);
        cosine[i] = f64::from_bits(b.to_bits() ^ sign_b);
    }
    (sine, cosine)
}
