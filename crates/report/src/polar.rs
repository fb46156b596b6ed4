//! Polar charts: the angle is the direction, the value the distance from a floor at the center. φ runs counterclockwise from
//! the right, as in the x–y plane; θ clockwise from the top, so that the zenith is up.

use serde_json::json;

use super::axis::Axis;
use super::chart::{
    Chart, SIZE, curves, decibel_range, json_numbers, legend, line_class, path, range,
};
use super::text::{coordinate, label_svg, number};
use wavefield_solver::outcome::{Figure, Outcome};

const CENTER: (f64, f64) = (260.0, 206.0);
const RADIUS: f64 = 148.0;
/// Range from rim to center, in dB.
const DEPTH: f64 = 40.0;

/// Draws a figure.
pub(super) fn draw(figure: &Figure, outcome: &Outcome) -> Chart {
    let curves = curves(figure, outcome);
    let values = range(curves.iter().flat_map(|c| &c.y));
    let values = if figure.y_unit.starts_with("dB") {
        decibel_range(values, DEPTH)
    } else {
        values
    };
    let radial = Axis::even(&figure.y_label, &figure.y_unit, values, (0.0, RADIUS), 6);
    let mut drawing = String::new();
    for &tick in &radial.ticks {
        let r = radial.place(tick);
        if r > 0.5 {
            drawing.push_str(&format!(
                "<circle class=\"wf-grid\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n",
                CENTER.0,
                CENTER.1,
                coordinate(r)
            ));
        }
    }
    let zenith_up = figure.x_label == "θ";
    let place =
        |degrees: f64, radius: f64| place(if zenith_up { 90.0 - degrees } else { degrees }, radius);
    for step in 0..12 {
        let mut degrees = 30.0 * f64::from(step);
        // θ runs from −180° to 180° over both half-planes.
        if zenith_up && degrees > 180.0 {
            degrees -= 360.0;
        }
        let (rim, label) = (place(degrees, RADIUS), place(degrees, RADIUS + 17.0));
        drawing.push_str(&format!(
            "<line class=\"wf-grid\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\
             <text class=\"wf-tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}°</text>\n",
            CENTER.0,
            CENTER.1,
            coordinate(rim.0),
            coordinate(rim.1),
            coordinate(label.0),
            coordinate(label.1 + 4.0),
            number(degrees)
        ));
    }
    for (index, curve) in curves.iter().enumerate() {
        let points = curve.x.iter().zip(&curve.y).map(|(&angle, &value)| {
            (!angle.is_nan() && !value.is_nan())
                .then(|| place(angle, radial.place(value.clamp(radial.min, radial.max))))
        });
        drawing.push_str(&format!(
            "<g class=\"wf-series\" data-series=\"{index}\"><path class=\"{}\" d=\"{}\"/></g>\n",
            line_class(index, curve.series),
            path(points)
        ));
    }
    for &tick in &radial.ticks {
        // Near the vertical, labels are one above the other.
        let label = place(if zenith_up { 15.0 } else { 75.0 }, radial.place(tick));
        drawing.push_str(&format!(
            "<text class=\"wf-tick wf-halo\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
            coordinate(label.0),
            coordinate(label.1 + 4.0),
            radial.tick_text(tick)
        ));
    }
    drawing.push_str(&format!(
        "<text class=\"wf-label\" x=\"508\" y=\"368\" text-anchor=\"end\">{}</text>\n",
        label_svg(&radial.caption())
    ));
    let legend = legend((70.0, SIZE.0), &curves, line_class);
    let data = json!({
        "kind": "polar",
        "center": [CENTER.0, CENTER.1],
        "radius": RADIUS,
        "r": { "label": radial.label, "unit": radial.unit, "min": radial.min, "max": radial.max },
        "zero_deg": if zenith_up { 90 } else { 0 },
        "clockwise": zenith_up,
        "series": curves.iter().map(|curve| json!({
            "name": curve.series.name,
            "reference": curve.series.reference,
            "angle_deg": json_numbers(&curve.x),
            "r": json_numbers(&curve.y),
        })).collect::<Vec<_>>(),
    });
    Chart::new(&figure.title, data, &drawing, &legend)
}

fn place(degrees: f64, radius: f64) -> (f64, f64) {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    (CENTER.0 + radius * cosine, CENTER.1 - radius * sine)
}
