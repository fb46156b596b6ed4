//! Mirror symmetries of the reference tetrahedron, which reduce the work of its matrices to a quarter.
//!
//! Exchanging corners 0 and 1 (σ) or 2 and 3 (τ) maps the nodes onto themselves. The two exchanges commute and generate
//! a group of four elements with four characters, given by the signs of σ and τ. In the basis of sums and differences
//! over the orbits of nodes, an operator that commutes with both is block diagonal, with a block for each character,
//! and one that changes sign under an exchange maps each character to another. The lift is of the first kind, and so is
//! the derivative along the line from the midpoint of edge 01 to that of edge 23; the derivatives along the edges 01
//! and 23 are of the second. This is the even-odd decomposition of A. Solomonoff, J. Comput. Phys. 98 (1992) 174–177,
//! for a tetrahedron.

/// Orbits of nodes under σ and τ, by their stabilizers.
///
/// An orbit contributes a row to each character for which its signed sum does not vanish: all four; (+, ±) if σ fixes
/// its nodes; (±, +) if τ does; (+, +) if both do. Rows of a character are in the order of the members below.
#[derive(Clone, Debug, Default)]
pub(super) struct Orbits {
    /// Orbits n, σn, τn, στn.
    pub(super) four: Vec<[u32; 4]>,
    /// Orbits n = σn, τn.
    pub(super) kept_by_sigma: Vec<[u32; 2]>,
    /// Orbits n = τn, σn.
    pub(super) kept_by_tau: Vec<[u32; 2]>,
    /// Orbits n = σn = τn.
    pub(super) one: Vec<u32>,
}

/// Nodes of a symmetry-adapted row with their signs.
pub(super) type Row = Vec<(usize, f64)>;

impl Orbits {
    /// Returns the orbits of nodes with these images. No node may be fixed by στ alone.
    pub(super) fn new(sigma: &[usize], tau: &[usize]) -> Orbits {
        let mut orbits = Orbits::default();
        let mut seen = vec![false; sigma.len()];
        for node in 0..sigma.len() {
            if seen[node] {
                continue;
            }
            let images = [node, sigma[node], tau[node], sigma[tau[node]]];
            for image in images {
                seen[image] = true;
            }
            let [n, s, t, _] = images.map(|image| image as u32);
            match (s == n, t == n) {
                (false, false) => orbits.four.push(images.map(|image| image as u32)),
                (true, false) => orbits.kept_by_sigma.push([n, t]),
                (false, true) => orbits.kept_by_tau.push([n, s]),
                (true, true) => orbits.one.push(n),
            }
        }
        orbits
    }

    /// Returns every node as its own orbit: one character, without symmetry.
    pub(super) fn alone(nodes: usize) -> Orbits {
        Orbits {
            one: (0..nodes as u32).collect(),
            ..Orbits::default()
        }
    }

    /// Returns the rows of a character, whose bit 0 is set if σ changes the sign and bit 1 if τ does.
    pub(super) fn rows(&self, character: usize) -> Vec<Row> {
        let sign = |bit: usize| if character & bit == 0 { 1.0 } else { -1.0 };
        let (sigma, tau) = (sign(1), sign(2));
        let row = |nodes: &[u32], signs: &[f64]| -> Row {
            let nodes = nodes.iter().map(|&node| node as usize);
            nodes.zip(signs.iter().copied()).collect()
        };
        let four = self.four.iter();
        let mut rows: Vec<Row> = four
            .map(|n| row(n, &[1.0, sigma, tau, sigma * tau]))
            .collect();
        if sigma > 0.0 {
            rows.extend(self.kept_by_sigma.iter().map(|n| row(n, &[1.0, tau])));
        }
        if tau > 0.0 {
            rows.extend(self.kept_by_tau.iter().map(|n| row(n, &[1.0, sigma])));
        }
        if character == 0 {
            rows.extend(self.one.iter().map(|&n| row(&[n], &[1.0])));
        }
        rows
    }
}
