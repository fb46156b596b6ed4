use wavefield_numerics::vector::{dot, unit};

/// A change of place, size or handedness of a mesh: x → M·x + shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    matrix: [[f64; 3]; 3],
    shift: [f64; 3],
}

/// One of the three coordinate axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The x axis.
    X,
    /// The y axis.
    Y,
    /// The z axis.
    Z,
}

impl Transform {
    /// The transform that changes nothing.
    pub fn identity() -> Self {
        Self {
            matrix: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            shift: [0.0; 3],
        }
    }

    /// Moves every point by the same vector.
    pub fn translation(shift: [f64; 3]) -> Self {
        Self {
            shift,
            ..Self::identity()
        }
    }

    /// Multiplies every coordinate by a factor, for instance metres per file unit.
    pub fn scaling(factor: f64) -> Self {
        let mut scaling = Self::identity();
        for axis in 0..3 {
            scaling.matrix[axis][axis] = factor;
        }
        scaling
    }

    /// Changes the sign of one coordinate; surfaces keep their outward side.
    pub fn mirror(axis: Axis) -> Self {
        let mut mirror = Self::identity();
        let axis = axis as usize;
        mirror.matrix[axis][axis] = -1.0;
        mirror
    }

    /// Mirrors in the plane through the origin across a vector; surfaces keep their outward side.
    ///
    /// `None` if the vector has no direction (zero length or not finite).
    pub fn reflection(normal: [f64; 3]) -> Option<Self> {
        let unit = unit(normal);
        if unit.iter().any(|x| !x.is_finite()) {
            return None;
        }
        // Householder's matrix I − 2 n nᵀ.
        let mut mirror = Self::identity();
        for row in 0..3 {
            for column in 0..3 {
                mirror.matrix[row][column] -= 2.0 * unit[row] * unit[column];
            }
        }
        Some(mirror)
    }

    /// Turns by an angle in radians about an axis through the origin, anticlockwise when the axis points at you.
    ///
    /// `None` if the axis has no direction (zero length or not finite).
    pub fn rotation(axis: [f64; 3], angle: f64) -> Option<Self> {
        let [x, y, z] = unit(axis);
        if !(x.is_finite() && y.is_finite() && z.is_finite() && angle.is_finite()) {
            return None;
        }
        // Rodrigues' formula: R = cos a · I + (1 − cos a) n nᵀ + sin a · [n]×.
        let (sin, cos) = angle.sin_cos();
        let versine = 1.0 - cos;
        let matrix = [
            [
                cos + versine * x * x,
                versine * x * y - sin * z,
                versine * x * z + sin * y,
            ],
            [
                versine * y * x + sin * z,
                cos + versine * y * y,
                versine * y * z - sin * x,
            ],
            [
                versine * z * x - sin * y,
                versine * z * y + sin * x,
                cos + versine * z * z,
            ],
        ];
        Some(Self {
            matrix,
            shift: [0.0; 3],
        })
    }

    /// This transform followed by another.
    pub fn then(&self, next: &Self) -> Self {
        let mut matrix = [[0.0; 3]; 3];
        for row in 0..3 {
            for column in 0..3 {
                matrix[row][column] = (0..3)
                    .map(|k| next.matrix[row][k] * self.matrix[k][column])
                    .sum();
            }
        }
        Self {
            matrix,
            shift: next.apply(self.shift),
        }
    }

    /// Where a point goes.
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|row| dot(self.matrix[row], point) + self.shift[row])
    }

    /// Whether left and right are exchanged, so that triangles must be turned over to keep their outward side.
    pub fn reverses_handedness(&self) -> bool {
        let [a, b, c] = self.matrix;
        dot(a, wavefield_numerics::vector::cross(b, c)) < 0.0
    }
}
