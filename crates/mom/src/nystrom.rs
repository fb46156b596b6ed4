//! The matrix of the locally corrected Nyström method.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_compute::dense::Matrix;
use wavefield_compute::observe::{Observer, Progress};
use wavefield_physics::special::SpecialError;

use crate::boundary::Boundary;
use crate::correction::{LocalCorrection, NEAR, Observation};
use crate::error::Error;
use crate::extension::Extension;
use crate::formulation::{Coupling, Row, Unknown};
use crate::kernels::Coefficients;
use crate::system::{Block, System};
use crate::wave::Wave;

const ZERO: Complex64 = Complex64::new(0.0, 0.0);
/// Panels, or nodes, worked on between two looks at the observer.
pub(crate) const BATCH: usize = 256;

/// Fills the matrix: kernel times weight everywhere, then what must be corrected.
pub(crate) fn fill(system: &System, observer: &dyn Observer) -> Result<Matrix, Error> {
    let size = system.size();
    let unknowns = system.unknowns();
    // The node of every column and the block of unknowns it belongs to.
    let columns: Vec<(usize, usize)> = unknowns
        .iter()
        .enumerate()
        .flat_map(|(block, unknown)| unknown.nodes.clone().map(move |node| (block, node)))
        .collect();
    let mut matrix = Matrix::zeros(size, size);
    for first in (0..size).step_by(BATCH) {
        observer.checkpoint()?;
        let columns = &columns[first..size.min(first + BATCH)];
        matrix
            .par_columns_mut()
            .skip(first)
            .zip(columns)
            .try_for_each(|((_, column), &(block, node))| {
                fill_column(system, &unknowns[block], node, column)
            })?;
        let done = (first + columns.len()) as u64;
        observer.progress(&Progress::new("matrix", done, size as u64));
    }
    let corrections = Corrections::new(system);
    let total = system.boundary.len();
    for first in (0..total).step_by(BATCH) {
        observer.checkpoint()?;
        let nodes = first..(first + BATCH).min(total);
        let rows: Vec<Vec<Entry>> = nodes
            .clone()
            .into_par_iter()
            .map(|node| corrections.of_node(node))
            .collect::<Result<_, _>>()?;
        for entry in rows.into_iter().flatten() {
            let place = &mut matrix.column_mut(entry.column)[entry.row];
            if entry.replaces {
                *place = entry.value;
            } else {
                *place += entry.value;
            }
        }
        observer.progress(&Progress::new(
            "corrections",
            nodes.end as u64,
            total as u64,
        ));
    }
    Ok(matrix)
}

/// Kernel times weight at all nodes, for one source node.
fn fill_column(
    system: &System,
    unknown: &Block<Unknown>,
    node: usize,
    column: &mut [Complex64],
) -> Result<(), SpecialError> {
    let boundary = &system.boundary;
    let source = boundary.source(node);
    let weight = boundary.weight[node];
    for row in system.rows() {
        let coupling = coupling(system, &row, unknown);
        let points = boundary.points(row.nodes.clone());
        let out = &mut column[row.numbers.clone()];
        let outside = scaled(&coupling.outside, weight);
        system.wave().add_column(points, source, &outside, out)?;
        if let Some((wave, inside)) = &coupling.inside {
            wave.add_column(points, source, &scaled(inside, weight), out)?;
        }
    }
    Ok(())
}

/// How a block of equations sees a block of unknowns.
pub(crate) fn coupling(system: &System, row: &Block<Row>, unknown: &Block<Unknown>) -> Coupling {
    system.equations[unknown.body].coupling(
        row.kind,
        unknown.kind,
        system.wavenumber,
        row.body == unknown.body,
    )
}

/// A number that replaces an entry of the matrix or is added to it.
pub(crate) struct Entry {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) value: Complex64,
    pub(crate) replaces: bool,
}

/// What the corrections of all nodes share.
pub(crate) struct Corrections<'a> {
    system: &'a System,
    local: LocalCorrection,
    extensions: Vec<Extension>,
    unknowns: Vec<Block<Unknown>>,
    rows: Vec<Block<Row>>,
}

impl<'a> Corrections<'a> {
    pub(crate) fn new(system: &'a System) -> Corrections<'a> {
        let boundary = &system.boundary;
        Corrections {
            system,
            local: LocalCorrection::new(),
            extensions: (0..boundary.panels.len())
                .map(|panel| Extension::new(boundary, panel))
                .collect(),
            unknowns: system.unknowns(),
            rows: system.rows(),
        }
    }

    /// The entries of a node's rows that belong to panels near it, and its free terms; those that replace come first.
    pub(crate) fn of_node(&self, node: usize) -> Result<Vec<Entry>, SpecialError> {
        let boundary = &self.system.boundary;
        let order = boundary.rule.order();
        let observation = Observation {
            at: boundary.position(node),
            normal: boundary.normal(node),
            // Every panel has the same number of nodes.
            on: Some((node / order, boundary.rule.nodes[node % order])),
        };
        let near: Vec<usize> = (0..boundary.panels.len())
            .filter(|&p| Boundary::clearance(&boundary.panels[p], observation.at) < NEAR)
            .collect();
        let mut entries = Vec::new();
        let mut added = Vec::new();
        for row in self.rows.iter().filter(|row| row.nodes.contains(&node)) {
            let number = row.numbers.start + node - row.nodes.start;
            for unknown in &self.unknowns {
                let coupling = coupling(self.system, row, unknown);
                let column = |node: usize| unknown.numbers.start + node - unknown.nodes.start;
                let panels = boundary.panels_of(unknown.body);
                for &panel in near.iter().filter(|p| panels.contains(p)) {
                    let first = column(boundary.panels[panel].first);
                    for (j, value) in self
                        .regular(&coupling, panel, &observation)?
                        .into_iter()
                        .enumerate()
                    {
                        entries.push(Entry {
                            row: number,
                            column: first + j,
                            value,
                            replaces: true,
                        });
                    }
                    for (node, value) in self.hyper(&coupling, panel, &observation)? {
                        added.push(Entry {
                            row: number,
                            column: column(node),
                            value,
                            replaces: false,
                        });
                    }
                }
                if unknown.nodes.contains(&node) && coupling.free != ZERO {
                    added.push(Entry {
                        row: number,
                        column: column(node),
                        value: coupling.free,
                        replaces: false,
                    });
                }
            }
        }
        entries.append(&mut added);
        Ok(entries)
    }

    /// The media a coupling sees, with their kernels.
    fn media(&self, coupling: &Coupling) -> impl Iterator<Item = (Wave, Coefficients)> {
        [
            Some((self.system.wave(), coupling.outside)),
            coupling.inside,
        ]
        .into_iter()
        .flatten()
    }

    /// Weights of a panel's nodes for all kernels but the hypersingular.
    fn regular(
        &self,
        coupling: &Coupling,
        panel: usize,
        observation: &Observation,
    ) -> Result<Vec<Complex64>, SpecialError> {
        let boundary = &self.system.boundary;
        let mut sum = vec![ZERO; boundary.rule.order()];
        for (wave, coefficients) in self.media(coupling) {
            let regular = Coefficients {
                hyper: ZERO,
                ..coefficients
            };
            if [regular.single, regular.double, regular.adjoint] == [ZERO; 3] {
                continue;
            }
            let weights = self
                .local
                .weights(boundary, panel, observation, wave, &regular)?;
            for (sum, weight) in sum.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        Ok(sum)
    }

    /// Nodes and weights of a panel's longer polynomial for the hypersingular kernel.
    fn hyper(
        &self,
        coupling: &Coupling,
        panel: usize,
        observation: &Observation,
    ) -> Result<Vec<(usize, Complex64)>, SpecialError> {
        let boundary = &self.system.boundary;
        let extension = &self.extensions[panel];
        let mut result = Vec::new();
        for (wave, coefficients) in self.media(coupling) {
            if coefficients.hyper == ZERO {
                continue;
            }
            let weights =
                self.local
                    .hyper_weights(boundary, panel, extension, observation, wave)?;
            let scaled = weights.into_iter().map(|w| coefficients.hyper * w);
            result.extend(extension.nodes.iter().copied().zip(scaled));
        }
        Ok(result)
    }
}

fn scaled(coefficients: &Coefficients, by: f64) -> Coefficients {
    Coefficients {
        single: coefficients.single * by,
        double: coefficients.double * by,
        adjoint: coefficients.adjoint * by,
        hyper: coefficients.hyper * by,
    }
}
