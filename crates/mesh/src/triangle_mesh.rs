use crate::error::{MeshError, check_elements, check_finite};
use crate::{BoundingBox, Group, Transform};
use wavefield_numerics::vector::{cross, dot, norm, scaled, sub};

/// A surface made of flat triangles, the geometry of a radar target or an antenna reflector.
///
/// Corners are listed anticlockwise when seen from outside, so that
/// (p₁ − p₀) × (p₂ − p₀) points outward.
///
/// Readers and primitives return sound meshes. One put together by hand should pass [`Self::validate`]
/// first: the other methods panic where a triangle refers to a point that does not exist.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// Coordinates of the points.
    pub points: Vec<[f64; 3]>,
    /// The three corners of each triangle, as positions in `points`.
    pub triangles: Vec<[u32; 3]>,
    /// The named parts of the surface.
    pub groups: Vec<Group>,
    /// For each triangle the part it belongs to, as a position in `groups`.
    pub group_of: Vec<u32>,
}

impl TriangleMesh {
    /// A surface whose triangles all belong to one named part.
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

    /// Checks that every number refers to something that exists and every coordinate is finite.
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

    /// The coordinates of the three corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|index| self.points[index as usize])
    }

    /// The vector along the outward normal whose length is the area of the triangle.
    pub fn area_vector(&self, triangle: usize) -> [f64; 3] {
        let [a, b, c] = self.corners(triangle);
        scaled(cross(sub(b, a), sub(c, a)), 0.5)
    }

    /// The area of the surface.
    pub fn area(&self) -> f64 {
        (0..self.triangles.len())
            .map(|t| norm(self.area_vector(t)))
            .sum()
    }

    /// The volume inside a closed surface; negative if the surface is inside out.
    ///
    /// By the divergence theorem V = ⅓ ∮ r·n dS. For an open surface the value has no meaning.
    pub fn volume(&self) -> f64 {
        // Coordinates are taken from the centre of the body, where the terms cancel least.
        let centre = self.bounding_box().map_or([0.0; 3], |b| b.centre());
        (0..self.triangles.len())
            .map(|t| dot(sub(self.corners(t)[0], centre), self.area_vector(t)) / 3.0)
            .sum()
    }

    /// The smallest box around the points, or `None` when there are none.
    pub fn bounding_box(&self) -> Option<BoundingBox> {
        BoundingBox::of(&self.points)
    }

    /// Multiplies every coordinate by `metres_per_unit`, to bring a file's unit to metres.
    pub fn scale(&mut self, metres_per_unit: f64) {
        self.transform(&Transform::scaling(metres_per_unit));
    }

    /// Moves, turns, scales or mirrors the surface; what was outside stays outside.
    pub fn transform(&mut self, transform: &Transform) {
        for point in &mut self.points {
            *point = transform.apply(*point);
        }
        if transform.reverses_handedness() {
            self.flip();
        }
    }

    /// Turns the surface inside out.
    pub fn flip(&mut self) {
        for triangle in &mut self.triangles {
            triangle.swap(1, 2);
        }
    }

    /// Adds the triangles of another surface; groups with the same name become one.
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

    /// The part of the surface with the given name, with only the points it uses.
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

    /// Removes points that no triangle uses and returns how many there were.
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

    /// Removes triangles with two equal corners and returns how many there were.
    pub fn drop_degenerate_triangles(&mut self) -> usize {
        let before = self.triangles.len();
        let keep = |t: &[u32; 3]| t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
        let mut kept = self.triangles.iter().map(keep);
        self.group_of.retain(|_| kept.next().unwrap_or(false));
        self.triangles.retain(keep);
        before - self.triangles.len()
    }

    /// Merges points closer together than `tolerance` and returns how many disappeared.
    ///
    /// Triangles that shrink to a line are removed. Files from CAD programs often need this:
    /// neighbouring faces are written with corners that differ in the last digits.
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
