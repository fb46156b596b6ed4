//! Benchmarks: rates measured against the bound of the machine in the same run.

mod dgtd;
mod exact;
mod fft;
mod holography;
mod mom;
mod sbr;

use std::time::Instant;

use crate::measure::Case;

/// Every benchmark.
pub fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "compute/fft",
            about: "batched transforms on the CPU against rustfft called bare",
            measure: Box::new(fft::measure),
        },
        Case {
            name: "dgtd/kernel",
            about: "a stage on tetrahedra of order 1 to 8, on one and two threads, against matrix products and memory",
            measure: Box::new(dgtd::kernel),
        },
        Case {
            name: "exact/sweep",
            about: "aspects per second of a large sphere, and how threads help",
            measure: Box::new(exact::measure),
        },
        Case {
            name: "holography/iteration",
            about: "from bits to the field near the sources, one to five holograms, every front end, stage by stage, on one and two threads",
            measure: Box::new(holography::iteration),
        },
        Case {
            name: "holography/stream",
            about: "bits of 1024 microphones through a pipe in real time for two minutes, five holograms of every hop",
            measure: Box::new(holography::stream_long),
        },
        Case {
            name: "holography/stream-short",
            about: "the same for ten seconds",
            measure: Box::new(holography::stream_short),
        },
        Case {
            name: "mom/dense",
            about: "a dense integral equation of 2,500, 5,000 and 10,000 unknowns: fill, factors and 361 solutions",
            measure: Box::new(mom::dense),
        },
        Case {
            name: "sbr/aircraft",
            about: "the closed PRIME aircraft of 15 m at 10 GHz from 361 sides, five bounces, and how far the rays are from finer ones",
            measure: Box::new(sbr::aircraft),
        },
    ]
}

/// Shortest of several runs of two candidates, run in turn so that both meet the same disturbances.
fn alternating_best(
    rounds: usize,
    mut first: impl FnMut(),
    mut second: impl FnMut(),
) -> (f64, f64) {
    let (mut best_first, mut best_second) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds {
        let start = Instant::now();
        first();
        best_first = best_first.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        second();
        best_second = best_second.min(start.elapsed().as_secs_f64());
    }
    (best_first, best_second)
}
