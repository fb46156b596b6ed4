//! Common parts of the charts: data of the curves, their range, legend, and frame.

use serde_json::{Value, json};

use super::text::{coordinate, escape};
use wavefield_solver::outcome::{Array, Figure, Outcome, Series};

/// Width and height of a chart in drawing units.
pub(super) const SIZE: (f64, f64) = (520.0, 380.0);
/// Width of a chart over both columns of the page.
pub(super) const WIDE_WIDTH: f64 = 1100.0;

/// Maximum number of drawn points of a curve, above the number of screen columns.
const MAX_POINTS: usize = 1500;

/// A curve with its data.
pub(super) struct Curve<'a> {
    pub(super) series: &'a Series,
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
}

/// Returns the curves of a figure, decimated to the resolution of a screen.
pub(super) fn curves<'a>(figure: &'a Figure, outcome: &Outcome) -> Vec<Curve<'a>> {
    whole_curves(figure, outcome)
        .into_iter()
        .map(|curve| {
            let (x, y) = decimated(&curve.x, &curve.y);
            Curve { x, y, ..curve }
        })
        .collect()
}

/// Returns the curves of a figure with all points; curves with missing arrays are omitted.
pub(super) fn whole_curves<'a>(figure: &'a Figure, outcome: &Outcome) -> Vec<Curve<'a>> {
    figure
        .series
        .iter()
        .filter_map(|series| {
            let (x, y) = (
                outcome.array(&series.x)?.as_real()?,
                outcome.array(&series.y)?.as_real()?,
            );
            let (start, count) = series.part.unwrap_or((0, x.len().min(y.len())));
            let of_part = |values: &[f64]| -> Option<Vec<f64>> {
                let values = values.get(start..)?.iter().step_by(series.stride.max(1));
                let part: Vec<f64> = values.take(count).copied().collect();
                (part.len() == count).then_some(part)
            };
            let (x, y) = (of_part(x)?, of_part(y)?);
            Some(Curve { series, x, y })
        })
        .collect()
}

/// Returns the unit of a frequency axis and its value in Hz.
pub(super) fn drawn_unit<'a>(unit: &'a str, curves: &[Curve<'_>]) -> (&'a str, f64) {
    if unit != "Hz" {
        return (unit, 1.0);
    }
    let (_, high) = range(curves.iter().flat_map(|c| &c.x));
    match high {
        f if f >= 1e9 => ("GHz", 1e9),
        f if f >= 1e6 => ("MHz", 1e6),
        f if f >= 1e3 => ("kHz", 1e3),
        _ => ("Hz", 1.0),
    }
}

/// Decimates a curve to the minimum and maximum of each interval, so that no null and no peak is
/// lost.
fn decimated(x: &[f64], y: &[f64]) -> (Vec<f64>, Vec<f64>) {
    if x.len() <= MAX_POINTS {
        return (x.to_vec(), y.to_vec());
    }
    let stretch = x.len().div_ceil(MAX_POINTS / 2);
    let (mut xs, mut ys) = (
        Vec::with_capacity(MAX_POINTS),
        Vec::with_capacity(MAX_POINTS),
    );
    for start in (0..x.len()).step_by(stretch) {
        let end = (start + stretch).min(x.len());
        let low = (start..end)
            .min_by(|&a, &b| y[a].total_cmp(&y[b]))
            .unwrap_or(start);
        let high = (start..end)
            .max_by(|&a, &b| y[a].total_cmp(&y[b]))
            .unwrap_or(start);
        for index in if low == high {
            vec![low]
        } else {
            vec![low.min(high), low.max(high)]
        } {
            xs.push(x[index]);
            ys.push(y[index]);
        }
    }
    (xs, ys)
}

/// Returns the smallest and the largest finite value.
pub(super) fn range<'a>(values: impl Iterator<Item = &'a f64>) -> (f64, f64) {
    let finite = values.copied().filter(|v| v.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// Limits a range of decibels to `depth` below the peak.
pub(super) fn decibel_range((low, high): (f64, f64), depth: f64) -> (f64, f64) {
    (low.max(high - depth), high)
}

/// Returns values for the crosshair, gaps as null.
pub(super) fn json_numbers(values: &[f64]) -> Value {
    let rounded = |v: &f64| {
        if v.is_finite() {
            // Seven digits exceed the precision of the readout.
            format!("{v:.6e}")
                .parse::<f64>()
                .map_or(Value::Null, |v| json!(v))
        } else {
            Value::Null
        }
    };
    Value::Array(values.iter().map(rounded).collect())
}

/// A drawn chart, independent of its embedding.
pub(super) struct Chart {
    title: String,
    size: (f64, f64),
    /// Height above the frame, for further lines of the legend.
    above: f64,
    /// Data of the crosshair.
    data: Value,
    drawing: String,
}

impl Chart {
    /// Creates a chart from the drawing in its frame.
    pub(super) fn new(title: &str, data: Value, drawing: &str, legend: &Legend) -> Chart {
        Chart {
            title: title.to_owned(),
            size: SIZE,
            above: LEGEND_LINE * (legend.lines - 1) as f64,
            data,
            drawing: format!("{drawing}{}", legend.drawing),
        }
    }

    /// Returns the chart with another width and height.
    pub(super) fn sized(mut self, size: (f64, f64)) -> Chart {
        self.size = size;
        self
    }

    /// Returns whether the chart spans both columns of the page.
    pub(super) fn is_wide(&self) -> bool {
        self.size.0 > SIZE.0
    }

    /// Returns the chart as a part of the page, which provides the style.
    pub(super) fn in_page(&self) -> String {
        format!(
            "<svg class=\"wf-chart\" viewBox=\"0 {} {} {}\" role=\"group\" aria-label=\"{}\">\n\
             <metadata class=\"wf-chart-data\">{}</metadata>\n{}</svg>",
            coordinate(0.0 - self.above),
            coordinate(self.size.0),
            coordinate(self.size.1 + self.above),
            escape(&self.title),
            escape(&self.data.to_string()),
            self.drawing,
        )
    }

    /// Returns the chart as a separate file with its style and background.
    pub(super) fn alone(&self, style: &str, paper: &str) -> String {
        let [top, width, height] =
            [0.0 - self.above, self.size.0, self.size.1 + self.above].map(coordinate);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wf-chart\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 {top} {width} {height}\">\n<title>{}</title>\n<style>{style}</style>\n\
             <rect y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{paper}\"/>\n{}</svg>\n",
            escape(&self.title),
            self.drawing,
        )
    }
}

/// Height of a legend line.
const LEGEND_LINE: f64 = 22.0;

/// A legend above the chart, in as many lines as required.
pub(super) struct Legend {
    drawing: String,
    lines: usize,
}

/// Draws the legend from a position on, with a sample line for each curve.
pub(super) fn legend(
    (left, right): (f64, f64),
    curves: &[Curve<'_>],
    class: fn(usize, &Series) -> String,
) -> Legend {
    let width = |curve: &Curve<'_>| 36.0 + 8.0 * curve.series.name.chars().count() as f64;
    let (mut x, mut line) = (left, 0);
    let places: Vec<(f64, usize)> = curves
        .iter()
        .map(|curve| {
            if x > left && x + width(curve) > right {
                (x, line) = (left, line + 1);
            }
            let place = (x, line);
            x += width(curve) + 14.0;
            place
        })
        .collect();
    let mut drawing = String::from("<g class=\"wf-legend\">");
    for (index, (curve, (x, at))) in curves.iter().zip(places).enumerate() {
        let y = -LEGEND_LINE * (line - at) as f64;
        drawing.push_str(&format!(
            "<g class=\"wf-legend-entry\" data-series=\"{index}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"22\" \
             fill=\"transparent\"/><line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\
             <text x=\"{}\" y=\"{}\">{}</text></g>",
            coordinate(x - 4.0),
            coordinate(y + 4.0),
            coordinate(width(curve)),
            class(index, curve.series),
            coordinate(x),
            coordinate(y + 15.0),
            coordinate(x + 20.0),
            coordinate(y + 15.0),
            coordinate(x + 27.0),
            coordinate(y + 19.0),
            escape(&curve.series.name)
        ));
    }
    drawing.push_str("</g>\n");
    Legend {
        drawing,
        lines: line + 1,
    }
}

/// Returns the CSS class that determines the color of a curve.
pub(super) fn line_class(index: usize, series: &Series) -> String {
    if series.reference {
        "wf-reference".to_owned()
    } else {
        format!("wf-line-{}", index % 8)
    }
}

/// Returns an SVG path through points, interrupted at gaps.
pub(super) fn path(points: impl Iterator<Item = Option<(f64, f64)>>) -> String {
    let mut text = String::new();
    let mut pen_down = false;
    for point in points {
        match point {
            Some((x, y)) => {
                text.push(if pen_down { 'L' } else { 'M' });
                text.push_str(&coordinate(x));
                text.push(' ');
                text.push_str(&coordinate(y));
                pen_down = true;
            }
            None => pen_down = false,
        }
    }
    text
}

/// Returns an array as real numbers.
pub(super) fn real<'a>(outcome: &'a Outcome, name: &str) -> Option<(&'a Array, &'a [f64])> {
    let array = outcome.array(name)?;
    Some((array, array.as_real()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimation_keeps_peaks_and_nulls() {
        let x: Vec<f64> = (0..100_000).map(f64::from).collect();
        let mut y = vec![0.0; x.len()];
        (y[31_337], y[77_777]) = (50.0, -90.0);
        let (xs, ys) = decimated(&x, &y);
        assert!(xs.len() <= MAX_POINTS && xs.is_sorted());
        assert!(ys.contains(&50.0) && ys.contains(&-90.0));
    }

    #[test]
    fn gaps_break_the_line() {
        let points = [Some((0.0, 0.0)), Some((1.0, 1.0)), None, Some((2.0, 0.5))];
        assert_eq!(path(points.into_iter()), "M0 0L1 1M2 0.5");
    }
}
