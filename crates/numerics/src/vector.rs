//! Vectors of three real components, and complex vectors along real directions.

use num_complex::Complex64;

/// A vector of three real components.
pub type Vector = [f64; 3];

/// Returns the sum a + b.
#[inline]
pub fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Returns the difference a − b.
#[inline]
pub fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Returns the vector times a number.
#[inline]
pub fn scaled(a: Vector, factor: f64) -> Vector {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

/// Returns a·α + b·β.
#[inline]
pub fn combine(a: Vector, alpha: f64, b: Vector, beta: f64) -> Vector {
    [0, 1, 2].map(|i| a[i] * alpha + b[i] * beta)
}

/// Returns the scalar product.
#[inline]
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the cross product a × b.
#[inline]
pub fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Returns the length of a vector.
#[inline]
pub fn norm(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// Returns the unit vector along a vector.
#[inline]
pub fn unit(a: Vector) -> Vector {
    scaled(a, 1.0 / norm(a))
}

/// Returns the component of a complex vector along a real direction.
#[inline]
pub fn along(field: [Complex64; 3], direction: Vector) -> Complex64 {
    field[0] * direction[0] + field[1] * direction[1] + field[2] * direction[2]
}
