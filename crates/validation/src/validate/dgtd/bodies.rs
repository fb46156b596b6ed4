//! DGTD for bodies meshed by Gmsh, compared with exact series and reference data.

use std::path::Path;
use std::time::Instant;

use wavefield_dgtd::{DgtdSolver, DomainSpec, Settings, Spec, StopSpec};
use wavefield_numerics::observe::Silent;
use wavefield_physics::quantity::{Angle, Frequency, Length, Time};
use wavefield_physics::sweep::Sweep;
use wavefield_solver::AnySpec;
use wavefield_solver::scene::{Body, Excitation, Geometry, Observation, Polarization};

use crate::measure::{Measured, Metrics};
use crate::problems::medium;
use crate::reference_data;
use wavefield::Error;
use wavefield::numerics::worst::Worst;
use wavefield::outcome::Outcome;
use wavefield::problem::Problem;
use wavefield::run::{Options, run};

/// Runs a problem; returns its outcome and the run time including meshing, s.
fn solved(spec: Spec) -> Result<(Outcome, f64), Error> {
    let start = Instant::now();
    let problem = Problem::new("A body", AnySpec::new(&DgtdSolver, spec), Path::new("."));
    let (_, outcome) = run(&problem, &Options::default(), &Silent)?;
    Ok((outcome, start.elapsed().as_secs_f64()))
}

/// Returns a column of a table.
pub(super) fn column<'o>(outcome: &'o Outcome, name: &str) -> Result<&'o [f64], Error> {
    (outcome.array(name).and_then(|array| array.as_real()))
        .ok_or_else(|| Error::runtime(format!("the result has no column `{name}`")))
}

pub(super) fn conducting_sphere() -> Result<Measured, Error> {
    let air = DomainSpec {
        huygens_margin: Length::Meters(0.08),
        pml_gap: Length::Meters(0.08),
        pml_thickness: Length::Meters(0.24),
        pml_mesh_size: Some(Length::Meters(0.14)),
        ..DomainSpec::new(Length::Meters(0.1))
    };
    sphere(
        Body::pec,
        Length::Meters(0.075),
        Settings {
            order: 4,
            domain: Some(air),
            ..Settings::default()
        },
    )
}

pub(super) fn dielectric_sphere() -> Result<Measured, Error> {
    let glass = medium([4.0, 0.0], [1.0, 0.0]);
    let air = DomainSpec {
        huygens_margin: Length::Meters(0.06),
        pml_gap: Length::Meters(0.06),
        pml_thickness: Length::Meters(0.3),
        pml_mesh_size: Some(Length::Meters(0.18)),
        ..DomainSpec::new(Length::Meters(0.13))
    };
    sphere(
        |shape| Body::new(shape, glass),
        Length::Meters(0.07),
        Settings {
            // A mode at 903.75 MHz has Q = 332. The wave speed in the sphere must be correct to 10⁻⁴, or the resonance
            // shifts; half of its energy remains when the run ends, and is extrapolated.
            order: 5,
            domain: Some(air),
            band: Some([800e6, 1e9].map(Frequency)),
            stop: StopSpec {
                energy_decay: 1e-4,
                max_time: Some(Time(85e-9)),
                extrapolate: true,
            },
            ..Settings::default()
        },
    )
}

/// Returns a sphere of 300 mm at 900 MHz, incidence from +z, polarized along x, in both principal planes.
fn sphere(
    body: impl FnOnce(Geometry) -> Body,
    mesh_size: Length,
    dgtd: Settings,
) -> Result<Measured, Error> {
    let geometry = Geometry::sphere(Length::Meters(0.3));
    let (outcome, seconds) = solved(Spec {
        frequency: Frequency(900e6).into(),
        bodies: vec![Body {
            name: Some("sphere".to_owned()),
            mesh_size: Some(mesh_size),
            ..body(geometry)
        }],
        excitation: Excitation::plane_wave(Sweep::degree(0.0), Sweep::degree(0.0))
            .polarized(Polarization::V),
        observation: Some(Observation::bistatic(
            Sweep::degrees(0.0, 180.0, 2.0),
            Sweep::List([0.0, 90.0].map(Angle::from_degrees).to_vec()),
        )),
        dgtd,
    })?;
    let against_series =
        (outcome.checks.iter()).find(|check| check.against.contains("exact series"));
    let error = against_series.map_or(f64::NAN, |check| check.value);
    Ok([("error_db", error), ("run_seconds", seconds)].into())
}

/// Range below the peak of the reference in which aspects count, dB.
const NEAR_DB: f64 = 20.0;

/// Compares the almond at five azimuths, both incident polarizations, where the reference is near its peak.
pub(super) fn austin_almond(data: &Path) -> Result<Measured, Error> {
    let (outcome, seconds) = solved(Spec {
        frequency: Frequency(3.5e9).into(),
        bodies: vec![Body {
            name: Some("almond".to_owned()),
            mesh_size: Some(Length::Meters(0.014)),
            ..Body::pec(Geometry::almond(Length::Meters(0.2523744)))
        }],
        excitation: Excitation::plane_wave(Sweep::degree(90.0), Sweep::degrees(0.0, 180.0, 45.0)),
        observation: Some(Observation::Monostatic),
        dgtd: Settings {
            order: 4,
            domain: Some(DomainSpec {
                huygens_margin: Length::Meters(0.015),
                pml_gap: Length::Meters(0.02),
                pml_thickness: Length::Meters(0.09),
                pml_mesh_size: Some(Length::Meters(0.04)),
                ..DomainSpec::new(Length::Meters(0.03))
            }),
            stop: StopSpec {
                energy_decay: 1e-5,
                ..StopSpec::default()
            },
            ..Settings::default()
        },
    })?;
    let phi = column(&outcome, "rcs/phi")?;
    let mut metrics = Metrics::from([("run_seconds".to_owned(), seconds)]);
    let mut worst = Worst::default();
    for (letter, name) in [("V", "vv"), ("H", "hh")] {
        let file = data.join(format!("IIIA/ref_rcs.III.A.s1.fx1.{letter}.txt"));
        let rows = reference_data::read_table(&file)?;
        let peak = (rows.iter().map(|row| row[3])).fold(f64::NEG_INFINITY, f64::max);
        for (phi, found) in phi
            .iter()
            .zip(column(&outcome, &format!("rcs/{name}_dbsm"))?)
        {
            let row = (rows.iter()).find(|row| (row[2] - phi).abs() < 1e-6);
            let Some(&[.., reference]) = row else {
                return Err(Error::runtime(format!("no reference value at φ = {phi}°")));
            };
            metrics.insert(format!("difference_{name}_{phi:.0}_db"), found - reference);
            if reference > peak - NEAR_DB {
                worst.see((found - reference).abs());
            }
        }
    }
    metrics.insert("error_db".to_owned(), worst.value());
    Ok(metrics.into())
}
