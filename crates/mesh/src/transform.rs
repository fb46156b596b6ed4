use wavefield_numerics::vector::{dot, unit};

/// An affine transform x → M·x + shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    matrix: [[f64; 3]; 3],
    shift: [f64; 3],
}

/// A coordinate axis.
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
    /// Returns the identity.
    pub fn identity() -> Self {
        Self {
            matrix: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            shift: [0.0; 3],
        }
    }

    /// Returns a translation.
    pub fn translation(shift: [f64; 3]) -> Self {
        Self {
            shift,
            ..Self::identity()
        }
    }

    /// Returns a uniform scaling, for instance by the meters per file unit.
    pub fn scaling(factor: f64) -> Self {
        let mut scaling = Self::identity();
        for axis in 0..3 {
            scaling.matrix[axis][axis] = factor;
        }
        scaling
    }

    /// Returns the reflection of one coordinate; surfaces keep their orientation.
    pub fn mirror(axis: Axis) -> Self {
        let mut mirror = Self::identity();
        let axis = axis as usize;
        mirror.matrix[axis][axis] = -1.0;
        mirror
    }

    /// Returns the reflection in the plane through the origin normal to a vector; surfaces keep their
    /// orientation.
    ///
    /// `None` if the vector is zero or not finite.
    pub fn reflection(normal: [f64; 3]) -> Option<Self> {
        let unit = unit(normal);
        if unit.iter().any(|x| !x.is_finite()) {
            return None;
        }
        // Householder matrix I − 2 n nᵀ.
        let mut mirror = Self::identity();
        for row in 0..3 {
            for column in 0..3 {
                mirror.matrix[row][column] -= 2.0 * unit[row] * unit[column];
            }
        }
        Some(mirror)
    }

    /// Returns the right-handed rotation by an angle in radians about an axis through the origin.
    ///
    /// `None` if the axis is zero or not finite.
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

    /// Returns the composition of this transform, applied first, with another.
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

    /// Transforms a point.
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|row| dot(self.matrix[row], point) + self.shift[row])
    }

    /// Returns whether the transform is a reflection, so that triangles must be flipped to keep their
    /// orientation.
    pub fn reverses_handedness(&self) -> bool {
        let [a, b, c] = self.matrix;
        dot(a, wavefield_numerics::vector::cross(b, c)) < 0.0
    }
}
