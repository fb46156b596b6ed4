//! Riccati–Bessel functions ψₙ(z) = z jₙ(z) and ζₙ(z) = z hₙ⁽²⁾(z) of complex argument, for a
//! sequence of orders n = 0…N.
//!
//! ψ by downward recurrence (Miller's algorithm), normalized to ψ₀ = sin z or ψ₁, whichever is
//! larger; ζ by upward recurrence from ζ₀ = j e^{−jz}, where it is the growing solution for Im z ≤
//! 0. Values have a separate exponent, so that thick lossy layers and high orders neither overflow
//! nor underflow.

use num_complex::Complex64;

use super::{Scaled, SpecialError};

/// ψₙ, ζₙ⁽²⁾, and logarithmic derivatives for n = 0…N at one argument with Im z ≤ 0.
#[derive(Clone, Debug)]
pub struct RiccatiFunctions {
    argument: Complex64,
    psi: Vec<Scaled>,
    zeta: Vec<Scaled>,
}

impl RiccatiFunctions {
    /// Computes all orders 0…`max_order` at z ≠ 0 with Im z ≤ 0 (passive media).
    pub fn new(max_order: usize, z: Complex64) -> Result<Self, SpecialError> {
        let size = z.norm();
        if !(size > 0.0 && size.is_finite() && z.im <= 0.0) {
            return Err(SpecialError::Argument { re: z.re, im: z.im });
        }
        let count = max_order.max(1) + 1;
        let psi = first_kind(count, z);
        let mut zeta = second_kind(count, z);
        if z.im == 0.0 {
            // Re ζ = ψ for real z. Upward recurrence leaves only rounding of the much larger
            // imaginary part in it, and the extinction of a small sphere would be noise.
            for (second, first) in zeta.iter_mut().zip(&psi) {
                let common = Scaled {
                    mantissa: first.mantissa,
                    exponent: first.exponent - second.exponent,
                };
                second.mantissa.re = common.value().re;
            }
        }
        Ok(RiccatiFunctions {
            argument: z,
            psi,
            zeta,
        })
    }

    /// Returns the highest order.
    pub fn max_order(&self) -> usize {
        self.psi.len() - 1
    }

    /// Returns ψₙ.
    pub fn psi(&self, n: usize) -> Scaled {
        self.psi[n]
    }

    /// Returns ζₙ of the second kind.
    pub fn zeta(&self, n: usize) -> Scaled {
        self.zeta[n]
    }

    /// Returns the logarithmic derivative ψₙ′/ψₙ = ψₙ₋₁/ψₙ − n/z, n ≥ 1.
    pub fn psi_log_derivative(&self, n: usize) -> Complex64 {
        self.psi[n - 1].over(self.psi[n]) - n as f64 / self.argument
    }

    /// Returns the logarithmic derivative ζₙ′/ζₙ = ζₙ₋₁/ζₙ − n/z, n ≥ 1.
    pub fn zeta_log_derivative(&self, n: usize) -> Complex64 {
        self.zeta[n - 1].over(self.zeta[n]) - n as f64 / self.argument
    }

    /// Returns the derivative ψₙ′, n ≥ 1.
    pub fn psi_prime(&self, n: usize) -> Scaled {
        derivative(&self.psi, n, self.argument)
    }

    /// Returns the derivative ζₙ′, n ≥ 1.
    pub fn zeta_prime(&self, n: usize) -> Scaled {
        derivative(&self.zeta, n, self.argument)
    }
}

/// Returns fₙ′ = fₙ₋₁ − (n/z) fₙ, on a common exponent.
fn derivative(f: &[Scaled], n: usize, z: Complex64) -> Scaled {
    let (below, here) = (f[n - 1], f[n]);
    let lift = |s: Scaled| {
        Scaled {
            mantissa: s.mantissa,
            exponent: s.exponent - here.exponent,
        }
        .value()
    };
    Scaled::new(lift(below) - here.mantissa * (n as f64) / z, here.exponent)
}

fn first_kind(count: usize, z: Complex64) -> Vec<Scaled> {
    let size = z.norm();
    // Start where ψ has fallen below the rounding of f64, beyond the last order and beyond the
    // turning point n = |z|.
    let start = count.max(size as usize + 1) + 30 + (8.5 * size.cbrt()) as usize;
    let inverse = 1.0 / z;
    let mut sequence = vec![Scaled::new(Complex64::new(0.0, 0.0), 0); count];
    let (mut above, mut here) = (Complex64::new(0.0, 0.0), Complex64::new(1e-30, 0.0));
    let mut exponent = 0i64;
    for n in (0..start).rev() {
        // ψₙ = (2n+3)/z ψₙ₊₁ − ψₙ₊₂.
        let below = inverse * (2 * n + 3) as f64 * here - above;
        (above, here) = (here, below);
        let moderate = Scaled::new(here, 0);
        if moderate.exponent != 0 {
            let shift = (-moderate.exponent) as i32;
            here = moderate.mantissa;
            above = Complex64::new(libm::ldexp(above.re, shift), libm::ldexp(above.im, shift));
            exponent += moderate.exponent;
        }
        if n < count {
            sequence[n] = Scaled {
                mantissa: here,
                exponent,
            };
        }
    }
    let (sine, cosine) = scaled_sine_cosine(z);
    let anchor = [sine.mantissa, sine.mantissa * inverse - cosine.mantissa];
    let order = usize::from(anchor[1].norm() > anchor[0].norm());
    let known = Scaled {
        mantissa: anchor[order],
        exponent: sine.exponent,
    };
    let known = if order == 1 && size < 0.1 {
        // sin z/z − cos z cancels for small z; its Taylor series does not.
        Scaled::new(psi_one_small(z), 0)
    } else {
        known
    };
    let factor = known.divide(sequence[order]);
    sequence.iter().map(|&s| s.times(factor)).collect()
}

/// Returns ψ₁ = z²/3 (1 − z²/10 (1 − z²/28 (1 − …))).
fn psi_one_small(z: Complex64) -> Complex64 {
    let square = z * z;
    let mut sum = Complex64::new(1.0, 0.0);
    for k in (1..8).rev() {
        sum = 1.0 - square * sum / ((2 * k) as f64 * (2 * k + 3) as f64);
    }
    square / 3.0 * sum
}

/// Returns sin z and cos z with the common factor e^{|Im z|} in the exponent.
fn scaled_sine_cosine(z: Complex64) -> (Scaled, Scaled) {
    let (s, c) = z.re.sin_cos();
    let y = z.im.abs();
    let small = (-2.0 * y).exp();
    let (sinh, cosh) = (-0.5 * (-2.0 * y).exp_m1(), 0.5 * (1.0 + small));
    let signed = sinh * z.im.signum();
    let one = Scaled::with_exponential(Complex64::new(1.0, 0.0), y);
    let lift = |value: Complex64| Scaled {
        mantissa: value * one.mantissa,
        exponent: one.exponent,
    };
    (
        lift(Complex64::new(s * cosh, c * signed)),
        lift(Complex64::new(c * cosh, -s * signed)),
    )
}

fn second_kind(count: usize, z: Complex64) -> Vec<Scaled> {
    let j = Complex64::new(0.0, 1.0);
    let wave = Complex64::from_polar(1.0, -z.re);
    let zero = Scaled::with_exponential(j * wave, z.im);
    let inverse = 1.0 / z;
    let mut sequence = Vec::with_capacity(count);
    sequence.push(zero);
    // ζ₁ = (j/z − 1) e^{−jz}.
    let (mut below, mut here) = (zero.mantissa, zero.mantissa * (inverse + j));
    let mut exponent = zero.exponent;
    for n in 1..count {
        let moderate = Scaled::new(here, 0);
        if moderate.exponent != 0 {
            let shift = (-moderate.exponent) as i32;
            here = moderate.mantissa;
            below = Complex64::new(libm::ldexp(below.re, shift), libm::ldexp(below.im, shift));
            exponent += moderate.exponent;
        }
        sequence.push(Scaled {
            mantissa: here,
            exponent,
        });
        // ζₙ₊₁ = (2n+1)/z ζₙ − ζₙ₋₁.
        let above = inverse * (2 * n + 1) as f64 * here - below;
        (below, here) = (here, above);
    }
    sequence
}
