use std::collections::{HashMap, HashSet};

use crate::TetrahedralMesh;

/// Points and edges that must not move: those on named surfaces, on the boundary, and on interfaces
/// between volumes.
pub(super) struct Held {
    pub(super) points: Vec<bool>,
    edges: HashSet<[u32; 2]>,
}

impl Held {
    pub(super) fn of(mesh: &TetrahedralMesh) -> Self {
        let mut held = Self {
            points: vec![false; mesh.points.len()],
            edges: HashSet::new(),
        };
        for &triangle in &mesh.triangles {
            held.hold(triangle);
        }
        // Faces are paired by their corners; the remaining ones are on the boundary or on an interface
        // between volumes.
        let mut open: HashMap<[u32; 3], u32> = HashMap::new();
        for (&[a, b, c, d], &group) in mesh.tetrahedra.iter().zip(&mesh.volume_group_of) {
            for mut face in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
                face.sort_unstable();
                match open.remove(&face) {
                    Some(other) if other != group => held.hold(face),
                    Some(_) => {}
                    None => {
                        open.insert(face, group);
                    }
                }
            }
        }
        for face in open.into_keys() {
            held.hold(face);
        }
        held
    }

    pub(super) fn holds_edge(&self, from: u32, to: u32) -> bool {
        self.edges.contains(&[from.min(to), from.max(to)])
    }

    fn hold(&mut self, [a, b, c]: [u32; 3]) {
        for corner in [a, b, c] {
            self.points[corner as usize] = true;
        }
        for [from, to] in [[a, b], [b, c], [c, a]] {
            self.edges.insert([from.min(to), from.max(to)]);
        }
    }
}
