//! Published matrix from Walsh to Fourier coefficients for eight points.

/// √½ + ½ and √½ − ½, to the four published digits.
const L: f64 = 1.2071;
const S: f64 = 0.2071;
const H: f64 = 0.5;

/// Matrix A₈⁻¹ of equation (5.11), to the four published digits; [`crate::front_end::walsh_fourier_row`] computes its
/// rows.
pub const EIGHT_POINTS: [[f64; 8]; 8] = [
    [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, L, -H, 0.0, 0.0, -H, -S, 0.0],
    [0.0, H, L, 0.0, 0.0, -S, H, 0.0],
    [0.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    [0.0, S, H, 0.0, 0.0, H, -L, 0.0],
    [0.0, H, -S, 0.0, 0.0, L, H, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
];
