//! Bodies meshed from problem files, against exact series and reference data.

use std::path::Path;
use std::time::Instant;

use wavefield_numerics::observe::Silent;

use crate::measure::{Measured, Metrics};
use crate::reference_data;
use wavefield::Error;
use wavefield::numerics::worst::Worst;
use wavefield::outcome::Outcome;
use wavefield::problem::Problem;
use wavefield::run::{Options, run};

/// What a problem gives, and the seconds it took from its text on, meshing included.
fn solved(text: &str) -> Result<(Outcome, f64), Error> {
    let start = Instant::now();
    let problem = Problem::parse(text, "body", Path::new("."))?;
    let (_, outcome) = run(&problem, &Options::default(), &Silent)?;
    Ok((outcome, start.elapsed().as_secs_f64()))
}

/// A column of a table.
pub(super) fn column<'o>(outcome: &'o Outcome, name: &str) -> Result<&'o [f64], Error> {
    (outcome.array(name).and_then(|array| array.as_real()))
        .ok_or_else(|| Error::runtime(format!("the result has no column `{name}`")))
}

pub(super) fn conducting_sphere() -> Result<Measured, Error> {
    sphere(
        "\"pec\"",
        4,
        ["75 mm", "100 mm"],
        ["80 mm", "240 mm", "140 mm"],
        "",
    )
}

pub(super) fn dielectric_sphere() -> Result<Measured, Error> {
    sphere(
        "{ permittivity = 4.0 }",
        // A mode at 903.75 MHz has a quality of 332. Waves in the sphere must be right to parts in ten thousand, or it
        // comes out elsewhere; half of it rings when the run ends, and is extrapolated.
        5,
        ["70 mm", "130 mm"],
        ["60 mm", "300 mm", "180 mm"],
        "band = [\"800 MHz\", \"1 GHz\"]\n end = { decay = 1e-4, time = \"85 ns\", extrapolate = true }",
    )
}

/// A sphere of 300 mm at 900 MHz under a wave from +z, polarised along x, in both principal planes.
fn sphere(
    material: &str,
    order: usize,
    [edge, air]: [&str; 2],
    [gap, layer, layer_edge]: [&str; 3],
    more: &str,
) -> Result<Measured, Error> {
    let text = format!(
        r#"
        format = 1
        solver = "dgtd"
        frequency = "900 MHz"
        order = {order}
        polarisation = "v"
        {more}
        incidence = {{ theta = "0 deg", phi = "0 deg" }}
        observation = {{ kind = "bistatic", theta = {{ start = "0 deg", stop = "180 deg", step = "2 deg" }}, phi = ["0 deg", "90 deg"] }}
        [domain]
        edge = "{air}"
        margin = "{gap}"
        gap = "{gap}"
        layer = "{layer}"
        layer_edge = "{layer_edge}"
        [[domain.bodies]]
        name = "sphere"
        shape = {{ kind = "sphere", radius = "300 mm" }}
        material = {material}
        edge = "{edge}"
        "#
    );
    let (outcome, seconds) = solved(&text)?;
    let against_series =
        (outcome.checks.iter()).find(|check| check.against.contains("exact series"));
    let error = against_series.map_or(f64::NAN, |check| check.value);
    Ok([("error_db", error), ("run_seconds", seconds)].into())
}

/// Aspects whose reference is less than this below its peak count.
const NEAR_DB: f64 = 20.0;

/// The almond seen at five azimuths, both polarisations sent, where the reference is near its peak.
pub(super) fn austin_almond(data: &Path) -> Result<Measured, Error> {
    let text = r#"
        format = 1
        solver = "dgtd"
        frequency = "3.5 GHz"
        order = 4
        polarisation = "both"
        incidence = { theta = "90 deg", phi = { start = "0 deg", stop = "180 deg", step = "45 deg" } }
        observation = { kind = "monostatic" }
        end = { decay = 1e-5 }
        [domain]
        edge = "30 mm"
        margin = "15 mm"
        gap = "20 mm"
        layer = "90 mm"
        layer_edge = "40 mm"
        [[domain.bodies]]
        name = "almond"
        shape = { kind = "almond", length = "252.3744 mm" }
        material = "pec"
        edge = "14 mm"
        "#;
    let (outcome, seconds) = solved(text)?;
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
                return Err(Error::runtime(format!("no reference at φ = {phi}°")));
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
