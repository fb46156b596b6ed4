use crate::error::{MeshError, check_elements, check_finite};
use crate::{BoundingBox, Group, Transform};
use wavefield_numerics::vector::{cross, dot, norm, scaled, sub};

/// A surface of flat triangles, such as a radar target or a reflector antenna.
///
/// Corners run counterclockwise seen from outside, so that (p₁ − p₀) × (p₂ − p₀) points outward.
///
/// Readers and primitives return valid meshes. Call [`Self::validate`] on a mesh from elsewhere: the
/// other methods panic if an index is out of range.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// Coordinates of the points.
    pub points: Vec<[f64; 3]>,
    /// Three corners of each triangle, as indices into `points`.
    pub triangles: Vec<[u32; 3]>,
    /// Named parts of the surface.
    pub groups: Vec<Group>,
    /// Group of each triangle, as an index into `groups`.
    pub group_of: Vec<u32>,
}

impl TriangleMesh {
    /// Creates a surface whose triangles belong to one group.
    pub fn single_group(
        points: Vec<[f64; 3]>,
        triangles: Vec<[u32; 3]>,
        name: impl Into<String>,
    ) -> Self {
        let group_of = vec![0; triangles.len()];
        Self {
            points,
            triangles,
            groups: vec![Group::named(name)],
            group_of,
        }
    }

    /// Checks that all indices are in range and all coordinates are finite.
    pub fn validate(&self) -> Result<(), MeshError> {
        check_elements(
            "triangle",
            &self.triangles,
            self.points.len(),
            &self.group_of,
            self.groups.len(),
        )?;
        check_finite(&self.points)
    }

    /// Returns the coordinates of the three corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|index| self.points[index as usize])
    }

    /// Returns the area vector of a triangle: outward normal with the area as its length.
    pub fn area_vector(&self, triangle: usize) -> [f64; 3] {
        let [a, b, c] = self.corners(triangle);
        scaled(cross(sub(b, a), sub(c, a)), 0.5)
    }

    /// Returns the surface area.
    pub fn area(&self) -> f64 {
        (0..self.triangles.len())
            .map(|t| norm(self.area_vector(t)))
            .sum()
    }

    /// Returns the volume inside a closed surface; negative if it is oriented inward.
    ///
    /// By the divergence theorem V = ⅓ ∮ r·n dS. The value is undefined for an open surface.
    pub fn volume(&self) -> f64 {
        // Coordinates relative to the center of the body limit cancellation.
        let center = self.bounding_box().map_or([0.0; 3], |b| b.center());
        (0..self.triangles.len())
            .map(|t| dot(sub(self.corners(t)[0], center), self.area_vector(t)) / 3.0)
            .sum()
    }

    /// Returns the bounding box of the points, or `None` without points.
    pub fn bounding_box(&self) -> Option<BoundingBox> {
        BoundingBox::of(&self.points)
    }

    /// Scales all coordinates by `meters_per_unit`, to convert from the unit of a file to meters.
    pub fn scale(&mut self, meters_per_unit: f64) {
        self.transform(&Transform::scaling(meters_per_unit));
    }

    /// Applies a transform; the surface keeps its orientation.
    pub fn transform(&mut self, transform: &Transform) {
        for point in &mut self.points {
            *point = transform.apply(*point);
        }
        if transform.reverses_handedness() {
            self.flip();
        }
    }

    /// Reverses the orientation of the surface.
    pub fn flip(&mut self) {
        for triangle in &mut self.triangles {
            triangle.swap(1, 2);
        }
    }

    /// Appends the triangles of another surface; groups with equal names are merged.
    pub fn append(&mut self, other: &Self) {
        let offset = self.points.len() as u32;
        self.points.extend_from_slice(&other.points);
        self.triangles
            .extend(other.triangles.iter().map(|t| t.map(|i| i + offset)));
        let renumbered: Vec<u32> = other
            .groups
            .iter()
            .map(|group| {
                let found = self.groups.iter().position(|g| g.name == group.name);
                found.unwrap_or_else(|| {
                    self.groups.push(group.clone());
                    self.groups.len() - 1
                }) as u32
            })
            .collect();
        self.group_of
            .extend(other.group_of.iter().map(|&g| renumbered[g as usize]));
    }

    /// Returns the group of this name as a surface, with only the points that it uses.
    pub fn part(&self, name: &str) -> Option<Self> {
        let group = self.groups.iter().position(|g| g.name == name)?;
        let triangles: Vec<[u32; 3]> = (self.triangles.iter().zip(&self.group_of))
            .filter(|&(_, &g)| g as usize == group)
            .map(|(&t, _)| t)
            .collect();
        let mut part = Self {
            points: self.points.clone(),
            group_of: vec![0; triangles.len()],
            triangles,
            groups: vec![self.groups[group].clone()],
        };
        part.drop_unused_points();
        Some(part)
    }

    /// Removes points without a triangle and returns their number.
    pub fn drop_unused_points(&mut self) -> usize {
        let before = self.points.len();
        let used = self.triangles.iter().flatten().copied();
        if let Some(new_number) = crate::weld::drop_unused_points(&mut self.points, used) {
            for index in self.triangles.iter_mut().flatten() {
                *index = new_number[*index as usize];
            }
        }
        before - self.points.len()
    }

    /// Removes triangles with two equal corners and returns their number.
    pub fn drop_degenerate_triangles(&mut self) -> usize {
        let before = self.triangles.len();
        let keep = |t: &[u32; 3]| t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
        let mut kept = self.triangles.iter().map(keep);
        self.group_of.retain(|_| kept.next().unwrap_or(false));
        self.triangles.retain(keep);
        before - self.triangles.len()
    }

    /// Merges points closer than `tolerance` and returns the number of removed points.
    ///
    /// Collapsed triangles are removed. CAD exports often need this: adjacent faces have corners that
    /// differ in the last digits.
    pub fn weld(&mut self, tolerance: f64) -> Result<usize, MeshError> {
        let target = crate::weld::merge_targets(&self.points, tolerance)?;
        for triangle in &mut self.triangles {
            *triangle = triangle.map(|i| target[i as usize]);
        }
        self.drop_degenerate_triangles();
        let merged = (target.iter().enumerate())
            .filter(|&(i, &t)| i as u32 != t)
            .count();
        self.drop_unused_points();
        Ok(merged)
    }
}
