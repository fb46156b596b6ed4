//! Antenna results in an outcome: radiation patterns, S-parameters, and input impedances.

use crate::scene::aspects::Aspect;
use num_complex::Complex64;
use wavefield_physics::antenna::{Network, Radiation};
use wavefield_physics::constants::VACUUM_IMPEDANCE;
use wavefield_physics::far_field::{FarField, power_db};

use super::aspects::{self as sweep, Quantity};
use super::{Array, Data, Figure, FigureKind, KeyFigure, NetworkFile, Outcome, Series};

/// Adds the table and the figures of the radiation pattern; `driven` names the excitation.
pub fn radiate(outcome: &mut Outcome, radiation: &Radiation, driven: &str) {
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
        },
    );
    let largest = KeyFigure::new("peak directivity", format!("{largest:.2}"), "dBi");
    outcome.key_figures.insert(0, largest);
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
