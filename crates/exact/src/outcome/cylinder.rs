//! Outcome of a cylinder.

use crate::{Aspect, CylinderAmplitude, Solution, SurfaceCurrent};
use num_complex::Complex64;
use wavefield_physics::far_field::power_db;
use wavefield_physics::quantity::Frequency;

use super::{frequencies, significant, size_figures};
use wavefield_solver::outcome::aspects::{self as sweep, Quantity, incident_wave};
use wavefield_solver::outcome::{Data, Figure, FigureKind, KeyFigure, Outcome, Series, View};

pub(super) fn fill(
    outcome: &mut Outcome,
    solution: &Solution,
    aspects: &[Aspect],
    amplitudes: &[CylinderAmplitude],
    currents: &[SurfaceCurrent],
) {
    let decibels = |width: fn(&CylinderAmplitude) -> f64| {
        Data::Real(amplitudes.iter().map(|a| power_db(width(a))).collect())
    };
    let swept: Vec<f64> = solution.frequencies.iter().map(|f| f.frequency).collect();
    let mut table = sweep::columns(&swept, aspects);
    table.push((
        "tm",
        "",
        Data::Complex(amplitudes.iter().map(|a| a.tm).collect()),
    ));
    table.push((
        "te",
        "",
        Data::Complex(amplitudes.iter().map(|a| a.te).collect()),
    ));
    table.push(("tm_db_m", "dB(m)", decibels(|a| a.tm_width)));
    table.push(("te_db_m", "dB(m)", decibels(|a| a.te_width)));
    outcome.add_table(
        "scattering_width",
        "Far-field amplitude f of u_s = √(2/πkρ) e^{−j(kρ−π/4)} f, and scattering width",
        table,
    );
    current_table(outcome, currents);
    frequencies::table(
        outcome,
        solution,
        &[
            ("tm_extinction", "tm_scattering"),
            ("te_extinction", "te_scattering"),
        ],
        "m",
    );
    let quantity = Quantity {
        table: "scattering_width",
        name: "scattering width",
        unit: "dB(m)",
        channels: &[("TM", "tm_db_m"), ("TE", "te_db_m")],
        references: &[],
        scattered: true,
        shown: 0,
    };
    sweep::figures(outcome, &swept, aspects, &quantity);
    let last = &solution.frequencies[solution.frequencies.len() - 1];
    for (title, suffix, label, unit) in [
        ("Surface current", "magnitude", "|n × H| / H incident", ""),
        ("Phase of the surface current", "phase", "phase", "deg"),
    ] {
        outcome.figures.push(Figure {
            title: title.to_owned(),
            caption: format!(
                "Electric surface current along the contour at {}; φ = 0 is toward +x.",
                Frequency(last.frequency)
            ),
            kind: FigureKind::Cartesian,
            x_label: "φ".to_owned(),
            x_unit: "deg".to_owned(),
            y_label: label.to_owned(),
            y_unit: unit.to_owned(),
            series: ["tm", "te"]
                .map(|name| {
                    Series::new(
                        &name.to_uppercase(),
                        "current/phi",
                        &format!("current/{name}_{suffix}"),
                    )
                })
                .to_vec(),
        });
    }
    outcome.view = View {
        caption: "Section of the cylinder, and the incident wave.".to_owned(),
        arrows: vec![incident_wave(aspects[0].from)],
        ..View::default()
    };
    let peak = amplitudes
        .iter()
        .map(|a| a.tm_width.max(a.te_width))
        .fold(0.0, f64::max);
    outcome.key_figures = vec![KeyFigure::new(
        "peak σ",
        format!("{:.2}", power_db(peak)),
        "dB(m)",
    )];
    if solution.frequencies.len() == 1 {
        for (label, powers) in ["σ extinction TM", "σ extinction TE"]
            .iter()
            .zip(&last.cross_sections)
        {
            outcome
                .key_figures
                .push(KeyFigure::new(label, significant(powers.extinction), "m"));
        }
    }
    outcome
        .key_figures
        .extend(size_figures(solution, outcome.accuracy));
    outcome.summary = format!(
        "Cylindrical wave series in TM and TE, ka = {} at {}, {} aspects.",
        significant(last.ka),
        Frequency(last.frequency),
        amplitudes.len()
    );
}

fn current_table(outcome: &mut Outcome, currents: &[SurfaceCurrent]) {
    let real =
        |value: &dyn Fn(&SurfaceCurrent) -> f64| Data::Real(currents.iter().map(value).collect());
    let complex = |value: &dyn Fn(&SurfaceCurrent) -> Complex64| {
        Data::Complex(currents.iter().map(value).collect())
    };
    outcome.add_table(
        "current",
        "Surface current n × H relative to the incident H, versus angle on the contour",
        vec![
            ("phi", "deg", real(&|c| c.phi.to_degrees())),
            ("tm", "", complex(&|c| c.tm)),
            ("te", "", complex(&|c| c.te)),
            ("tm_magnitude", "", real(&|c| c.tm.norm())),
            ("te_magnitude", "", real(&|c| c.te.norm())),
            ("tm_phase", "deg", real(&|c| c.tm.arg().to_degrees())),
            ("te_phase", "deg", real(&|c| c.te.arg().to_degrees())),
        ],
    );
}
