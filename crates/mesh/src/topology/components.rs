use super::Edges;
use crate::TriangleMesh;

/// Connected components of a surface: triangles connected across edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// Number of components.
    pub count: usize,
    /// Component of each triangle, numbered in order of first appearance.
    pub of_triangle: Vec<u32>,
}

impl Components {
    /// Finds the components of a surface from its edges.
    pub fn of(mesh: &TriangleMesh, edges: &Edges) -> Self {
        let mut parent: Vec<u32> = (0..mesh.triangles.len() as u32).collect();
        for edge in edges.iter() {
            for pair in edge.half_edges.windows(2) {
                let a = root(&mut parent, pair[0].triangle());
                let b = root(&mut parent, pair[1].triangle());
                // The smaller index becomes the root, so that components are in order of appearance.
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        let mut count = 0;
        let mut of_triangle = vec![0; parent.len()];
        for triangle in 0..parent.len() {
            let root = root(&mut parent, triangle as u32) as usize;
            of_triangle[triangle] = if root == triangle {
                count += 1;
                count - 1
            } else {
                of_triangle[root]
            };
        }
        Self {
            count: count as usize,
            of_triangle,
        }
    }
}

/// Returns the root of a tree with path halving (Tarjan and van Leeuwen 1984).
fn root(parent: &mut [u32], mut node: u32) -> u32 {
    while parent[node as usize] != node {
        let grandparent = parent[parent[node as usize] as usize];
        parent[node as usize] = grandparent;
        node = grandparent;
    }
    node
}
