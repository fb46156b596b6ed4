//! Complex numbers with a separate exponent, for sequences that span thousands of decades.

use num_complex::Complex64;

/// A complex number mantissa · 2^exponent that neither overflows nor underflows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled {
    /// Mantissa, of moderate magnitude.
    pub mantissa: Complex64,
    /// Exponent of two.
    pub exponent: i64,
}

/// Mantissas beyond 2^±LIMIT are renormalized.
const LIMIT: i64 = 256;

impl Scaled {
    /// Creates a number and normalizes its mantissa.
    pub fn new(mantissa: Complex64, exponent: i64) -> Scaled {
        let size = mantissa.re.abs().max(mantissa.im.abs());
        if size == 0.0 || !size.is_finite() {
            return Scaled { mantissa, exponent };
        }
        let shift = libm::ilogb(size) as i64;
        if shift.abs() < LIMIT {
            return Scaled { mantissa, exponent };
        }
        Scaled {
            mantissa: Complex64::new(
                libm::ldexp(mantissa.re, -shift as i32),
                libm::ldexp(mantissa.im, -shift as i32),
            ),
            exponent: exponent + shift,
        }
    }

    /// Creates e^{x}·mantissa for any real x.
    pub fn with_exponential(mantissa: Complex64, x: f64) -> Scaled {
        let exponent = (x / std::f64::consts::LN_2).round();
        // ln 2 in two parts keeps the remainder exact to the last digit.
        let remainder =
            (x - exponent * 0.693_147_180_369_123_8) - exponent * 1.908_214_929_270_587_7e-10;
        Scaled::new(mantissa * remainder.exp(), exponent as i64)
    }

    /// Returns the value in f64; 0 or ∞ if it exceeds the range.
    pub fn value(self) -> Complex64 {
        let exponent = self.exponent.clamp(-4000, 4000) as i32;
        Complex64::new(
            libm::ldexp(self.mantissa.re, exponent),
            libm::ldexp(self.mantissa.im, exponent),
        )
    }

    /// Returns the quotient in f64.
    pub fn over(self, other: Scaled) -> Complex64 {
        self.divide(other).value()
    }

    /// Returns the product.
    pub fn times(self, other: Scaled) -> Scaled {
        Scaled::new(
            self.mantissa * other.mantissa,
            self.exponent + other.exponent,
        )
    }

    /// Returns the quotient.
    pub fn divide(self, other: Scaled) -> Scaled {
        Scaled::new(
            self.mantissa / other.mantissa,
            self.exponent - other.exponent,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_far_outside_f64_divide_to_ordinary_numbers() {
        let one = Complex64::new(1.0, 0.0);
        let quotient =
            Scaled::with_exponential(one, 5000.5).over(Scaled::with_exponential(one, 5000.0));
        // The exponent itself is rounded at 5000 · 2^-53.
        assert!((quotient.re / 0.5f64.exp() - 1.0).abs() < 2e-12);
        assert_eq!(
            Scaled::with_exponential(one, 5000.0).value().re,
            f64::INFINITY
        );
        assert_eq!(Scaled::with_exponential(one, -5000.0).value().re, 0.0);
    }
}
