//! Which tetrahedra share a face, and what happens at faces that belong to one alone.

use wavefield_mesh::TetrahedralMesh;

use crate::error::Error;

/// What a boundary does to a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// A perfect electric conductor: no tangential E.
    ElectricWall,
    /// A perfect magnetic conductor: no tangential H.
    MagneticWall,
    /// Waves at normal incidence leave (Silver and Müller's condition, of first order).
    Absorbing,
}

/// The other side of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A face of another tetrahedron.
    Neighbour {
        /// The tetrahedron.
        element: u32,
        /// Its face, by the opposite corner.
        face: u8,
    },
    /// The end of the domain.
    Boundary(Boundary),
}

/// Tetrahedra with their corners in rising order of point numbers, and the other sides of their faces.
///
/// Since both neighbours of a face list its corners in the same order, a face has one orientation only.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Corners of each tetrahedron, rising.
    pub corners: Vec<[u32; 4]>,
    /// The other side of each face; face f is opposite to corner f.
    pub sides: Vec<[Side; 4]>,
    /// For every face the named surface of the mesh it lies on, if any.
    pub surfaces: Vec<[Option<u32>; 4]>,
}

/// The corners of a face.
pub(crate) fn face_corners(corners: [u32; 4], face: usize) -> [u32; 3] {
    let mut others = (0..4).filter(|&c| c != face).map(|c| corners[c]);
    std::array::from_fn(|_| others.next().unwrap_or(u32::MAX))
}

impl Topology {
    /// Finds the neighbours of a mesh whose named surfaces have these conditions, `None` for surfaces that only have a
    /// name; faces at the end of the mesh on no such surface get `outside`.
    ///
    /// # Errors
    /// A face is shared by more than two tetrahedra, or a named surface does not lie on faces.
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
                    let neighbour = |element, face| Side::Neighbour { element, face };
                    sides[a as usize][face_a as usize] = neighbour(b, face_b);
                    sides[b as usize][face_b as usize] = neighbour(a, face_a);
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
                    // Both sides of a thin sheet end there.
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

    /// Number of tetrahedra.
    pub fn len(&self) -> usize {
        self.corners.len()
    }

    /// Whether there are no tetrahedra.
    pub fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }
}
