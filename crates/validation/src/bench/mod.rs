//! Benchmarks: throughput relative to the bound of the machine, measured in the same run.

mod dgtd;
mod exact;
mod fault_tolerance;
mod fft;
mod holography;
mod memory;
mod mom;
mod mom_3d;
mod ranks;
mod sbr;

use std::time::Instant;

use crate::measure::{Case, Limit, Measured, checked};
use wavefield::Error;

/// Returns all benchmarks: each is limited by a correct result or a machine-independent ratio; wall-clock times have
/// separate limits.
///
/// # Errors
/// [`Error::runtime`] for a benchmark without such a limit.
pub fn cases() -> Result<Vec<Case>, Error> {
    let case =
        |name, about, measure: fn() -> Result<Measured, Error>| Case::new(name, about, measure);
    checked(vec![
        case(
            "compute/fft",
            "batched FFTs on the CPU relative to rustfft",
            fft::measure,
        )
        // On one thread the plan should have no overhead over the FFT it calls.
        .limits([("ratio_to_rustfft_1", Limit::AtLeast(0.9))]),
        case(
            "dgtd/kernel",
            "DGTD kernel throughput, orders 1 to 8, one and two threads, relative to SGEMM and memory bandwidth",
            dgtd::kernel,
        )
        .limits(dgtd::kernel_limits()),
        case(
            "exact/sweep",
            "Mie series of a large sphere: aspects per second, and speedup by threads",
            exact::measure,
        )
        .limits([("speedup_2", Limit::AtLeast(1.6))]),
        case(
            "holography/iteration",
            "holography from PDM bitstreams to the field near the sources: one to five holograms, every front end, stage by stage, one and two threads",
            holography::iteration,
        )
        // A streaming iteration must take less than half the time of the fastest whole-frame iteration.
        .limits([("streaming_over_whole_frame_n5_2", Limit::AtMost(0.5))])
        .time_limits([
            ("streaming_ms_n1_2", Limit::AtMost(0.15)),
            ("streaming_ms_n5_2", Limit::AtMost(0.5)),
        ]),
        stream(
            "holography/stream",
            "real-time holography: PDM bitstreams of 1024 microphones through a pipe for two minutes, five holograms of every hop",
            holography::stream_long,
        ),
        stream(
            "holography/stream-short",
            "real-time holography for ten seconds",
            holography::stream_short,
        ),
        case(
            "memory/predict",
            "peak memory of 32 runs of all solvers compared with the predicted memory",
            memory::predict,
        )
        .limits(MEMORY),
        case(
            "memory/predict-short",
            "peak memory of six runs compared with the predicted memory",
            memory::predict_short,
        )
        .limits(MEMORY),
        case(
            "mom2d/dense",
            "dense EFIE with 2,500, 5,000, and 10,000 unknowns: matrix fill, LU factorization, and 361 right-hand sides",
            mom::dense,
        )
        // Five nodes per panel of half a wavelength have an error of 1.3e-4.
        .limits(mom::SIZES.map(|unknowns| {
            (format!("current_error_{unknowns}"), Limit::AtMost(2e-4))
        }))
        .time_limits([
            ("seconds_2500", Limit::AtMost(2.0)),
            ("seconds_10000", Limit::AtMost(60.0)),
        ]),
        case(
            "mom2d/fast",
            "PEC circle with 10,000, 100,000, and 1,000,000 unknowns, ten per wavelength, CFIE with MLFMA: time, memory, exponent",
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
            "PEC circle with 10,000 and 30,000 unknowns, CFIE with MLFMA",
            mom::fast_short,
        )
        .limits([
            ("current_error_1e4", Limit::AtMost(mom::TOLERANCE)),
            ("current_error_3e4", Limit::AtMost(mom::TOLERANCE)),
        ]),
        case(
            "mom3d/plate",
            "open PEC plates of 3 to 24 wavelengths, EFIE with AIM: iterations, time, memory, exponent",
            mom_3d::plates,
        )
        // GMRES iterations to a residual of 1e-4, 26 to 76 when they were recorded: more indicate a worse
        // preconditioner.
        .limits([
            ("iterations_l3", Limit::AtMost(35.0)),
            ("iterations_l24", Limit::AtMost(100.0)),
            ("exponent", Limit::AtMost(1.2)),
        ]),
        case(
            "mom3d/sphere",
            "PEC spheres of 2.6 to 41 wavelengths, CFIE with AIM: time, memory, exponent, error",
            mom_3d::spheres,
        )
        .limits(["d2p6", "d5", "d10", "d20p5", "d41"].map(|size| {
            (format!("error_db_{size}"), Limit::AtMost(0.1))
        }))
        // Result of the suite's adaptive integral method.
        .time_limits([("seconds_d5", Limit::AtMost(191.0))]),
        case(
            "mom3d/sphere-short",
            "PEC spheres of 1 and 1.6 wavelengths, CFIE with AIM",
            mom_3d::spheres_short,
        )
        // Triangles with edges of 0.15 wavelengths, and a residual of 1e-3.
        .limits([
            ("error_db_d1", Limit::AtMost(0.15)),
            ("error_db_d1p6", Limit::AtMost(0.15)),
        ]),
        case(
            "sbr/aircraft",
            "SBR for the closed PRIME aircraft of 15 m at 10 GHz, 361 aspects, five bounces, and the difference from finer rays",
            sbr::aircraft,
        )
        // Close to the difference of a uniform λ/10 grid from the finest rays, 0.08 m.
        .limits([("error_m", Limit::AtMost(0.15))])
        .time_limits([("sweep_seconds", Limit::AtMost(184.0))]),
        case(
            "scale/mpi",
            "DGTD on 24,576 tetrahedra distributed over one to four MPI ranks: bitwise differences, messages, communication overlap",
            || ranks::ranks(&ranks::LONG),
        )
        .limits([("differing_bits", Limit::AtMost(0.0))]),
        case(
            "scale/mpi-short",
            "DGTD on 2,058 tetrahedra distributed over MPI ranks",
            || ranks::ranks(&ranks::SHORT),
        )
        .limits([("differing_bits", Limit::AtMost(0.0))]),
        case(
            "scale/sweep",
            "sweep of 100,000 tasks, killed 25 times",
            || fault_tolerance::sweep(&fault_tolerance::SWEEP),
        )
        .limits(SWEPT),
        case(
            "scale/sweep-short",
            "sweep of 2,000 tasks, killed four times",
            || fault_tolerance::sweep(&fault_tolerance::SWEEP_SHORT),
        )
        .limits(SWEPT),
        corrupt(
            "fault-tolerance/corrupt",
            "checkpoints and journals with flipped bits, truncation, zeroed blocks, and full disks, 12,000 times",
            12_000,
        ),
        corrupt("fault-tolerance/corrupt-short", "checkpoints and journals with damage, 600 times", 600),
        kill(
            "fault-tolerance/kill",
            "checkpoint and restart of a DGTD run, a reflectarray synthesis, and an SBR sweep, killed 1,050 times at random and at every kill point",
            350,
        )
        .limits([("points_missed", Limit::AtMost(0.0))]),
        kill("fault-tolerance/kill-short", "checkpoint and restart with six kills", 2),
        term(
            "fault-tolerance/term",
            "checkpoint and restart after 102 SIGTERM signals",
            34,
        ),
        term("fault-tolerance/term-short", "checkpoint and restart after six SIGTERM signals", 2),
    ])
}

/// Upper and lower limits: predictions must not be below the measured memory, and not far above.
const MEMORY: [(&str, Limit); 2] = [
    ("worst_underestimate_percent", Limit::AtMost(0.0)),
    ("worst_overestimate_percent", Limit::AtMost(15.0)),
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
    Case::new(name, about, move || fault_tolerance::corrupt(faults)).limits([
        ("faults", Limit::AtLeast(faults as f64)),
        ("undetected", Limit::AtMost(0.0)),
    ])
}

fn kill(name: &'static str, about: &'static str, kills_each: u64) -> Case {
    Case::new(name, about, move || fault_tolerance::kill(kills_each)).limits([
        ("kills", Limit::AtLeast(3.0 * kills_each as f64)),
        ("mismatches", Limit::AtMost(0.0)),
        ("intervals_lost_max", Limit::AtMost(1.0)),
    ])
}

fn term(name: &'static str, about: &'static str, times_each: u64) -> Case {
    Case::new(name, about, move || fault_tolerance::term(times_each))
        .limits([
            ("ok", Limit::AtLeast(3.0 * times_each as f64)),
            ("mismatches", Limit::AtMost(0.0)),
        ])
        .time_limits([("slowest_s", Limit::AtMost(fault_tolerance::PATIENCE))])
}

/// Returns the shortest times of two candidates, run alternately so that both meet the same disturbances.
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
