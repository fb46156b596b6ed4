//! Linear system of all bodies: numbering of unknowns and equations, right-hand sides, and the boundary fields of a solution.
//!
//! Unknowns are numbered body by body, on each body kind by kind (u before p), node by node; equations alike.

use std::ops::Range;
use std::sync::Arc;

use num_complex::Complex64;

use crate::boundary::Boundary;
use crate::formulation::{BodyEquations, Coupling, Row, Unknown};
use crate::wave::Wave;

/// Boundary with its equations.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) boundary: Arc<Boundary>,
    pub(crate) equations: Vec<BodyEquations>,
    /// Wavenumber outside, rad/m.
    pub(crate) wavenumber: f64,
}

/// Unknowns, or equations, of one kind on one body.
#[derive(Clone, Debug)]
pub(crate) struct Block<T> {
    pub(crate) body: usize,
    pub(crate) kind: T,
    /// Indices in the system.
    pub(crate) numbers: Range<usize>,
    /// Nodes they belong to.
    pub(crate) nodes: Range<usize>,
}

/// Boundary values u and p at every node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SurfaceFields {
    pub(crate) u: Vec<Complex64>,
    pub(crate) p: Vec<Complex64>,
}

impl System {
    /// Returns the number of unknowns.
    pub(crate) fn size(&self) -> usize {
        (0..self.equations.len())
            .map(|b| self.equations[b].unknowns.len() * self.boundary.nodes_of(b).len())
            .sum()
    }

    pub(crate) fn wave(&self) -> Wave {
        Wave::Real(self.wavenumber)
    }

    pub(crate) fn unknowns(&self) -> Vec<Block<Unknown>> {
        self.blocks(|equations| &equations.unknowns)
    }

    pub(crate) fn rows(&self) -> Vec<Block<Row>> {
        self.blocks(|equations| &equations.rows)
    }

    fn blocks<T: Copy>(&self, kinds: impl Fn(&BodyEquations) -> &Vec<T>) -> Vec<Block<T>> {
        let mut blocks = Vec::new();
        let mut next = 0;
        for (body, equations) in self.equations.iter().enumerate() {
            let nodes = self.boundary.nodes_of(body);
            for &kind in kinds(equations) {
                blocks.push(Block {
                    body,
                    kind,
                    numbers: next..next + nodes.len(),
                    nodes: nodes.clone(),
                });
                next += nodes.len();
            }
        }
        blocks
    }

    /// Returns the number of equations, equal to that of unknowns unless equations are to be combined.
    pub(crate) fn equations(&self) -> usize {
        (self.rows().last()).map_or(0, |block| block.numbers.end)
    }

    /// Returns the system with other combinations of the equations of each body.
    pub(crate) fn with_rows(&self, rows: impl Fn(usize, &[Row]) -> Vec<Row>) -> System {
        let mut other = self.clone();
        for (body, equations) in other.equations.iter_mut().enumerate() {
            equations.rows = rows(body, &equations.rows);
        }
        other
    }

    /// Returns the coupling of a block of equations with a block of unknowns.
    pub(crate) fn coupling(&self, row: &Block<Row>, unknown: &Block<Unknown>) -> Coupling {
        self.equations[unknown.body].coupling(
            row.kind,
            unknown.kind,
            self.wavenumber,
            row.body == unknown.body,
        )
    }

    /// Writes the right-hand side of a unit-amplitude plane wave with the given direction of propagation.
    pub(crate) fn right_hand_side(&self, travel: [f64; 2], right: &mut [Complex64]) {
        for block in self.rows() {
            for (number, node) in block.numbers.zip(block.nodes) {
                let (at, normal) = (self.boundary.position(node), self.boundary.normal(node));
                let phase = -self.wavenumber * (travel[0] * at[0] + travel[1] * at[1]);
                let u = Complex64::from_polar(1.0, phase);
                // (1/jk) ∂/∂n of e^{−jk d·r}.
                let p = -(travel[0] * normal[0] + travel[1] * normal[1]) * u;
                right[number] = block.kind.first * u + block.kind.second * p;
            }
        }
    }

    /// Returns u and p at every node from the unknowns.
    pub(crate) fn fields(&self, solution: &[Complex64]) -> SurfaceFields {
        let zero = vec![Complex64::new(0.0, 0.0); self.boundary.len()];
        let mut fields = SurfaceFields {
            u: zero.clone(),
            p: zero,
        };
        for block in self.unknowns() {
            for (number, node) in block.numbers.zip(block.nodes) {
                fields.u[node] += block.kind.u * solution[number];
                fields.p[node] += block.kind.p * solution[number];
            }
        }
        fields
    }
}
