//! Maps and scatter plots of the report for various arrays.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use wavefield_report::record::Record;
use wavefield_solver::outcome::{
    Animation, Array, ColorMap, ColorScale, Figure, FigureKind, Map, Outcome, Scatter,
};

fn example() -> Record {
    let outcome = Outcome::default();
    Record::of("exact", "Sphere".to_owned(), String::new(), &outcome)
}

fn colors(label: &str, unit: &str, map: ColorMap) -> ColorScale {
    ColorScale {
        label: label.to_owned(),
        unit: unit.to_owned(),
        range: None,
        map,
    }
}

fn figure(kind: FigureKind) -> Figure {
    Figure {
        title: "Beam <1>".to_owned(),
        caption: "A beam.".to_owned(),
        kind,
        x_label: "u".to_owned(),
        x_unit: String::new(),
        y_label: "v".to_owned(),
        y_unit: String::new(),
        series: Vec::new(),
    }
}

/// Returns a map of two rows of three columns with decreasing v.
fn map() -> Map {
    Map {
        array: "beam/directivity".to_owned(),
        x: (-0.1, 0.1),
        y: (0.05, -0.05),
        equal_aspect: true,
        y_down: false,
        colors: colors("directivity", "dBi", ColorMap::Sequential),
        contours: vec![15.0],
    }
}

fn beam() -> Outcome {
    let mut outcome = Outcome::default();
    let values = vec![f64::NAN, 10.0, 20.0, 0.0, 20.0, -90.0];
    outcome
        .arrays
        .push(Array::real("beam/directivity", values).reshaped(&[2, 3]));
    let ring = [[-0.05, 0.0], [0.05, 0.0], [0.0, 0.04], [-0.05, 0.0]];
    let coast = [[-9.0, -0.02], [9.0, -0.02]];
    let mut beam = figure(FigureKind::Map(map()));
    beam.series
        .push(outcome.add_outline("coverage", [&ring[..], &coast[..]]));
    outcome.figures.push(beam);
    outcome
}

/// Returns the only chart of a page.
fn chart(record: &Record, outcome: &Outcome) -> String {
    let page = wavefield_report::page(record, outcome);
    let section = &page[page.find("id=\"figures\"").unwrap()..];
    let start = section.find("<svg class=\"wf-chart\"").unwrap();
    let end = section.find("</figure>").unwrap();
    section[start..end].to_owned()
}

/// Decodes the images of a chart: width, height, and RGBA of every cell.
fn pictures(chart: &str) -> Vec<(u32, u32, Vec<[u8; 4]>)> {
    chart
        .split("data:image/png;base64,")
        .skip(1)
        .map(|rest| {
            let bytes = STANDARD.decode(rest.split('"').next().unwrap()).unwrap();
            let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
            decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
            let mut reader = decoder.read_info().unwrap();
            let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
            let frame = reader.next_frame(&mut buffer).unwrap();
            let cells = buffer.as_chunks().0.to_vec();
            (frame.width, frame.height, cells)
        })
        .collect()
}

#[test]
fn a_map_is_drawn_with_its_scale_contours_and_outlines() {
    let record = example();
    let drawn = chart(&record, &beam());
    // Removes the encoded bytes, which depend on the PNG encoder.
    let text: String = drawn
        .split("base64,")
        .enumerate()
        .map(|(index, part)| match (index, part.split_once('"')) {
            (0, _) | (_, None) => part.to_owned(),
            (_, Some((_, rest))) => format!("base64,…\"{rest}"),
        })
        .collect();
    insta::assert_snapshot!(text);
}

#[test]
fn cells_lie_where_the_axes_say_and_gaps_are_transparent() {
    let record = example();
    let drawn = pictures(&chart(&record, &beam()));
    let [(3, 2, cells), (1, 255, bar)] = &drawn[..] else {
        panic!("{drawn:?}");
    };
    // v decreases from row to row, so the first row is the upper one.
    assert_eq!(cells[0][3], 0, "not a number");
    let (lowest, highest) = (bar[254], bar[0]);
    // The range of decibels is 40 below the peak of 20.
    assert_eq!((cells[2], cells[4], cells[5]), (highest, highest, lowest));
    assert!(cells[1..].iter().all(|cell| cell[3] == 255));
    let mut turned = beam();
    let mut other = map();
    (other.x, other.y) = ((0.1, -0.1), (-0.05, 0.05));
    turned.figures[0].kind = FigureKind::Map(other);
    let mut reversed = cells.clone();
    reversed.reverse();
    assert_eq!(pictures(&chart(&record, &turned))[0].2, reversed);
    // With y downward the first row, of the highest y, is the lower one.
    let mut down = beam();
    down.figures[0].kind = FigureKind::Map(Map {
        y_down: true,
        ..map()
    });
    let drawn = chart(&record, &down);
    let rows = [&cells[3..], &cells[..3]].concat();
    assert_eq!(pictures(&drawn)[0].2, rows);
    let axis = &drawn[drawn.find("wf-chart-data").unwrap()..];
    assert!(!axis.contains("height=\"-"), "{axis}");
}

/// Returns an animation of two rows of three columns with values increasing from frame to frame.
fn animation(moments: usize, [rows, columns]: [usize; 2], shown: usize) -> Outcome {
    let mut outcome = Outcome::default();
    let cells = rows * columns;
    let values = (0..moments * cells).map(|i| (i / cells) as f64).collect();
    outcome
        .arrays
        .push(Array::real("beam/directivity", values).reshaped(&[moments, rows, columns]));
    outcome
        .figures
        .push(figure(FigureKind::Animation(Animation {
            map: map(),
            moments: (0..moments).map(|k| format!("{k} ns")).collect(),
            shown,
        })));
    outcome
}

#[test]
fn a_animation_has_all_its_moments_on_one_scale_and_shows_one() {
    let record = example();
    let drawn = chart(&record, &animation(3, [2, 3], 1));
    let found = pictures(&drawn);
    // Three frames and the color bar.
    assert_eq!(found.len(), 4);
    let bar = &found[3].2;
    assert_eq!(
        (found[0].2[0], found[2].2[5]),
        (bar[254], bar[0]),
        "the first is the lowest, the last the highest of all"
    );
    let shown: Vec<bool> = drawn
        .split("<g class=\"wf-moment\" visibility=\"")
        .skip(1)
        .map(|moment| moment.starts_with("visible"))
        .collect();
    assert_eq!(shown, [false, true, false]);
    assert!(drawn.contains("2 ns"));
}

#[test]
fn a_long_animation_stays_light_and_keeps_the_moment_that_is_shown() {
    let record = example();
    let drawn = chart(&record, &animation(60, [200, 200], 31));
    let found = pictures(&drawn).len() - 1;
    assert!((8..=15).contains(&found), "{found}");
    assert!(drawn.contains("31 ns") && drawn.matches("\"visible\"").count() == 1);
}

#[test]
fn a_animation_without_its_array_is_an_empty_map() {
    let record = example();
    let mut outcome = animation(3, [2, 3], 0);
    outcome.arrays[0].shape = vec![2, 3, 3];
    assert!(!chart(&record, &outcome).contains("wf-moment"));
}

#[test]
fn large_maps_keep_their_peak_and_stay_light() {
    let record = example();
    let (rows, columns) = (1000, 3000);
    let mut values = vec![0.0; rows * columns];
    values[777 * columns + 1234] = 50.0;
    let mut outcome = Outcome::default();
    outcome
        .arrays
        .push(Array::real("beam/directivity", values).reshaped(&[rows, columns]));
    outcome.figures.push(figure(FigureKind::Map(map())));
    let drawn = pictures(&chart(&record, &outcome));
    let (width, height, cells) = &drawn[0];
    assert!(*width <= 720 && *height <= 720);
    let highest = drawn[1].2[0];
    assert_eq!(cells.iter().filter(|&&cell| cell == highest).count(), 1);
}

#[test]
fn twenty_thousand_points_stay_light() {
    let record = example();
    let side = 141;
    let place = |index: usize| 0.01 * index as f64;
    let mut outcome = Outcome::default();
    for (name, value) in [
        ("x", (|i, _| i) as fn(f64, f64) -> f64),
        ("y", |_, j| j),
        ("phase", |i, j| 3600.0 * i.hypot(j)),
    ] {
        let values = (0..side * side)
            .map(|n| value(place(n % side), place(n / side)))
            .collect();
        outcome
            .arrays
            .push(Array::real(format!("elements/{name}"), values));
    }
    outcome.figures.push(figure(FigureKind::Scatter(Scatter {
        x: "elements/x".to_owned(),
        y: "elements/y".to_owned(),
        values: "elements/phase".to_owned(),
        colors: colors("phase", "deg", ColorMap::Cyclic),
    })));
    let drawn = chart(&record, &outcome);
    assert!(drawn.len() < 800_000, "{} bytes", drawn.len());
    // Only the marks: the data of the readouts may contain any text.
    let marks = &drawn[drawn.find("wf-points").unwrap()..];
    let marks = &marks[..marks.find("</g>").unwrap()];
    assert_eq!(marks.matches("h0").count(), side * side);
    let paths = drawn.matches("<path stroke=").count();
    assert!((200..=255).contains(&paths), "{paths} colors");
}

#[test]
fn stored_figures_of_every_kind_are_read_back() {
    let mut figures = beam().figures;
    for kind in [
        FigureKind::Cartesian,
        FigureKind::Logarithmic,
        FigureKind::Polar,
        FigureKind::Smith,
        FigureKind::Scatter(Scatter {
            x: "x".to_owned(),
            y: "y".to_owned(),
            values: "phase".to_owned(),
            colors: colors("phase", "deg", ColorMap::Cyclic),
        }),
    ] {
        figures.push(figure(kind));
    }
    let text = serde_json::to_string(&figures).unwrap();
    assert!(text.contains("\"kind\":\"logarithmic\""));
    let read: Vec<Figure> = serde_json::from_str(&text).unwrap();
    assert_eq!(read, figures);
}

#[test]
fn arrays_that_are_missing_or_strange_leave_an_empty_plane() {
    let record = example();
    let strange = |x, y, range| Map {
        x,
        y,
        colors: ColorScale {
            range,
            ..colors("D", "dBi", ColorMap::Sequential)
        },
        ..map()
    };
    let huge = (-f64::MAX, f64::MAX);
    for map in [
        Map {
            array: "nothing".to_owned(),
            ..map()
        },
        strange((1.0, 1.0), (0.0, 0.0), Some((3.0, 3.0))),
        strange((f64::NAN, 1.0), (0.0, f64::INFINITY), Some(huge)),
        strange(huge, huge, None),
    ] {
        let mut outcome = beam();
        outcome.figures[0].kind = FigureKind::Map(map);
        let drawn = chart(&record, &outcome);
        assert!(drawn.ends_with("</svg>\n") && drawn.contains("wf-axis"));
    }
    for (shape, values) in [
        (vec![3, 2], vec![f64::NAN; 6]),
        (vec![6], vec![1.0; 6]),
        (vec![0, 4], vec![]),
        (vec![1, 1], vec![f64::NEG_INFINITY]),
        (vec![2, 2], vec![-f64::MAX, f64::MAX, f64::MAX, -f64::MAX]),
    ] {
        let mut outcome = beam();
        outcome.arrays[0] = Array::real("beam/directivity", values).reshaped(&shape);
        chart(&record, &outcome);
        outcome.figures[0].kind = FigureKind::Scatter(Scatter {
            x: "coverage/x".to_owned(),
            y: "coverage/y".to_owned(),
            values: "beam/directivity".to_owned(),
            colors: colors("D", "dBi", ColorMap::Sequential),
        });
        chart(&record, &outcome);
    }
}
