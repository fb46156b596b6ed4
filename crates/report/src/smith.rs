//! Smith charts: reflection coefficients in the unit circle, with circles of constant resistance and reactance.

use serde_json::json;

use super::chart::{Chart, SIZE, curves, legend, line_class, path};
use super::text::{coordinate, number};
use wavefield_solver::outcome::{Figure, Outcome};

const CENTER: (f64, f64) = (260.0, 206.0);
const RADIUS: f64 = 158.0;
/// Normalized resistances and reactances with a circle.
const VALUES: [f64; 5] = [0.2, 0.5, 1.0, 2.0, 5.0];

/// Draws a figure.
pub(super) fn draw(figure: &Figure, outcome: &Outcome) -> Chart {
    let curves = curves(figure, outcome);
    let (left, right) = (place(-1.0, 0.0), place(1.0, 0.0));
    let mut drawing = format!(
        "<circle class=\"wf-axis\" cx=\"{}\" cy=\"{}\" r=\"{RADIUS}\"/>\n\
         <line class=\"wf-axis\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n",
        CENTER.0, CENTER.1, left.0, left.1, right.0, right.1
    );
    for value in VALUES {
        // The circle of resistance r touches Γ = 1 and has the center r/(1 + r).
        let (x, y) = place(value / (1.0 + value), 0.0);
        drawing.push_str(&format!(
            "<circle class=\"wf-grid\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n",
            coordinate(x),
            coordinate(y),
            coordinate(RADIUS / (1.0 + value))
        ));
        let (x, y) = place((value - 1.0) / (value + 1.0), 0.0);
        drawing.push_str(&text(x + 3.0, y - 4.0, "start", &number(value)));
        for sign in [1.0, -1.0] {
            drawing.push_str(&reactance(sign * value));
        }
    }
    for (index, curve) in curves.iter().enumerate() {
        let points = curve
            .x
            .iter()
            .zip(&curve.y)
            .map(|(&re, &im)| (re.is_finite() && im.is_finite()).then(|| place(re, im)));
        let mark = match (curve.x.first(), curve.y.first()) {
            (Some(&re), Some(&im)) if re.is_finite() && im.is_finite() => {
                let (x, y) = place(re, im);
                format!(
                    "<circle class=\"wf-mark-{}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>",
                    index % 8,
                    coordinate(x),
                    coordinate(y)
                )
            }
            _ => String::new(),
        };
        drawing.push_str(&format!(
            "<g class=\"wf-series\" data-series=\"{index}\"><path class=\"{}\" d=\"{}\"/>{mark}</g>\n",
            line_class(index, curve.series),
            path(points)
        ));
    }
    let legend = legend((70.0, SIZE.0), &curves, line_class);
    Chart::new(&figure.title, json!({ "kind": "smith" }), &drawing, &legend)
}

/// Returns the arc of constant reactance inside the unit circle, with its label at the rim.
fn reactance(value: f64) -> String {
    // Γ of the pure reactance jx, on the rim; the arc from there to Γ = 1 has the radius 1/|x|.
    let square = value * value;
    let rim = [
        (square - 1.0) / (square + 1.0),
        2.0 * value / (square + 1.0),
    ];
    let (x, y) = place(rim[0], rim[1]);
    let (end_x, end_y) = place(1.0, 0.0);
    let radius = coordinate(RADIUS / value.abs());
    // Upper arcs run clockwise on the page from the rim to Γ = 1.
    let sweep = u8::from(value < 0.0);
    let (label_x, label_y) = place(1.09 * rim[0], 1.09 * rim[1]);
    let sign = if value < 0.0 { "−" } else { "" };
    let name = format!("{sign}j{}", number(value.abs()));
    format!(
        "<path class=\"wf-grid\" d=\"M{} {}A{radius} {radius} 0 0 {sweep} {} {}\"/>\n{}",
        coordinate(x),
        coordinate(y),
        coordinate(end_x),
        coordinate(end_y),
        text(label_x, label_y + 4.0, "middle", &name)
    )
}

fn text(x: f64, y: f64, anchor: &str, content: &str) -> String {
    format!(
        "<text class=\"wf-tick wf-halo\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{content}</text>\n",
        coordinate(x),
        coordinate(y)
    )
}

/// Returns the position of a reflection coefficient on the page.
fn place(re: f64, im: f64) -> (f64, f64) {
    (CENTER.0 + RADIUS * re, CENTER.1 - RADIUS * im)
}
