//! Scatter plots: points of the plane colored by a quantity, such as the elements of an array antenna.

use serde_json::json;

use super::chart::{Chart, legend, range, real, whole_curves};
use super::color::STEPS;
use super::color_scale::Colors;
use super::plane::{Plane, draw_outlines, outline_class};
use super::text::coordinate;
use super::view::packed;
use wavefield_solver::outcome::{Figure, Outcome, Scatter};

/// Number of points in the sample for nearest-neighbor distances.
const SAMPLES: usize = 500;
/// Spacing in drawing units above which marks are separated.
const APART: f64 = 7.0;

/// Draws a scatter plot.
pub(super) fn draw(figure: &Figure, scatter: &Scatter, outcome: &Outcome) -> Chart {
    let points = points(scatter, outcome);
    let spacing = spacing(&points);
    let padded = |axis: usize| {
        let (low, high) = range(points.iter().map(|point| &point[axis]));
        (low - 0.75 * spacing, high + 0.75 * spacing)
    };
    let plane = Plane::new(figure, padded(0), padded(1), true, false);
    let values: Vec<f64> = points.iter().map(|point| point[2]).collect();
    let colors = Colors::new(&scatter.colors, &values);
    let outlines = whole_curves(figure, outcome);
    let unit = (plane.right() - plane.left()) / (plane.x.max - plane.x.min);
    let inside = marks(&points, &colors, &plane, mark_width(spacing * unit))
        + &draw_outlines(&plane, &outlines);
    let drawing = [plane.clipped(&inside), plane.frame(), colors.bar(&plane)].concat();
    let column = |axis: usize| packed(&points.iter().map(|point| point[axis]).collect::<Vec<_>>());
    let legend = legend((plane.left(), plane.size.0), &outlines, outline_class);
    let data = json!({
        "kind": "scatter",
        "x": plane.x.json(),
        "y": plane.y.json(),
        "value": colors.json(),
        "points": { "x": column(0), "y": column(1), "value": column(2) },
        "reach": spacing,
    });
    Chart::new(&figure.title, data, &drawing, &legend).sized(plane.size)
}

/// Returns x, y, and value of the points that can be drawn.
fn points(scatter: &Scatter, outcome: &Outcome) -> Vec<[f64; 3]> {
    let array = |name: &str| real(outcome, name).map_or(&[][..], |(_, values)| values);
    let (x, y) = (array(&scatter.x), array(&scatter.y));
    x.iter()
        .zip(y)
        .zip(array(&scatter.values))
        .map(|((&x, &y), &value)| [x, y, value])
        .filter(|[x, y, value]| x.is_finite() && y.is_finite() && !value.is_nan())
        .collect()
}

/// Returns the typical nearest-neighbor distance: the median over a sample of the points.
fn spacing(points: &[[f64; 3]]) -> f64 {
    let each = points.len().div_ceil(SAMPLES).max(1);
    let mut nearest: Vec<f64> = points
        .iter()
        .step_by(each)
        .map(|p| {
            points
                .iter()
                .map(|q| (p[0] - q[0]).hypot(p[1] - q[1]))
                // Excludes the point itself.
                .filter(|&distance| distance > 0.0)
                .fold(f64::INFINITY, f64::min)
        })
        .filter(|distance| distance.is_finite())
        .collect();
    nearest.sort_by(f64::total_cmp);
    nearest.get(nearest.len() / 2).copied().unwrap_or(1.0)
}

/// Returns the width of marks with gaps between them, or with a slight overlap where gaps would dilute
/// the color.
fn mark_width(spacing: f64) -> f64 {
    if spacing >= APART {
        0.86 * spacing
    } else {
        spacing.max(1.0) + 0.25
    }
}

/// Draws all marks, those of one color as one path of very short lines with square caps. A printed page omits lines of
/// zero length.
fn marks(points: &[[f64; 3]], colors: &Colors<'_>, plane: &Plane, width: f64) -> String {
    let mut paths = vec![String::new(); STEPS];
    for &[x, y, value] in points {
        if let Some(index) = colors.index(value) {
            let (x, y) = plane.place((x, y));
            paths[usize::from(index)].push_str(&format!(
                "M{} {}h0.01",
                coordinate(x),
                coordinate(y)
            ));
        }
    }
    let drawn: String = paths
        .iter()
        .zip(&colors.table)
        .filter(|(path, _)| !path.is_empty())
        .map(|(path, [r, g, b])| {
            format!("<path stroke=\"#{r:02x}{g:02x}{b:02x}\" d=\"{path}\"/>\n")
        })
        .collect();
    format!(
        "<g class=\"wf-points\" stroke-width=\"{}\">\n{drawn}</g>\n",
        coordinate(width)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_is_that_of_the_lattice_whatever_its_outline() {
        let disc: Vec<[f64; 3]> = (0..71 * 71)
            .map(|i| [f64::from(i % 71) - 35.0, f64::from(i / 71) - 35.0, 0.0])
            .filter(|p| p[0].hypot(p[1]) < 35.5)
            .map(|p| p.map(|v| 0.012 * v))
            .collect();
        assert!((spacing(&disc) - 0.012).abs() < 1e-12);
        // A few duplicate points do not shrink the marks.
        let doubled: Vec<_> = disc
            .iter()
            .enumerate()
            .map(|(i, p)| {
                if i % 20 == 0 {
                    [p[0] + 1e-9, p[1], 0.0]
                } else {
                    *p
                }
            })
            .chain(disc.iter().step_by(20).copied())
            .collect();
        assert!((spacing(&doubled) - 0.012).abs() < 1e-6);
    }

    #[test]
    fn lonely_and_missing_points_have_a_spacing() {
        assert_eq!(spacing(&[]), 1.0);
        assert_eq!(spacing(&[[2.0, 3.0, 0.0]]), 1.0);
    }
}
