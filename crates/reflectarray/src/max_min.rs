//! Max–min phase synthesis.
//!
//! A quasi-Newton method minimizes the negative soft minimum of the directivities at increasing sharpness.
//! Directions where the directivity between the samples is lower are then added to the samples.

use crate::beam::Beam;
use crate::descent::{MEMORY, descend};
use crate::synthesis::{Evaluator, Line, Stage};

/// Sharpness and iterations.
const SHARPENED: [(f64, usize); 4] = [(15.0, 40), (50.0, 40), (150.0, 60), (500.0, 100)];
/// Sharpness and iterations after each exchange of directions.
const EXCHANGED: [(f64, usize); 2] = [(500.0, 60), (2000.0, 100)];
const EXCHANGES: usize = 3;
/// Directions are added where the directivity is below this factor times the sampled minimum.
const JOINS: f64 = 1.01;

/// Completes an optimization line, adding evaluated directions to the samples.
pub(crate) fn finish(beam: &Beam<'_>, evaluator: &Evaluator<'_>, line: &mut Line) {
    for (sharpness, iterations) in SHARPENED {
        sharpen(beam, line, sharpness, iterations);
        line.note(Stage::MaxMin, line.phases.len(), evaluator);
    }
    let mut beam = beam.clone();
    for _ in 0..EXCHANGES {
        let least = 10.0_f64.powf(0.1 * beam.least_dbi(&line.phases));
        let joining: Vec<[f64; 2]> = evaluator
            .directions()
            .iter()
            .zip(evaluator.directivity(&line.phases))
            .filter(|(_, d)| *d < JOINS * least)
            .map(|(direction, _)| *direction)
            .collect();
        beam.operator.extend(joining);
        for (sharpness, iterations) in EXCHANGED {
            sharpen(&beam, line, sharpness, iterations);
            line.note(Stage::MaxMin, line.phases.len(), evaluator);
        }
    }
}

fn sharpen(beam: &Beam<'_>, line: &mut Line, sharpness: f64, iterations: usize) {
    let mut fields = 0;
    let goal = |at: &[f64], gradient: &mut [f64]| {
        fields += 1;
        beam.soft_minimum(at, sharpness, gradient)
    };
    descend(goal, &mut line.phases, iterations, MEMORY, &beam.diagonal);
    line.fields += fields;
}
