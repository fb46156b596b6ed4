//! The ray solver on the Austin benchmark suite.

use rayon::prelude::*;
use wavefield_mesh::{TriangleMesh, primitive};
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::Channel;
use wavefield_sbr::{Density, Scatterer};

use crate::failure::Failure;
use crate::measure::{Case, Limit, Measured, Metrics};
use crate::reference_data;

/// Metres of an inch.
const INCH: f64 = 0.0254;
/// What lies so far below the peak of the reference counts as this level, dB: the suite's own measure.
const FLOOR_DB: f64 = 80.0;
/// And near the peak is what lies within so many decibels.
const NEAR_DB: f64 = 20.0;

/// One target at one frequency: file names, suffix of the metrics, and the errors of plain rays to be beaten, dB.
struct Table {
    file: &'static str,
    suffix: &'static str,
    plain: [f64; 2],
}

impl Table {
    const fn new(file: &'static str, suffix: &'static str, plain: [f64; 2]) -> Table {
        Table {
            file,
            suffix,
            plain,
        }
    }
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "sbr/austin-plate",
            about: "the plate of 6 by 10.5 inches, set IIA sx1, with its edges, at 10.24 GHz to 80° off its normal",
            measure: Box::new(plate),
        },
        Case {
            name: "sbr/austin-almond",
            about: "the NASA almond, set IIIA, against the suite's reference at 3.5, 7 and 10.25 GHz",
            measure: Box::new(almond),
        },
        Case {
            name: "sbr/austin-prime",
            about: "the closed PRIME aircraft, set IVA, against the suite's reference at 5.12 and 10.25 GHz",
            measure: Box::new(prime),
        },
    ]
}

/// The first column of these two tables says 10.20 GHz; their lobes are those of 10.24 GHz, the suite's f11.
fn plate() -> Result<Measured, Failure> {
    let Some(data) = reference_data::find("austin-rcs") else {
        return Ok(Measured::Skipped(reference_data::missing("austin-rcs")));
    };
    let mut mesh = primitive::plate(6.0 * INCH, 10.5 * INCH, INCH)
        .map_err(|error| Failure::Runtime(error.to_string()))?;
    for point in &mut mesh.points {
        *point = [0.0, point[1], point[0]];
    }
    let body = Scatterer::with_edges(&mesh)?;
    let mut metrics = Metrics::new();
    let mut limits = std::collections::BTreeMap::new();
    for (letter, channel, name, most) in
        [("V", Channel::VV, "vv", 0.8), ("H", Channel::HH, "hh", 2.2)]
    {
        let path = data.join(format!("IIA/ref_rcs.II.A.sx1.f11.{letter}.txt"));
        let mut rows = reference_data::read_table(&path)?;
        rows.retain(|row| row[2] <= 80.0);
        for row in &mut rows {
            row[0] = 10.24e9;
        }
        let [whole, near] = errors(&compared(&body, &rows, channel)?);
        metrics.insert(format!("error_{name}_db_f10p24"), whole);
        metrics.insert(format!("error_{name}_20db_f10p24"), near);
        limits.insert(format!("error_{name}_db_f10p24"), Limit::AtMost(most));
    }
    Ok(Measured::Numbers { metrics, limits })
}

/// Found and wanted decibels of the rows of a table.
fn compared(
    body: &Scatterer,
    rows: &[[f64; 4]],
    channel: Channel,
) -> Result<Vec<(f64, f64)>, Failure> {
    rows.par_iter()
        .map(|[frequency, theta, phi, wanted]| {
            let from = Direction::from_degrees(*theta, *phi);
            let found = body.monostatic(from, *frequency, Density::default())?;
            Ok((found.dbsm(channel), *wanted))
        })
        .collect()
}

fn almond() -> Result<Measured, Failure> {
    let mesh = primitive::almond(9.936 * INCH, 0.003)
        .map_err(|error| Failure::Runtime(error.to_string()))?;
    scored(
        &mesh,
        &[
            Table::new("IIIA/ref_rcs.III.A.s1.fx1", "f3p5", [4.5, 7.9]),
            Table::new("IIIA/ref_rcs.III.A.s1.fx3", "f7", [3.8, 4.2]),
            Table::new("IIIA/ref_rcs.III.A.s1.fx4", "f10p25", [5.4, 3.8]),
        ],
    )
}

fn prime() -> Result<Measured, Failure> {
    let Some(data) = reference_data::find("austin-rcs") else {
        return Ok(Measured::Skipped(reference_data::missing("austin-rcs")));
    };
    let mut mesh =
        reference_data::read_zipped_surface(&data.join("mesh/Closed-Duct_PRIME_model_meshAB.zip"))?;
    // From the full scale to the model's, and nose towards +x.
    let scale = 9.1875 / 592.763;
    for point in &mut mesh.points {
        *point = [-scale * point[0], scale * point[1], scale * point[2]];
    }
    scored(
        &mesh,
        &[
            Table::new("IVA/ref_rcs.IV.A.s1.f10", "f5p12", [5.3, 9.7]),
            Table::new("IVA/ref_rcs.IV.A.s1.fx3", "f10p25", [5.3, 6.5]),
        ],
    )
}

/// The suite's error of a body at some frequencies.
fn scored(mesh: &TriangleMesh, tables: &[Table]) -> Result<Measured, Failure> {
    let Some(data) = reference_data::find("austin-rcs") else {
        return Ok(Measured::Skipped(reference_data::missing("austin-rcs")));
    };
    let body = Scatterer::with_edges(mesh)?;
    let mut metrics = Metrics::new();
    let mut limits = std::collections::BTreeMap::new();
    for table in tables {
        for (letter, channel, name, plain) in [
            ("V", Channel::VV, "vv", table.plain[0]),
            ("H", Channel::HH, "hh", table.plain[1]),
        ] {
            let path = data.join(format!("{}.{letter}.txt", table.file));
            let rows = reference_data::read_table(&path)?;
            let pairs = compared(&body, &rows, channel)?;
            let [whole, near] = errors(&pairs);
            let suffix = table.suffix;
            metrics.insert(format!("error_{name}_db_{suffix}"), whole);
            metrics.insert(format!("error_{name}_20db_{suffix}"), near);
            limits.insert(format!("error_{name}_db_{suffix}"), Limit::AtMost(plain));
        }
    }
    Ok(Measured::Numbers { metrics, limits })
}

/// The suite's measure: the mean of |max(s, T) − max(ref, T)|, T = max(ref) − 80 dB; and the same over what
/// lies within 20 dB of the reference's peak.
fn errors(pairs: &[(f64, f64)]) -> [f64; 2] {
    let peak = pairs
        .iter()
        .fold(f64::NEG_INFINITY, |most, (_, reference)| {
            most.max(*reference)
        });
    let floor = peak - FLOOR_DB;
    let mean = |chosen: &dyn Fn(f64) -> bool| {
        let differences: Vec<f64> = pairs
            .iter()
            .filter(|(_, reference)| chosen(*reference))
            .map(|(found, reference)| (found.max(floor) - reference.max(floor)).abs())
            .collect();
        differences.iter().sum::<f64>() / differences.len() as f64
    };
    [
        mean(&|_| true),
        mean(&|reference| reference > peak - NEAR_DB),
    ]
}
