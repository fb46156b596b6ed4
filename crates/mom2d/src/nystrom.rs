//! Matrix fill of the locally corrected Nyström method (LCN).

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::dense::Matrix;
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_numerics::special::SpecialError;

use crate::boundary::Boundary;
use crate::correction::{LocalCorrection, NEAR, Observation, SampledHankel, Samples};
use crate::error::Error;
use crate::extension::Extension;
use crate::formulation::{Coupling, Row, Surface, Unknown};
use crate::kernels::Coefficients;
use crate::system::{Block, System};

/// Panels, or nodes, processed between two checks for cancellation.
pub(crate) const BATCH: usize = 256;

/// Fills the matrix: kernel times weight everywhere, then the local corrections.
pub(crate) fn fill(system: &System, observer: &dyn Observer) -> Result<Matrix, Error> {
    let total = system.boundary.len();
    let (unknowns, rows) = (system.unknowns(), system.rows());
    let mut matrix = Matrix::zeros(system.size(), system.size());
    let mut columns = columns_of_nodes(&mut matrix, &unknowns, total);
    for (batch, columns) in columns.chunks_mut(BATCH).enumerate() {
        observer.checkpoint()?;
        let first = batch * BATCH;
        columns
            .par_iter_mut()
            .enumerate()
            .try_for_each(|(i, columns)| fill_columns(system, &rows, first + i, columns))?;
        let done = (first + columns.len()) as u64;
        observer.progress(&Progress::new("matrix", done, total as u64));
    }
    let corrections = Corrections::new(system);
    for first in (0..total).step_by(BATCH) {
        observer.checkpoint()?;
        let nodes = first..(first + BATCH).min(total);
        let rows: Vec<Vec<Entry>> = nodes
            .clone()
            .into_par_iter()
            .map(|node| corrections.of_node(node, &corrections.near(node)))
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

/// Column of an unknown.
struct Column<'a> {
    unknown: &'a Block<Unknown>,
    entries: &'a mut [Complex64],
}

/// Returns the columns of the unknowns of every node.
fn columns_of_nodes<'a>(
    matrix: &'a mut Matrix,
    unknowns: &'a [Block<Unknown>],
    nodes: usize,
) -> Vec<Vec<Column<'a>>> {
    let columns: Vec<&mut [Complex64]> = matrix.par_columns_mut().map(|(_, c)| c).collect();
    let owners = (unknowns.iter())
        .flat_map(|unknown| unknown.nodes.clone().map(move |node| (node, unknown)));
    let mut result: Vec<Vec<Column<'a>>> = (0..nodes).map(|_| Vec::new()).collect();
    for ((node, unknown), entries) in owners.zip(columns) {
        result[node].push(Column { unknown, entries });
    }
    result
}

/// Evaluates kernel times weight at all nodes, for the unknowns of one source node.
fn fill_columns(
    system: &System,
    rows: &[Block<Row>],
    node: usize,
    columns: &mut [Column<'_>],
) -> Result<(), SpecialError> {
    let boundary = &system.boundary;
    let source = boundary.source(node);
    let weight = boundary.weight[node];
    for rows in rows.chunk_by(|a, b| a.body == b.body) {
        // Equations of one body are tested at the same points.
        let points = boundary.points(rows[0].nodes.clone());
        let mut outside = Vec::new();
        let mut inside = Vec::new();
        for column in &mut *columns {
            for row in rows {
                let coupling = system.coupling(row, column.unknown);
                outside.push(coupling.outside.scaled(weight));
                inside.extend(coupling.inside.map(|(wave, c)| (wave, c.scaled(weight))));
            }
        }
        system
            .wave()
            .add_columns(points, source, &mut parts(columns, rows, outside))?;
        if let Some(&(wave, _)) = inside.first() {
            let inside = inside.into_iter().map(|(_, c)| c).collect();
            wave.add_columns(points, source, &mut parts(columns, rows, inside))?;
        }
    }
    Ok(())
}

/// Returns the parts of columns in consecutive blocks of rows, with the coefficients of each.
fn parts<'a>(
    columns: &'a mut [Column<'_>],
    rows: &[Block<Row>],
    coefficients: Vec<Coefficients>,
) -> Vec<(Coefficients, &'a mut [Complex64])> {
    let first = rows[0].numbers.start;
    let count = rows[0].numbers.len();
    let last = first + rows.len() * count;
    let parts = columns
        .iter_mut()
        .flat_map(|column| column.entries[first..last].chunks_mut(count));
    coefficients.into_iter().zip(parts).collect()
}

/// Value that replaces an entry of the matrix or is added to it.
pub(crate) struct Entry {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) value: Complex64,
    pub(crate) replaces: bool,
}

/// Data shared by the corrections of all nodes.
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

    /// Returns the panels near a node.
    pub(crate) fn near(&self, node: usize) -> Vec<usize> {
        let boundary = &self.system.boundary;
        let at = boundary.position(node);
        (0..boundary.panels.len())
            .filter(|&panel| Boundary::clearance(&boundary.panels[panel], at) < NEAR)
            .collect()
    }

    /// Returns the corrected entries of a node's rows on the panels near it, and its free terms; replacements come first.
    pub(crate) fn of_node(&self, node: usize, near: &[usize]) -> Result<Vec<Entry>, SpecialError> {
        let boundary = &self.system.boundary;
        let order = boundary.rule.order();
        let observation = Observation {
            at: boundary.position(node),
            normal: boundary.normal(node),
            // Every panel has the same number of nodes.
            on: Some((node / order, boundary.rule.nodes[node % order])),
        };
        let near: Vec<NearPanel> = (near.iter())
            .map(|&panel| self.near_panel(panel, &observation))
            .collect::<Result<_, _>>()?;
        let mut entries = Vec::new();
        let mut added = Vec::new();
        for row in self.rows.iter().filter(|row| row.nodes.contains(&node)) {
            let number = row.numbers.start + node - row.nodes.start;
            for unknown in &self.unknowns {
                let coupling = self.system.coupling(row, unknown);
                let column = |node: usize| unknown.numbers.start + node - unknown.nodes.start;
                let panels = boundary.panels_of(unknown.body);
                for near in near.iter().filter(|near| panels.contains(&near.panel)) {
                    let first = column(boundary.panels[near.panel].first);
                    for (j, value) in self.regular(&coupling, near).into_iter().enumerate() {
                        entries.push(Entry {
                            row: number,
                            column: first + j,
                            value,
                            replaces: true,
                        });
                    }
                    for (node, value) in self.hyper(&coupling, near) {
                        added.push(Entry {
                            row: number,
                            column: column(node),
                            value,
                            replaces: false,
                        });
                    }
                }
                if unknown.nodes.contains(&node) && coupling.free != Complex64::ZERO {
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

    /// Samples a panel near a point on a body.
    fn near_panel(
        &self,
        panel: usize,
        observation: &Observation,
    ) -> Result<NearPanel, SpecialError> {
        let boundary = &self.system.boundary;
        let samples = self.local.samples(boundary, panel, observation);
        let body = boundary.panels[panel].body;
        let is_own = observation
            .on
            .is_some_and(|(own, _)| boundary.panels[own].body == body);
        let inside = match self.system.equations[body].surface {
            Surface::Dielectric { wave, .. } if is_own => Some(samples.hankel(wave)?),
            _ => None,
        };
        Ok(NearPanel {
            panel,
            outside: samples.hankel(self.system.wave())?,
            inside,
            samples,
        })
    }

    /// Returns the weights of a panel's nodes for all kernels but the hypersingular.
    fn regular(&self, coupling: &Coupling, near: &NearPanel) -> Vec<Complex64> {
        let rule = &self.system.boundary.rule;
        let mut sum = vec![Complex64::ZERO; rule.order()];
        for (hankel, coefficients) in near.media(coupling) {
            let regular = Coefficients {
                hyper: Complex64::ZERO,
                ..coefficients
            };
            if [regular.single, regular.double, regular.adjoint] == [Complex64::ZERO; 3] {
                continue;
            }
            let weights = near.samples.weights(rule, hankel, &regular);
            for (sum, weight) in sum.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        sum
    }

    /// Returns the nodes and weights of a panel's extended polynomial for the hypersingular kernel.
    fn hyper(&self, coupling: &Coupling, near: &NearPanel) -> Vec<(usize, Complex64)> {
        let extension = &self.extensions[near.panel];
        let mut result = Vec::new();
        for (hankel, coefficients) in near.media(coupling) {
            if coefficients.hyper == Complex64::ZERO {
                continue;
            }
            let weights = near.samples.hyper_weights(extension, hankel);
            let scaled = weights.into_iter().map(|w| coefficients.hyper * w);
            result.extend(extension.nodes.iter().copied().zip(scaled));
        }
        result
    }
}

/// Panel near an observation point, with the Hankel functions of the wave outside and, on the point's own body, inside.
struct NearPanel {
    panel: usize,
    samples: Samples,
    outside: SampledHankel,
    inside: Option<SampledHankel>,
}

impl NearPanel {
    /// Returns the media of a coupling with their kernels.
    fn media(&self, coupling: &Coupling) -> impl Iterator<Item = (&SampledHankel, Coefficients)> {
        let inside = coupling.inside.map(|(_, coefficients)| coefficients);
        let inside = self.inside.as_ref().zip(inside);
        std::iter::once((&self.outside, coupling.outside)).chain(inside)
    }
}
