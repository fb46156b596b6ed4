//! Homogeneous medium with the nodes on its boundary, and the MLFMA interactions between them.

use std::ops::Range;

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::special::SpecialError;

use super::multipole::{LEAF, Multipole, Places};
use super::tree::Tree;
use crate::formulation::{Coupling, Surface};
use crate::kernels::Coefficients;
use crate::system::System;
use crate::wave::Wave;

/// Average number of nodes in a leaf above which leaves are subdivided.
const CROWDED: usize = 40;
/// Maximum number of levels of a tree.
const DEEPEST: usize = 28;

/// Exterior of all bodies, or interior of one.
pub(crate) struct Medium {
    pub(crate) wave: Wave,
    /// Wavenumber, rad/m.
    pub(crate) wavenumber: f64,
    /// Body of which this is the interior.
    pub(crate) body: Option<usize>,
    pub(crate) nodes: Range<usize>,
    pub(crate) multipole: Multipole,
    /// Source strengths of p and of u in this medium.
    pub(crate) single: Complex64,
    pub(crate) double: f64,
    /// Position of every node in tree order, and its leaf.
    places: Vec<u32>,
    leaves: Vec<u32>,
}

impl Medium {
    /// Creates the exterior, and the interiors of dielectrics, which are lossless.
    pub(crate) fn all(system: &System, digits: f64) -> Result<Vec<Medium>, SpecialError> {
        let k = system.wavenumber;
        let jk = Complex64::new(0.0, k);
        let everywhere = 0..system.boundary.len();
        let mut media = vec![Medium::new(
            system,
            None,
            everywhere,
            k,
            [jk, -ONE],
            digits,
        )?];
        for (body, equations) in system.equations.iter().enumerate() {
            if let Surface::Dielectric { wave, ratio } = equations.surface {
                let Wave::Real(inside) = wave else {
                    unreachable!("a specification with losses is not valid");
                };
                let nodes = system.boundary.nodes_of(body);
                let factors = [-jk * ratio, ONE];
                media.push(Medium::new(
                    system,
                    Some(body),
                    nodes,
                    inside,
                    factors,
                    digits,
                )?);
            }
        }
        Ok(media)
    }

    fn new(
        system: &System,
        body: Option<usize>,
        nodes: Range<usize>,
        wavenumber: f64,
        [single, double]: [Complex64; 2],
        digits: f64,
    ) -> Result<Medium, SpecialError> {
        let boundary = &system.boundary;
        let (x, y) = (&boundary.x[nodes.clone()], &boundary.y[nodes.clone()]);
        let mut leaf = LEAF * 2.0 * std::f64::consts::PI / wavenumber;
        let mut tree = Tree::new(x, y, leaf);
        // Nodes denser than the wavelength requires, as near corners.
        while nodes.len() > CROWDED * tree.leaves().cells.len() && tree.levels.len() < DEEPEST {
            leaf *= 0.5;
            tree = Tree::new(x, y, leaf);
        }
        let sorted = tree.order.iter().map(|&node| nodes.start + node);
        let sources = Places {
            x: sorted.clone().map(|node| boundary.x[node]).collect(),
            y: sorted.clone().map(|node| boundary.y[node]).collect(),
            normal: sorted.map(|node| boundary.normal(node)).collect(),
        };
        let mut places = vec![0; nodes.len()];
        let mut leaves = vec![0; nodes.len()];
        for (leaf, cell) in tree.leaves().cells.iter().enumerate() {
            for place in cell.nodes.clone() {
                places[tree.order[place]] = place as u32;
                leaves[tree.order[place]] = leaf as u32;
            }
        }
        Ok(Medium {
            wave: Wave::Real(wavenumber),
            wavenumber,
            body,
            multipole: Multipole::new(tree, sources, wavenumber, digits)?,
            nodes,
            single,
            double: double.re,
            places,
            leaves,
        })
    }

    /// Returns the monopoles and dipoles of all nodes in tree order, from the unknowns.
    pub(crate) fn sources(
        &self,
        system: &System,
        x: &[Complex64],
    ) -> (Vec<Complex64>, Vec<Complex64>) {
        let jk = Complex64::new(0.0, self.wavenumber);
        let unknowns = system.unknowns();
        (self.multipole.tree.order.par_iter())
            .with_min_len(1024)
            .map(|&node| {
                let node = self.nodes.start + node;
                let weight = system.boundary.weight[node];
                let (mut monopole, mut dipole) = (Complex64::ZERO, Complex64::ZERO);
                for unknown in unknowns.iter().filter(|u| u.nodes.contains(&node)) {
                    let value = weight * x[unknown.numbers.start + node - unknown.nodes.start];
                    monopole += self.single * unknown.kind.p * value;
                    dipole += self.double * jk * unknown.kind.u * value;
                }
                (monopole, dipole)
            })
            .unzip()
    }

    /// Returns the position of a node in tree order.
    pub(crate) fn place(&self, node: usize) -> usize {
        self.places[node - self.nodes.start] as usize
    }

    /// Returns the leaf of a node.
    pub(crate) fn leaf(&self, node: usize) -> usize {
        self.leaves[node - self.nodes.start] as usize
    }

    /// Returns whether two nodes lie in the same leaf or in adjacent leaves.
    pub(crate) fn is_near(&self, node: usize, other: usize) -> bool {
        let cells = &self.multipole.tree.leaves().cells;
        let [a, b] = [node, other].map(|node| cells[self.leaf(node)].place);
        (0..2).all(|axis| a[axis].abs_diff(b[axis]) <= 1)
    }

    /// Returns the nodes near a node, in ascending order.
    pub(crate) fn near(&self, node: usize) -> Vec<usize> {
        let tree = &self.multipole.tree;
        let leaves = tree.leaves();
        let mut near: Vec<usize> = (leaves.around(self.leaf(node)))
            .flat_map(|leaf| &tree.order[leaves.cells[leaf].nodes.clone()])
            .map(|node| self.nodes.start + node)
            .collect();
        near.sort_unstable();
        near
    }

    /// Returns the coefficients of a coupling in this medium.
    pub(crate) fn coefficients(&self, coupling: &Coupling) -> Option<Coefficients> {
        match self.body {
            None => Some(coupling.outside),
            Some(_) => coupling.inside.map(|(_, coefficients)| coefficients),
        }
    }
}

const ONE: Complex64 = Complex64::new(1.0, 0.0);
