//! A solution as an outcome: tables, figures, checks.

use wavefield_physics::far_field::power_db;

use crate::coverage::{Coverage, Outline};
use crate::{Judgement, LineEnd, Plan, Sidelobes, Solution, Stage, Step};
use num_complex::Complex64;

use wavefield_solver::outcome::{
    Array, Check, ColourScale, Data, FieldCuts, FieldGrid, Figure, FigureKind, KeyFigure, Map,
    Outcome, Scatter, Series,
};

/// The parts of the coverage that the horizon cuts away, in a sentence.
pub(crate) fn not_covered(coverage: &Coverage) -> Option<String> {
    let parts: Vec<String> = coverage
        .clipped()
        .iter()
        .map(|part| format!("{:.1} % of {}", 100.0 * part.hidden, part.name))
        .collect();
    (!parts.is_empty()).then(|| format!("not covered, beyond the horizon: {}", parts.join(", ")))
}

/// Returns a solution as an outcome.
pub(crate) fn outcome(plan: &Plan, solution: &Solution) -> Outcome {
    let coverage = plan.coverage();
    let ideal = power_db(4.0 * std::f64::consts::PI / coverage.area());
    let mut outcome = Outcome {
        summary: summary(solution, coverage),
        key_figures: key_figures(solution, ideal),
        checks: checks(solution),
        // The field of the operators against the sums they stand for.
        accuracy: 1e-5,
        ..Outcome::default()
    };
    element_table(&mut outcome, solution);
    result_table(&mut outcome, solution, ideal);
    line_table(&mut outcome, solution);
    trade_off(&mut outcome, solution);
    sidelobes(&mut outcome, solution);
    map(&mut outcome, solution, coverage);
    layout(&mut outcome);
    cuts(&mut outcome, solution);
    convergence(&mut outcome, solution);
    outcome
}

fn summary(solution: &Solution, coverage: &Coverage) -> String {
    let mut summary = format!(
        "{} elements, least directivity {:.2} dBi over the coverage, {:.2} dB below what any phases could reach.",
        solution.aperture.len(),
        solution.judgement.least_dbi,
        solution.minimum_bound.bound_dbi - solution.judgement.least_dbi
    );
    if let Some(missing) = not_covered(coverage) {
        summary.push_str(&format!(" Attention: {missing}."));
    }
    summary
}

fn key_figures(solution: &Solution, ideal: f64) -> Vec<KeyFigure> {
    let figure =
        |label: &str, value: f64, unit: &str| KeyFigure::new(label, format!("{value:.2}"), unit);
    vec![
        figure("least directivity", solution.judgement.least_dbi, "dBi"),
        figure(
            "bound on the least",
            solution.minimum_bound.bound_dbi,
            "dBi",
        ),
        figure("mean directivity", solution.judgement.mean_dbi, "dBi"),
        figure("bound on the mean", solution.mean_bound.bound_dbi, "dBi"),
        figure("4π/Ω of the coverage", ideal, "dBi"),
        figure(
            "largest outside the transition",
            solution.outside.highest_dbi,
            "dBi",
        ),
        figure(
            "iterated projections, least",
            solution.iterated.least_dbi,
            "dBi",
        ),
        figure(
            "spillover efficiency",
            100.0 * solution.spillover_efficiency,
            "%",
        ),
        figure("radiated over captured power", solution.radiated_db, "dB"),
    ]
}

/// A result above its bound would be wrong somewhere.
fn checks(solution: &Solution) -> Vec<Check> {
    let above = |name: &str, value: f64, bound: f64| Check {
        name: name.to_owned(),
        value: (value - bound).max(0.0),
        limit: 1e-4,
        against: "the certified bound".to_owned(),
    };
    let (found, mean) = (&solution.judgement, &solution.mean_bound);
    let outside = &solution.outside;
    let held = outside.ceiling_dbi.map(|ceiling| Check {
        name: "directivity outside above its ceiling, dB".to_owned(),
        value: (outside.highest_dbi - ceiling).max(0.0),
        // What peaks between the directions of the search may have.
        limit: 0.02,
        against: "the ceiling that was asked for".to_owned(),
    });
    let mut checks = vec![
        above(
            "least directivity above its bound, dB",
            found.least_dbi,
            solution.minimum_bound.bound_dbi,
        ),
        above(
            "mean directivity above its bound, dB",
            found.mean_dbi,
            mean.bound_dbi,
        ),
        above(
            "bound on the mean above that for any amplitudes, dB",
            mean.bound_dbi,
            mean.eigenvalue_dbi,
        ),
    ];
    checks.extend(held);
    checks
}

fn element_table(outcome: &mut Outcome, solution: &Solution) {
    let aperture = &solution.aperture;
    let (x, y): (Vec<f64>, Vec<f64>) = aperture.places().map(|[x, y]| (x, y)).unzip();
    let degrees = |phases: &[f64]| {
        let turn = |p: &f64| p.to_degrees().rem_euclid(360.0);
        Data::Real(phases.iter().map(turn).collect())
    };
    outcome.add_table(
        "elements",
        "Positions of the elements, their amplitudes (aperture field times cell area), and the phase each has to add",
        vec![
            ("x", "m", Data::Real(x)),
            ("y", "m", Data::Real(y)),
            ("z", "m", Data::Real(vec![0.0; aperture.len()])),
            ("amplitude", "", Data::Real(aperture.amplitude.clone())),
            ("phase", "deg", degrees(&solution.command_phases)),
            ("aperture_phase", "deg", degrees(&solution.phases)),
        ],
    );
}

fn result_table(outcome: &mut Outcome, solution: &Solution, ideal: f64) {
    let real = |value: f64| Data::Real(vec![value]);
    let Judgement {
        least_dbi,
        mean_dbi,
    } = solution.judgement;
    let mut columns = vec![
        ("d_min", "dBi", real(least_dbi)),
        ("d_mean", "dBi", real(mean_dbi)),
        ("bound_min", "dBi", real(solution.minimum_bound.bound_dbi)),
        (
            "relaxed_min",
            "dBi",
            real(solution.minimum_bound.relaxed_dbi),
        ),
        ("bound_mean", "dBi", real(solution.mean_bound.bound_dbi)),
        (
            "eigenvalue_mean",
            "dBi",
            real(solution.mean_bound.eigenvalue_dbi),
        ),
        ("ideal", "dBi", real(ideal)),
        ("iterated_d_min", "dBi", real(solution.iterated.least_dbi)),
        ("iterated_d_mean", "dBi", real(solution.iterated.mean_dbi)),
        ("highest_outside", "dBi", real(solution.outside.highest_dbi)),
        ("radiated", "dB", real(solution.radiated_db)),
        (
            "spillover_efficiency",
            "",
            real(solution.spillover_efficiency),
        ),
    ];
    if let Some(free) = solution.free_amplitude_dbi {
        columns.push(("free_amplitude_d_min", "dBi", real(free)));
    }
    if let Some(even) = &solution.even {
        columns.push(("even_spacing", "m", real(even.spacing)));
        columns.push(("even_d_min", "dBi", real(even.judgement.least_dbi)));
        columns.push(("even_d_mean", "dBi", real(even.judgement.mean_dbi)));
    }
    outcome.add_table(
        "directivity",
        "The beam over its coverage, and what bounds it",
        columns,
    );
}

/// Stages in their order, as they are called in the report.
const STAGES: [(Stage, &str); 5] = [
    (Stage::Continuous, "continuous aperture"),
    (Stage::Multistart, "Zernike polynomials"),
    (Stage::Enlarged, "more polynomials"),
    (Stage::Individual, "individual phases"),
    (Stage::MaxMin, "largest minimum"),
];

const STAGE_KEY: &str = "1 continuous aperture, 2 Zernike polynomials, 3 more of them, 4 individual phases, 5 largest minimum";

fn stage_number(step: &Step) -> u32 {
    let at = STAGES.iter().position(|(stage, _)| *stage == step.stage);
    at.map_or(0, |at| at as u32 + 1)
}

fn line_table(outcome: &mut Outcome, solution: &Solution) {
    let column = |value: fn(&LineEnd) -> f64| solution.lines.iter().map(value).collect();
    let stage = |step: fn(&LineEnd) -> &Step| {
        let numbers = solution.lines.iter().map(|line| stage_number(step(line)));
        Data::Index(numbers.collect())
    };
    outcome.add_table(
        "lines",
        &format!("Where each line of stages began and where it ended: {STAGE_KEY}"),
        vec![
            ("first_stage", "", stage(|line| &line.first)),
            (
                "first_d_min",
                "dBi",
                Data::Real(column(|line| line.first.judgement.least_dbi)),
            ),
            ("last_stage", "", stage(|line| &line.last)),
            (
                "last_d_min",
                "dBi",
                Data::Real(column(|line| line.last.judgement.least_dbi)),
            ),
        ],
    );
}

/// Adds a table of steps.
fn step_table(outcome: &mut Outcome, name: &str, caption: &str, steps: &[Step]) {
    let column = |value: fn(&Step) -> f64| Data::Real(steps.iter().map(value).collect());
    let stages = Data::Index(steps.iter().map(stage_number).collect());
    outcome.add_table(
        name,
        &format!("{caption}: {STAGE_KEY}; fields counts those computed until then"),
        vec![
            ("stage", "", stages),
            ("unknowns", "", column(|s| s.unknowns as f64)),
            ("fields", "", column(|s| s.fields as f64)),
            ("d_min", "dBi", column(|s| s.judgement.least_dbi)),
            ("d_mean", "dBi", column(|s| s.judgement.mean_dbi)),
        ],
    );
}

/// The way to the result, stage by stage.
fn convergence(outcome: &mut Outcome, solution: &Solution) {
    if !solution.spacing_steps.is_empty() {
        let caption = "Stages of the distances between rows and columns, together with their phases by polynomials or by themselves";
        step_table(outcome, "spacing_stages", caption, &solution.spacing_steps);
    }
    let steps = &solution.steps;
    let caption = "The line of stages that led to the result";
    step_table(outcome, "stages", caption, steps);
    let last = steps.last().map_or(0.0, |step| step.fields as f64);
    let first = steps.first().map_or(0.0, |step| step.fields as f64);
    let bound = solution.minimum_bound.bound_dbi;
    outcome
        .arrays
        .push(Array::real("stages/bound_fields", vec![first, last]));
    outcome
        .arrays
        .push(Array::real("stages/bound_min", vec![bound; 2]));
    let mut series = Vec::new();
    for (stage, name) in STAGES {
        let Some(from) = steps.iter().position(|step| step.stage == stage) else {
            continue;
        };
        let count = steps[from..]
            .iter()
            .take_while(|step| step.stage == stage)
            .count();
        // From where the stage before it ended.
        let before = from.min(1);
        series.push(Series {
            part: Some((from - before, count + before)),
            ..Series::new(name, "stages/fields", "stages/d_min")
        });
    }
    series.push(Series {
        reference: true,
        ..Series::new("certified bound", "stages/bound_fields", "stages/bound_min")
    });
    outcome.figures.push(Figure {
        title: "Least directivity by stage".to_owned(),
        caption: "The line of stages that led to the result, on directions finer than those it was shaped in. No phases lie above the dashed line.".to_owned(),
        kind: FigureKind::Cartesian,
        x_label: "fields computed".to_owned(),
        x_unit: String::new(),
        y_label: "least directivity".to_owned(),
        y_unit: "dBi".to_owned(),
        series,
    });
}

fn trade_off(outcome: &mut Outcome, solution: &Solution) {
    let all: Vec<&Judgement> = std::iter::once(&solution.judgement)
        .chain(&solution.trade_off)
        .collect();
    outcome.add_table(
        "trade_off",
        "Minimum and mean directivity: what the mean gains where the minimum gives way",
        vec![
            (
                "d_min",
                "dBi",
                Data::Real(all.iter().map(|j| j.least_dbi).collect()),
            ),
            (
                "d_mean",
                "dBi",
                Data::Real(all.iter().map(|j| j.mean_dbi).collect()),
            ),
        ],
    );
    outcome.arrays.push(Array::real(
        "trade_off/bound_min",
        vec![solution.minimum_bound.bound_dbi; 2],
    ));
    let mean = solution.mean_bound.bound_dbi;
    outcome.arrays.push(Array::real(
        "trade_off/bound_span",
        vec![solution.judgement.mean_dbi, mean],
    ));
    let curve = |name: &str, x: &str, y: &str, reference: bool| Series {
        reference,
        ..Series::new(name, x, y)
    };
    outcome.figures.push(Figure {
        title: "Minimum against mean".to_owned(),
        caption: "Each point is a synthesis of its own; no phases lie right of the dashed line."
            .to_owned(),
        kind: FigureKind::Cartesian,
        x_label: "least directivity".to_owned(),
        x_unit: "dBi".to_owned(),
        y_label: "mean directivity".to_owned(),
        y_unit: "dBi".to_owned(),
        series: vec![
            curve("synthesised", "trade_off/d_min", "trade_off/d_mean", false),
            curve(
                "bound on the minimum",
                "trade_off/bound_min",
                "trade_off/bound_span",
                true,
            ),
        ],
    });
}

/// What lower sidelobes cost, outside a transition of one beamwidth.
fn sidelobes(outcome: &mut Outcome, solution: &Solution) {
    let column =
        |value: fn(&Sidelobes) -> f64| Data::Real(solution.ceilings.iter().map(value).collect());
    outcome.add_table(
        "sidelobes",
        "What lower sidelobes cost: the beam without a ceiling, and under lower and lower ones, outside a transition of one beamwidth",
        vec![
            ("ceiling", "dBi", column(|s| s.ceiling_dbi.unwrap_or(f64::NAN))),
            ("highest", "dBi", column(|s| s.highest_dbi)),
            ("d_min", "dBi", column(|s| s.judgement.least_dbi)),
            ("d_mean", "dBi", column(|s| s.judgement.mean_dbi)),
        ],
    );
    let curve = |name: &str, y: &str| Series::new(name, "sidelobes/highest", y);
    outcome.figures.push(Figure {
        title: "Minimum and mean against sidelobes".to_owned(),
        caption: "Each point is a synthesis of its own under a ceiling on the directivity beyond a transition of one beamwidth around the coverage; the rightmost has none.".to_owned(),
        kind: FigureKind::Cartesian,
        x_label: "largest directivity outside".to_owned(),
        x_unit: "dBi".to_owned(),
        y_label: "directivity".to_owned(),
        y_unit: "dBi".to_owned(),
        series: vec![
            curve("least", "sidelobes/d_min"),
            curve("mean", "sidelobes/d_mean"),
        ],
    });
}

/// The beam over the coverage and the coast.
fn map(outcome: &mut Outcome, solution: &Solution, coverage: &Coverage) {
    let grid = &solution.grid;
    let [columns, rows] = grid.counts;
    let axis = |axis: usize| -> Vec<f64> {
        (0..grid.counts[axis])
            .map(|i| grid.cosine(axis, i))
            .collect()
    };
    let ends = |axis: usize| {
        (
            grid.cosine(axis, 0),
            grid.cosine(axis, grid.counts[axis] - 1),
        )
    };
    outcome.arrays.push(Array::real("map/u", axis(0)));
    outcome.arrays.push(Array::real("map/v", axis(1)));
    // Rows of the map are those of equal v.
    let turned = |component: &[Complex64]| -> Vec<Complex64> {
        let order = (0..rows).flat_map(|j| (0..columns).map(move |i| i * rows + j));
        order.map(|index| component[index]).collect()
    };
    let [co, cross] = solution.map.each_ref().map(|component| turned(component));
    let decibels: Vec<f64> = co.iter().map(|e| power_db(e.norm_sqr())).collect();
    let peak = decibels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for (name, component) in [("map/co", co), ("map/cross", cross)] {
        outcome
            .arrays
            .push(Array::complex(name, component).reshaped(&[rows, columns]));
    }
    outcome
        .arrays
        .push(Array::real("map/directivity", decibels).reshaped(&[rows, columns]));
    outcome.grids.push(FieldGrid {
        name: "beam".to_owned(),
        u: ends(0),
        v: ends(1),
        components: ["map/co".to_owned(), "map/cross".to_owned()],
    });
    let within = |outlines: &[Outline]| -> Vec<Vec<[f64; 2]>> {
        let (us, vs) = (ends(0), ends(1));
        let shown = |p: &[f64; 2]| (us.0..=us.1).contains(&p[0]) && (vs.0..=vs.1).contains(&p[1]);
        outlines
            .iter()
            .flat_map(Outline::rings)
            .filter(|ring| ring.iter().any(shown))
            .map(|ring| ring.iter().chain(ring.first()).copied().collect())
            .collect()
    };
    let mut series = Vec::new();
    for (name, outlines) in [("coverage", coverage.outlines()), ("land", coverage.land())] {
        let rings = within(outlines);
        if !rings.is_empty() {
            series.push(outcome.add_outline(name, rings.iter().map(Vec::as_slice)));
        }
    }
    let least = solution.judgement.least_dbi;
    outcome.figures.insert(
        0,
        Figure {
            title: "Directivity".to_owned(),
            caption: "Co-polar directivity, normalised to the power the array captures, over direction cosines east (u) and north (v) of the nadir. The highest contour is the least directivity over the coverage.".to_owned(),
            kind: FigureKind::Map(Map {
                array: "map/directivity".to_owned(),
                x: ends(0),
                y: ends(1),
                equal_aspect: true,
                colours: ColourScale {
                    label: "directivity".to_owned(),
                    unit: "dBi".to_owned(),
                    range: Some((peak - 35.0, peak)),
                    cyclic: false,
                },
                contours: vec![least - 20.0, least - 10.0, least].into_iter().map(|level| (100.0 * level).floor() / 100.0).collect(),
            }),
            x_label: "u".to_owned(),
            x_unit: String::new(),
            y_label: "v".to_owned(),
            y_unit: String::new(),
            series,
        },
    );
}

/// The beam along cuts through the normal of the array.
fn cuts(outcome: &mut Outcome, solution: &Solution) {
    let (first, step, number) = solution.cuts.theta;
    let shape = [solution.cuts.phi.len(), number];
    for (name, component) in ["cuts/co", "cuts/cross"].iter().zip(&solution.cuts.field) {
        outcome
            .arrays
            .push(Array::complex(*name, component.clone()).reshaped(&shape));
    }
    outcome.cuts.push(FieldCuts {
        name: "beam".to_owned(),
        phi: solution.cuts.phi.clone(),
        theta: (first, step),
        components: ["cuts/co".to_owned(), "cuts/cross".to_owned()],
    });
}

/// The array with the phases its elements add.
fn layout(outcome: &mut Outcome) {
    outcome.figures.insert(
        1,
        Figure {
            title: "Phases of the elements".to_owned(),
            caption: "What every element adds to the phase of the feed's wave, at its place on the array.".to_owned(),
            kind: FigureKind::Scatter(Scatter {
                x: "elements/x".to_owned(),
                y: "elements/y".to_owned(),
                values: "elements/phase".to_owned(),
                colours: ColourScale {
                    label: "phase".to_owned(),
                    unit: "deg".to_owned(),
                    range: Some((0.0, 360.0)),
                    cyclic: true,
                },
            }),
            x_label: "x".to_owned(),
            x_unit: "m".to_owned(),
            y_label: "y".to_owned(),
            y_unit: "m".to_owned(),
            series: Vec::new(),
        },
    );
}
