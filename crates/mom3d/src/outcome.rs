//! Outcome of a solution: tables, figures, and checks.

mod near_field;

use num_complex::Complex64;
use wavefield_physics::constants::{SPEED_OF_LIGHT, VACUUM_IMPEDANCE};
use wavefield_physics::far_field::{Channel, power_db};
use wavefield_physics::quantity::Frequency;

use wavefield_solver::outcome::antenna;
use wavefield_solver::outcome::aspects::{self as sweep, incident_wave};
use wavefield_solver::outcome::{Array, Check, Data, KeyFigure, Outcome};

use crate::contract::Mom3dRun;
use crate::{Checks, Solution};

impl Mom3dRun {
    /// Returns the problem size as text.
    pub(crate) fn size(&self) -> String {
        let matrices = self.plan.matrices();
        let by_symmetry = match (matrices.len(), matrices.iter().max()) {
            (2.., Some(largest)) => format!(" ({} matrices of {largest})", matrices.len()),
            _ => String::new(),
        };
        format!(
            "{} unknowns{by_symmetry} on {} triangles, {}",
            self.plan.unknowns(),
            self.plan.mesh().triangles.len(),
            self.excited()
        )
    }

    /// Returns the excitation as text.
    fn excited(&self) -> String {
        let frequencies = match self.plan.frequencies().len() {
            1 => String::new(),
            many => format!(" at {many} frequencies"),
        };
        match self.plan.ports() {
            0 => format!("{} aspects", self.plan.aspects()),
            1 => format!("one port{frequencies}"),
            many => format!("{many} ports{frequencies}"),
        }
    }

    /// Converts a solution to an outcome.
    pub(crate) fn outcome(&self, solution: &Solution) -> Outcome {
        let worst =
            |value: &dyn Fn(&Checks) -> f64| solution.checks.iter().map(value).fold(0.0, f64::max);
        let inside = (solution.checks.iter().filter_map(|checks| checks.inside)).reduce(f64::max);
        let balance = (solution.checks.iter().filter_map(|checks| checks.power)).reduce(f64::max);
        let known = match (inside, balance) {
            (Some(left), _) => format!(
                "extinction error {:.2} % of the incident field",
                100.0 * left
            ),
            (None, Some(off)) => {
                format!("accepted and radiated power agree to {off:.0e}")
            }
            (None, None) => {
                "the extinction error is undefined: the surface encloses no point".to_owned()
            }
        };
        let mut outcome = Outcome {
            summary: format!("{}; {known}.", self.size()),
            accuracy: (inside.or(balance)).unwrap_or_else(|| worst(&|checks| checks.longest_edge)),
            key_figures: vec![
                KeyFigure::new("unknowns", solution.unknowns.to_string(), ""),
                KeyFigure::new(
                    "longest edge",
                    format!("{:.3}", worst(&|checks| checks.longest_edge)),
                    "λ",
                ),
                solved(solution),
            ],
            checks: checks(solution),
            ..Outcome::default()
        };
        if !solution.matrices.is_empty() {
            scattering(&mut outcome, solution);
        }
        let best = (solution.network.as_ref())
            .and_then(|network| antenna::best_match(&solution.frequencies, network));
        if let Some(radiation) = &solution.radiation {
            let driven =
                "1 V behind the reference impedance of the first port, the others terminated";
            antenna::radiate(&mut outcome, radiation, driven, best);
        }
        if let Some(network) = &solution.network {
            antenna::network(&mut outcome, &solution.frequencies, network);
        }
        self.certificate(&mut outcome, solution);
        let shown = best.map_or(0, |best| antenna::nearest(&solution.frequencies, best));
        near_field::add(&mut outcome, &self.plan, self.near_field, solution, shown);
        self.show_current(&mut outcome, solution, shown);
        outcome
    }

    /// Adds the table of diagnostics at each frequency.
    fn certificate(&self, outcome: &mut Outcome, solution: &Solution) {
        let column = |value: &dyn Fn(&Checks) -> f64| {
            Data::Real(solution.checks.iter().map(value).collect())
        };
        outcome.add_table(
            "diagnostics",
            "Diagnostics at each frequency: longest edge in wavelengths, condition number (LU) or largest number of iterations of a block of right-hand sides and largest relative residual (GMRES), extinction error (largest field inside closed surfaces over the incident one), and relative difference between radiated and accepted power",
            vec![
                ("frequency", "Hz", Data::Real(solution.frequencies.clone())),
                ("longest_edge", "", column(&|checks| checks.longest_edge)),
                (
                    "condition",
                    "",
                    column(&|checks| checks.condition.unwrap_or(f64::NAN)),
                ),
                (
                    "iterations",
                    "",
                    column(&|checks| checks.iterated.map_or(f64::NAN, |(count, _)| count as f64)),
                ),
                (
                    "residual",
                    "",
                    column(&|checks| checks.iterated.map_or(f64::NAN, |(_, residual)| residual)),
                ),
                ("extinction_error", "", column(&|checks| checks.inside.unwrap_or(f64::NAN))),
                ("power_balance", "", column(&|checks| checks.power.unwrap_or(f64::NAN))),
            ],
        );
    }

    /// Adds the surface current under the first plane wave or with the first port driven.
    fn show_current(&self, outcome: &mut Outcome, solution: &Solution, shown: usize) {
        outcome.show_mesh("body", self.plan.mesh());
        let by_wave = solution.aspects.first().map(|aspect| aspect.from);
        outcome.view.arrows = by_wave.map(incident_wave).into_iter().collect();
        for (name, state) in state_names(solution).iter().zip(&solution.states[0]) {
            let flat: Vec<_> = state.current.iter().flatten().copied().collect();
            let array = format!("current/{name}");
            (outcome.arrays).push(Array::complex(&array, flat).reshaped(&[state.current.len(), 3]));
            outcome.label(&array, "V/m", &["triangle", "axis"]);
        }
        let magnitudes = |number: usize| -> Vec<f64> {
            (solution.states[number][0].current.iter())
                .map(|vector| vector.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt())
                .collect()
        };
        let (name, excited) = if by_wave.is_some() {
            (
                "surface current for V-polarized incidence",
                "a plane wave of 1 V/m; the arrow is the first incident wave with its V polarization",
            )
        } else {
            (
                "surface current",
                "1 V behind the reference impedance of the first port",
            )
        };
        let maximum = outcome.show_current(name, &solution.frequencies, shown, magnitudes);
        outcome.view.caption = format!(
            "Magnitude of the surface current relative to its maximum, {:.2} mA/m at {}, for {excited}.",
            1e3 * maximum / VACUUM_IMPEDANCE,
            Frequency(solution.frequencies[shown])
        );
    }
}

/// Returns the names of the states of each frequency.
fn state_names(solution: &Solution) -> &'static [&'static str] {
    match solution.states[0].len() {
        2 => &["v", "h"],
        _ => &["port"],
    }
}

/// Adds the table and the figures of plane-wave scattering.
fn scattering(outcome: &mut Outcome, solution: &Solution) {
    let peak = format!("{:.2}", 2.0 * power_db(peak(solution)));
    outcome
        .key_figures
        .insert(0, KeyFigure::new("peak σ", peak, "dBsm"));
    let mut table = sweep::columns(&solution.frequencies, &solution.aspects);
    table.extend(sweep::matrix_columns(&solution.matrices));
    outcome.add_table(
        "rcs",
        "Complex scattering matrix √σ·e^{j phase} (phase origin: origin of coordinates) and radar cross section",
        table,
    );
    sweep::radar_figures(
        outcome,
        &solution.frequencies,
        &solution.aspects,
        &solution.matrices,
    );
}

/// Returns the largest number of iterations (GMRES) or the largest condition number (LU).
fn solved(solution: &Solution) -> KeyFigure {
    let iterations = solution.checks.iter().filter_map(|checks| checks.iterated);
    match iterations.map(|(count, _)| count).max() {
        Some(count) => KeyFigure::new("iterations", count.to_string(), ""),
        None => {
            let conditions = solution.checks.iter().filter_map(|checks| checks.condition);
            let worst = conditions.fold(0.0, f64::max);
            KeyFigure::new("condition number", format!("{worst:.1e}"), "")
        }
    }
}

/// Returns the largest co-polar |S| = √σ, m.
fn peak(solution: &Solution) -> f64 {
    let all = solution.matrices.iter();
    all.flat_map(|m| [m.rcs(Channel::VV), m.rcs(Channel::HH)])
        .fold(f64::MIN_POSITIVE, f64::max)
        .sqrt()
}

/// Returns the checks, each at its worst frequency.
fn checks(solution: &Solution) -> Vec<Check> {
    let worst = |value: fn(&Checks) -> Option<f64>| {
        let found = solution.frequencies.iter().zip(&solution.checks);
        (found.filter_map(|(&frequency, checks)| Some((frequency, value(checks)?))))
            .max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let at = |frequency: f64| format!("at {}", Frequency(frequency));
    let mut all = Vec::new();
    if let Some((frequency, value)) = worst(|checks| Some(checks.longest_edge)) {
        all.push(Check {
            name: format!("longest edge in wavelengths {}", at(frequency)),
            value,
            limit: Checks::LONGEST_EDGE,
            against: format!("edge length λ/5 at λ = {:.4} m", SPEED_OF_LIGHT / frequency),
            remedy: "reduce `bodies.0.mesh_size`, or set `remesh = true` for a mesh from a file"
                .to_owned(),
        });
    }
    if let Some((frequency, value)) = worst(|checks| checks.rounding) {
        all.push(Check {
            name: format!(
                "single-precision rounding error of the current {}",
                at(frequency)
            ),
            value,
            limit: Checks::ROUNDING,
            against: "double precision (`--device cpu`)".to_owned(),
            remedy: "run with `--device cpu`, which computes in double precision".to_owned(),
        });
    }
    if let Some((frequency, value)) = worst(|checks| checks.power) {
        let at = at(frequency);
        all.push(Check {
            name: format!("relative difference between radiated and accepted power {at}"),
            value,
            limit: Checks::POWER,
            against: "a lossless conductor".to_owned(),
            remedy: "reduce `bodies.0.mesh_size`, above all near the port".to_owned(),
        });
    }
    if let Some((frequency, value)) = worst(|checks| checks.inside) {
        let at = at(frequency);
        all.push(Check {
            name: format!("extinction error {at}"),
            value,
            limit: Checks::INSIDE,
            against: "zero total field inside a closed conductor; a larger one indicates an interior resonance of the EFIE, which the CFIE does not have".to_owned(),
            remedy: "set `mom3d.equation = { kind = \"cfie\" }`, or reduce `bodies.0.mesh_size`".to_owned(),
        });
    }
    all
}
