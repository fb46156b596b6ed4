//! 3-D method of moments for PEC spheres and plates with AIM.
//!
//! The Austin suite reports for 5.1 wavelengths at about 0.1 dB: 191 s and 0.25 GB by its adaptive integral method,
//! 2430 s and 2.0 GB by the dense matrix; for 20.5 wavelengths one hour on one CPU and 6.9 GB.

use std::time::Instant;

use wavefield_mom3d::{Aim, LinearSolver, Plan, Solution, Spec};
use wavefield_numerics::observe::Silent;
use wavefield_physics::constants::SPEED_OF_LIGHT;
use wavefield_physics::quantity::{Frequency, Length};
use wavefield_physics::sweep::Sweep;
use wavefield_solver::scene::{Body, Excitation, Geometry, Observation};

use super::mom::slope;
use crate::measure::{Measured, Metrics};
use crate::validate::mean_error_of_sphere;
use wavefield::Error;
use wavefield::memory;

/// Maximum edge length in wavelengths.
const EDGE: f64 = 0.15;

pub(super) fn spheres() -> Result<Measured, Error> {
    let sizes = [
        (2.6, "d2p6"),
        (5.1, "d5"),
        (10.0, "d10"),
        (20.5, "d20p5"),
        // The largest that fits into 24 GiB.
        (41.0, "d41"),
    ];
    spheres_of(&sizes)
}

pub(super) fn spheres_short() -> Result<Measured, Error> {
    spheres_of(&[(1.0, "d1"), (1.6, "d1p6")])
}

fn spheres_of(sizes: &[(f64, &str)]) -> Result<Measured, Error> {
    let scene = |diameter| {
        let sphere = Geometry::sphere(Length::Meters(0.5 * diameter));
        (sphere, [90.0, 0.0])
    };
    let error = |diameter, solution: &Solution| {
        let error = mean_error_of_sphere(diameter, solution)?;
        Ok(Some(("error_db", error)))
    };
    sizes_of(sizes, EDGE, 1e-3, scene, error)
}

/// Plates at oblique incidence.
pub(super) fn plates() -> Result<Measured, Error> {
    let sizes = [(3.0, "l3"), (6.0, "l6"), (12.0, "l12"), (24.0, "l24")];
    let scene = |side| {
        let plate = Geometry::plate(Length::Meters(side), Length::Meters(side));
        (plate, [30.0, 20.0])
    };
    sizes_of(&sizes, 0.12, 1e-4, scene, |_, _| Ok(None))
}

/// Scenes of a size: conductor, and θ and φ of incidence in degrees; sizes in wavelengths, which are meters.
fn sizes_of(
    sizes: &[(f64, &str)],
    edge: f64,
    accuracy: f64,
    scene: impl Fn(f64) -> (Geometry, [f64; 2]),
    error: impl Fn(f64, &Solution) -> Result<Option<(&'static str, f64)>, Error>,
) -> Result<Measured, Error> {
    let mut metrics = Metrics::new();
    let mut logs = Vec::new();
    for &(size, name) in sizes {
        let (geometry, [theta, phi]) = scene(size);
        let mut spec = Spec::new(
            Frequency(SPEED_OF_LIGHT),
            Body::pec(geometry),
            Excitation::plane_wave(Sweep::degree(theta), Sweep::degree(phi)),
            Observation::bistatic(Sweep::degree(90.0), Sweep::degrees(0.0, 360.0, 0.5)),
        );
        spec.mom3d.max_edge_length = Length::Wavelengths(edge);
        spec.mom3d.linear_solver = LinearSolver::Aim(Aim {
            accuracy,
            tolerance: accuracy,
            ..Aim::default()
        });
        let start = Instant::now();
        let plan = Plan::new(&spec, None)?;
        let predicted = memory::predicted(plan.memory(rayon::current_num_threads()));
        let solution = plan.execute(&Silent)?;
        let seconds = start.elapsed().as_secs_f64();
        let mut push = |what: &str, value: f64| {
            metrics.insert(format!("{what}_{name}"), value);
        };
        push("seconds", seconds);
        // Peak memory of the whole process: sizes increase.
        push("gib", memory::peak().map_or(f64::NAN, memory::gibibytes));
        push("predicted_gib", memory::gibibytes(predicted));
        push("unknowns", solution.unknowns as f64);
        let iterated = solution.checks[0].iterated;
        push(
            "iterations",
            iterated.map_or(f64::NAN, |(count, _)| count as f64),
        );
        if let Some((what, error)) = error(size, &solution)? {
            push(what, error);
        }
        logs.push([(solution.unknowns as f64).ln(), seconds.ln()]);
    }
    metrics.insert("exponent".to_owned(), slope(&logs));
    Ok(metrics.into())
}
