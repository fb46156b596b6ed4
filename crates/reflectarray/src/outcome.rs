//! Conversion of a solution to an outcome: tables, figures, and checks.

use wavefield_physics::far_field::power_db;

use crate::coverage::{Coverage, Outline};
use crate::pattern::Grid;
use crate::{CoverageMetrics, LineEnd, Plan, Sidelobes, Solution, Stage, Step};
use num_complex::Complex64;

use wavefield_solver::outcome::{
    Array, Check, ColorMap, ColorScale, Data, FieldCuts, FieldGrid, Figure, FigureKind, KeyFigure,
    Map, Outcome, Scatter, Series,
};

/// Returns a sentence on the parts of the coverage beyond the horizon, if any.
pub(crate) fn not_covered(coverage: &Coverage) -> Option<String> {
    let parts: Vec<String> = coverage
        .clipped()
        .iter()
        .map(|part| format!("{:.1} % of {}", 100.0 * part.hidden, part.name))
        .collect();
    (!parts.is_empty()).then(|| format!("not covered, beyond the horizon: {}", parts.join(", ")))
}

/// Converts a solution to an outcome.
pub(crate) fn outcome(plan: &Plan, solution: &Solution) -> Outcome {
    let coverage = plan.coverage();
    let ideal = power_db(4.0 * std::f64::consts::PI / coverage.area());
    let mut outcome = Outcome {
        summary: summary(solution, coverage),
        key_figures: key_figures(solution, ideal),
        checks: checks(solution),
        // Accuracy of the steering operators compared with direct sums.
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
        "{} elements, minimum directivity {:.2} dBi over the coverage, {:.2} dB below the certified upper bound.",
        solution.aperture.len(),
        solution.metrics.least_dbi,
        solution.minimum_bound.bound_dbi - solution.metrics.least_dbi
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
        figure(
            "minimum directivity (edge of coverage)",
            solution.metrics.least_dbi,
            "dBi",
        ),
        figure(
            "upper bound on the minimum",
            solution.minimum_bound.bound_dbi,
            "dBi",
        ),
        figure("mean directivity", solution.metrics.mean_dbi, "dBi"),
        figure(
            "upper bound on the mean",
            solution.mean_bound.bound_dbi,
            "dBi",
        ),
        figure("4π/Ω of the coverage", ideal, "dBi"),
        figure("peak sidelobe", solution.outside.highest_dbi, "dBi"),
        figure(
            "minimum directivity by iterated projections",
            solution.iterated.least_dbi,
            "dBi",
        ),
        figure(
            "spillover efficiency",
            100.0 * solution.spillover_efficiency,
            "%",
        ),
        figure("radiated / captured power", solution.radiated_db, "dB"),
    ]
}

/// Returns checks that the result does not exceed its upper bounds and meets the sidelobe mask.
fn checks(solution: &Solution) -> Vec<Check> {
    let above = |name: &str, value: f64, bound: f64| Check {
        name: name.to_owned(),
        value: (value - bound).max(0.0),
        limit: 1e-4,
        against: "certified upper bound".to_owned(),
        remedy: "report this result: a value above its bound is a defect of the solver".to_owned(),
    };
    let (found, mean) = (&solution.metrics, &solution.mean_bound);
    let outside = &solution.outside;
    let held = outside.ceiling_dbi.map(|ceiling| Check {
        name: "sidelobe level above the mask, dB".to_owned(),
        value: (outside.highest_dbi - ceiling).max(0.0),
        // Peaks between the search directions may exceed the mask by this much.
        limit: 0.02,
        against: "sidelobe mask".to_owned(),
        remedy: "raise the ceiling of the sidelobe mask, or let the synthesis iterate longer"
            .to_owned(),
    });
    let mut checks = vec![
        above(
            "minimum directivity above its upper bound, dB",
            found.least_dbi,
            solution.minimum_bound.bound_dbi,
        ),
        above(
            "mean directivity above its upper bound, dB",
            found.mean_dbi,
            mean.bound_dbi,
        ),
        above(
            "phase-only bound on the mean above the bound for free amplitudes, dB",
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
        "Element positions, amplitudes (aperture field × cell area), reflection phases, and aperture phases",
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
    let CoverageMetrics {
        least_dbi,
        mean_dbi,
    } = solution.metrics;
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
        ("projection_d_min", "dBi", real(solution.iterated.least_dbi)),
        ("iterated_d_mean", "dBi", real(solution.iterated.mean_dbi)),
        ("peak_sidelobe", "dBi", real(solution.outside.highest_dbi)),
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
        columns.push(("uniform_spacing", "m", real(even.spacing)));
        columns.push(("uniform_d_min", "dBi", real(even.metrics.least_dbi)));
        columns.push(("even_d_mean", "dBi", real(even.metrics.mean_dbi)));
    }
    outcome.add_table(
        "directivity",
        "Directivity over the coverage, its upper bounds, and comparisons",
        columns,
    );
}

/// Stages in order, with their labels in the report.
const STAGES: [(Stage, &str); 5] = [
    (Stage::Continuous, "continuous aperture"),
    (Stage::Multistart, "Zernike polynomials"),
    (Stage::Enlarged, "higher-order polynomials"),
    (Stage::Individual, "element phases"),
    (Stage::MaxMin, "max–min"),
];

const STAGE_KEY: &str = "1 continuous aperture, 2 Zernike polynomials, 3 higher-order polynomials, 4 element phases, 5 max–min";

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
        &format!("First and last stage of each optimization line: {STAGE_KEY}"),
        vec![
            ("first_stage", "", stage(|line| &line.first)),
            (
                "first_d_min",
                "dBi",
                Data::Real(column(|line| line.first.metrics.least_dbi)),
            ),
            ("last_stage", "", stage(|line| &line.last)),
            (
                "last_d_min",
                "dBi",
                Data::Real(column(|line| line.last.metrics.least_dbi)),
            ),
        ],
    );
}

/// Adds a table of optimization steps.
fn step_table(outcome: &mut Outcome, name: &str, caption: &str, steps: &[Step]) {
    let column = |value: fn(&Step) -> f64| Data::Real(steps.iter().map(value).collect());
    let stages = Data::Index(steps.iter().map(stage_number).collect());
    outcome.add_table(
        name,
        &format!("{caption}: {STAGE_KEY}; fields is the cumulative number of field evaluations"),
        vec![
            ("stage", "", stages),
            ("unknowns", "", column(|s| s.unknowns as f64)),
            ("fields", "", column(|s| s.fields as f64)),
            ("d_min", "dBi", column(|s| s.metrics.least_dbi)),
            ("d_mean", "dBi", column(|s| s.metrics.mean_dbi)),
        ],
    );
}

/// Adds the convergence history by stage.
fn convergence(outcome: &mut Outcome, solution: &Solution) {
    if !solution.spacing_steps.is_empty() {
        let caption =
            "Optimization stages of the row and column spacings, with polynomial or element phases";
        step_table(outcome, "spacing_stages", caption, &solution.spacing_steps);
    }
    let steps = &solution.steps;
    let caption = "Optimization stages of the best line";
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
        // The curve begins where the previous stage ended.
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
        title: "Convergence of the minimum directivity".to_owned(),
        caption: "Minimum directivity of the best line, evaluated on directions finer than the optimization samples. The dashed line is the certified upper bound.".to_owned(),
        kind: FigureKind::Cartesian,
        x_label: "field evaluations".to_owned(),
        x_unit: String::new(),
        y_label: "minimum directivity".to_owned(),
        y_unit: "dBi".to_owned(),
        series,
    });
}

fn trade_off(outcome: &mut Outcome, solution: &Solution) {
    let all: Vec<&CoverageMetrics> = std::iter::once(&solution.metrics)
        .chain(&solution.trade_off)
        .collect();
    outcome.add_table(
        "trade_off",
        "Trade-off between minimum and mean directivity",
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
        vec![solution.metrics.mean_dbi, mean],
    ));
    let curve = |name: &str, x: &str, y: &str, reference: bool| Series {
        reference,
        ..Series::new(name, x, y)
    };
    outcome.figures.push(Figure {
        title: "Mean versus minimum directivity".to_owned(),
        caption:
            "Each point is a separate synthesis; the dashed line is the certified upper bound."
                .to_owned(),
        kind: FigureKind::Cartesian,
        x_label: "minimum directivity".to_owned(),
        x_unit: "dBi".to_owned(),
        y_label: "mean directivity".to_owned(),
        y_unit: "dBi".to_owned(),
        series: vec![
            curve("synthesized", "trade_off/d_min", "trade_off/d_mean", false),
            curve(
                "upper bound on the minimum",
                "trade_off/bound_min",
                "trade_off/bound_span",
                true,
            ),
        ],
    });
}

/// Adds the trade-off between directivity and sidelobe level outside a transition of one beamwidth.
fn sidelobes(outcome: &mut Outcome, solution: &Solution) {
    let column =
        |value: fn(&Sidelobes) -> f64| Data::Real(solution.ceilings.iter().map(value).collect());
    outcome.add_table(
        "sidelobes",
        "Directivity versus sidelobe mask outside a transition of one beamwidth; the first row has no mask",
        vec![
            ("ceiling", "dBi", column(|s| s.ceiling_dbi.unwrap_or(f64::NAN))),
            ("highest", "dBi", column(|s| s.highest_dbi)),
            ("d_min", "dBi", column(|s| s.metrics.least_dbi)),
            ("d_mean", "dBi", column(|s| s.metrics.mean_dbi)),
        ],
    );
    let curve = |name: &str, y: &str| Series::new(name, "sidelobes/highest", y);
    outcome.figures.push(Figure {
        title: "Directivity versus sidelobe level".to_owned(),
        caption: "Each point is a separate synthesis with a sidelobe mask outside a transition of one beamwidth around the coverage; the rightmost has no mask.".to_owned(),
        kind: FigureKind::Cartesian,
        x_label: "peak sidelobe".to_owned(),
        x_unit: "dBi".to_owned(),
        y_label: "directivity".to_owned(),
        y_unit: "dBi".to_owned(),
        series: vec![
            curve("minimum", "sidelobes/d_min"),
            curve("mean", "sidelobes/d_mean"),
        ],
    });
}

/// Returns the indices of a grid by rows of constant v.
fn transposed(grid: &Grid) -> impl Iterator<Item = usize> {
    let [columns, rows] = grid.counts;
    (0..rows).flat_map(move |j| (0..columns).map(move |i| i * rows + j))
}

/// Adds the directivity map with the outlines of coverage and land.
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
    outcome.add_coordinates("map/u", "", axis(0));
    outcome.add_coordinates("map/v", "", axis(1));
    // Rows of the map have constant v.
    let turned = |component: &[Complex64]| -> Vec<Complex64> {
        transposed(grid).map(|index| component[index]).collect()
    };
    let [co, cross] = solution.map.each_ref().map(|component| turned(component));
    let decibels: Vec<f64> = co.iter().map(|e| power_db(e.norm_sqr())).collect();
    let (fine, directivity) = &solution.image;
    let image: Vec<f64> = (transposed(fine).map(|index| power_db(directivity[index]))).collect();
    let peak = image.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shape = [fine.counts[1], fine.counts[0]];
    (outcome.arrays).push(Array::real("image/directivity", image).reshaped(&shape));
    for (name, component) in [("map/co", co), ("map/cross", cross)] {
        outcome
            .arrays
            .push(Array::complex(name, component).reshaped(&[rows, columns]));
    }
    outcome
        .arrays
        .push(Array::real("map/directivity", decibels).reshaped(&[rows, columns]));
    for (array, unit) in [("co", ""), ("cross", ""), ("directivity", "dBi")] {
        outcome.label(&format!("map/{array}"), unit, &["map/v", "map/u"]);
    }
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
    let least = solution.metrics.least_dbi;
    outcome.figures.insert(
        0,
        Figure {
            title: "Directivity".to_owned(),
            caption: "Co-polar directivity, normalized to the captured power, over direction cosines east (u) and north (v) of the nadir. The highest contour is the minimum directivity over the coverage.".to_owned(),
            kind: FigureKind::Map(Map {
                array: "image/directivity".to_owned(),
                x: ends(0),
                y: ends(1),
                equal_aspect: true,
                y_down: false,
                colors: ColorScale {
                    label: "directivity".to_owned(),
                    unit: "dBi".to_owned(),
                    range: Some((peak - 35.0, peak)),
                    map: ColorMap::Sequential,
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

/// Adds pattern cuts through the normal of the array.
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

/// Adds the map of reflection phases.
fn layout(outcome: &mut Outcome) {
    outcome.figures.insert(
        1,
        Figure {
            title: "Reflection phases".to_owned(),
            caption: "Reflection phase of every element at its position on the array.".to_owned(),
            kind: FigureKind::Scatter(Scatter {
                x: "elements/x".to_owned(),
                y: "elements/y".to_owned(),
                values: "elements/phase".to_owned(),
                colors: ColorScale {
                    label: "phase".to_owned(),
                    unit: "deg".to_owned(),
                    range: Some((0.0, 360.0)),
                    map: ColorMap::Cyclic,
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
