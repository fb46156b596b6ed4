//! Accuracy of each frequency: a table, checks, and key figures.

use std::f64::consts::PI;

use crate::{AtFrequency, Filter, Plan, Solution};
use wavefield_physics::far_field::power_db;

use super::wavenumbers::half_gain;
use super::{centimeters, hertz, largest, pressure_level};
use wavefield_solver::outcome::{Check, Data, KeyFigure, Outcome};

/// Limit on the relative error of the reconstructed pressure of simulated sources.
const COARSE: f64 = 0.2;
/// Limit on the relative error of the hologram of simulated sources, which PDM bits and front end cause.
const COARSE_HOLOGRAM: f64 = 0.1;
/// Limit on the noise-to-signal ratio of a hologram: −20 dB.
const NOISY: f64 = 0.1;
/// Limit on the amplitude relative to full scale, above which the modulators are overloaded.
const LOUDEST: f64 = 0.7;

/// Adds the table, the checks, and the key figures.
pub(super) fn add(outcome: &mut Outcome, plan: &Plan, solution: &Solution) {
    table(outcome, plan, solution);
    checks(outcome, plan, solution);
    head(outcome, plan, solution);
}

/// Accuracy figures of one frequency.
struct Line {
    frequency: f64,
    /// Noise-to-signal ratio at the microphones.
    noise_over_signal: f64,
    /// Noise-to-signal ratio in the reconstruction plane.
    reconstructed_noise: f64,
    /// Spatial resolution: half the wavelength at which the filter gain is ½, m.
    detail: f64,
    peak: f64,
    power: f64,
}

impl Line {
    fn new(plan: &Plan, solution: &Solution, at: &AtFrequency) -> Line {
        let distance = solution.height - solution.plane;
        let waves = at.spectrum.wavenumbers();
        let gains = at.filter.gains(waves, distance);
        let amplified = gains.iter().enumerate().map(|(i, gain)| {
            let decay = (waves.along_z(i).im * distance).exp();
            (gain / decay).powi(2)
        });
        let amplification = (amplified.sum::<f64>() / gains.len() as f64).sqrt();
        let mean_square = |values: &mut dyn Iterator<Item = f64>| {
            values.sum::<f64>() / solution.array.channels() as f64
        };
        let in_plane = mean_square(&mut at.field.iter().map(|f| f.pressure.norm_sqr())).sqrt();
        let highest = PI / solution.array.pitch;
        let sound = plan.holography().fluid.wavenumber(at.frequency);
        let area = solution.array.pitch * solution.array.pitch;
        Line {
            frequency: at.frequency,
            noise_over_signal: at.noise / at.hologram.mean_square().sqrt(),
            reconstructed_noise: at.noise * amplification / in_plane,
            detail: half_gain(&at.filter, sound, distance, highest)
                .map_or(solution.array.pitch, |k| PI / k),
            peak: largest(at.field.iter().map(|field| field.pressure.norm())).unwrap_or(0.0),
            power: at
                .field
                .iter()
                .map(|field| field.intensity()[2])
                .sum::<f64>()
                * area,
        }
    }
}

fn table(outcome: &mut Outcome, plan: &Plan, solution: &Solution) {
    let all = &solution.frequencies;
    let lines: Vec<Line> = all.iter().map(|at| Line::new(plan, solution, at)).collect();
    let column = |value: &dyn Fn(&Line) -> f64| Data::Real(lines.iter().map(value).collect());
    let parameter = |at: &AtFrequency| match at.filter {
        Filter::None => f64::NAN,
        Filter::CutOff { cut_off, .. } => cut_off,
        Filter::Tikhonov { parameter } | Filter::ModifiedTikhonov { parameter } => parameter,
    };
    let mut columns = vec![
        ("frequency", "Hz", column(&|l| l.frequency)),
        (
            "peak_level",
            "dB re 20 µPa",
            column(&|l| pressure_level(l.peak)),
        ),
        ("power", "W", column(&|l| l.power)),
        (
            "signal_to_noise",
            "dB",
            column(&|l| -power_db(l.noise_over_signal.powi(2))),
        ),
        (
            "noise",
            "Pa",
            Data::Real(all.iter().map(|at| at.noise).collect()),
        ),
        (
            "parameter",
            "",
            Data::Real(all.iter().map(parameter).collect()),
        ),
        ("resolution", "m", column(&|l| l.detail)),
        (
            "reconstructed_noise",
            "",
            column(&|l| l.reconstructed_noise),
        ),
    ];
    let deviations: Vec<_> = all.iter().filter_map(|at| at.deviation).collect();
    if deviations.len() == all.len() {
        let known = |value: fn(&crate::Deviation) -> f64| {
            Data::Real(deviations.iter().map(value).collect())
        };
        columns.push(("error", "", known(|d| d.pressure)));
        columns.push(("rmsre", "", known(|d| d.rmsre)));
        columns.push(("nsad", "", known(|d| d.nsad)));
        columns.push(("hologram_error", "", known(|d| d.hologram)));
    }
    outcome.add_table(
        "frequencies",
        "Results by frequency: peak level in the reconstruction plane; sound power through it over the array; signal-to-noise ratio at \
         the microphones, and the noise; regularization parameter (λ, or the cut-off in rad/m); spatial resolution; \
         noise-to-signal ratio in the reconstruction plane. Simulated sources: relative errors compared with the \
         exact field in the plane (complex pressure, RMSRE, NSAD) and at the microphones",
        columns,
    );
    outcome.show_table("frequencies");
    outcome.accuracy = match largest(deviations.iter().map(|d| d.pressure)) {
        Some(worst) => worst,
        None => largest(lines.iter().map(|line| line.reconstructed_noise)).unwrap_or(f64::NAN),
    };
}

fn checks(outcome: &mut Outcome, plan: &Plan, solution: &Solution) {
    for at in &solution.frequencies {
        let frequency = hertz(at.frequency);
        let mut check = |name: String, value: f64, limit: f64, against: &str, remedy: &str| {
            outcome.checks.push(Check {
                name,
                value,
                limit,
                against: against.to_owned(),
                remedy: remedy.to_owned(),
            });
        };
        if let Some(deviation) = at.deviation {
            check(
                format!("relative error of the reconstructed pressure at {frequency}"),
                deviation.pressure,
                COARSE,
                "the exact field",
                "bring `reconstruction_z` closer to `hologram_z`, or choose another `filter`",
            );
            check(
                format!("relative error of the hologram at {frequency}"),
                deviation.hologram,
                COARSE_HOLOGRAM,
                "the exact field at the microphones",
                "increase `frame`, or the level of the sources",
            );
        }
        let line = Line::new(plan, solution, at);
        check(
            format!("noise-to-signal ratio at {frequency}"),
            line.noise_over_signal,
            NOISY,
            "noise estimated from third differences between neighboring microphones",
            "choose frequencies at which the source radiates, or increase `frame`",
        );
    }
    if let Some(clipped) = plan.clipped() {
        outcome.checks.push(Check {
            name: "fraction of clipped samples".to_owned(),
            value: clipped,
            limit: 0.0,
            against: "a recording without clipping".to_owned(),
            remedy: "record with a lower gain; clipped samples cannot be restored".to_owned(),
        });
    }
    let Some(full_scale) = plan.full_scale() else {
        return;
    };
    let loudest = largest((0..solution.array.channels()).map(|channel| {
        let all = solution.frequencies.iter();
        let sum: f64 = all.map(|at| at.hologram.values()[channel].norm()).sum();
        sum / full_scale
    }));
    outcome.checks.push(Check {
        name: "peak amplitude relative to full scale".to_owned(),
        value: loudest.unwrap_or(f64::NAN),
        limit: LOUDEST,
        against: "overload limit of the sigma–delta modulator".to_owned(),
        remedy: "reduce the level of the sources, or increase `microphone.full_scale`".to_owned(),
    });
}

fn head(outcome: &mut Outcome, plan: &Plan, solution: &Solution) {
    let first = &solution.frequencies[0];
    let line = Line::new(plan, solution, first);
    let percent = |part: f64| format!("{:.1}", 100.0 * part);
    let worst = outcome.accuracy;
    outcome.key_figures = vec![
        KeyFigure::new(
            "peak level",
            format!("{:.1}", pressure_level(line.peak)),
            "dB re 20 µPa",
        ),
        KeyFigure::new("spatial resolution", centimeters(line.detail), ""),
        KeyFigure::new(
            "signal-to-noise ratio",
            format!("{:.1}", -power_db(line.noise_over_signal.powi(2))),
            "dB",
        ),
        if first.deviation.is_some() {
            KeyFigure::new("relative error of pressure", percent(worst), "%")
        } else {
            KeyFigure::new("noise-to-signal ratio in the plane", percent(worst), "%")
        },
    ];
    let when = match solution.frequencies.len() {
        1 => format!("at {}", hertz(first.frequency)),
        count => format!("{count} frequencies from {}", hertz(first.frequency)),
    };
    outcome.summary = format!(
        "{} microphones at z = {}, field reconstructed at z = {}; {when}.",
        solution.array.channels(),
        centimeters(solution.height),
        centimeters(solution.plane),
    );
}
