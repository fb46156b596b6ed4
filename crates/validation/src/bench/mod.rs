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

use crate::measure::{Case, Limit, Measured, checked};
use wavefield::Error;

/// Every benchmark: each is held to a correct result or to a ratio that does not depend on the machine; wall-clock times
/// have limits of their own.
///
/// # Errors
/// [`Error::runtime`] for a benchmark without such a limit.
pub fn cases() -> Result<Vec<Case>, Error> {
    let case =
        |name, about, measure: fn() -> Result<Measured, Error>| Case::new(name, about, measure);
    checked(vec![
        case(
            "compute/fft",
            "batched transforms on the CPU against rustfft called bare",
            fft::measure,
        )
        // On one thread the plan should cost nothing beside the transform it calls.
        .limits([("ratio_to_rustfft_1", Limit::AtLeast(0.9))]),
        case(
            "dgtd/kernel",
            "a stage on tetrahedra of order 1 to 8, on one and two threads, against matrix products and memory",
            dgtd::kernel,
        )
        .limits(dgtd::kernel_limits()),
        case(
            "exact/sweep",
            "aspects per second of a large sphere, and how threads help",
            exact::measure,
        )
        .limits([("speedup_2", Limit::AtLeast(1.6))]),
        case(
            "holography/iteration",
            "from bits to the field near the sources, one to five holograms, every front end, stage by stage, on one and two threads",
            holography::iteration,
        )
        // Hop by hop, an iteration is to cost less than half of the cheapest one that takes a whole frame.
        .limits([("streaming_over_whole_frame_n5_2", Limit::AtMost(0.5))])
        .time_limits([
            ("streaming_ms_n1_2", Limit::AtMost(0.15)),
            ("streaming_ms_n5_2", Limit::AtMost(0.5)),
        ]),
        stream(
            "holography/stream",
            "bits of 1024 microphones through a pipe in real time for two minutes, five holograms of every hop",
            holography::stream_long,
        ),
        stream(
            "holography/stream-short",
            "the same for ten seconds",
            holography::stream_short,
        ),
        case(
            "memory/predict",
            "peak memory of 32 runs of all solvers against the prediction before them",
            memory::predict,
        )
        .limits(MEMORY),
        case(
            "memory/predict-short",
            "the same for six of them",
            memory::predict_short,
        )
        .limits(MEMORY),
        case(
            "mom2d/dense",
            "a dense integral equation of 2,500, 5,000 and 10,000 unknowns: fill, factors and 361 solutions",
            mom::dense,
        )
        // Five nodes to a panel of half a wavelength leave 1.3e-4.
        .limits(mom::SIZES.map(|unknowns| {
            (format!("current_error_{unknowns}"), Limit::AtMost(2e-4))
        }))
        .time_limits([
            ("seconds_2500", Limit::AtMost(2.0)),
            ("seconds_10000", Limit::AtMost(60.0)),
        ]),
        case(
            "mom2d/fast",
            "a conducting circle of 10,000, 100,000 and 1,000,000 unknowns, ten to a wavelength, by fast products: time, memory, exponent",
            mom::fast,
        )
        .limits([
            ("current_error_1e4", Limit::AtMost(mom::TOLERANCE)),
            ("current_error_1e5", Limit::AtMost(mom::TOLERANCE)),
            ("current_error_1e6", Limit::AtMost(mom::TOLERANCE)),
            ("gib_1e6", Limit::AtMost(8.0)),
            ("exponent", Limit::AtMost(1.15)),
        ])
        .time_limits([("seconds_1e6", Limit::AtMost(120.0))]),
        case(
            "mom2d/fast-short",
            "the same of 10,000 and 30,000 unknowns",
            mom::fast_short,
        )
        .limits([
            ("current_error_1e4", Limit::AtMost(mom::TOLERANCE)),
            ("current_error_3e4", Limit::AtMost(mom::TOLERANCE)),
        ]),
        case(
            "mom3d/plate",
            "open conducting plates of 3 to 24 wavelengths, EFIE, by products through a grid: iterations, time, memory, exponent",
            mom_3d::plates,
        )
        // Iterations to a residual of 1e-4, 26 to 76 when they were recorded: more of them is a worse preconditioner.
        .limits([
            ("iterations_l3", Limit::AtMost(35.0)),
            ("iterations_l24", Limit::AtMost(100.0)),
            ("exponent", Limit::AtMost(1.2)),
        ]),
        case(
            "mom3d/sphere",
            "conducting spheres of 2.6 to 41 wavelengths, CFIE, by products through a grid: time, memory, exponent, error",
            mom_3d::spheres,
        )
        .limits(["d2p6", "d5", "d10", "d20p5", "d41"].map(|size| {
            (format!("error_db_{size}"), Limit::AtMost(0.1))
        }))
        // The suite's adaptive integral method.
        .time_limits([("seconds_d5", Limit::AtMost(191.0))]),
        case(
            "mom3d/sphere-short",
            "the same of 1 and 1.6 wavelengths",
            mom_3d::spheres_short,
        )
        // Triangles with edges of 0.15 wavelengths, and iterations to a thousandth.
        .limits([
            ("error_db_d1", Limit::AtMost(0.15)),
            ("error_db_d1p6", Limit::AtMost(0.15)),
        ]),
        case(
            "sbr/aircraft",
            "the closed PRIME aircraft of 15 m at 10 GHz from 361 sides, five bounces, and how far the rays are from finer ones",
            sbr::aircraft,
        )
        // Not much farther from the finest rays than the even grid of a tenth of a wavelength, 0.08 m, is.
        .limits([("error_m", Limit::AtMost(0.15))])
        .time_limits([("sweep_seconds", Limit::AtMost(184.0))]),
        case(
            "scale/mpi",
            "waves in time on 24,576 tetrahedra shared by one to four processes: bits, messages, what is hidden behind work",
            || ranks::ranks(&ranks::LONG),
        )
        .limits([("differing_bits", Limit::AtMost(0.0))]),
        case(
            "scale/mpi-short",
            "the same on 2,058 tetrahedra",
            || ranks::ranks(&ranks::SHORT),
        )
        .limits([("differing_bits", Limit::AtMost(0.0))]),
        case(
            "scale/sweep",
            "a sweep of 100,000 tasks in two processes, of which workers and coordinator are killed 25 times",
            || survive::sweep(&survive::SWEEP),
        )
        .limits(SWEPT),
        case(
            "scale/sweep-short",
            "the same with 2,000 tasks and four kills",
            || survive::sweep(&survive::SWEEP_SHORT),
        )
        .limits(SWEPT),
        corrupt(
            "survive/corrupt",
            "bits flipped, ends cut off, blocks zeroed and full disks under checkpoints and journals, 12,000 times",
            12_000,
        ),
        corrupt("survive/corrupt-short", "the same 600 times", 600),
        kill(
            "survive/kill",
            "waves in time, a reflectarray and a sweep of rays, killed 1,050 times at random and at every kill point",
            350,
        )
        .limits([("points_missed", Limit::AtMost(0.0))]),
        kill("survive/kill-short", "the same with six kills", 2),
        term(
            "survive/term",
            "the same asked to end 102 times by SIGTERM",
            34,
        ),
        term("survive/term-short", "the same six times", 2),
    ])
}

/// Predictions are never too low, and not much too high.
const MEMORY: [(&str, Limit); 2] = [
    ("worst_under_percent", Limit::AtMost(0.0)),
    ("worst_over_percent", Limit::AtMost(15.0)),
];

const SWEPT: [(&str, Limit); 3] = [
    ("duplicates", Limit::AtMost(0.0)),
    ("missing", Limit::AtMost(0.0)),
    ("mismatches", Limit::AtMost(0.0)),
];

fn stream(
    name: &'static str,
    about: &'static str,
    measure: fn() -> Result<Measured, Error>,
) -> Case {
    Case::new(name, about, measure)
        .limits([
            ("drops", Limit::AtMost(0.0)),
            ("missing", Limit::AtMost(0.0)),
        ])
        .time_limits([("rate_hz", Limit::AtLeast(holography::RATE))])
}

fn corrupt(name: &'static str, about: &'static str, faults: u64) -> Case {
    Case::new(name, about, move || survive::corrupt(faults)).limits([
        ("faults", Limit::AtLeast(faults as f64)),
        ("undetected", Limit::AtMost(0.0)),
    ])
}

fn kill(name: &'static str, about: &'static str, kills_each: u64) -> Case {
    Case::new(name, about, move || survive::kill(kills_each)).limits([
        ("kills", Limit::AtLeast(3.0 * kills_each as f64)),
        ("mismatches", Limit::AtMost(0.0)),
        ("intervals_lost_max", Limit::AtMost(1.0)),
    ])
}

fn term(name: &'static str, about: &'static str, times_each: u64) -> Case {
    Case::new(name, about, move || survive::term(times_each))
        .limits([
            ("ok", Limit::AtLeast(3.0 * times_each as f64)),
            ("mismatches", Limit::AtMost(0.0)),
        ])
        .time_limits([("slowest_s", Limit::AtMost(survive::PATIENCE))])
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
