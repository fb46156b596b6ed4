//! Surface currents J = n × H on conductors, in the frequency domain, with n out of the conductor.

use num_complex::Complex64;
use wavefield_physics::constants::VACUUM_IMPEDANCE;

use crate::discretization::Discretization;
use crate::spectrum::{Spectrum, cross};
use crate::topology::{Boundary, Side, face_corners};

/// Running Fourier transform of the surface currents on the PEC faces of a mesh, except for those of the PML.
#[derive(Clone, Debug)]
pub struct SurfaceCurrent {
    /// Corners of each face, m.
    triangles: Vec<[[f64; 3]; 3]>,
    /// Normal of each face, out of the conductor.
    normals: Vec<[f64; 3]>,
    /// Weights of a face's nodes in its mean.
    shares: Vec<f64>,
    pub(crate) spectrum: Spectrum,
}

impl SurfaceCurrent {
    /// Creates zero currents for some wavenumbers (rad/m).
    pub fn new(d: &Discretization, wavenumbers: &[f64]) -> SurfaceCurrent {
        let mut current = SurfaceCurrent {
            triangles: Vec::new(),
            normals: Vec::new(),
            shares: d.reference.face_average().collect(),
            spectrum: Spectrum::new(Vec::new(), &[]),
        };
        let mut watched = Vec::new();
        for (element, face) in SurfaceCurrent::faces(d) {
            let nodes = d.reference.face_nodes(face);
            let corners = face_corners(d.topology.corners[element], face);
            (current.triangles).push(corners.map(|point| d.points[point as usize]));
            // Out of the conductor is into the element.
            let normal = d.geometry[element].normal(face).map(|x| -x);
            current.normals.push(normal);
            watched.extend(nodes.iter().map(|&node| (element as u32, node as u16)));
        }
        current.spectrum = Spectrum::new(watched, wavenumbers);
        current
    }

    /// Returns the elements outside the PML and their PEC faces.
    pub(crate) fn faces(d: &Discretization) -> impl Iterator<Item = (usize, usize)> {
        let conducts = |&(element, face): &(usize, usize)| {
            d.topology.sides[element][face] == Side::Boundary(Boundary::ElectricWall)
        };
        (0..d.first_layer)
            .flat_map(|element| (0..4).map(move |face| (element, face)))
            .filter(conducts)
    }

    /// Returns the corners of each face, m.
    pub fn triangles(&self) -> &[[[f64; 3]; 3]] {
        &self.triangles
    }

    /// Returns the mean current of each face at a frequency, by its index, A/m for a pulse in V/m.
    pub fn at(&self, frequency: usize) -> Vec<[Complex64; 3]> {
        let faces = self.spectrum.at(frequency).chunks(self.shares.len());
        (faces.zip(&self.normals))
            .map(|(nodes, n)| {
                let mut h = [Complex64::ZERO; 3];
                for ([_, field], share) in nodes.iter().zip(&self.shares) {
                    for c in 0..3 {
                        h[c] += field[c] * *share / VACUUM_IMPEDANCE;
                    }
                }
                cross(*n, &h)
            })
            .collect()
    }
}
