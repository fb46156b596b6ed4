//! Benchmarks: rates measured against the bound of the machine in the same run.

mod dgtd;
mod exact;
mod fft;
mod holography;
mod memory;
mod mom;
mod mom_3d;
mod ranks;
mod sbr;
mod survive;

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
            name: "memory/predict",
            about: "peak resident memory of 32 runs of all solvers, compared with the predictions before them",
            measure: Box::new(memory::predict),
        },
        Case {
            name: "memory/predict-short",
            about: "the same for six of them",
            measure: Box::new(memory::predict_short),
        },
        Case {
            name: "mom/dense",
            about: "a dense integral equation of 2,500, 5,000 and 10,000 unknowns: fill, factors and 361 solutions",
            measure: Box::new(mom::dense),
        },
        Case {
            name: "mom/fast",
            about: "a conducting circle of 10,000, 100,000 and 1,000,000 unknowns, ten to a wavelength, by fast products: time, memory, exponent",
            measure: Box::new(mom::fast),
        },
        Case {
            name: "mom/fast-short",
            about: "the same of 10,000 and 30,000 unknowns",
            measure: Box::new(mom::fast_short),
        },
        Case {
            name: "mom/plate-3d",
            about: "open conducting plates of 3 to 24 wavelengths, EFIE, by products through a grid: iterations, time, memory, exponent",
            measure: Box::new(mom_3d::plates),
        },
        Case {
            name: "mom/sphere-3d",
            about: "conducting spheres of 2.6 to 41 wavelengths, CFIE, by products through a grid: time, memory, exponent, error",
            measure: Box::new(mom_3d::spheres),
        },
        Case {
            name: "mom/sphere-3d-short",
            about: "the same of 1 and 1.6 wavelengths",
            measure: Box::new(mom_3d::spheres_short),
        },
        Case {
            name: "sbr/aircraft",
            about: "the closed PRIME aircraft of 15 m at 10 GHz from 361 sides, five bounces, and how far the rays are from finer ones",
            measure: Box::new(sbr::aircraft),
        },
        Case {
            name: "scale/mpi",
            about: "waves in time on 24,576 tetrahedra shared by one to four processes: bits, messages, what is hidden behind work",
            measure: Box::new(|| ranks::ranks(&ranks::LONG)),
        },
        Case {
            name: "scale/mpi-short",
            about: "the same on 2,058 tetrahedra",
            measure: Box::new(|| ranks::ranks(&ranks::SHORT)),
        },
        Case {
            name: "scale/sweep",
            about: "a sweep of 100,000 tasks in two processes, of which workers and coordinator are killed 25 times",
            measure: Box::new(|| survive::sweep(&survive::SWEEP)),
        },
        Case {
            name: "scale/sweep-short",
            about: "the same with 2,000 tasks and four kills",
            measure: Box::new(|| survive::sweep(&survive::SWEEP_SHORT)),
        },
        Case {
            name: "survive/corrupt",
            about: "bits flipped, ends cut off, blocks zeroed and full disks under checkpoints and journals, 12,000 times",
            measure: Box::new(|| survive::corrupt(12_000)),
        },
        Case {
            name: "survive/corrupt-short",
            about: "the same 600 times",
            measure: Box::new(|| survive::corrupt(600)),
        },
        Case {
            name: "survive/kill",
            about: "waves in time, a reflectarray and a sweep of rays, killed 1,050 times at random and at every kill point",
            measure: Box::new(|| survive::kill(350)),
        },
        Case {
            name: "survive/kill-short",
            about: "the same with 30 kills",
            measure: Box::new(|| survive::kill(10)),
        },
        Case {
            name: "survive/term",
            about: "the same asked to end 102 times by SIGTERM",
            measure: Box::new(|| survive::term(34)),
        },
        Case {
            name: "survive/term-short",
            about: "the same six times",
            measure: Box::new(|| survive::term(2)),
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
