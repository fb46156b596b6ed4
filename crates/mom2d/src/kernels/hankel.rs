//! SIMD Hankel functions H₀⁽²⁾ and H₁⁽²⁾ of real arguments, to 1e-13 of their modulus.
//!
//! Below 8, J and the regular parts of Y are polynomials in x²; above, modulus and phase are polynomials in 1/x² (DLMF
//! §10.17), with coefficients in `hankel_table`. Logarithm and sine are reduced as in fdlibm. The only branch in a group of
//! lanes is on which of the two ranges occur in it. Arguments up to 10⁶, beyond which the phase reduction is inexact.

use wavefield_numerics::simd::{LANES, Lanes, dispatch, mul_add, polynomial, sine_and_cosine};

use super::hankel_table::{J0, J1, P0, P1, Q0, Q1, Y0, Y1};

/// Argument at which the two ranges meet.
const SPLIT: f64 = 8.0;
const TWO_OVER_PI: f64 = std::f64::consts::FRAC_2_PI;

/// H₀ and H₁ of one group of lanes, real and imaginary parts.
#[derive(Clone, Copy)]
pub(super) struct Hankel {
    pub(super) h0: [Lanes; 2],
    pub(super) h1: [Lanes; 2],
}

dispatch! {
    /// Evaluates H₀⁽²⁾ and H₁⁽²⁾ of every argument, as real and imaginary parts.
    pub(crate) fn hankel(x: &[f64], h0: [&mut [f64]; 2], h1: [&mut [f64]; 2]) = many
}

#[inline(always)]
fn many<const FUSED: bool>(x: &[f64], h0: [&mut [f64]; 2], h1: [&mut [f64]; 2]) {
    let mut start = 0;
    while start < x.len() {
        let count = LANES.min(x.len() - start);
        let mut group = [1.0; LANES];
        group[..count].copy_from_slice(&x[start..start + count]);
        let values = of_lanes::<FUSED, true>(group);
        for part in 0..2 {
            h0[part][start..start + count].copy_from_slice(&values.h0[part][..count]);
            h1[part][start..start + count].copy_from_slice(&values.h1[part][..count]);
        }
        start += count;
    }
}

/// Evaluates H₀ and, if `FIRST`, H₁ (zero otherwise) of one group.
#[inline(always)]
pub(super) fn of_lanes<const FUSED: bool, const FIRST: bool>(x: Lanes) -> Hankel {
    let (mut least, mut most) = (x[0], x[0]);
    for i in 1..LANES {
        least = if x[i] < least { x[i] } else { least };
        most = if x[i] > most { x[i] } else { most };
    }
    if least >= SPLIT {
        return large::<FUSED, FIRST>(x);
    }
    if most < SPLIT {
        return small::<FUSED, FIRST>(x);
    }
    let mut result = small::<FUSED, FIRST>(x);
    let above = large::<FUSED, FIRST>(x);
    for part in 0..2 {
        for i in 0..LANES {
            if x[i] >= SPLIT {
                result.h0[part][i] = above.h0[part][i];
                result.h1[part][i] = above.h1[part][i];
            }
        }
    }
    result
}

#[inline(always)]
fn small<const FUSED: bool, const FIRST: bool>(x: Lanes) -> Hankel {
    let mut s = [0.0; LANES];
    for i in 0..LANES {
        s[i] = mul_add::<FUSED>(x[i] * (2.0 / (SPLIT * SPLIT)), x[i], -1.0);
    }
    let logarithm = logarithm::<FUSED>(x);
    let j0 = polynomial::<FUSED, _>(&J0, s);
    let y0 = polynomial::<FUSED, _>(&Y0, s);
    let mut result = Hankel {
        h0: [j0, [0.0; LANES]],
        h1: [[0.0; LANES]; 2],
    };
    for i in 0..LANES {
        result.h0[1][i] = -mul_add::<FUSED>(TWO_OVER_PI * logarithm[i], j0[i], y0[i]);
    }
    if FIRST {
        let j1 = polynomial::<FUSED, _>(&J1, s);
        let y1 = polynomial::<FUSED, _>(&Y1, s);
        for i in 0..LANES {
            result.h1[0][i] = x[i] * j1[i];
            let regular = mul_add::<FUSED>(TWO_OVER_PI * logarithm[i], j1[i], y1[i]);
            result.h1[1][i] = TWO_OVER_PI / x[i] - x[i] * regular;
        }
    }
    result
}

#[inline(always)]
fn large<const FUSED: bool, const FIRST: bool>(x: Lanes) -> Hankel {
    let mut inverse = [0.0; LANES];
    let mut s = [0.0; LANES];
    let mut root = [0.0; LANES];
    for i in 0..LANES {
        inverse[i] = 1.0 / x[i];
        s[i] = mul_add::<FUSED>(inverse[i] * (2.0 * SPLIT * SPLIT), inverse[i], -1.0);
        // √(2/πx) of the modulus and 1/√2 of the phase π/4.
        root[i] = (inverse[i] * std::f64::consts::FRAC_1_PI).sqrt();
    }
    let (sine, cosine) = sine_and_cosine::<FUSED>(x);
    // e^{−j(x−π/4)} = (cos x + sin x + j(cos x − sin x))/√2.
    let mut turn = [[0.0; LANES]; 2];
    for i in 0..LANES {
        turn[0][i] = root[i] * (cosine[i] + sine[i]);
        turn[1][i] = root[i] * (cosine[i] - sine[i]);
    }
    let mut result = Hankel {
        h0: [[0.0; LANES]; 2],
        h1: [[0.0; LANES]; 2],
    };
    let p = polynomial::<FUSED, _>(&P0, s);
    let q = polynomial::<FUSED, _>(&Q0, s);
    for i in 0..LANES {
        let q = q[i] * inverse[i];
        // (P − jQ)(turn).
        result.h0[0][i] = mul_add::<FUSED>(p[i], turn[0][i], q * turn[1][i]);
        result.h0[1][i] = mul_add::<FUSED>(p[i], turn[1][i], -(q * turn[0][i]));
    }
    if FIRST {
        let p = polynomial::<FUSED, _>(&P1, s);
        let q = polynomial::<FUSED, _>(&Q1, s);
        for i in 0..LANES {
            let q = q[i] * inverse[i];
            // j(P − jQ)(turn): order one is a quarter turn ahead of order zero.
            result.h1[0][i] = -mul_add::<FUSED>(p[i], turn[1][i], -(q * turn[0][i]));
            result.h1[1][i] = mul_add::<FUSED>(p[i], turn[0][i], q * turn[1][i]);
        }
    }
    result
}

/// Returns ln x: x = 2ᵏm with m between √½ and √2, ln m = 2 artanh((m − 1)/(m + 1)) with fdlibm's polynomial.
#[inline(always)]
fn logarithm<const FUSED: bool>(x: Lanes) -> Lanes {
    const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    const BIAS: u64 = 1024;
    const TWO_52: u64 = 0x4330_0000_0000_0000;
    const SERIES: [f64; 7] = [
        6.666666666666735130e-01,
        3.999999999940941908e-01,
        2.857142874366239149e-01,
        2.222219843214978396e-01,
        1.818357216161805012e-01,
        1.531383769920937332e-01,
        1.479819860511658591e-01,
    ];
    let mut exponent = [0.0; LANES];
    let mut f = [0.0; LANES];
    let mut z = [0.0; LANES];
    for i in 0..LANES {
        let bits = x[i].to_bits();
        let shifted = bits.wrapping_sub(ROOT_HALF).wrapping_add(BIAS << 52) >> 52;
        let mantissa = f64::from_bits(bits.wrapping_sub(shifted.wrapping_sub(BIAS) << 52));
        exponent[i] = f64::from_bits(shifted | TWO_52) - (4_503_599_627_370_496.0 + BIAS as f64);
        f[i] = (mantissa - 1.0) / (mantissa + 1.0);
        z[i] = f[i] * f[i];
    }
    let series = polynomial::<FUSED, _>(&SERIES, z);
    let mut result = [0.0; LANES];
    for i in 0..LANES {
        let mantissa = mul_add::<FUSED>(f[i] * z[i], series[i], 2.0 * f[i]);
        result[i] = mul_add::<FUSED>(exponent[i], std::f64::consts::LN_2, mantissa);
    }
    result
}

#[cfg(test)]
mod tests {
    use wavefield_numerics::special::CylinderFunctions;

    use super::*;

    /// Returns the largest error relative to the modulus of the reference functions.
    fn worst(
        arguments: &[f64],
        evaluate: impl Fn(&[f64], [&mut [f64]; 2], [&mut [f64]; 2]),
    ) -> f64 {
        let mut parts = vec![vec![0.0; arguments.len()]; 4];
        let [a, b, c, d] = &mut parts[..] else {
            unreachable!()
        };
        evaluate(arguments, [a, b], [c, d]);
        let mut worst: f64 = 0.0;
        for (i, &x) in arguments.iter().enumerate() {
            let plain = CylinderFunctions::new(1, x).unwrap();
            for n in 0..2 {
                let exact = plain.hankel2(n);
                let difference = (parts[2 * n][i] - exact.re).hypot(parts[2 * n + 1][i] - exact.im);
                worst = worst.max(difference / exact.norm());
            }
        }
        worst
    }

    fn arguments() -> Vec<f64> {
        let mut x: Vec<f64> = (0..200_000).map(|i| 1e-3 + 3e-4 * i as f64).collect();
        x.extend((0..3000).map(|i| 10f64.powf(-15.0 + i as f64 * 0.006)));
        x.extend([7.999_999_999_999_999, 8.0, 8.000_000_000_000_002]);
        x
    }

    #[test]
    fn every_instruction_set_agrees_with_the_plain_functions() {
        let small: Vec<f64> = arguments().into_iter().filter(|&x| x < 1e3).collect();
        assert!(worst(&small, hankel) < 1e-14);
        assert!(worst(&small, many::<false>) < 1e-14);
    }

    #[test]
    fn the_phase_holds_to_a_million() {
        let large: Vec<f64> = (1..50_000).map(|i| 20.0 * i as f64 + 0.37).collect();
        // The reference functions reduce their phase with one rounding of x itself.
        assert!(worst(&large, hankel) < 1e-13);
    }
}
