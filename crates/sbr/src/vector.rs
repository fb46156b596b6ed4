//! Arithmetic of points and directions in space.

use num_complex::Complex64;
pub(crate) use wavefield_physics::direction::{cross, dot, norm as length, scaled};

pub(crate) fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a·α + b·β.
pub(crate) fn combine(a: [f64; 3], alpha: f64, b: [f64; 3], beta: f64) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] * alpha + b[i] * beta)
}

pub(crate) fn unit(a: [f64; 3]) -> [f64; 3] {
    scaled(a, 1.0 / length(a))
}

/// Component of a complex vector along a real direction.
pub(crate) fn along(field: [Complex64; 3], direction: [f64; 3]) -> Complex64 {
    field[0] * direction[0] + field[1] * direction[1] + field[2] * direction[2]
}
