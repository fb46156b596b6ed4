//! The matrix of the locally corrected Nyström method.

use num_complex::Complex64;
use rayon::prelude::*;
use wavefield_compute::observe::{Observer, Progress};
use wavefield_physics::special::SpecialError;

use crate::boundary::Boundary;
use crate::correction::{LocalCorrection, NEAR, Observation};
use crate::error::Error;
use crate::formulation::Coupling;
use crate::kernels::Coefficients;
use crate::operator::DenseMatrix;
use crate::system::System;

/// Panels worked on between two looks at the observer.
const BATCH: usize = 64;

/// Fills the matrix, a panel's columns at a time.
pub(crate) fn fill(system: &System, observer: &dyn Observer) -> Result<DenseMatrix, Error> {
    let size = system.size();
    let order = system.boundary.rule.order();
    let correction = LocalCorrection::new();
    let near = near_nodes(&system.boundary);
    // Panels of columns, in the order of the unknowns: block and panel.
    let panels: Vec<(usize, usize)> = system
        .unknowns()
        .iter()
        .enumerate()
        .flat_map(|(block, b)| system.boundary.panels_of(b.body).map(move |p| (block, p)))
        .collect();
    let mut matrix = DenseMatrix::zeros(size);
    let batch = BATCH * order * size;
    for (index, (columns, panels_now)) in matrix
        .columns_mut()
        .chunks_mut(batch.max(1))
        .zip(panels.chunks(BATCH))
        .enumerate()
    {
        observer.checkpoint()?;
        columns
            .par_chunks_mut(order * size)
            .zip(panels_now)
            .try_for_each(|(columns, &(block, panel))| {
                fill_panel(system, &correction, &near[panel], block, panel, columns)
            })?;
        let done = (index * BATCH + panels_now.len()) as u64;
        observer.progress(&Progress::new("matrix", done, panels.len() as u64));
    }
    Ok(matrix)
}

/// The columns of one panel.
fn fill_panel(
    system: &System,
    correction: &LocalCorrection,
    near: &[usize],
    block: usize,
    panel: usize,
    columns: &mut [Complex64],
) -> Result<(), SpecialError> {
    let boundary = &system.boundary;
    let unknown = &system.unknowns()[block];
    let geometry = &boundary.panels[panel];
    let order = boundary.rule.order();
    let size = system.size();
    for row in system.rows() {
        let same = row.body == unknown.body;
        let coupling = system.equations[unknown.body].coupling(
            row.kind,
            unknown.kind,
            system.wavenumber,
            same,
        );
        for (j, column) in columns.chunks_mut(size).enumerate() {
            let node = geometry.first + j;
            let part = &mut column[row.numbers.clone()];
            add_plain(system, &coupling, node, row.nodes.clone(), part)?;
        }
        for &node in near.iter().filter(|n| row.nodes.contains(n)) {
            let number = row.numbers.start + node - row.nodes.start;
            let weights = corrected(system, correction, &coupling, panel, node)?;
            for (j, weight) in weights.into_iter().enumerate() {
                columns[j * size + number] = weight;
            }
        }
        if same {
            for j in 0..order {
                let number = row.numbers.start + geometry.first + j - row.nodes.start;
                columns[j * size + number] += coupling.free;
            }
        }
    }
    Ok(())
}

/// Kernel times weight of the node.
fn add_plain(
    system: &System,
    coupling: &Coupling,
    node: usize,
    rows: std::ops::Range<usize>,
    out: &mut [Complex64],
) -> Result<(), SpecialError> {
    let boundary = &system.boundary;
    let points = boundary.points(rows);
    let source = boundary.source(node);
    let weight = boundary.weight[node];
    let outside = scaled(&coupling.outside, weight);
    system.wave().add_column(points, source, &outside, out)?;
    if let Some((wave, inside)) = &coupling.inside {
        wave.add_column(points, source, &scaled(inside, weight), out)?;
    }
    Ok(())
}

fn corrected(
    system: &System,
    correction: &LocalCorrection,
    coupling: &Coupling,
    panel: usize,
    node: usize,
) -> Result<Vec<Complex64>, SpecialError> {
    let boundary = &system.boundary;
    let observation = observation(boundary, node);
    let wave = system.wave();
    let mut weights = correction.weights(boundary, panel, &observation, wave, &coupling.outside)?;
    if let Some((wave, inside)) = &coupling.inside {
        let more = correction.weights(boundary, panel, &observation, *wave, inside)?;
        for (weight, more) in weights.iter_mut().zip(more) {
            *weight += more;
        }
    }
    Ok(weights)
}

fn scaled(coefficients: &Coefficients, by: f64) -> Coefficients {
    Coefficients {
        single: coefficients.single * by,
        double: coefficients.double * by,
        adjoint: coefficients.adjoint * by,
        hyper: coefficients.hyper * by,
    }
}

fn observation(boundary: &Boundary, node: usize) -> Observation {
    let order = boundary.rule.order();
    // Every panel has the same number of nodes.
    Observation {
        at: boundary.position(node),
        normal: boundary.normal(node),
        on: Some((node / order, boundary.rule.nodes[node % order])),
    }
}

/// For each panel the nodes that are so close that it must be corrected for them.
fn near_nodes(boundary: &Boundary) -> Vec<Vec<usize>> {
    boundary
        .panels
        .par_iter()
        .map(|panel| {
            (0..boundary.len())
                .filter(|&node| Boundary::clearance(panel, boundary.position(node)) < NEAR)
                .collect()
        })
        .collect()
}
