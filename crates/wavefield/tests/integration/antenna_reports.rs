//! Selection of the frequency in reports of antennas, from a problem file to the page.

use std::path::Path;

use wavefield::outcome::{Array, FigureKind};
use wavefield::problem::Problem;
use wavefield::run::{Options, run};
use wavefield_numerics::observe::Silent;

/// A flat dipole near its half-wave resonance, which is below 300 MHz.
const DIPOLE: &str = r#"
    format = 1
    solver = "mom3d"
    title = "dipole"
    frequency = ["200 MHz", "280 MHz", "400 MHz"]
    [[bodies]]
    geometry = { shape = "plate", width = "40 mm", height = "480 mm" }
    material = "pec"
    mesh_size = "40 mm"
    [excitation]
    kind = "ports"
    [[excitation.ports]]
    kind = "delta-gap"
    position = ["0 mm", "0 mm", "0 mm"]
    direction = [0, 1, 0]
    radius = "20 mm"
    reference_impedance = 73.0
    [observation]
    kind = "far-field"
    theta = "90 deg"
    phi = { start = "0 deg", stop = "360 deg", step = "30 deg" }
"#;

#[test]
fn figures_and_currents_are_selected_by_frequency_and_begin_with_the_best_match() {
    let problem = Problem::parse(DIPOLE, "dipole", Path::new("")).unwrap();
    let (record, outcome) = run(&problem, &Options::default(), &Silent).unwrap();
    let choices: Vec<_> = (outcome.figures.iter())
        .filter_map(|figure| match &figure.kind {
            FigureKind::Choice(choice) => Some((figure.title.as_str(), choice)),
            _ => None,
        })
        .collect();
    let titles: Vec<&str> = choices.iter().map(|(title, _)| *title).collect();
    assert_eq!(titles, ["Directivity", "Directivity, polar"]);
    for (_, choice) in &choices {
        assert_eq!(choice.options, ["200 MHz", "280 MHz", "400 MHz"]);
        assert_eq!(choice.shown, 1, "the best match");
        for (number, figure) in choice.figures.iter().enumerate() {
            assert!(
                figure.caption.contains(&choice.options[number]),
                "{}",
                figure.caption
            );
            assert_eq!(figure.series[0].part, Some((13 * number, 13)));
        }
    }
    let quantities = &outcome.view.meshes[0].quantities;
    let options: Vec<_> = quantities
        .iter()
        .filter_map(|q| q.option.as_deref())
        .collect();
    assert_eq!(options, ["280 MHz", "200 MHz", "400 MHz"]);
    for quantity in quantities {
        let levels = outcome
            .array(&quantity.array)
            .and_then(Array::as_real)
            .unwrap();
        assert_eq!(
            levels.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            0.0
        );
        assert_eq!(
            (quantity.unit.as_str(), quantity.range),
            ("dB", (-40.0, 0.0))
        );
    }
    assert!(
        outcome.view.caption.contains("280 MHz"),
        "{}",
        outcome.view.caption
    );
    let page = wavefield::report::page(&record, &outcome);
    assert_eq!(page.matches("class=\"wf-pick\"").count(), 3);
    assert!(page.contains("data-option=\"280 MHz\" autocomplete=\"off\" checked"));
}
