//! Complex numbers with an exponent of their own, for sequences that span thousands of decades.

use num_complex::Complex64;

/// mantissa · 2^exponent: a complex number that neither overflows nor underflows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled {
    /// A complex number of moderate size.
    pub mantissa: Complex64,
    /// Power of two it is multiplied by.
    pub exponent: i64,
}

/// Mantissas beyond 2^±LIMIT are brought back.
const LIMIT: i64 = 256;

impl Scaled {
    /// The same value with a mantissa of moderate size.
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

    /// e^{x}·mantissa for any real x.
    pub fn with_exponential(mantissa: Complex64, x: f64) -> Scaled {
        let exponent = (x / std::f64::consts::LN_2).round();
        // ln 2 in two parts keeps the remainder exact to the last digit.
        let remainder =
            (x - exponent * 0.693_147_180_369_123_8) - exponent * 1.908_214_929_270_587_7e-10;
        Scaled::new(mantissa * remainder.exp(), exponent as i64)
    }

    /// The plain value; 0 or ∞ where it leaves the range of f64.
    pub fn value(self) -> Complex64 {
        let exponent = self.exponent.clamp(-4000, 4000) as i32;
        Complex64::new(
            libm::ldexp(self.mantissa.re, exponent),
            libm::ldexp(self.mantissa.im, exponent),
        )
    }

    /// Quotient as a plain number.
    pub fn over(self, other: Scaled) -> Complex64 {
        self.divide(other).value()
    }

    /// Product.
    pub fn times(self, other: Scaled) -> Scaled {
        Scaled::new(
            self.mantissa * other.mantissa,
            self.exponent + other.exponent,
        )
    }

    /// Quotient.
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
