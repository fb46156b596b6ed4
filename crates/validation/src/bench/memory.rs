//! `memory/predict`: peak memory of runs compared with the predicted memory.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use wavefield_dgtd::{DgtdSolver, Precision};
use wavefield_exact::ExactSolver;
use wavefield_holography::{
    Array, HolographySolver, Measurement, MonopoleSpec, Simulated, SourceSpec,
};
use wavefield_mom2d::Mom2dSolver;
use wavefield_mom3d::Mom3dSolver;
use wavefield_physics::quantity::{Frequency, Length, Time};
use wavefield_physics::sweep::Sweep;
use wavefield_reflectarray::{FreeSpacing, ReflectarraySolver, Spacing};
use wavefield_sbr::SbrSolver;
use wavefield_sbr::image::{Products, Resolution, ScatteringCenters};
use wavefield_solver::AnySpec;
use wavefield_solver::scene::{Body, Excitation, Geometry, Observation, Polarization};

use crate::measure::Measured;
use crate::problems;
use wavefield::Error;
use wavefield::temporary_folder::TemporaryFolder;
use wavefield::this_program::this_program;

/// Problem, and bricks along a side of the box that it uses as its mesh, if any.
struct Problem {
    spec: AnySpec,
    cells: Option<u32>,
}

fn problem(spec: AnySpec) -> Problem {
    Problem { spec, cells: None }
}

fn exact(directions: usize) -> Problem {
    let spec = wavefield_exact::Spec::new(
        Frequency(1e9),
        Body::pec(Geometry::sphere(Length::Meters(1.0))),
        Excitation::plane_wave(Sweep::degree(90.0), Sweep::degree(0.0)),
        Observation::bistatic(
            Sweep::degree(90.0),
            Sweep::degrees_by_count(0.0, 360.0, directions),
        ),
    );
    problem(AnySpec::new(&ExactSolver, spec))
}

/// Returns a PEC circle of 1 m radius.
fn mom2d(gigahertz: f64, linear_solver: wavefield_mom2d::LinearSolver) -> Problem {
    let mut spec = wavefield_mom2d::Spec::new(
        Frequency(1e9 * gigahertz),
        vec![Body::pec(Geometry::circle(Length::Meters(1.0)))],
        Excitation::plane_wave(Sweep::degree(90.0), Sweep::degree(180.0))
            .polarized(Polarization::Tm),
        Observation::bistatic(Sweep::degree(90.0), Sweep::degrees(0.0, 360.0, 1.0)),
    );
    spec.mom2d.linear_solver = linear_solver;
    problem(AnySpec::new(&Mom2dSolver, spec))
}

fn sbr(gigahertz: f64, geometry: Geometry, [theta, phi]: [usize; 2]) -> Problem {
    let spec = wavefield_sbr::Spec::new(
        Frequency(1e9 * gigahertz),
        Body::pec(geometry),
        Excitation::plane_wave(
            Sweep::degrees_by_count(10.0, 80.0, theta),
            Sweep::degrees_by_count(30.0, 60.0, phi),
        ),
        Observation::Monostatic,
    );
    problem(AnySpec::new(&SbrSolver, spec))
}

/// Returns an SBR problem with range profiles and ISAR images over frequency and angle.
fn images(frequencies: usize, angles: usize) -> Problem {
    let mut spec = wavefield_sbr::Spec::new(
        Sweep::by_count(Frequency(8e9), Frequency(12e9), frequencies),
        Body::pec(trihedral()),
        Excitation::plane_wave(
            Sweep::degree(55.0),
            Sweep::degrees_by_count(37.0, 53.0, angles),
        ),
        Observation::Monostatic,
    );
    // Finer rays take longer, not more memory.
    spec.sbr.rays.max_refinements = 0;
    spec.sbr.products = Some(Products {
        range_profile: true,
        image: true,
        scattering_centers: Some(ScatteringCenters {
            count: 15,
            dynamic_range_db: 30.0,
        }),
        image_domain: Some(Resolution {
            down_range: Length::Meters(0.037),
            cross_range: Length::Meters(0.054),
        }),
        surface_map: true,
        ..Products::default()
    });
    problem(AnySpec::new(&SbrSolver, spec))
}

/// Returns a PEC body in 3-D with this number of directions of incidence.
fn mom3d(
    gigahertz: f64,
    geometry: Geometry,
    waves: usize,
    linear_solver: wavefield_mom3d::LinearSolver,
) -> Problem {
    let theta = match waves {
        1 => Sweep::degree(30.0),
        _ => Sweep::degrees_by_count(0.0, 90.0, waves),
    };
    let mut spec = wavefield_mom3d::Spec::new(
        Frequency(1e9 * gigahertz),
        Body::pec(geometry),
        Excitation::plane_wave(theta, Sweep::degree(0.0)),
        Observation::Monostatic,
    );
    spec.mom3d.linear_solver = linear_solver;
    problem(AnySpec::new(&Mom3dSolver, spec))
}

fn reflectarray(side: usize, spacing: Spacing) -> Problem {
    let spec = problems::reflectarray(side, spacing);
    problem(AnySpec::new(&ReflectarraySolver, spec))
}

fn dgtd(cells: u32, order: usize, precision: Precision, max_time: Time) -> Problem {
    let mut spec = problems::dipole_in_a_box(order, max_time);
    spec.dgtd.probes.clear();
    spec.dgtd.precision = precision;
    Problem {
        spec: AnySpec::new(&DgtdSolver, spec),
        cells: Some(cells),
    }
}

fn holography(microphones: usize, hertz: &[f64]) -> Problem {
    let source = SourceSpec::Monopole(MonopoleSpec {
        center: [-0.1, 0.05].map(Length::Meters),
        volume_velocity: 2e-5,
    });
    let mut spec = wavefield_holography::Spec::new(
        Sweep::List(hertz.iter().map(|&f| Frequency(f)).collect()),
        Length::Meters(0.05),
        Length::Meters(0.01),
        Measurement::Simulated(Simulated {
            sources: vec![source],
            seed: 1,
        }),
    );
    spec.array = Array {
        rows: microphones,
        columns: microphones,
        pitch: Length::Meters(0.025),
    };
    problem(AnySpec::new(&HolographySolver, spec))
}

fn trihedral() -> Geometry {
    Geometry::trihedral(Length::Meters(1.0))
}

fn plate(side: f64) -> Geometry {
    Geometry::plate(Length::Meters(side), Length::Meters(side))
}

fn sphere(radius: f64) -> Geometry {
    Geometry::sphere(Length::Meters(radius))
}

/// Small and large problems of every solver, short ones and ones with checkpoints.
fn cases() -> Vec<(&'static str, Problem)> {
    use wavefield_mom2d::LinearSolver::{Gmres, Lu as Lu2d, Mlfma};
    use wavefield_mom3d::LinearSolver::{Aim, Lu};
    let gmres = Gmres(wavefield_mom2d::Gmres::default());
    let mlfma = Mlfma(wavefield_mom2d::Mlfma::default());
    let aim = Aim(wavefield_mom3d::Aim::default());
    let aim_blocks = Aim(wavefield_mom3d::Aim {
        block_size: 8,
        ..wavefield_mom3d::Aim::default()
    });
    let even = || Spacing::Even(Length::Wavelengths(0.55));
    let free = Spacing::Free(FreeSpacing {
        min: Length::Wavelengths(0.5),
        max: Length::Wavelengths(0.7),
    });
    let (single, double) = (Precision::Single, Precision::Double);
    let (nanosecond, half) = (Time(1e-9), Time(0.5e-9));
    vec![
        ("exact-1e3", exact(1_000)),
        ("exact-1e5", exact(100_000)),
        ("exact-1e6", exact(1_000_000)),
        ("mom2d-1", mom2d(1.0, Lu2d)),
        ("mom2d-9", mom2d(9.0, Lu2d)),
        ("mom2d-9-gmres", mom2d(9.0, gmres)),
        ("mom2d-15", mom2d(15.0, Lu2d)),
        ("mom2d-9-mlfma", mom2d(9.0, mlfma)),
        ("mom2d-60-mlfma", mom2d(60.0, mlfma)),
        ("mom3d-small-lu", mom3d(0.6, sphere(0.25), 1, Lu)),
        ("mom3d-sphere-lu", mom3d(1.0, sphere(0.25), 1, Lu)),
        ("mom3d-plate-lu", mom3d(1.0, plate(1.0), 91, Lu)),
        ("mom3d-small-aim", mom3d(1.0, sphere(0.25), 1, aim)),
        ("mom3d-sphere-aim", mom3d(1.0, sphere(0.5), 1, aim)),
        ("mom3d-sphere-aim-sweep", mom3d(1.0, sphere(0.5), 91, aim)),
        ("mom3d-plate-aim", mom3d(1.0, plate(1.5), 1, aim)),
        (
            "mom3d-plate-aim-sweep",
            mom3d(1.0, plate(1.0), 91, aim_blocks),
        ),
        ("sbr-trihedral-6", sbr(6.0, trihedral(), [2, 3])),
        ("sbr-trihedral-48", sbr(48.0, trihedral(), [2, 3])),
        ("sbr-plate-sweep", sbr(3.0, plate(0.2), [200, 200])),
        ("sbr-plate-sweep-large", sbr(3.0, plate(0.2), [200, 500])),
        ("sbr-sphere", sbr(10.0, sphere(0.5), [1, 2])),
        ("sbr-images", images(41, 33)),
        ("sbr-images-large", images(201, 201)),
        ("reflectarray-10", reflectarray(10, even())),
        ("reflectarray-24", reflectarray(24, even())),
        ("reflectarray-free", reflectarray(12, free)),
        ("dgtd-3-single", dgtd(12, 3, single, nanosecond)),
        ("dgtd-2-double", dgtd(12, 2, double, nanosecond)),
        ("dgtd-5-single", dgtd(10, 5, single, nanosecond)),
        ("dgtd-3-large", dgtd(24, 3, single, half)),
        ("holography-32", holography(32, &[1e3])),
        ("holography-128", holography(128, &[1e3, 2e3, 3e3])),
    ]
}

/// Problems whose memory does not depend on the load of the machine.
const STEADY: [&str; 6] = [
    "exact-1e5",
    "mom2d-9",
    "mom3d-small-lu",
    "mom3d-small-aim",
    "dgtd-5-single",
    "sbr-plate-sweep",
];

/// Number of runs of a problem whose peak is small, all of them and the few.
const REPEATS: [usize; 2] = [4, 2];
/// Bound of small peaks, bytes.
const SMALL: f64 = 64.0 * 1024.0 * 1024.0;

/// Memory that a run reports.
#[derive(Deserialize)]
struct Run {
    memory_predicted: f64,
    memory_peak: f64,
}

fn run(folder: &Path, problem: &Problem) -> Result<Run, Error> {
    if let Some(cells) = problem.cells {
        problems::write_box(folder, 0.2 * f64::from(cells), cells)?;
    }
    let path = problems::write(folder, "problem", "Memory", problem.spec.clone())?;
    let out = folder.join("result");
    let output = Command::new(this_program()?)
        .args([
            "run",
            "--device",
            "cpu",
            "--json",
            "--checkpoint-interval",
            "1",
            "--out",
        ])
        .args([&out, &path])
        .output()
        .map_err(|error| Error::runtime(format!("cannot start a run: {error}")))?;
    serde_json::from_slice(&output.stdout).map_err(|error| {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Error::runtime(format!("the run reported no memory: {error}; {said}"))
    })
}

pub(crate) fn predict() -> Result<Measured, Error> {
    predict_for(cases(), REPEATS[0])
}

/// Runs a few of them.
pub(crate) fn predict_short() -> Result<Measured, Error> {
    let mut few = cases();
    few.retain(|(name, _)| STEADY.contains(name));
    predict_for(few, REPEATS[1])
}

fn predict_for(cases: Vec<(&'static str, Problem)>, repeats: usize) -> Result<Measured, Error> {
    let mut metrics = vec![("cases".to_owned(), cases.len() as f64)];
    let (mut under, mut over) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for (name, problem) in cases {
        let folder = TemporaryFolder::new()?;
        let once = || {
            run(folder.path(), &problem).map_err(|error| Error::runtime(format!("{name}: {error}")))
        };
        let mut run = once()?;
        // Which thread an allocation falls to is a matter of chance, which shows in small runs: the largest peak counts.
        for _ in 1..repeats {
            if run.memory_peak < SMALL {
                let again = once()?;
                if again.memory_peak > run.memory_peak {
                    run = again;
                }
            }
        }
        let too_much = 100.0 * (run.memory_predicted - run.memory_peak) / run.memory_peak;
        under = under.max(-too_much);
        over = over.max(too_much);
        metrics.push((
            format!("peak_mib_{name}"),
            run.memory_peak / f64::from(1 << 20),
        ));
        metrics.push((format!("overestimate_percent_{name}"), too_much));
    }
    metrics.push(("worst_underestimate_percent".to_owned(), under));
    metrics.push(("worst_overestimate_percent".to_owned(), over));
    Ok(Measured::Metrics(metrics.into_iter().collect()))
}
