use crate::error::{MeshError, check_elements, check_finite, check_length};
use crate::{BoundingBox, Group, Transform, TriangleMesh};
use wavefield_numerics::vector::{cross, dot, sub};

/// A tetrahedral mesh with triangles on its boundary and on interior interfaces.
///
/// Indices have 32 bits. A mesh too large for one machine is partitioned; each part has the 64-bit global ids
/// of its points and tetrahedra.
///
/// Readers return valid meshes. Call [`Self::validate`] on a mesh from elsewhere: the other methods panic if
/// an index is out of range.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetrahedralMesh {
    /// Coordinates of the points.
    pub points: Vec<[f64; 3]>,
    /// Four corners of each tetrahedron, as indices into `points`; (p₁−p₀)×(p₂−p₀)·(p₃−p₀) is positive.
    pub tetrahedra: Vec<[u32; 4]>,
    /// Named volumes, such as "air".
    pub volume_groups: Vec<Group>,
    /// Volume of each tetrahedron, as an index into `volume_groups`.
    pub volume_group_of: Vec<u32>,
    /// Corners of the triangles on named surfaces, as indices into `points`; they are faces of tetrahedra.
    /// Their orientation is that of the mesh generator.
    pub triangles: Vec<[u32; 3]>,
    /// Named surfaces, such as "port 1".
    pub surface_groups: Vec<Group>,
    /// Surface of each triangle, as an index into `surface_groups`.
    pub surface_group_of: Vec<u32>,
    /// Global id of each point, if this is a part of a mesh.
    pub global_points: Option<Vec<u64>>,
    /// Global id of each tetrahedron, if this is a part of a mesh.
    pub global_tetrahedra: Option<Vec<u64>>,
}

impl TetrahedralMesh {
    /// Checks that all indices are in range and all coordinates are finite.
    pub fn validate(&self) -> Result<(), MeshError> {
        let points = self.points.len();
        check_elements(
            "tetrahedron",
            &self.tetrahedra,
            points,
            &self.volume_group_of,
            self.volume_groups.len(),
        )?;
        check_elements(
            "triangle",
            &self.triangles,
            points,
            &self.surface_group_of,
            self.surface_groups.len(),
        )?;
        if let Some(global) = &self.global_points {
            check_length("global_points", "point", points, global.len())?;
        }
        if let Some(global) = &self.global_tetrahedra {
            check_length(
                "global_tetrahedra",
                "tetrahedron",
                self.tetrahedra.len(),
                global.len(),
            )?;
        }
        check_finite(&self.points)
    }

    /// Returns the coordinates of the four corners of a tetrahedron.
    pub fn corners(&self, tetrahedron: usize) -> [[f64; 3]; 4] {
        self.tetrahedra[tetrahedron].map(|index| self.points[index as usize])
    }

    /// Returns the volume of a tetrahedron; negative if it is inverted.
    pub fn tetrahedron_volume(&self, tetrahedron: usize) -> f64 {
        let [a, b, c, d] = self.corners(tetrahedron);
        dot(cross(sub(b, a), sub(c, a)), sub(d, a)) / 6.0
    }

    /// Returns the total volume.
    pub fn volume(&self) -> f64 {
        (0..self.tetrahedra.len())
            .map(|t| self.tetrahedron_volume(t))
            .sum()
    }

    /// Returns the volume of a named group, or `None` if there is no such group.
    pub fn volume_of(&self, name: &str) -> Option<f64> {
        let group = self.volume_groups.iter().position(|g| g.name == name)?;
        let members = (self.volume_group_of.iter().enumerate())
            .filter(|&(_, &g)| g as usize == group)
            .map(|(t, _)| self.tetrahedron_volume(t));
        Some(members.sum())
    }

    /// Returns the bounding box of the points, or `None` without points.
    pub fn bounding_box(&self) -> Option<BoundingBox> {
        BoundingBox::of(&self.points)
    }

    /// Scales all coordinates by `meters_per_unit`, to convert from the unit of a file to meters.
    pub fn scale(&mut self, meters_per_unit: f64) {
        self.transform(&Transform::scaling(meters_per_unit));
    }

    /// Applies a transform; volumes remain positive.
    pub fn transform(&mut self, transform: &Transform) {
        for point in &mut self.points {
            *point = transform.apply(*point);
        }
        if transform.reverses_handedness() {
            for tetrahedron in &mut self.tetrahedra {
                tetrahedron.swap(2, 3);
            }
            for triangle in &mut self.triangles {
                triangle.swap(1, 2);
            }
        }
    }

    /// Reorders the corners of inverted tetrahedra and returns their number.
    pub fn make_volumes_positive(&mut self) -> usize {
        let mut reordered = 0;
        for t in 0..self.tetrahedra.len() {
            if self.tetrahedron_volume(t) < 0.0 {
                self.tetrahedra[t].swap(2, 3);
                reordered += 1;
            }
        }
        reordered
    }

    /// Removes points without an element and returns their number.
    pub fn drop_unused_points(&mut self) -> usize {
        let before = self.points.len();
        let corners = self.tetrahedra.iter().flatten();
        let used = corners.chain(self.triangles.iter().flatten()).copied();
        if let Some(new_number) = crate::weld::drop_unused_points(&mut self.points, used) {
            let corners = self.tetrahedra.iter_mut().flatten();
            for index in corners.chain(self.triangles.iter_mut().flatten()) {
                *index = new_number[*index as usize];
            }
            if let Some(global) = &mut self.global_points {
                let mut kept = new_number.iter().map(|&number| number != u32::MAX);
                global.retain(|_| kept.next().unwrap_or(false));
            }
        }
        before - self.points.len()
    }

    /// Returns the triangles on named surfaces as a surface mesh, with only the points that it uses.
    pub fn surface(&self) -> TriangleMesh {
        let mut surface = TriangleMesh {
            points: self.points.clone(),
            triangles: self.triangles.clone(),
            groups: self.surface_groups.clone(),
            group_of: self.surface_group_of.clone(),
        };
        surface.drop_unused_points();
        surface
    }
}
