//! Figures of which the reader selects one.

use wavefield_report::record::Record;
use wavefield_solver::outcome::{
    Array, Choice, ColorMap, ColorScale, Figure, FigureKind, Map, Outcome, Series,
};

fn figure(title: &str, kind: FigureKind) -> Figure {
    Figure {
        title: title.to_owned(),
        caption: format!("Caption of {title}."),
        kind,
        x_label: "φ".to_owned(),
        x_unit: "deg".to_owned(),
        y_label: "directivity".to_owned(),
        y_unit: "dBi".to_owned(),
        series: Vec::new(),
    }
}

/// Returns an outcome with two choices of the same three frequencies and a figure without choice.
fn outcome() -> Outcome {
    let mut outcome = Outcome::default();
    outcome
        .arrays
        .push(Array::real("x", vec![0.0, 90.0, 180.0]));
    let options = ["1 GHz", "2 <GHz>", "3 GHz"];
    for (name, kind) in [("cut", FigureKind::Cartesian), ("polar", FigureKind::Polar)] {
        let figures: Vec<Figure> = (0..3)
            .map(|number| {
                let y = format!("{name}_{number}");
                outcome
                    .arrays
                    .push(Array::real(&y, vec![f64::from(number); 3]));
                let mut figure = figure(&format!("{name} at option {number}"), kind.clone());
                figure
                    .series
                    .push(Series::new(&format!("curve {number}"), "x", &y));
                figure
            })
            .collect();
        outcome.figures.push(figure(
            name,
            FigureKind::Choice(Choice {
                label: "frequency".to_owned(),
                options: options.map(str::to_owned).to_vec(),
                figures,
                shown: 1,
            }),
        ));
    }
    outcome.figures.push(figure("alone", FigureKind::Cartesian));
    outcome
}

fn page(outcome: &Outcome) -> String {
    let record = Record::of("mom3d", "Dipole".to_owned(), String::new(), outcome);
    wavefield_report::page(&record, outcome)
}

#[test]
fn one_selector_switches_all_figures_without_script() {
    let page = page(&outcome());
    let inputs: Vec<&str> = page.split("<input ").skip(1).collect();
    assert_eq!(inputs.len(), 3, "both choices have the same options");
    for (number, input) in inputs.iter().enumerate() {
        let input = &input[..input.find('>').unwrap()];
        assert!(input.contains("type=\"radio\"") && input.contains("name=\"wf-select-0\""));
        assert_eq!(input.contains(" checked"), number == 1, "{input}");
        let id = format!("wf-select-0-{number}");
        assert!(input.contains(&format!("id=\"{id}\"")));
        assert!(page.contains(&format!("<label for=\"{id}\">")));
        // The rules are in the head, the buttons are siblings before the figures.
        let rule = format!("#{id}:checked~.wf-figures .{id}{{display:block}}");
        assert!(page.find(&rule).unwrap() < page.find("</head>").unwrap());
        assert_eq!(page.matches(&format!("class=\"wf-option {id}")).count(), 2);
        assert!(
            page.contains(&format!("curve {number}")),
            "every alternative is drawn"
        );
    }
    let figures = page.find("<div class=\"wf-figures\">").unwrap();
    assert!(page.rfind("<input ").unwrap() < figures);
    assert!(page.contains("2 &lt;GHz&gt;") && !page.contains("2 <GHz>"));
    assert!(page.contains("Caption of alone.") && page.contains("Caption of polar at option 2."));
}

#[test]
fn different_options_have_selectors_of_their_own() {
    let mut outcome = outcome();
    if let FigureKind::Choice(choice) = &mut outcome.figures[1].kind {
        choice.options[2] = "4 GHz".to_owned();
    }
    let page = page(&outcome);
    assert_eq!(page.matches("<input ").count(), 6);
    assert!(
        page.contains("wf-option wf-select-1-2") && page.contains("aria-label=\"frequency 4 GHz\"")
    );
}

#[test]
fn a_page_without_choices_has_no_selector() {
    let mut outcome = outcome();
    outcome.figures.drain(..2);
    assert!(!page(&outcome).contains("<input "));
}

#[test]
fn a_file_has_the_figure_that_is_shown_first() {
    let outcome = outcome();
    let text = wavefield_report::svg_file(&outcome.figures[0], &outcome);
    assert!(text.contains("curve 1") && !text.contains("curve 2"));
    let stored = serde_json::to_string(&outcome.figures).unwrap();
    let read: Vec<Figure> = serde_json::from_str(&stored).unwrap();
    assert_eq!(read, outcome.figures);
}

/// A body seen from its side is much wider than high.
#[test]
fn a_wide_map_spans_both_columns_and_leaves_no_blank() {
    let mut outcome = Outcome::default();
    outcome
        .arrays
        .push(Array::real("map", vec![-1.0; 8]).reshaped(&[2, 4]));
    let of_width = |width: f64| {
        figure(
            "image",
            FigureKind::Map(Map {
                array: "map".to_owned(),
                x: (0.0, width),
                y: (0.0, 1.0),
                equal_aspect: true,
                y_down: false,
                colors: ColorScale {
                    label: "p".to_owned(),
                    unit: "Pa".to_owned(),
                    range: None,
                    map: ColorMap::Diverging,
                },
                contours: Vec::new(),
            }),
        )
    };
    outcome.figures = vec![of_width(9.0), of_width(2.1)];
    let page = page(&outcome);
    assert_eq!(page.matches("wf-figure wf-figure-wide").count(), 1);
    // Cells are 3 by 1: 948 units for 12, so 158 for 2.
    assert!(page.contains("viewBox=\"0 0 1100 246\""), "{page}");
    assert!(
        page.contains("viewBox=\"0 0 520 350.86\""),
        "368 units for 2.8, so 262.86 for 2"
    );
    let stored = serde_json::to_string(&outcome.figures).unwrap();
    assert!(stored.contains("\"map\":\"diverging\""));
}
