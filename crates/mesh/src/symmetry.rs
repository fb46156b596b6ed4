//! Symmetry of a surface under a transform.

use crate::weld::merge_targets;
use crate::{MeshError, Transform, TriangleMesh};

impl TriangleMesh {
    /// Returns for each point the point at its image under a transform, to within `tolerance`.
    ///
    /// # Errors
    /// [`MeshError::NoImage`] if the image of a point is missing or not unique; [`MeshError::WeldTolerance`] if the
    /// tolerance is below the rounding error of the coordinates.
    pub fn images(&self, transform: &Transform, tolerance: f64) -> Result<Vec<u32>, MeshError> {
        let count = self.points.len();
        let mut points = self.points.clone();
        points.extend(self.points.iter().map(|&point| transform.apply(point)));
        let mut images = merge_targets(&points, tolerance)?;
        images.drain(..count);
        let mut taken = vec![false; count];
        for (&point, &image) in self.points.iter().zip(&images) {
            let free = taken.get_mut(image as usize).filter(|taken| !**taken);
            *free.ok_or(MeshError::NoImage { point })? = true;
        }
        Ok(images)
    }
}

#[cfg(test)]
mod tests {
    use crate::Transform;
    use crate::primitive::triangular_trihedral;
    use std::f64::consts::TAU;

    #[test]
    fn a_corner_is_its_own_image_by_thirds_of_a_turn_about_its_axis() {
        let mut corner = triangular_trihedral(1.0, 0.3).unwrap();
        let third = Transform::rotation([1.0, 1.0, 1.0], TAU / 3.0).unwrap();
        let images = corner.images(&third, 1e-6).unwrap();
        for (from, &to) in corner.points.iter().zip(&images) {
            let [x, y, z] = *from;
            let apart = corner.points[to as usize]
                .iter()
                .zip([z, x, y])
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            assert!(apart < 1e-12);
        }
        let quarter = Transform::rotation([1.0, 1.0, 1.0], TAU / 4.0).unwrap();
        assert!(corner.images(&quarter, 1e-6).is_err());
        corner.points[7][0] += 1e-3;
        assert!(corner.images(&third, 1e-6).is_err());
        let mirror = Transform::reflection([1.0, -1.0, 0.0]).unwrap();
        assert!(corner.images(&mirror, 1e-2).is_ok());
        assert!(mirror.reverses_handedness());
    }
}
