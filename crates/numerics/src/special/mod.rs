//! Special functions of wave problems, accurate to 1e-13 of their envelope for orders and arguments up to 10⁴.
//!
//! Each file holds one family. The accuracy is tested against tables computed with sixty digits (`tests/reference`
//! of `wavefield-physics`).

mod bessel;
mod complex_bessel;
mod fresnel;
mod gauss;
mod legendre;
mod riccati;
mod scaled;

pub use bessel::CylinderFunctions;
pub use complex_bessel::{bessel_j_sequence, hankel2_sequence, log_derivative_j};
pub use fresnel::half_erfc_diagonal;
pub use gauss::gauss_legendre;
pub use legendre::{MieAngular, legendre_p};
pub use riccati::RiccatiFunctions;
pub use scaled::Scaled;

/// Returns the number of partial waves after which a series in J or ψ of argument x has decayed below the rounding
/// of f64: the turning point n = x plus a margin proportional to its width x^{1/3}.
pub fn series_length(x: f64) -> usize {
    (x + 8.5 * x.cbrt() + 20.0).ceil() as usize
}

/// Error of a special function outside its domain or the range of f64.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SpecialError {
    /// The argument is not positive and finite (for complex arguments: zero or not finite).
    #[error("argument {re}{im:+}j is outside the domain of this function")]
    Argument {
        /// Real part.
        re: f64,
        /// Imaginary part.
        im: f64,
    },
    /// The result or an intermediate value exceeds the range of f64.
    #[error("order {order} at argument {re}{im:+}j exceeds the range of double precision")]
    Range {
        /// Highest requested order.
        order: usize,
        /// Real part.
        re: f64,
        /// Imaginary part.
        im: f64,
    },
}
