//! The plane of maps and scatter plots: axes, frame, and outlines.

use super::axis::Axis;
use super::chart::{Curve, SIZE, WIDE_WIDTH, path};
use super::text::{coordinate, label_svg};
use wavefield_solver::outcome::{Figure, Series};

/// Margins of a plot; the color bar is to the right of it.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 82.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 52.0;
/// Height limit of a plot with equal scales.
const TALLEST: f64 = 480.0;
/// Ratio of width to height from which such a plot spans both columns of the page.
const WIDE: f64 = 1.7;
/// Minimum distance of drawn points in drawing units.
const STEP: f64 = 0.3;

/// Two perpendicular axes.
pub(super) struct Plane {
    pub(super) x: Axis,
    pub(super) y: Axis,
    /// Width and height of the chart.
    pub(super) size: (f64, f64),
}

impl Plane {
    /// Creates the plane over two ranges: it fills the default area, or has equal scales on both axes and fills the width of
    /// its place, in one or both columns of the page. A taller plane is centered.
    pub(super) fn new(
        figure: &Figure,
        x_range: (f64, f64),
        y_range: (f64, f64),
        equal_aspect: bool,
        y_down: bool,
    ) -> Plane {
        let (x_range, y_range) = (drawable(x_range), drawable(y_range));
        let mut size = SIZE;
        let (mut width, mut height) = (size.0 - LEFT - RIGHT, size.1 - TOP - BOTTOM);
        let mut left = LEFT;
        if equal_aspect {
            let ratio = (x_range.1 - x_range.0) / (y_range.1 - y_range.0);
            if ratio >= WIDE {
                size.0 = WIDE_WIDTH;
                width = size.0 - LEFT - RIGHT;
            }
            let full = width;
            width = full.min(TALLEST * ratio);
            height = width / ratio;
            left += 0.5 * (full - width);
            size.1 = TOP + height + BOTTOM;
        }
        let (top, bottom) = (TOP, TOP + height);
        let most = |length: f64, each: f64| ((length / each) as usize + 1).min(8);
        Plane {
            x: Axis::tight(
                &figure.x_label,
                &figure.x_unit,
                x_range,
                (left, left + width),
                most(width, 44.0),
            ),
            y: Axis::tight(
                &figure.y_label,
                &figure.y_unit,
                y_range,
                if y_down { (top, bottom) } else { (bottom, top) },
                most(height, 22.0),
            ),
            size,
        }
    }

    pub(super) fn left(&self) -> f64 {
        self.x.pixel_min
    }

    pub(super) fn right(&self) -> f64 {
        self.x.pixel_max
    }

    pub(super) fn top(&self) -> f64 {
        self.y.pixel_min.min(self.y.pixel_max)
    }

    pub(super) fn bottom(&self) -> f64 {
        self.y.pixel_min.max(self.y.pixel_max)
    }

    /// Returns whether y increases downward.
    pub(super) fn y_down(&self) -> bool {
        self.y.pixel_min < self.y.pixel_max
    }

    /// Returns the coordinates of a point.
    pub(super) fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x.place(x), self.y.place(y))
    }

    /// Draws frame, ticks, and labels.
    pub(super) fn frame(&self) -> String {
        let (left, right) = (coordinate(self.left()), coordinate(self.right()));
        let (top, bottom) = (coordinate(self.top()), coordinate(self.bottom()));
        let mut text = format!(
            "<path class=\"wf-axis\" d=\"M{left} {top}H{right}V{bottom}H{left}Z\"/>\n\
             <text class=\"wf-label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text class=\"wf-label\" transform=\"translate({} {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            coordinate(0.5 * (self.left() + self.right())),
            coordinate(self.bottom() + 40.0),
            label_svg(&self.x.caption()),
            coordinate(self.left() - 55.0),
            coordinate(0.5 * (self.top() + self.bottom())),
            label_svg(&self.y.caption())
        );
        for &tick in &self.x.ticks {
            let place = coordinate(self.x.place(tick));
            text.push_str(&format!(
                "<path class=\"wf-axis\" d=\"M{place} {bottom}v4\"/>\
                 <text class=\"wf-tick\" x=\"{place}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                coordinate(self.bottom() + 18.0),
                self.x.tick_text(tick)
            ));
        }
        for &tick in &self.y.ticks {
            let place = self.y.place(tick);
            text.push_str(&format!(
                "<path class=\"wf-axis\" d=\"M{left} {}h-4\"/>\
                 <text class=\"wf-tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
                coordinate(place),
                coordinate(self.left() - 8.0),
                coordinate(place + 4.0),
                self.y.tick_text(tick)
            ));
        }
        text
    }

    /// Clips a drawing at the frame.
    pub(super) fn clipped(&self, drawing: &str) -> String {
        let [x, y, width, height] = [
            self.left(),
            self.top(),
            self.right() - self.left(),
            self.bottom() - self.top(),
        ]
        .map(coordinate);
        format!(
            "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" viewBox=\"{x} {y} {width} {height}\">\n\
             {drawing}</svg>\n"
        )
    }
}

/// Draws outlines on the plane, each with a border in the background color for contrast.
pub(super) fn draw_outlines(plane: &Plane, outlines: &[Curve<'_>]) -> String {
    outlines
        .iter()
        .enumerate()
        .map(|(index, outline)| {
            let points = outline.x.iter().copied().zip(outline.y.iter().copied());
            let d = line(points.map(|point| plane.place(point)));
            format!(
                "<g class=\"wf-series\" data-series=\"{index}\"><path class=\"wf-rim\" d=\"{d}\"/>\
                 <path class=\"{}\" d=\"{d}\"/></g>\n",
                outline_class(index, outline.series)
            )
        })
        .collect()
}

/// Returns the CSS class that determines the color of an outline, one outside of the color maps.
pub(super) fn outline_class(index: usize, series: &Series) -> String {
    if series.reference {
        "wf-reference".to_owned()
    } else {
        format!("wf-outline-{}", index % 4)
    }
}

/// Returns an SVG path through points, without invisibly small steps and interrupted at NaN values.
pub(super) fn line(points: impl Iterator<Item = (f64, f64)>) -> String {
    let gap = |point: &(f64, f64)| point.0.is_nan() || point.1.is_nan();
    let mut points = points.peekable();
    let mut last: Option<(f64, f64)> = None;
    path(std::iter::from_fn(|| {
        loop {
            let point = points.next()?;
            if gap(&point) {
                last = None;
                return Some(None);
            }
            let ends = points.peek().is_none_or(gap);
            let moves = last.is_none_or(|last| (point.0 - last.0).hypot(point.1 - last.1) >= STEP);
            if ends || moves {
                last = Some(point);
                return Some(last);
            }
        }
    }))
}

/// Returns a range of nonzero width.
fn drawable((low, high): (f64, f64)) -> (f64, f64) {
    if low < high && (high - low).is_finite() {
        (low, high)
    } else if low.is_finite() && low == high {
        (low - 0.5, low + 0.5)
    } else {
        (0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavefield_solver::outcome::FigureKind;

    #[test]
    fn equal_scales_fill_the_width_of_the_page_or_a_column() {
        let figure = Figure {
            title: String::new(),
            caption: String::new(),
            kind: FigureKind::Polar,
            x_label: String::new(),
            x_unit: String::new(),
            y_label: String::new(),
            y_unit: String::new(),
            series: Vec::new(),
        };
        for (ratio, width, filled) in [
            (8.0, 1100.0, 948.0),
            (1.2, 520.0, 368.0),
            (0.5, 520.0, 240.0),
        ] {
            let plane = Plane::new(&figure, (0.0, ratio), (0.0, 1.0), true, false);
            let (across, up) = (plane.right() - plane.left(), plane.bottom() - plane.top());
            assert_eq!((plane.size.0, across), (width, filled), "{ratio}");
            assert!((across / up - ratio).abs() < 1e-9);
            // Nothing but the labels is below the plot.
            assert!((plane.size.1 - plane.bottom() - BOTTOM).abs() < 1e-9);
        }
        let plane = Plane::new(&figure, (0.0, 9.0), (0.0, 1.0), false, false);
        assert_eq!(
            (plane.size, plane.right(), plane.bottom()),
            (SIZE, 438.0, 328.0)
        );
    }

    #[test]
    fn fine_lines_keep_their_ends_and_gaps() {
        let fine = (0..=1000).map(|i| (f64::from(i) * 0.01, 0.0));
        let gap = [(f64::NAN, 0.0), (20.0, 1.0), (20.1, 1.0)];
        let drawn = line(fine.chain(gap));
        assert!(drawn.starts_with("M0 0L0.3 0") && drawn.ends_with("L10 0M20 1L20.1 1"));
        assert!(drawn.matches('L').count() < 40);
    }
}
