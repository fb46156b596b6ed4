//! Outcome of a sphere.

use crate::{Aspect, Pattern, Solution};
use wavefield_physics::far_field::{Channel, ScatteringMatrix, power_db};
use wavefield_physics::quantity::Frequency;

use super::{frequencies, significant, size_figures};
use wavefield_numerics::worst::Worst;
use wavefield_solver::outcome::aspects::{self as sweep, channel_columns, incident_wave};
use wavefield_solver::outcome::{Array, Check, KeyFigure, Outcome, PatternView, View};

pub(super) fn fill(
    outcome: &mut Outcome,
    solution: &Solution,
    aspects: &[Aspect],
    matrices: &[ScatteringMatrix],
    pattern: &Pattern,
) {
    let swept: Vec<f64> = solution.frequencies.iter().map(|f| f.frequency).collect();
    let mut table = sweep::columns(&swept, aspects);
    table.extend(sweep::matrix_columns(matrices));
    outcome.add_table(
        "rcs",
        "Complex scattering matrix √σ·e^{j phase} (phase origin: center of the sphere) and radar cross section",
        table,
    );
    frequencies::table(outcome, solution, &[("extinction", "scattering")], "m2");
    sweep::radar_figures(outcome, &swept, aspects, matrices);
    outcome.view = view(outcome, pattern);
    outcome
        .checks
        .extend(symmetry_check(solution, aspects, matrices));

    let peak = matrices
        .iter()
        .map(|m| m.rcs(Channel::VV).max(m.rcs(Channel::HH)))
        .fold(0.0, f64::max);
    outcome.key_figures = vec![KeyFigure::new(
        "peak σ",
        format!("{:.2}", power_db(peak)),
        "dBsm",
    )];
    let last = &solution.frequencies[solution.frequencies.len() - 1];
    let powers = &last.cross_sections[0];
    let absorbed = (1.0 - powers.scattering / powers.extinction).max(0.0);
    if solution.frequencies.len() == 1 {
        outcome.key_figures.push(KeyFigure::new(
            "σ extinction",
            significant(powers.extinction),
            "m²",
        ));
        outcome.key_figures.push(KeyFigure::new(
            "absorbed",
            format!("{:.2}", 100.0 * absorbed),
            "%",
        ));
    }
    outcome
        .key_figures
        .extend(size_figures(solution, outcome.accuracy));
    let kind = if absorbed > 1e-9 { "lossy" } else { "lossless" };
    outcome.summary = match solution.frequencies.as_slice() {
        [only] => format!(
            "Mie series of a {kind} sphere, ka = {} at {}, {} aspects.",
            significant(only.ka),
            Frequency(only.frequency),
            matrices.len()
        ),
        all => format!(
            "Mie series of a {kind} sphere from {} to {}, {} frequencies.",
            Frequency(all[0].frequency),
            Frequency(last.frequency),
            all.len()
        ),
    };
}

fn view(outcome: &mut Outcome, pattern: &Pattern) -> View {
    let shape = [pattern.theta_count, pattern.phi_count];
    let mut patterns = Vec::new();
    for channel in Channel::ALL {
        let values: Vec<f64> = pattern.matrices.iter().map(|m| m.dbsm(channel)).collect();
        let array = format!("pattern/{}", channel_columns(channel).1);
        outcome
            .arrays
            .push(Array::real(array.clone(), values).reshaped(&shape));
        patterns.push(PatternView {
            name: channel.name().to_owned(),
            unit: "dBsm".to_owned(),
            array,
            option: None,
        });
    }
    View {
        caption: format!(
            "Bistatic pattern of the sphere over all directions at {}; the arrow is the incident wave.",
            Frequency(pattern.frequency)
        ),
        patterns,
        meshes: Vec::new(),
        arrows: vec![incident_wave(pattern.from)],
    }
}

/// Checks the symmetry of the sphere: monostatic VV and HH are equal, and there is no cross
/// polarization. The value is the largest violation over the monostatic aspects relative to the
/// root of the extinction cross section, since the backscatter may vanish.
fn symmetry_check(
    solution: &Solution,
    aspects: &[Aspect],
    matrices: &[ScatteringMatrix],
) -> Option<Check> {
    let mut backscatter = aspects
        .iter()
        .zip(matrices)
        .filter(|(aspect, _)| aspect.from == aspect.to)
        .peekable();
    backscatter.peek()?;
    let violation = |(aspect, m): (&Aspect, &ScatteringMatrix)| {
        let power = solution.frequencies[aspect.frequency].cross_sections[0].extinction;
        (m.vv - m.hh).norm().max(m.vh.norm()).max(m.hv.norm()) / power.sqrt()
    };
    Some(Check {
        name: "VV − HH and cross-polar backscatter, relative".to_owned(),
        value: Worst::of(backscatter.map(violation)),
        // Rounding error of the sums.
        limit: 1e-12,
        against: "symmetry of the sphere".to_owned(),
        remedy: "report this result: it is a defect of the solver".to_owned(),
    })
}
