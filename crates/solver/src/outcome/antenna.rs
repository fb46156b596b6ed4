//! Antenna results in an outcome: radiation patterns, S-parameters, and input impedances.

use std::f64::consts::{PI, TAU};

use crate::scene::aspects::Aspect;
use num_complex::Complex64;
use wavefield_physics::antenna::{Network, Radiation};
use wavefield_physics::constants::VACUUM_IMPEDANCE;
use wavefield_physics::direction::Direction;
use wavefield_physics::far_field::{FarField, power_db};

use super::aspects::{self as sweep, Quantity};
use super::selection;
use super::{
    Array, Data, Figure, FigureKind, KeyFigure, NetworkFile, Outcome, PatternView, Series,
};

/// Adds the table and the figures of the radiation pattern; `driven` names the excitation.
///
/// The figures show the frequency nearest to `best`, such as that of the best match, or the first.
pub fn radiate(outcome: &mut Outcome, radiation: &Radiation, driven: &str, best: Option<f64>) {
    let count = radiation.directions.len();
    let aspects: Vec<Aspect> = (0..radiation.frequencies.len())
        .flat_map(|frequency| {
            (radiation.directions.iter()).map(move |&to| Aspect {
                frequency,
                from: to,
                to,
            })
        })
        .collect();
    if aspects.is_empty() {
        return;
    }
    let mut table = sweep::columns(&radiation.frequencies, &aspects);
    table.retain(|(name, ..)| !name.ends_with("_i"));
    let component = |of: &dyn Fn(&FarField) -> Complex64| {
        Data::Complex(radiation.fields.iter().map(of).collect())
    };
    table.push(("e_theta", "V", component(&|f| f.theta)));
    table.push(("e_phi", "V", component(&|f| f.phi)));
    let directivity: Vec<f64> = (radiation.fields.iter().enumerate())
        .map(|(at, field)| field.directivity(radiation.power[at / count], VACUUM_IMPEDANCE))
        .map(power_db)
        .collect();
    let largest = directivity
        .iter()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max);
    let shown = best.map_or(0, |best| nearest(&radiation.frequencies, best));
    show_patterns(outcome, radiation, &directivity, shown);
    table.push(("directivity", "dBi", Data::Real(directivity)));
    outcome.add_table(
        "pattern",
        &format!("Radiated field r·E·e^{{jkr}} for {driven}, and directivity"),
        table,
    );
    sweep::figures(
        outcome,
        &radiation.frequencies,
        &aspects,
        &Quantity {
            table: "pattern",
            name: "directivity",
            unit: "dBi",
            channels: &[("directivity", "directivity")],
            references: &[],
            scattered: false,
            shown,
        },
    );
    let largest = KeyFigure::new("peak directivity", format!("{largest:.2}"), "dBi");
    outcome.key_figures.insert(0, largest);
}

/// Adds the directivity over all directions to the 3-D view, for a choice of frequencies that begins with `shown`, if the
/// directions are a uniform grid over the sphere with φ fastest.
fn show_patterns(outcome: &mut Outcome, radiation: &Radiation, directivity: &[f64], shown: usize) {
    let Some([thetas, phis]) = sphere_grid(&radiation.directions) else {
        return;
    };
    let count = thetas * phis;
    let repeats = (radiation.directions[phis - 1].phi - TAU).abs() < ANGLE;
    let mut choices = selection::choices(&radiation.frequencies, shown);
    choices.sort_by_key(|(number, _)| *number != shown);
    for (number, frequency) in choices {
        let values = &directivity[number * count..(number + 1) * count];
        // The last column repeats the first.
        let grid: Vec<f64> = (values.chunks(phis))
            .flat_map(|row| row.iter().chain(&row[..usize::from(!repeats)]))
            .copied()
            .collect();
        let array = format!("view/directivity_{number}");
        let columns = grid.len() / thetas;
        (outcome.arrays).push(Array::real(&array, grid).reshaped(&[thetas, columns]));
        outcome.view.patterns.push(PatternView {
            name: format!("directivity at {frequency}"),
            unit: "dBi".to_owned(),
            array,
            option: Some(frequency),
        });
    }
}

/// Tolerance of angles of a grid, rad.
const ANGLE: f64 = 1e-6;

/// Returns the numbers of θ and φ of directions that are a uniform grid over the sphere, with φ fastest.
fn sphere_grid(directions: &[Direction]) -> Option<[usize; 2]> {
    let first = directions.first()?;
    let phis = (directions.iter())
        .take_while(|direction| direction.theta == first.theta)
        .count();
    let thetas = directions.len() / phis;
    if thetas < 3 || phis < 3 || thetas * phis != directions.len() {
        return None;
    }
    let step = directions[1].phi - first.phi;
    let columns = (TAU / step).round();
    let whole = columns == phis as f64 || columns + 1.0 == phis as f64;
    let on_grid = |(number, direction): (usize, &Direction)| {
        let theta = PI * (number / phis) as f64 / (thetas - 1) as f64;
        let phi = TAU / columns * (number % phis) as f64;
        (direction.theta - theta).abs() < ANGLE && (direction.phi - phi).abs() < ANGLE
    };
    (whole && directions.iter().enumerate().all(on_grid)).then_some([thetas, phis])
}

/// Returns the index of the value nearest to another.
pub fn nearest(values: &[f64], to: f64) -> usize {
    let distance = |index: &usize| (values[*index] - to).abs();
    (0..values.len())
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .unwrap_or(0)
}

/// Returns the frequency of the best match of the first port.
pub fn best_match(frequencies: &[f64], network: &Network) -> Option<f64> {
    let ports = network.resistances.len();
    let reflected = network.parameters.iter().step_by(ports * ports);
    let best = (frequencies.iter().zip(reflected))
        .min_by(|a, b| a.1.norm_sqr().total_cmp(&b.1.norm_sqr()))?;
    Some(*best.0)
}

/// Adds the table, the figures, and the Touchstone file of the S-parameters.
pub fn network(outcome: &mut Outcome, frequencies: &[f64], network: &Network) {
    let ports = network.resistances.len();
    let impedances = network.impedances();
    let mut table = vec![(
        "frequency".to_owned(),
        "Hz",
        Data::Real(frequencies.to_vec()),
    )];
    let mut series = Vec::new();
    for receiving in 0..ports {
        for driven in 0..ports {
            let name = format!("s{}{}", receiving + 1, driven + 1);
            let values: Vec<Complex64> = (network.parameters.chunks(ports * ports))
                .map(|matrix| matrix[receiving * ports + driven])
                .collect();
            let decibels = values.iter().map(|s| power_db(s.norm_sqr())).collect();
            let column = format!("{name}_db");
            series.push(Series::new(
                &name.to_uppercase(),
                "network/frequency",
                &format!("network/{column}"),
            ));
            table.push((name, "", Data::Complex(values)));
            table.push((column, "dB", Data::Real(decibels)));
            let impedance = (impedances.chunks(ports * ports))
                .map(|matrix| matrix[receiving * ports + driven])
                .collect();
            let name = format!("z{}{}", receiving + 1, driven + 1);
            table.push((name, "ohm", Data::Complex(impedance)));
        }
    }
    outcome.add_table(
        "network",
        "S-parameters for the reference impedance of each port, and impedances with the other ports open",
        table
            .iter()
            .map(|(name, unit, data)| (name.as_str(), *unit, data.clone()))
            .collect(),
    );
    let parameters = network.parameters.clone();
    outcome
        .arrays
        .push(Array::complex("network/parameters", parameters).reshaped(&[
            frequencies.len(),
            ports,
            ports,
        ]));
    outcome.label(
        "network/parameters",
        "",
        &["network/frequency", "receiving_port", "driven_port"],
    );
    // The Touchstone file has one reference impedance for all ports.
    if network
        .resistances
        .iter()
        .all(|r| *r == network.resistances[0])
    {
        outcome.networks.push(NetworkFile {
            name: "network".to_owned(),
            ports,
            resistance: network.resistances[0],
            frequencies: "network/frequency".to_owned(),
            parameters: "network/parameters".to_owned(),
        });
    }
    if frequencies.len() > 1 {
        outcome.figures.push(Figure {
            title: "S-parameters".to_owned(),
            caption: "S-parameters versus frequency.".to_owned(),
            kind: FigureKind::Cartesian,
            x_label: "frequency".to_owned(),
            x_unit: "Hz".to_owned(),
            y_label: "|S|".to_owned(),
            y_unit: "dB".to_owned(),
            series,
        });
    }
    if frequencies.len() > 1 {
        impedance_figure(outcome, &impedances, ports);
        match_figures(outcome, network, ports);
    }
    let reflected = network.parameters.iter().step_by(ports * ports);
    let decibels: Vec<f64> = reflected.map(|s| power_db(s.norm_sqr())).collect();
    let Some(best) = (0..decibels.len()).min_by(|&a, &b| decibels[a].total_cmp(&decibels[b]))
    else {
        return;
    };
    let z = impedances[best * ports * ports];
    let sign = if z.im < 0.0 { "−" } else { "+" };
    let ohms = format!("{:.1} {sign} {:.1}j", z.re, z.im.abs());
    let least = format!("{:.1}", decibels[best]);
    outcome.key_figures.splice(
        0..0,
        [
            KeyFigure::new("minimum |S11|", least, "dB"),
            KeyFigure::new("input impedance at minimum |S11|", ohms, "Ω"),
        ],
    );
}

/// Largest voltage standing wave ratio that is drawn.
const MAX_VSWR: f64 = 10.0;

/// Adds the Smith chart and the voltage standing wave ratio of every port.
fn match_figures(outcome: &mut Outcome, network: &Network, ports: usize) {
    let (mut smith, mut vswr) = (Vec::new(), Vec::new());
    for port in 0..ports {
        let reflected: Vec<Complex64> = (network.parameters.chunks(ports * ports))
            .map(|matrix| matrix[port * ports + port])
            .collect();
        let name = format!("S{0}{0}", port + 1);
        let array = |part: &str| format!("match/s{0}{0}_{part}", port + 1);
        let ratio = |s: &Complex64| {
            let ratio = (1.0 + s.norm()) / (1.0 - s.norm());
            if (1.0..=MAX_VSWR).contains(&ratio) {
                ratio
            } else {
                f64::NAN
            }
        };
        for (part, values) in [
            ("real", reflected.iter().map(|s| s.re).collect()),
            ("imag", reflected.iter().map(|s| s.im).collect()),
            ("vswr", reflected.iter().map(ratio).collect()),
        ] {
            outcome.arrays.push(Array::real(array(part), values));
        }
        smith.push(Series::new(&name, &array("real"), &array("imag")));
        let port = format!("port {}", port + 1);
        vswr.push(Series::new(&port, "network/frequency", &array("vswr")));
    }
    outcome.figures.push(Figure {
        title: "Smith chart".to_owned(),
        caption: "Reflection coefficient of each port for its reference impedance; the mark is the lowest frequency."
            .to_owned(),
        kind: FigureKind::Smith,
        x_label: "Re S".to_owned(),
        x_unit: String::new(),
        y_label: "Im S".to_owned(),
        y_unit: String::new(),
        series: smith,
    });
    let drawn = |outcome: &Outcome| {
        let arrays = vswr
            .iter()
            .filter_map(|s: &Series| outcome.array(&s.y)?.as_real());
        arrays.flatten().filter(|v| v.is_finite()).count() > 1
    };
    if drawn(outcome) {
        outcome.figures.push(Figure {
            title: "Voltage standing wave ratio".to_owned(),
            caption: format!("VSWR for the reference impedance of each port, up to {MAX_VSWR}."),
            kind: FigureKind::Cartesian,
            x_label: "frequency".to_owned(),
            x_unit: "Hz".to_owned(),
            y_label: "VSWR".to_owned(),
            y_unit: String::new(),
            series: vswr,
        });
    }
}

/// Adds the figure of input resistance and reactance of the first port versus frequency.
fn impedance_figure(outcome: &mut Outcome, impedances: &[Complex64], ports: usize) {
    let first = || impedances.iter().step_by(ports * ports);
    let resistance = first().map(|z| z.re).collect();
    let reactance = first().map(|z| z.im).collect();
    let series = [("resistance", resistance), ("reactance", reactance)]
        .into_iter()
        .map(|(name, values)| {
            let array = format!("impedance/{name}");
            outcome.arrays.push(Array::real(&array, values));
            Series::new(name, "network/frequency", &array)
        })
        .collect();
    outcome.figures.push(Figure {
        title: "Input impedance of port 1".to_owned(),
        caption: "Input impedance, other ports open.".to_owned(),
        kind: FigureKind::Cartesian,
        x_label: "frequency".to_owned(),
        x_unit: "Hz".to_owned(),
        y_label: "impedance".to_owned(),
        y_unit: "Ω".to_owned(),
        series,
    });
}
