//! Mirror planes of the reference tetrahedron, which leave a quarter of the work of its matrices.
//!
//! Exchanging corners 0 and 1 (σ) or 2 and 3 (τ) maps the nodes onto themselves. The two exchanges commute and make a
//! group of four with four characters, the signs of σ and τ. In sums and differences over nodes that σ and τ carry
//! into each other, an operator that commutes with both has a block for each character and nothing else, and one that
//! changes sign leads from each character to another. The lift is of the first kind, and so is the derivative along
//! the line from the middle of edge 01 to the middle of edge 23; those along the edges 01 and 23 are of the second.
//! This is the even-odd decomposition of A. Solomonoff, J. Comput. Phys. 98 (1992) 174–177, for a tetrahedron.

/// Groups of nodes that σ and τ carry into each other, by what leaves them in place.
///
/// A group gives a row to each character for which its sum does not vanish: all four; (+, ±) where σ leaves its nodes
/// in place; (±, +) where τ does; (+, +) where both do. Rows of a character are in the order of the fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Orbits {
    /// n, σn, τn, στn.
    pub(super) four: Vec<[u32; 4]>,
    /// n = σn, τn.
    pub(super) kept_by_sigma: Vec<[u32; 2]>,
    /// n = τn, σn.
    pub(super) kept_by_tau: Vec<[u32; 2]>,
    /// n = σn = τn.
    pub(super) one: Vec<u32>,
}

/// Nodes with the signs with which they enter a row.
pub(super) type Row = Vec<(usize, f64)>;

impl Orbits {
    /// The groups of nodes whose images are given. No node may be kept by στ alone.
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

    /// Every node alone: no use of symmetry, one character.
    pub(super) fn alone(nodes: usize) -> Orbits {
        Orbits {
            one: (0..nodes as u32).collect(),
            ..Orbits::default()
        }
    }

    /// The rows of a character, of which bit 0 says that σ changes its sign and bit 1 that τ does.
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
