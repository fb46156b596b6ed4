//! Trade-off between minimum and mean directivity: maximizes the mean while the minimum stays above a level, by
//! an augmented Lagrangian.

use wavefield_numerics::observe::{Cancelled, Observer, Progress};

use crate::beam::Beam;
use crate::descent::{MEMORY, descend};

const ROUNDS: usize = 12;
const ITERATIONS: usize = 40;
/// Initial and maximum penalty, and the factor of the level above which the constraint counts as met.
const FIRST_PENALTY: f64 = 1.0;
const LAST_PENALTY: f64 = 100.0;
const KEPT: f64 = 0.998;

/// Maximizes the mean directivity over the first `inside` directions from the given phases, with the
/// directivity in every direction above the level.
pub(crate) fn largest_mean(
    beam: &Beam<'_>,
    inside: usize,
    phases: &[f64],
    level: f64,
    observer: &dyn Observer,
) -> Result<Vec<f64>, Cancelled> {
    let mut at = phases.to_vec();
    let mut multipliers = vec![0.0; beam.operator.directions().len()];
    let mut penalty = FIRST_PENALTY;
    for round in 0..ROUNDS {
        observer.checkpoint()?;
        observer.progress(&Progress::new("trade-off", round as u64, ROUNDS as u64));
        let goal = |phases: &[f64], gradient: &mut [f64]| {
            let radiated = beam.radiate(phases);
            let mut value = 0.0;
            let mut by_directivity = Vec::with_capacity(multipliers.len());
            for (p, (&d, &multiplier)) in radiated.directivity.iter().zip(&multipliers).enumerate()
            {
                let pressed = (multiplier + penalty * (level - d) / beam.reference).max(0.0);
                value += (pressed * pressed - multiplier * multiplier) / (2.0 * penalty);
                let mut q = -pressed / beam.reference;
                if p < inside {
                    let share = 1.0 / (inside as f64 * beam.reference);
                    value -= share * d;
                    q -= share;
                }
                by_directivity.push(q);
            }
            beam.gradient(&radiated, &by_directivity, gradient);
            value
        };
        descend(goal, &mut at, ITERATIONS, MEMORY, &beam.diagonal);
        let directivity = beam.radiate(&at).directivity;
        for (multiplier, d) in multipliers.iter_mut().zip(&directivity) {
            *multiplier = (*multiplier + penalty * (level - d) / beam.reference).max(0.0);
        }
        let least = directivity.iter().copied().fold(f64::INFINITY, f64::min);
        if least < KEPT * level {
            penalty = (2.0 * penalty).min(LAST_PENALTY);
        }
    }
    Ok(at)
}
