//! Phases for the largest least directivity.
//!
//! A soft minimum is sharpened step by step while a quasi-Newton descent follows it. Where it ends
//! depends on the start: quadratic phases of all signs, with and without a term xy, reach the few good
//! optima there are, while rough starts end with phase vortices in the coverage (zeros of the field) in
//! a third of the trials. Points where the field between the samples turned out to be lower join the
//! samples at the end.

use rayon::prelude::*;
use wavefield_compute::observe::{Cancelled, Observer, Progress};
use wavefield_physics::far_field::power_db;

use crate::aperture::Aperture;
use crate::beam::Beam;
use crate::descent::{MEMORY, descend};
use crate::directions::Directions;
use crate::window::Operator;

/// Quadratic starts: factors of x², y² and xy in units of the phase that fills the coverage.
const STARTS: [[f64; 3]; 16] = [
    [0.6, 0.6, 0.0],
    [0.6, -0.6, 0.0],
    [-0.6, 0.6, 0.0],
    [-0.6, -0.6, 0.0],
    [0.6, 0.6, 0.6],
    [0.6, -0.6, 0.6],
    [-0.6, 0.6, 0.6],
    [-0.6, -0.6, 0.6],
    [0.6, 0.6, -0.6],
    [0.6, -0.6, -0.6],
    [-0.6, 0.6, -0.6],
    [-0.6, -0.6, -0.6],
    [0.6, 0.0, 0.3],
    [0.6, 0.0, -0.3],
    [-0.6, 0.0, 0.3],
    [-0.6, 0.0, -0.3],
];
/// Sharpness and iterations while the starts are compared; after the first a start with a vortex is given up.
const COMPARED: [(f64, usize); 3] = [(5.0, 40), (15.0, 40), (50.0, 40)];
/// And for those that go on.
const CHOSEN: [(f64, usize); 2] = [(150.0, 60), (500.0, 100)];
/// And after each exchange of points.
const EXCHANGED: [(f64, usize); 2] = [(500.0, 60), (2000.0, 100)];
const EXCHANGES: usize = 3;
/// Starts that go on.
const CANDIDATES: usize = 3;
/// Below the reference by so many decibels the coverage has a hole.
const VORTEX_DB: f64 = 7.0;
/// Results nearer than this are the same optimum, dB.
const SAME_DB: f64 = 0.004;
/// Points join the samples where the directivity is below this part of the least sample's.
const JOINS: f64 = 1.01;

/// A start that was followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Factors of x², y² and xy.
    pub quadratic: [f64; 3],
    /// Least directivity over the samples after the comparison, dBi; none for a start with a vortex.
    pub least_dbi: Option<f64>,
}

/// The best phases found, and how.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Phases relative to a beam towards the middle of the window.
    pub(crate) phases: Vec<f64>,
    /// The start they came from.
    pub(crate) start: [f64; 3],
    pub(crate) starts: Vec<Start>,
}

/// Phases k·R·(c_x b_u ξ²/2 + c_y b_v η²/2 + c_xy √(b_u b_v) ξη): ray optics would spread the beam over the
/// fraction c of the coverage's half widths b.
pub(crate) fn quadratic(aperture: &Aperture, half_widths: [f64; 2], factors: [f64; 3]) -> Vec<f64> {
    let k = aperture.wavenumber();
    let reach = |places: &[f64]| places.iter().fold(0.0_f64, |most, p| most.max(p.abs()));
    let (rx, ry) = (reach(&aperture.columns), reach(&aperture.rows));
    let [bu, bv] = half_widths;
    aperture
        .places()
        .map(|[x, y]| {
            let (xi, eta) = (x / rx, y / ry);
            k * (0.5 * factors[0] * bu * rx * xi * xi
                + 0.5 * factors[1] * bv * ry * eta * eta
                + factors[2] * (bu * bv * rx * ry).sqrt() * xi * eta)
        })
        .collect()
}

/// Follows all starts and returns the best result, judged with all of `fine`.
pub(crate) fn synthesize(
    beam: &Beam<'_>,
    half_widths: [f64; 2],
    fine: &Directions,
    observer: &dyn Observer,
) -> Result<Found, Cancelled> {
    let stage = |number| Progress::new("starts", number, STARTS.len() as u64);
    let done = std::sync::atomic::AtomicU64::new(0);
    let compared: Vec<(Start, Vec<f64>)> = STARTS
        .par_iter()
        .map(|&quadratic_factors| {
            observer.checkpoint()?;
            let mut phases = quadratic(beam.aperture, half_widths, quadratic_factors);
            let mut least = None;
            for (step, &(sharpness, iterations)) in COMPARED.iter().enumerate() {
                sharpen(beam, &mut phases, sharpness, iterations);
                let reached = beam.least_dbi(&phases);
                if step == 0 && reached < power_db(beam.reference) - VORTEX_DB {
                    least = None;
                    break;
                }
                least = Some(reached);
            }
            let number = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            observer.progress(&stage(number));
            let start = Start {
                quadratic: quadratic_factors,
                least_dbi: least,
            };
            Ok((start, phases))
        })
        .collect::<Result<_, Cancelled>>()?;

    let mut ranked: Vec<&(Start, Vec<f64>)> = compared
        .iter()
        .filter(|(start, _)| start.least_dbi.is_some())
        .collect();
    // Every start may have a vortex: then the best of a bad lot goes on.
    if ranked.is_empty() {
        ranked = compared.iter().collect();
    }
    let reached = |start: &Start| start.least_dbi.unwrap_or(f64::NEG_INFINITY);
    ranked.sort_by(|a, b| reached(&b.0).total_cmp(&reached(&a.0)));
    let mut chosen: Vec<&(Start, Vec<f64>)> = Vec::new();
    for candidate in ranked {
        let differs = |other: &&(Start, Vec<f64>)| {
            (reached(&other.0) - reached(&candidate.0)).abs() > SAME_DB
        };
        if chosen.len() < CANDIDATES && chosen.iter().all(differs) {
            chosen.push(candidate);
        }
    }
    let finished: Vec<(f64, Vec<f64>, [f64; 3])> = chosen
        .into_par_iter()
        .map(|(start, phases)| {
            observer.checkpoint()?;
            let (least, phases) = finish(beam, phases.clone(), fine);
            Ok((least, phases, start.quadratic))
        })
        .collect::<Result<_, Cancelled>>()?;
    let (_, phases, start) = finished
        .into_iter()
        .reduce(|best, other| if other.0 > best.0 { other } else { best })
        .expect("there is always a start");
    Ok(Found {
        phases,
        start,
        starts: compared.into_iter().map(|(start, _)| start).collect(),
    })
}

/// The last sharpenings, with points of the fine directions joining the samples.
fn finish(beam: &Beam<'_>, mut phases: Vec<f64>, fine: &Directions) -> (f64, Vec<f64>) {
    for (sharpness, iterations) in CHOSEN {
        sharpen(beam, &mut phases, sharpness, iterations);
    }
    let aperture = beam.aperture;
    let scale = aperture.scale();
    let mut beam = beam.clone();
    let judge = Operator::new(beam.operator.window(), fine.all.clone());
    let between = |phases: &[f64]| -> Vec<f64> {
        let field = judge.field(&aperture.excitation(phases));
        field.iter().map(|f| scale * f.norm_sqr()).collect()
    };
    for _ in 0..EXCHANGES {
        let least = 10.0_f64.powf(0.1 * beam.least_dbi(&phases));
        let joining: Vec<[f64; 2]> = fine
            .all
            .iter()
            .zip(between(&phases))
            .filter(|(_, d)| *d < JOINS * least)
            .map(|(direction, _)| *direction)
            .collect();
        beam.operator.extend(joining);
        for (sharpness, iterations) in EXCHANGED {
            sharpen(&beam, &mut phases, sharpness, iterations);
        }
    }
    let least = between(&phases).into_iter().fold(f64::INFINITY, f64::min);
    (least, phases)
}

fn sharpen(beam: &Beam<'_>, phases: &mut Vec<f64>, sharpness: f64, iterations: usize) {
    descend(
        |at, slope| beam.soft_minimum(at, sharpness, slope),
        phases,
        iterations,
        MEMORY,
        &beam.diagonal,
    );
}
