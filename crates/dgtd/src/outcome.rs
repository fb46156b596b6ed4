//! Report of a solution: tables, figures, key figures, checks.

mod pictures;
mod port_convergence;
pub(crate) mod reference;

use wavefield_physics::far_field::{Channel, power_db};
use wavefield_solver::outcome::antenna;
use wavefield_solver::outcome::aspects::{self as sweep, Quantity, incident_wave};
use wavefield_solver::outcome::{Array, Check, Figure, FigureKind, KeyFigure, Outcome, Series};
use wavefield_solver::scene::Polarization;

use crate::contract::{DgtdRun, runs};
use crate::{Precision, Run, Scattering, Solution};

/// Minimum number of nodes per wavelength for a resolved field.
const NODES: f64 = 4.0;
/// Fraction of the volume that may be resolved more coarsely.
const COARSE: f64 = 0.05;

/// Residual energy, relative to the peak, above which truncation makes spectra inaccurate.
const RINGING: f64 = 1e-3;
/// Fraction of PML tetrahedra with bounded σ above which the PML reflects noticeably.
///
/// Errors of the RCS of spheres and almonds were decibels where σ was bounded in all of them, tenths of a decibel at
/// half of them.
const THICK: f64 = 0.75;
/// Relative change of extrapolated spectra with one sample less above which they are inaccurate.
const EXTRAPOLATED: f64 = 0.02;
/// Relative rounding errors of the fields after some thousand steps.
const SINGLE_ROUNDING: f64 = 1e-5;
const DOUBLE_ROUNDING: f64 = 1e-12;

impl DgtdRun {
    pub(crate) fn outcome(&self, solution: &Solution) -> Outcome {
        let elements = self.plan.discretization().elements();
        let mut outcome = Outcome {
            summary: format!(
                "{elements} tetrahedra of order {}; {} steps of {:.2} ps in {}.",
                self.plan.discretization().reference.order(),
                solution.runs.iter().map(|run| run.steps).sum::<u64>(),
                1e12 * self.plan.time_step(),
                runs(solution.runs.len())
            ),
            key_figures: vec![KeyFigure::new("tetrahedra", elements.to_string(), "")],
            ..Outcome::default()
        };
        if let Some(scattering) = &solution.scattering {
            self.scattering(&mut outcome, solution, scattering);
        }
        let best = (solution.network.as_ref())
            .and_then(|network| antenna::best_match(&solution.frequencies, network));
        if let Some(radiation) = &solution.radiation {
            antenna::radiate(&mut outcome, radiation, "the given current moments", best);
        }
        if let Some(found) = &solution.network {
            antenna::network(&mut outcome, &solution.frequencies, found);
        }
        let cut_off = energy(&mut outcome, &solution.runs);
        let d = self.plan.discretization();
        outcome.checks.push(Check {
            name: format!("volume fraction with fewer than {NODES} nodes per wavelength"),
            value: d.coarse_part(self.plan.wavelength(), NODES),
            limit: COARSE,
            against: "a resolved field".to_owned(),
            remedy: "increase `dgtd.order`, or decrease the mesh size".to_owned(),
        });
        if d.first_layer < d.elements() {
            outcome.checks.push(Check {
                name: "fraction of PML tetrahedra too coarse for the grading of the conductivity"
                    .to_owned(),
                value: d.bounded_layers as f64 / (d.elements() - d.first_layer) as f64,
                limit: THICK,
                against: "a PML of two layers of tetrahedra; a coarser one reflects".to_owned(),
                remedy:
                    "decrease `dgtd.domain.pml_mesh_size`, or increase `dgtd.domain.pml_thickness`"
                        .to_owned(),
            });
        }
        let rounding = match self.precision {
            Precision::Single => SINGLE_ROUNDING,
            Precision::Double => DOUBLE_ROUNDING,
        };
        outcome.accuracy = cut_off.max(rounding);
        if let Some(found) = &solution.network
            && self.plan.checks_port_convergence()
        {
            let check = port_convergence::check(&self.plan, found, solution.lower_order.as_ref());
            outcome.accuracy = outcome.accuracy.max(check.value);
            outcome.checks.push(check);
        }
        outcome.show_mesh("surfaces", &self.surfaces);
        if let Some(found) = &solution.currents {
            pictures::currents(&mut outcome, found, best);
        }
        if let Some(found) = &solution.pictures {
            pictures::pictures(&mut outcome, self.plan.discretization(), self.normal, found);
        }
        outcome
    }

    fn scattering(&self, outcome: &mut Outcome, solution: &Solution, scattering: &Scattering) {
        let mut table = sweep::columns(&solution.frequencies, &scattering.aspects);
        let sent = |channel: Channel| match self.polarization {
            Polarization::V => matches!(channel, Channel::VV | Channel::HV),
            Polarization::H => matches!(channel, Channel::VH | Channel::HH),
            Polarization::Both | Polarization::Tm | Polarization::Te => true,
        };
        let channels: Vec<Channel> = Channel::ALL.into_iter().filter(|&c| sent(c)).collect();
        let names: Vec<&str> = (channels.iter())
            .copied()
            .flat_map(|channel| <[&str; 2]>::from(sweep::channel_columns(channel)))
            .collect();
        let columns = sweep::matrix_columns(&scattering.matrices);
        table.extend(
            columns
                .into_iter()
                .filter(|(name, ..)| names.contains(name)),
        );
        let exact = (self.sphere.as_ref())
            .and_then(|sphere| sphere.exact(&solution.frequencies, &scattering.aspects));
        if let Some(exact) = &exact {
            let found = &scattering.matrices;
            reference::held_against(outcome, &mut table, &channels, found, exact);
        }
        outcome.add_table(
            "rcs",
            "Complex scattering matrix √σ·e^{j phase} (phase origin: origin of coordinates) and radar cross section",
            table,
        );
        let drawn = sweep::drawn_channels(&scattering.matrices, &channels);
        let curves = sweep::curves_of(&drawn);
        let mut references = Vec::new();
        if exact.is_some() {
            references.extend(drawn.iter().copied().map(reference::exact_column));
        }
        let quantity = Quantity {
            channels: &curves,
            references: &references,
            ..sweep::RADAR_CROSS_SECTION
        };
        sweep::figures(
            outcome,
            &solution.frequencies,
            &scattering.aspects,
            &quantity,
        );
        let peak = (scattering.matrices.iter())
            .flat_map(|m| [m.rcs(Channel::VV), m.rcs(Channel::HH)])
            .filter(|rcs| rcs.is_finite())
            .fold(f64::MIN_POSITIVE, f64::max);
        let peak = KeyFigure::new("peak σ", format!("{:.2}", power_db(peak)), "dBsm");
        outcome.key_figures.insert(0, peak);
        outcome.view.caption =
            "Named surfaces of the mesh; the arrow is the first incident wave.".to_owned();
        outcome.view.arrows = vec![incident_wave(scattering.aspects[0].from)];
    }
}

/// Adds the energy over time and the check of truncation; returns the relative error of spectra due to truncated runs.
fn energy(outcome: &mut Outcome, runs: &[Run]) -> f64 {
    let mut series = Vec::new();
    let mut left: f64 = 0.0;
    for (number, run) in runs.iter().enumerate() {
        let name = |what: &str| format!("energy/{}_{what}", number + 1);
        // The logarithm needs positive values.
        let shown: Vec<&[f64; 2]> = run.energies.iter().filter(|e| e[1] > 0.0).collect();
        let time = shown.iter().map(|e| 1e9 * e[0]).collect();
        let decibels = shown.iter().map(|e| power_db(e[1])).collect();
        outcome.add_coordinates(&name("time"), "ns", time);
        (outcome.arrays).push(Array::real(name("energy"), decibels));
        outcome.label(&name("energy"), "dB", &[&name("time")]);
        left = left.max(run.energies.last().map_or(0.0, |e| e[1]));
        series.push(Series::new(
            &format!("run {}", number + 1),
            &name("time"),
            &name("energy"),
        ));
    }
    let worst = (runs.iter()).filter_map(|run| run.ringing).reduce(f64::max);
    outcome.checks.push(match worst {
        Some(change) => Check {
            name: "relative change of extrapolated spectra with one sample less".to_owned(),
            value: change,
            limit: EXTRAPOLATED,
            against: "extrapolation without the last sample".to_owned(),
            remedy: "increase `dgtd.stop.max_time`".to_owned(),
        },
        None => Check {
            name: "residual energy / peak energy".to_owned(),
            value: left,
            limit: RINGING,
            against: "complete decay".to_owned(),
            remedy: "increase `dgtd.stop.max_time`, or set `dgtd.stop.extrapolate = true`"
                .to_owned(),
        },
    });
    outcome.figures.push(Figure {
        title: "Energy versus time".to_owned(),
        caption: "Energy outside the PML relative to its peak.".to_owned(),
        kind: FigureKind::Cartesian,
        x_label: "time".to_owned(),
        x_unit: "ns".to_owned(),
        y_label: "energy".to_owned(),
        y_unit: "dB".to_owned(),
        series,
    });
    worst.unwrap_or(left.sqrt())
}
