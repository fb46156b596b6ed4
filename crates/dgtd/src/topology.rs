//! Topology of a tetrahedral mesh: neighbors across faces, and boundary conditions.

use wavefield_mesh::TetrahedralMesh;

use crate::error::Error;

/// Boundary condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// Perfect electric conductor (PEC): no tangential E.
    ElectricWall,
    /// Perfect magnetic conductor (PMC): no tangential H.
    MagneticWall,
    /// First-order absorbing boundary condition (Silver–Müller), exact at normal incidence.
    Absorbing,
}

/// Other side of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A face of another tetrahedron.
    Neighbor {
        /// Index of the tetrahedron.
        element: u32,
        /// Face of that tetrahedron, by the opposite corner.
        face: u8,
    },
    /// A boundary condition.
    Boundary(Boundary),
}

/// Tetrahedra with their corners in rising order of point numbers, and the other sides of their faces.
///
/// Since both neighbors of a face list its corners in the same order, a face has one orientation only.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Point numbers of each tetrahedron's corners, in rising order.
    pub corners: Vec<[u32; 4]>,
    /// Other side of each face; face f is opposite to corner f.
    pub sides: Vec<[Side; 4]>,
    /// Named surface of the mesh on which each face lies, if any.
    pub surfaces: Vec<[Option<u32>; 4]>,
}

/// Returns the corners of a face.
pub(crate) fn face_corners(corners: [u32; 4], face: usize) -> [u32; 3] {
    let mut others = (0..4).filter(|&c| c != face).map(|c| corners[c]);
    std::array::from_fn(|_| others.next().unwrap_or(u32::MAX))
}

impl Topology {
    /// Finds the neighbors of all tetrahedra.
    ///
    /// `conditions` are the boundary conditions of the named surfaces, `None` for transparent ones; faces where the
    /// mesh ends on no such surface get `outside`.
    ///
    /// # Errors
    /// More than two tetrahedra share a face, or a triangle of a named surface is not a face.
    pub fn new(
        mesh: &TetrahedralMesh,
        conditions: &[Option<Boundary>],
        outside: Boundary,
    ) -> Result<Topology, Error> {
        let corners: Vec<[u32; 4]> = mesh
            .tetrahedra
            .iter()
            .map(|&tetrahedron| {
                let mut sorted = tetrahedron;
                sorted.sort_unstable();
                sorted
            })
            .collect();
        let mut faces: Vec<([u32; 3], u32, u8)> = (corners.iter().enumerate())
            .flat_map(|(element, &corners)| {
                (0..4).map(move |face| (face_corners(corners, face), element as u32, face as u8))
            })
            .collect();
        faces.sort_unstable();
        let mut sides = vec![[Side::Boundary(outside); 4]; corners.len()];
        let mut surfaces = vec![[None; 4]; corners.len()];
        for shared in faces.chunk_by(|a, b| a.0 == b.0) {
            match *shared {
                [_] => {}
                [(_, a, face_a), (_, b, face_b)] => {
                    let neighbor = |element, face| Side::Neighbor { element, face };
                    sides[a as usize][face_a as usize] = neighbor(b, face_b);
                    sides[b as usize][face_b as usize] = neighbor(a, face_a);
                }
                [(points, ..), ..] => {
                    return Err(Error::CrowdedFace {
                        points,
                        count: shared.len(),
                    });
                }
                [] => {}
            }
        }
        for (number, &triangle) in mesh.triangles.iter().enumerate() {
            let mut points = triangle;
            points.sort_unstable();
            let surface = mesh.surface_group_of[number];
            let first = faces.partition_point(|face| face.0 < points);
            let on_it = faces[first..].iter().take_while(|face| face.0 == points);
            let mut found = false;
            for &(_, element, face) in on_it {
                found = true;
                let (element, face) = (element as usize, face as usize);
                surfaces[element][face] = Some(surface);
                if let Some(condition) = conditions[surface as usize] {
                    // A boundary condition inside the mesh, such as a thin sheet, separates the tetrahedra on both
                    // sides.
                    sides[element][face] = Side::Boundary(condition);
                }
            }
            if !found {
                return Err(Error::LooseTriangle {
                    triangle: number,
                    surface: mesh.surface_groups[surface as usize].name.clone(),
                });
            }
        }
        Ok(Topology {
            corners,
            sides,
            surfaces,
        })
    }

    /// Returns the number of tetrahedra.
    pub fn len(&self) -> usize {
        self.corners.len()
    }

    /// Returns whether there are no tetrahedra.
    pub fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }
}
