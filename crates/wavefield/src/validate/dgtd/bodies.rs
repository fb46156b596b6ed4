//! Bodies meshed from problem files, against exact series and reference data.

use std::path::Path;
use std::time::Instant;

use wavefield_compute::observe::Silent;
use wavefield_physics::direction::Direction;
use wavefield_physics::exact::sphere::{MieSeries, Sphere};
use wavefield_physics::far_field::Channel;
use wavefield_physics::medium::Medium;

use super::super::held_to;
use crate::failure::Failure;
use crate::measure::{Limit, Measured, Worst};
use crate::outcome::Outcome;
use crate::problem::Problem;
use crate::reference_data;
use crate::run::{Options, run};

/// What a problem gives, and the seconds it took from its text on, meshing included.
fn solved(text: &str) -> Result<(Outcome, f64), Failure> {
    let start = Instant::now();
    let problem = Problem::parse(text, "body", Path::new("."))?;
    let (_, outcome) = run(&problem, &Options::default(), &Silent)?;
    Ok((outcome, start.elapsed().as_secs_f64()))
}

/// A column of a table.
fn column<'o>(outcome: &'o Outcome, name: &str) -> Result<&'o [f64], Failure> {
    (outcome.array(name).and_then(|array| array.as_real()))
        .ok_or_else(|| Failure::Runtime(format!("the result has no column `{name}`")))
}

pub(super) fn conducting_sphere() -> Result<Measured, Failure> {
    sphere("\"pec\"", "75 mm", "", &Sphere::pec(0.3))
}

pub(super) fn dielectric_sphere() -> Result<Measured, Failure> {
    let glass = Medium::conductive(4.0, 0.0, 900e6);
    sphere(
        "{ permittivity = 4.0 }",
        "70 mm",
        // Above 1 GHz the sphere has modes that ring for long.
        "band = [\"800 MHz\", \"1 GHz\"]\n end = { decay = 1e-4, time = \"100 ns\" }",
        &Sphere::dielectric(0.3, glass),
    )
}

/// Directions whose cross section is less than this below the peak count; others are nulls.
const NULLS_DB: f64 = 30.0;

/// A sphere of 300 mm at 900 MHz under a wave from +z, polarised along x, in both principal planes.
fn sphere(material: &str, edge: &str, more: &str, exact: &Sphere) -> Result<Measured, Failure> {
    let text = format!(
        r#"
        format = 1
        solver = "dgtd"
        frequency = "900 MHz"
        order = 4
        polarisation = "v"
        {more}
        incidence = {{ theta = "0 deg", phi = "0 deg" }}
        observation = {{ kind = "bistatic", theta = {{ start = "0 deg", stop = "180 deg", step = "2 deg" }}, phi = ["0 deg", "90 deg"] }}
        [domain]
        edge = "100 mm"
        margin = "80 mm"
        gap = "80 mm"
        layer = "160 mm"
        [[domain.bodies]]
        name = "sphere"
        shape = {{ kind = "sphere", radius = "300 mm" }}
        material = {material}
        edge = "{edge}"
        "#
    );
    let (outcome, seconds) = solved(&text)?;
    let series =
        MieSeries::new(exact, 900e6).map_err(|error| Failure::Runtime(error.to_string()))?;
    let of = |name: &str| column(&outcome, name);
    let [theta, phi] = [of("rcs/theta")?, of("rcs/phi")?];
    let [found, crossed] = [of("rcs/vv_dbsm")?, of("rcs/hv_dbsm")?];
    let from = Direction::from_degrees(0.0, 0.0);
    let exact: Vec<[f64; 2]> = (theta.iter().zip(phi))
        .map(|(&theta, &phi)| {
            let matrix = series.scattering(from, Direction::from_degrees(theta, phi));
            [matrix.dbsm(Channel::VV), matrix.dbsm(Channel::HV)]
        })
        .collect();
    let peak = exact
        .iter()
        .flatten()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max);
    let mut worst = Worst::default();
    for (at, exact) in exact.iter().enumerate() {
        for (found, exact) in [found[at], crossed[at]].into_iter().zip(exact) {
            if *exact > peak - NULLS_DB {
                worst.see((found - exact).abs());
            }
        }
    }
    Ok(held_to(
        &[("error_db", worst.value()), ("run_seconds", seconds)],
        &[
            ("error_db", Limit::AtMost(0.5)),
            ("run_seconds", Limit::AtMost(782.0)),
        ],
    ))
}

/// Aspects whose reference is less than this below its peak count.
const NEAR_DB: f64 = 20.0;

/// The almond seen at five azimuths, both polarisations sent, where the reference is near its peak.
pub(super) fn austin_almond(data: &Path) -> Result<Measured, Failure> {
    let text = r#"
        format = 1
        solver = "dgtd"
        frequency = "3.5 GHz"
        order = 4
        polarisation = "both"
        incidence = { theta = "90 deg", phi = { start = "0 deg", stop = "180 deg", step = "45 deg" } }
        observation = { kind = "monostatic" }
        [domain]
        edge = "28 mm"
        margin = "15 mm"
        gap = "20 mm"
        layer = "45 mm"
        [[domain.bodies]]
        name = "almond"
        shape = { kind = "almond", length = "252.3744 mm" }
        material = "pec"
        edge = "12 mm"
        "#;
    let (outcome, seconds) = solved(text)?;
    let phi = column(&outcome, "rcs/phi")?;
    let mut worst = Worst::default();
    for (letter, name) in [("V", "rcs/vv_dbsm"), ("H", "rcs/hh_dbsm")] {
        let file = data.join(format!("IIIA/ref_rcs.III.A.s1.fx1.{letter}.txt"));
        let rows = reference_data::read_table(&file)?;
        let peak = (rows.iter().map(|row| row[3])).fold(f64::NEG_INFINITY, f64::max);
        for (phi, found) in phi.iter().zip(column(&outcome, name)?) {
            let row = (rows.iter()).find(|row| (row[2] - phi).abs() < 1e-6);
            let Some(&[.., reference]) = row else {
                return Err(Failure::Runtime(format!("no reference at φ = {phi}°")));
            };
            if reference > peak - NEAR_DB {
                worst.see((found - reference).abs());
            }
        }
    }
    Ok(held_to(
        &[("error_db", worst.value()), ("run_seconds", seconds)],
        &[("error_db", Limit::AtMost(1.0))],
    ))
}

/// The document's helix as far as it is described: a square wire of 3 mm, above a plate of 10 mm radius, cells from 1 mm
/// up. Its windings are not; these have a circumference of about a wavelength at 9 GHz.
pub(super) fn helix() -> Result<Measured, Failure> {
    let text = r#"
        format = 1
        solver = "dgtd"
        frequency = { start = "5 GHz", stop = "15 GHz", step = "250 MHz" }
        order = 2
        ports = [{ surface = "feed", direction = [0.0, 0.0, 1.0], resistance = 50.0 }]
        directions = { theta = { start = "0 deg", stop = "180 deg", step = "5 deg" }, phi = ["0 deg", "90 deg"] }
        end = { decay = 1e-5 }
        [domain]
        edge = "7 mm"
        margin = "5 mm"
        gap = "6 mm"
        layer = "14 mm"
        [domain.helix]
        radius = "5.5 mm"
        pitch = "8 mm"
        turns = 3.0
        width = "3 mm"
        gap = "1 mm"
        ground_radius = "10 mm"
        edge = "1.5 mm"
        ground_edge = "2.5 mm"
        "#;
    let (outcome, seconds) = solved(text)?;
    let of = |name: &str| column(&outcome, name);
    let reflection = of("network/s11_db")?;
    let (frequency, theta) = (of("pattern/frequency")?, of("pattern/theta")?);
    let directivity = of("pattern/directivity")?;
    let at_nine: Vec<(f64, f64)> = (frequency.iter().zip(theta).zip(directivity))
        .filter(|((f, _), _)| (*f - 9e9).abs() < 1.0)
        .map(|((_, &theta), &d)| (theta, d))
        .collect();
    let along = (at_nine.iter().find(|(theta, _)| *theta == 0.0)).map_or(f64::NAN, |at| at.1);
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
    Ok(held_to(
        &[
            ("s11_largest_db", largest(&mut reflection.iter().copied())),
            ("directivity_axis_9ghz_dbi", along),
            (
                "directivity_9ghz_dbi",
                largest(&mut at_nine.iter().map(|at| at.1)),
            ),
            ("run_seconds", seconds),
        ],
        // A passive antenna returns no more than it is sent.
        &[("s11_largest_db", Limit::AtMost(0.0))],
    ))
}
