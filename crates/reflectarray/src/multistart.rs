//! Multi-level single linkage: a global search that avoids repeated local searches in one basin of attraction
//! (A. H. G. Rinnooy Kan, G. T. Timmer, Math. Program. 39 (1987) 57–78).
//!
//! Points are sampled in the cube [−1, 1]^d; a local search starts at points of the lower fraction that have no
//! lower point within a critical distance, which decreases with the number of points. Points are those of the
//! Halton sequence, so that a search is reproducible.

use rayon::prelude::*;
use wavefield_numerics::observe::{Cancelled, Observer, Progress};

/// Number of rounds, and of points sampled in each.
const ROUNDS: usize = 4;
const DRAWN: usize = 32;
/// Fraction of the points, by value, at which a search may start.
const LOWER_PART: f64 = 0.5;
/// σ of the critical distance.
const SIGMA: f64 = 2.0;
/// Tolerances of coordinates, and of relative values, within which two searches found the same minimum.
const SAME: f64 = 0.5;
const SAME_VALUE: f64 = 0.01;

/// Result of a local search.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Minimum {
    /// Start of the search.
    pub(crate) start: Vec<f64>,
    pub(crate) at: Vec<f64>,
    pub(crate) value: f64,
}

/// Result of a global search.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    /// Distinct minima, lowest first.
    pub(crate) minima: Vec<Minimum>,
    /// Number of local searches.
    pub(crate) searches: usize,
}

/// Finds minima of a function, starting in the cube [−1, 1]^d; `descend` runs a local search.
pub(crate) fn search(
    dimensions: usize,
    value: impl Fn(&[f64]) -> f64 + Sync,
    descend: impl Fn(&[f64]) -> (f64, Vec<f64>) + Sync,
    observer: &dyn Observer,
) -> Result<Found, Cancelled> {
    let mut points: Vec<(f64, Vec<f64>, bool)> = Vec::new();
    let mut minima: Vec<Minimum> = Vec::new();
    let mut searches = 0;
    for round in 0..ROUNDS {
        observer.checkpoint()?;
        let progress = Progress::new("global search", round as u64, ROUNDS as u64);
        observer.progress(&progress);
        let drawn = round * DRAWN..(round + 1) * DRAWN;
        points.par_extend(drawn.into_par_iter().map(|index| {
            let point = halton(index + 1, dimensions);
            (value(&point), point, false)
        }));
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let reduced = (LOWER_PART * points.len() as f64).ceil() as usize;
        let near = critical_distance(dimensions, points.len());
        let begun: Vec<usize> = (0..reduced)
            .filter(|&i| {
                let lower = |j: &usize| distance(&points[*j].1, &points[i].1) < near;
                !points[i].2 && !(0..i).any(|j| lower(&j))
            })
            .collect();
        let ended: Vec<(f64, Vec<f64>)> = begun
            .par_iter()
            .map(|&i| {
                observer.checkpoint()?;
                Ok(descend(&points[i].1))
            })
            .collect::<Result<_, Cancelled>>()?;
        searches += begun.len();
        for (i, (value, at)) in begun.into_iter().zip(ended) {
            points[i].2 = true;
            minima.push(Minimum {
                start: points[i].1.clone(),
                at,
                value,
            });
        }
    }
    minima.sort_by(|a, b| a.value.total_cmp(&b.value));
    let mut distinct: Vec<Minimum> = Vec::new();
    for minimum in minima {
        let same = |other: &Minimum| {
            let pairs = other.at.iter().zip(&minimum.at);
            let apart = pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
            apart < SAME && minimum.value - other.value < SAME_VALUE * other.value.abs()
        };
        if !distinct.iter().any(same) {
            distinct.push(minimum);
        }
    }
    Ok(Found {
        minima: distinct,
        searches,
    })
}

/// Returns the critical distance r = π^(−1/2) (Γ(1 + d/2) V σ ln N/N)^(1/d), V the volume of the cube.
fn critical_distance(dimensions: usize, points: usize) -> f64 {
    let d = dimensions as f64;
    let n = points as f64;
    // Γ(1 + d/2) by recurrence from Γ(1) or Γ(3/2).
    let (mut gamma, mut at) = if dimensions.is_multiple_of(2) {
        (1.0, 1.0)
    } else {
        (0.5 * std::f64::consts::PI.sqrt(), 1.5)
    };
    while at < 1.0 + 0.5 * d {
        gamma *= at;
        at += 1.0;
    }
    let volume = 2.0_f64.powf(d);
    (gamma * volume * SIGMA * n.ln() / n).powf(1.0 / d) / std::f64::consts::PI.sqrt()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

/// Returns a point of the Halton sequence in [−1, 1]^d.
fn halton(index: usize, dimensions: usize) -> Vec<f64> {
    primes()
        .take(dimensions)
        .map(|base| {
            let (mut value, mut digit, mut rest) = (0.0, 1.0, index);
            while rest > 0 {
                digit /= base as f64;
                value += digit * (rest % base) as f64;
                rest /= base;
            }
            2.0 * value - 1.0
        })
        .collect()
}

fn primes() -> impl Iterator<Item = usize> {
    (2..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descent::{self, MEMORY};
    use wavefield_numerics::observe::Silent;

    /// A function with four minima of different depths at (±½, ±½).
    fn valleys(at: &[f64], gradient: &mut [f64]) -> f64 {
        let [x, y] = [at[0], at[1]];
        let well = |t: f64| (t * t - 0.25).powi(2);
        gradient[0] = 4.0 * x * (x * x - 0.25) + 0.02;
        gradient[1] = 4.0 * y * (y * y - 0.25) - 0.01;
        well(x) + well(y) + 0.02 * x - 0.01 * y
    }

    #[test]
    fn every_valley_is_found_once_and_few_searches_are_wasted() {
        let value = |at: &[f64]| valleys(at, &mut [0.0; 2]);
        let descend = |at: &[f64]| {
            let mut at = at.to_vec();
            let value = descent::descend(valleys, &mut at, 100, MEMORY, &[1.0; 2]);
            (value, at)
        };
        let found = search(2, value, descend, &Silent).unwrap();
        assert_eq!(found.minima.len(), 4, "{found:?}");
        assert!(found.minima[0].at[0] < 0.0 && found.minima[0].at[1] > 0.0);
        assert!(found.searches < ROUNDS * DRAWN / 3, "{}", found.searches);
    }

    #[test]
    fn the_critical_distance_is_that_of_the_paper_in_two_dimensions() {
        // Γ(2) = 1: r² = 4σ ln N/(πN).
        let expected = (4.0 * SIGMA * 50.0_f64.ln() / (50.0 * std::f64::consts::PI)).sqrt();
        assert!((critical_distance(2, 50) - expected).abs() < 1e-14);
    }
}
