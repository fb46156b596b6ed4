//! Near-field matrix: kernels between near nodes, corrected weights of near panels, and free terms, as a sparse matrix.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_numerics::observe::{Observer, Progress};
use wavefield_numerics::special::SpecialError;

use super::medium::Medium;
use super::tree::Tree;
use crate::boundary::{Boundary, Panel};
use crate::correction::NEAR;
use crate::error::Error;
use crate::formulation::{Row, Unknown};
use crate::kernels::{Coefficients, add_sum_of_products};
use crate::nystrom::{BATCH, Corrections};
use crate::system::{Block, System};

/// Consecutive entries of a row.
#[derive(Clone, Copy, Debug)]
struct Run {
    column: u32,
    count: u32,
}

/// Sparse matrix, with rows stored in the order in which they were computed.
#[derive(Debug, Default)]
pub(crate) struct Sparse {
    /// Position of each row.
    places: Vec<u32>,
    /// First run and first value of every row, and of one past the last.
    firsts: Vec<[usize; 2]>,
    runs: Vec<Run>,
    values: Vec<Complex64>,
}

impl Sparse {
    /// Allocates a number of rows.
    fn new(rows: usize) -> Sparse {
        Sparse {
            places: vec![0; rows],
            firsts: vec![[0, 0]],
            ..Sparse::default()
        }
    }

    /// Adds a row.
    fn push(&mut self, row: &PackedRow) {
        self.places[row.row] = (self.firsts.len() - 1) as u32;
        self.runs.extend_from_slice(&row.runs);
        self.values.extend_from_slice(&row.values);
        self.firsts.push([self.runs.len(), self.values.len()]);
    }

    /// Returns the runs of a row: first column and values.
    fn row(&self, row: usize) -> impl Iterator<Item = (usize, &[Complex64])> {
        let place = self.places[row] as usize;
        let ([first, mut at], [last, _]) = (self.firsts[place], self.firsts[place + 1]);
        self.runs[first..last].iter().map(move |run| {
            let values = &self.values[at..at + run.count as usize];
            at += values.len();
            (run.column as usize, values)
        })
    }

    /// Writes the product with a vector.
    pub(crate) fn apply(&self, x: &[Complex64], y: &mut [Complex64]) {
        y.par_iter_mut()
            .enumerate()
            .with_min_len(64)
            .for_each(|(row, y)| {
                *y = Complex64::ZERO;
                for (column, values) in self.row(row) {
                    add_sum_of_products(values, &x[column..column + values.len()], y);
                }
            });
    }

    /// Returns the entry of a row and a column.
    pub(crate) fn entry(&self, row: usize, column: usize) -> Complex64 {
        (self.row(row))
            .find_map(|(first, values)| values.get(column.checked_sub(first)?))
            .copied()
            .unwrap_or(Complex64::ZERO)
    }
}

/// Computes the entries of all rows.
pub(crate) fn near(
    system: &System,
    media: &[Medium],
    observer: &dyn Observer,
) -> Result<Sparse, Error> {
    let nearby = Nearby {
        system,
        media,
        unknowns: system.unknowns(),
        rows: system.rows(),
        corrections: Corrections::new(system),
        panels: panels_near_leaves(&system.boundary, &media[0].multipole.tree),
    };
    let total = system.boundary.len();
    let mut sparse = Sparse::new(system.equations());
    for first in (0..total).step_by(8 * BATCH) {
        observer.checkpoint()?;
        let nodes = first..(first + 8 * BATCH).min(total);
        let rows: Vec<Vec<PackedRow>> = nodes
            .clone()
            .into_par_iter()
            .map(|node| nearby.of_node(node))
            .collect::<Result<_, _>>()?;
        for row in rows.iter().flatten() {
            sparse.push(row);
        }
        if first == 0 {
            // Reserve the same for the remaining nodes: growing would take the memory twice.
            let more = (total - nodes.len()).div_ceil(nodes.len().max(1));
            sparse.values.reserve(more * sparse.values.len() * 21 / 20);
        }
        observer.progress(&Progress::new(
            "near-field matrix",
            nodes.end as u64,
            total as u64,
        ));
    }
    Ok(sparse)
}

/// Returns the panels that may be near enough to nodes of each leaf to be corrected.
fn panels_near_leaves(boundary: &Boundary, tree: &Tree) -> Vec<Vec<u32>> {
    let leaves = tree.leaves();
    let mut near = vec![Vec::new(); leaves.cells.len()];
    for (number, panel) in boundary.panels.iter().enumerate() {
        for leaf in tree.leaves_within(panel.center, reach(panel)) {
            near[leaf].push(number as u32);
        }
    }
    near
}

/// Returns the distance from the center of a panel within which nodes are near.
fn reach(panel: &Panel) -> f64 {
    (NEAR + 0.5) * panel.length
}

/// Entries of a row, in runs.
struct PackedRow {
    row: usize,
    runs: Vec<Run>,
    values: Vec<Complex64>,
}

impl PackedRow {
    /// Packs the entries of a row; entries of one column are summed.
    fn new(RowEntries { row, mut entries }: RowEntries) -> PackedRow {
        entries.sort_by_key(|(column, _)| *column);
        let mut packed = PackedRow {
            row,
            runs: Vec::new(),
            values: Vec::with_capacity(entries.len()),
        };
        let mut before = None;
        for (column, value) in entries {
            match (packed.values.last_mut(), packed.runs.last_mut()) {
                (Some(last), _) if before == Some(column) => *last += value,
                (_, Some(run)) if run.column + run.count == column => {
                    run.count += 1;
                    packed.values.push(value);
                }
                _ => {
                    packed.runs.push(Run { column, count: 1 });
                    packed.values.push(value);
                }
            }
            before = Some(column);
        }
        packed
    }
}

/// Unsorted entries of a row.
struct RowEntries {
    row: usize,
    entries: Vec<(u32, Complex64)>,
}

struct Nearby<'a> {
    system: &'a System,
    media: &'a [Medium],
    unknowns: Vec<Block<Unknown>>,
    rows: Vec<Block<Row>>,
    corrections: Corrections<'a>,
    panels: Vec<Vec<u32>>,
}

impl Nearby<'_> {
    /// Returns the entries of the rows of a node.
    fn of_node(&self, node: usize) -> Result<Vec<PackedRow>, SpecialError> {
        let boundary = &self.system.boundary;
        let order = boundary.rule.order();
        let leaf = self.media[0].leaf(node);
        let at = boundary.position(node);
        let corrected: Vec<usize> = (self.panels[leaf].iter())
            .map(|&panel| panel as usize)
            .filter(|&panel| Boundary::clearance(&boundary.panels[panel], at) < NEAR)
            .collect();
        let mut rows: Vec<RowEntries> = (self.rows.iter())
            .filter(|row| row.nodes.contains(&node))
            .map(|row| RowEntries {
                row: row.numbers.start + node - row.nodes.start,
                entries: Vec::new(),
            })
            .collect();
        for entry in self.corrections.of_node(node, &corrected)? {
            if let Some(row) = rows.iter_mut().find(|row| row.row == entry.row) {
                row.entries.push((entry.column as u32, entry.value));
            }
        }
        let is_corrected = |other: usize| corrected.binary_search(&(other / order)).is_ok();
        for medium in self.media.iter().filter(|m| m.nodes.contains(&node)) {
            // Corrected panels in nonadjacent leaves are also in the far field, which is subtracted.
            for &panel in &corrected {
                let first = boundary.panels[panel].first;
                let far: Vec<usize> = (first..first + order)
                    .filter(|&other| medium.nodes.contains(&other))
                    .filter(|&other| !medium.is_near(node, other))
                    .collect();
                self.add_plain(medium, node, &far, -1.0, &mut rows)?;
            }
            let plain: Vec<usize> = (medium.near(node).into_iter())
                .filter(|&other| !is_corrected(other))
                .collect();
            self.add_plain(medium, node, &plain, 1.0, &mut rows)?;
        }
        Ok(rows.into_iter().map(PackedRow::new).collect())
    }

    /// Adds kernel times weight of other nodes, in ascending order, in a medium.
    fn add_plain(
        &self,
        medium: &Medium,
        node: usize,
        others: &[usize],
        sign: f64,
        rows: &mut [RowEntries],
    ) -> Result<(), SpecialError> {
        let boundary = &self.system.boundary;
        let source = boundary.source(node);
        let mut values = Vec::new();
        for run in others.chunk_by(|a, b| a + 1 == *b) {
            let run = run[0]..run[run.len() - 1] + 1;
            for unknown in &self.unknowns {
                let nodes = run.start.max(unknown.nodes.start)..run.end.min(unknown.nodes.end);
                if nodes.is_empty() {
                    continue;
                }
                let of_node = self.rows.iter().filter(|row| row.nodes.contains(&node));
                for (row, entries) in of_node.zip(rows.iter_mut()) {
                    let coupling = self.system.coupling(row, unknown);
                    let Some(coefficients) = medium.coefficients(&coupling) else {
                        continue;
                    };
                    // Node and source exchanged: the normals exchange their roles.
                    let turned = Coefficients {
                        double: coefficients.adjoint,
                        adjoint: coefficients.double,
                        ..coefficients
                    };
                    values.clear();
                    values.resize(nodes.len(), Complex64::ZERO);
                    let points = boundary.points(nodes.clone());
                    medium
                        .wave
                        .add_column(points, source, &turned, &mut values)?;
                    for (other, value) in nodes.clone().zip(&values) {
                        let column = unknown.numbers.start + other - unknown.nodes.start;
                        let value = value * (sign * boundary.weight[other]);
                        entries.entries.push((column as u32, value));
                    }
                }
            }
        }
        Ok(())
    }
}
