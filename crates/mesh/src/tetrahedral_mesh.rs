use crate::error::{MeshError, check_elements, check_finite, check_length};
use crate::{BoundingBox, Group, Transform, TriangleMesh};
use wavefield_numerics::vector::{cross, dot, sub};

/// A volume filled with tetrahedra, with triangles on its boundary and on interfaces inside.
///
/// Numbers inside one mesh have 32 bits. A mesh too large for one machine is partitioned, and each part
/// then knows the 64-bit number its points and tetrahedra have in the whole.
///
/// Readers return sound meshes. One put together by hand should pass [`Self::validate`] first: the other
/// methods panic where an element refers to a point that does not exist.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetrahedralMesh {
    /// Coordinates of the points.
    pub points: Vec<[f64; 3]>,
    /// The four corners of each tetrahedron, as positions in `points`; (p₁−p₀)×(p₂−p₀)·(p₃−p₀) is positive.
    pub tetrahedra: Vec<[u32; 4]>,
    /// The named volumes, such as "air".
    pub volume_groups: Vec<Group>,
    /// For each tetrahedron the volume it belongs to, as a position in `volume_groups`.
    pub volume_group_of: Vec<u32>,
    /// The corners of triangles on named surfaces, as positions in `points`; they lie on faces of tetrahedra.
    /// Which side they face is what the mesher chose.
    pub triangles: Vec<[u32; 3]>,
    /// The named surfaces, such as "port 1".
    pub surface_groups: Vec<Group>,
    /// For each triangle the surface it belongs to, as a position in `surface_groups`.
    pub surface_group_of: Vec<u32>,
    /// For each point its number in the whole mesh, if this is a part of one.
    pub global_points: Option<Vec<u64>>,
    /// For each tetrahedron its number in the whole mesh, if this is a part of one.
    pub global_tetrahedra: Option<Vec<u64>>,
}

impl TetrahedralMesh {
    /// Checks that every number refers to something that exists and every coordinate is finite.
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

    /// The coordinates of the four corners of a tetrahedron.
    pub fn corners(&self, tetrahedron: usize) -> [[f64; 3]; 4] {
        self.tetrahedra[tetrahedron].map(|index| self.points[index as usize])
    }

    /// The volume of one tetrahedron; negative if its corners are listed in the wrong order.
    pub fn tetrahedron_volume(&self, tetrahedron: usize) -> f64 {
        let [a, b, c, d] = self.corners(tetrahedron);
        dot(cross(sub(b, a), sub(c, a)), sub(d, a)) / 6.0
    }

    /// The volume of all tetrahedra.
    pub fn volume(&self) -> f64 {
        (0..self.tetrahedra.len())
            .map(|t| self.tetrahedron_volume(t))
            .sum()
    }

    /// The volume of the tetrahedra in one named volume, or `None` if there is no such name.
    pub fn volume_of(&self, name: &str) -> Option<f64> {
        let group = self.volume_groups.iter().position(|g| g.name == name)?;
        let members = (self.volume_group_of.iter().enumerate())
            .filter(|&(_, &g)| g as usize == group)
            .map(|(t, _)| self.tetrahedron_volume(t));
        Some(members.sum())
    }

    /// The smallest box around the points, or `None` when there are none.
    pub fn bounding_box(&self) -> Option<BoundingBox> {
        BoundingBox::of(&self.points)
    }

    /// Multiplies every coordinate by `metres_per_unit`, to bring a file's unit to metres.
    pub fn scale(&mut self, metres_per_unit: f64) {
        self.transform(&Transform::scaling(metres_per_unit));
    }

    /// Moves, turns, scales or mirrors the mesh; volumes stay positive.
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

    /// Reorders the corners of tetrahedra with negative volume and returns how many there were.
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

    /// Removes points that no tetrahedron and no triangle uses and returns how many there were.
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

    /// All triangles on named surfaces as a surface of its own, with only the points they use.
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
