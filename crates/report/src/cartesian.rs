//! Cartesian charts, linear or logarithmic.

use serde_json::json;

use super::axis::Axis;
use super::chart::{
    Chart, Curve, SIZE, curves, decibel_range, drawn_unit, json_numbers, legend, line_class, path,
    range,
};
use super::text::{coordinate, label_svg};
use wavefield_solver::outcome::{Figure, FigureKind, Outcome};

const LEFT: f64 = 70.0;
const RIGHT: f64 = 508.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 328.0;
/// Range below the peak, in dB.
const DEPTH: f64 = 70.0;

/// Draws a figure.
pub(super) fn draw(figure: &Figure, outcome: &Outcome) -> Chart {
    let mut curves = curves(figure, outcome);
    let (x_unit, worth) = drawn_unit(&figure.x_unit, &curves);
    for value in curves.iter_mut().flat_map(|curve| &mut curve.x) {
        *value /= worth;
    }
    let (x, y) = axes(figure, x_unit, &curves);
    let mut drawing = grid(&x, &y);
    drawing.push_str(&format!(
        "<path class=\"wf-axis\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>\n"
    ));
    drawing.push_str(&format!(
        "<text class=\"wf-label\" x=\"{}\" y=\"368\" text-anchor=\"middle\">{}</text>\n\
         <text class=\"wf-label\" transform=\"translate(15 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        coordinate(0.5 * (LEFT + RIGHT)),
        label_svg(&x.caption()),
        coordinate(0.5 * (TOP + BOTTOM)),
        label_svg(&y.caption())
    ));
    for (index, curve) in curves.iter().enumerate() {
        let mut before: Option<f64> = None;
        let points = curve.x.iter().zip(&curve.y).flat_map(|(&px, &py)| {
            // A phase jump of half a turn or more is a wrap: the path is interrupted.
            let wrapped =
                figure.y_unit == "deg" && before.is_some_and(|last| (py - last).abs() > 180.0);
            before = Some(py);
            // Values below the range are drawn at its lower end; NaN values are gaps.
            let gap = px.is_nan() || py.is_nan() || (y.logarithmic && py <= 0.0);
            let point = (!gap).then(|| (x.place(px), y.place(py.clamp(y.min, y.max))));
            if wrapped {
                vec![None, point]
            } else {
                vec![point]
            }
        });
        drawing.push_str(&format!(
            "<g class=\"wf-series\" data-series=\"{index}\"><path class=\"{}\" d=\"{}\"/></g>\n",
            line_class(index, curve.series),
            path(points)
        ));
    }
    let legend = legend((LEFT, SIZE.0), &curves, line_class);
    let data = json!({
        "kind": "cartesian",
        "x": x.json(),
        "y": y.json(),
        "series": curves.iter().map(|curve| json!({
            "name": curve.series.name,
            "reference": curve.series.reference,
            "x": json_numbers(&curve.x),
            "y": json_numbers(&curve.y),
        })).collect::<Vec<_>>(),
    });
    Chart::new(&figure.title, data, &drawing, &legend)
}

fn axes(figure: &Figure, x_unit: &str, curves: &[Curve<'_>]) -> (Axis, Axis) {
    let x_range = range(curves.iter().flat_map(|c| &c.x));
    let y_range = range(curves.iter().flat_map(|c| &c.y));
    let x = Axis::tight(&figure.x_label, x_unit, x_range, (LEFT, RIGHT), 7);
    let pixels = (BOTTOM, TOP);
    let y = match &figure.kind {
        FigureKind::Logarithmic => {
            Axis::logarithmic(&figure.y_label, &figure.y_unit, y_range, pixels, 8)
        }
        _ if figure.y_unit.starts_with("dB") => {
            let shown = decibel_range(y_range, DEPTH);
            Axis::even(&figure.y_label, &figure.y_unit, shown, pixels, 8)
        }
        _ => Axis::even(&figure.y_label, &figure.y_unit, y_range, pixels, 8),
    };
    (x, y)
}

fn grid(x: &Axis, y: &Axis) -> String {
    let mut text = String::new();
    for &tick in &x.ticks {
        let place = coordinate(x.place(tick));
        text.push_str(&format!(
            "<line class=\"wf-grid\" x1=\"{place}\" y1=\"{TOP}\" x2=\"{place}\" y2=\"{BOTTOM}\"/>\
             <text class=\"wf-tick\" x=\"{place}\" y=\"346\" text-anchor=\"middle\">{}</text>\n",
            x.tick_text(tick)
        ));
    }
    for &tick in &y.ticks {
        let place = y.place(tick);
        text.push_str(&format!(
            "<line class=\"wf-grid\" x1=\"{LEFT}\" y1=\"{0}\" x2=\"{RIGHT}\" y2=\"{0}\"/>\
             <text class=\"wf-tick\" x=\"62\" y=\"{1}\" text-anchor=\"end\">{2}</text>\n",
            coordinate(place),
            coordinate(place + 4.0),
            y.tick_text(tick)
        ));
    }
    text
}
