use std::collections::HashMap;

use crate::{Group, TriangleMesh};

/// A mesh of points with integer addresses, so that adjacent faces share them exactly.
pub(super) struct Lattice<F: Fn([u32; 3]) -> [f64; 3]> {
    pub(super) mesh: TriangleMesh,
    number_of: HashMap<[u32; 3], u32>,
    place: F,
}

impl<F: Fn([u32; 3]) -> [f64; 3]> Lattice<F> {
    /// Creates an empty lattice; `place` maps an address to coordinates.
    pub(super) fn new(place: F) -> Self {
        Self {
            mesh: TriangleMesh::default(),
            number_of: HashMap::new(),
            place,
        }
    }

    pub(super) fn group(&mut self, name: &str) {
        self.mesh.groups.push(Group::named(name));
    }

    /// Adds a triangle to the latest group.
    pub(super) fn triangle(&mut self, addresses: [[u32; 3]; 3]) {
        let corners = addresses.map(|address| {
            *self.number_of.entry(address).or_insert_with(|| {
                self.mesh.points.push((self.place)(address));
                (self.mesh.points.len() - 1) as u32
            })
        });
        self.mesh.triangles.push(corners);
        self.mesh.group_of.push((self.mesh.groups.len() - 1) as u32);
    }

    /// Adds a rectangle of `counts[0]` × `counts[1]` cells; `address` maps cell corners to addresses.
    ///
    /// The normal is that of a counterclockwise rotation from the first to the second direction.
    /// Diagonals alternate, so that the mesh has no preferred direction.
    pub(super) fn rectangle(&mut self, counts: [u32; 2], address: impl Fn(u32, u32) -> [u32; 3]) {
        for i in 0..counts[0] {
            for j in 0..counts[1] {
                let [a, b] = [address(i, j), address(i + 1, j)];
                let [c, d] = [address(i + 1, j + 1), address(i, j + 1)];
                if (i + j) % 2 == 0 {
                    self.triangle([a, b, c]);
                    self.triangle([a, c, d]);
                } else {
                    self.triangle([a, b, d]);
                    self.triangle([b, c, d]);
                }
            }
        }
    }
}
