//! Maps and animations: color maps of a quantity over the plane, with contour lines and outlines, at one or
//! several time samples.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::chart::{Chart, legend, real, whole_curves};
use super::color_scale::Colors;
use super::contour::contour;
use super::plane::{Plane, draw_outlines, line, outline_class};
use super::raster::Raster;
use super::text::{coordinate, number_svg};
use super::view::packed;
use wavefield_solver::outcome::{Animation, ColorMap, Figure, Map, Outcome};

/// Maximum number of drawn cells along an axis, about the resolution of a screen.
const MAX_CELLS: usize = 720;
/// Maximum number of cells of all frames of an animation, some megabytes of the page.
const FILM_CELLS: usize = 600_000;
/// Half width and half height of the clearance around the label of a contour line.
const LABEL: (f64, f64) = (22.0, 10.0);

/// Draws a map.
pub(super) fn draw(figure: &Figure, map: &Map, outcome: &Outcome) -> Chart {
    let grid = Grid::new(map, outcome);
    let plane = Plane::new(
        figure,
        grid.columns.extent(),
        grid.rows.extent(),
        map.equal_aspect,
        map.y_down,
    );
    let colors = Colors::new(&map.colors, &grid.values);
    let drawn = grid.reduced(map.colors.map);
    let outlines = whole_curves(figure, outcome);
    let (lines, labels) = contours(&grid, &map.contours, &plane);
    let inside = [
        drawn.image(&colors, &plane),
        lines,
        draw_outlines(&plane, &outlines),
        labels,
    ]
    .concat();
    let drawing = [plane.clipped(&inside), plane.frame(), colors.bar(&plane)].concat();
    let legend = legend((plane.left(), plane.size.0), &outlines, outline_class);
    let data = json!({
        "kind": "map",
        "x": plane.x.json(),
        "y": plane.y.json(),
        "value": colors.json(),
        "columns": drawn.columns.json(),
        "rows": drawn.rows.json(),
        "values": packed(&drawn.values),
        "exact": drawn.values.len() == grid.values.len(),
    });
    Chart::new(&figure.title, data, &drawing, &legend).sized(plane.size)
}

/// Draws an animation as a stack of frames, one of them visible. Frames of a long animation are skipped.
pub(super) fn draw_animation(figure: &Figure, animation: &Animation, outcome: &Outcome) -> Chart {
    let cells: usize = outcome
        .array(&animation.map.array)
        .map_or(0, |array| array.shape.iter().product());
    let each = cells.div_ceil(FILM_CELLS).max(1);
    let kept = (animation.shown % each..animation.moments.len()).step_by(each);
    draw_moments(figure, animation, outcome, &kept.collect::<Vec<_>>())
}

/// Draws the frame of an animation that is shown first.
pub(super) fn draw_moment(figure: &Figure, animation: &Animation, outcome: &Outcome) -> Chart {
    draw_moments(figure, animation, outcome, &[animation.shown])
}

/// Draws selected frames of an animation, with the color scale of all.
fn draw_moments(
    figure: &Figure,
    animation: &Animation,
    outcome: &Outcome,
    kept: &[usize],
) -> Chart {
    let map = &animation.map;
    let all = real(outcome, &map.array);
    let all = all.and_then(|(array, values)| match array.shape[..] {
        [moments, rows, columns]
            if moments == animation.moments.len() && moments * rows * columns == values.len() =>
        {
            Some((values, rows, columns))
        }
        _ => None,
    });
    let (values, rows, columns) = all.unwrap_or_default();
    let shown = (kept.iter().position(|&moment| moment == animation.shown)).unwrap_or(0);
    let grids: Vec<Grid<'_>> = (kept.iter())
        .filter_map(|&moment| values.chunks_exact((rows * columns).max(1)).nth(moment))
        .map(|values| Grid {
            values: Cow::Borrowed(values),
            columns: Places::new(map.x, columns),
            rows: Places::new(map.y, rows),
        })
        .collect();
    let Some(first) = grids.first() else {
        return draw(figure, map, outcome);
    };
    let plane = Plane::new(
        figure,
        first.columns.extent(),
        first.rows.extent(),
        map.equal_aspect,
        map.y_down,
    );
    let colors = Colors::new(&map.colors, values);
    let drawn: Vec<Grid<'_>> = (grids.iter())
        .map(|grid| grid.reduced(map.colors.map))
        .collect();
    let pictures: String = (drawn.iter().enumerate())
        .map(|(number, grid)| {
            format!(
                "<g class=\"wf-moment\" visibility=\"{}\">{}</g>\n",
                if number == shown { "visible" } else { "hidden" },
                grid.image(&colors, &plane)
            )
        })
        .collect();
    let outlines = whole_curves(figure, outcome);
    let inside = [pictures, draw_outlines(&plane, &outlines)].concat();
    let drawing = [plane.clipped(&inside), plane.frame(), colors.bar(&plane)].concat();
    let legend = legend((plane.left(), plane.size.0), &outlines, outline_class);
    let moments: Vec<Value> = (kept.iter().zip(&drawn))
        .map(|(&moment, grid)| {
            json!({ "label": animation.moments[moment], "values": packed(&grid.values) })
        })
        .collect();
    let data = json!({
        "kind": "animation",
        "x": plane.x.json(),
        "y": plane.y.json(),
        "value": colors.json(),
        "columns": drawn[0].columns.json(),
        "rows": drawn[0].rows.json(),
        "moments": moments,
        "shown": shown,
        "exact": drawn[0].values.len() == first.values.len(),
    });
    Chart::new(&figure.title, data, &drawing, &legend).sized(plane.size)
}

/// Uniform positions along an axis.
#[derive(Clone, Copy)]
struct Places {
    first: f64,
    step: f64,
    count: usize,
}

impl Places {
    fn new((first, last): (f64, f64), count: usize) -> Places {
        let step = if count > 1 {
            (last - first) / (count - 1) as f64
        } else {
            1.0
        };
        Places { first, step, count }
    }

    /// Returns the positions of groups of `each` cells.
    fn gathered(self, each: usize) -> Places {
        Places {
            first: self.first + 0.5 * self.step * (each - 1) as f64,
            step: self.step * each as f64,
            count: self.count.div_ceil(each),
        }
    }

    fn at(self, index: f64) -> f64 {
        self.first + self.step * index
    }

    /// Returns the extent from the lower edge of the cells to the upper one.
    fn extent(self) -> (f64, f64) {
        let (start, end) = (self.at(-0.5), self.at(self.count as f64 - 0.5));
        (start.min(end), start.max(end))
    }

    /// Iterates over the indices in increasing or decreasing order of the positions.
    fn ordered(self, rising: bool) -> Box<dyn Iterator<Item = usize>> {
        if (self.step > 0.0) == rising {
            Box::new(0..self.count)
        } else {
            Box::new((0..self.count).rev())
        }
    }

    fn json(self) -> Value {
        json!({ "first": self.first, "step": self.step, "count": self.count })
    }
}

/// Row-major values over the plane.
struct Grid<'a> {
    values: Cow<'a, [f64]>,
    columns: Places,
    rows: Places,
}

impl<'a> Grid<'a> {
    /// Returns the grid of a map; empty if the array is missing or not two-dimensional.
    fn new(map: &Map, outcome: &'a Outcome) -> Grid<'a> {
        let (values, rows, columns) = match real(outcome, &map.array) {
            Some((array, values)) => match array.shape[..] {
                [rows, columns] if rows * columns == values.len() => (values, rows, columns),
                _ => (&[][..], 0, 0),
            },
            None => (&[][..], 0, 0),
        };
        Grid {
            values: Cow::Borrowed(values),
            columns: Places::new(map.x, columns),
            rows: Places::new(map.y, rows),
        }
    }

    /// Reduces the grid to the resolution of a screen. Merged cells have their largest value, so that no peak is
    /// lost; of signed quantities the value of largest magnitude, of cyclic ones the first.
    fn reduced(&self, map: ColorMap) -> Grid<'_> {
        let each = |places: Places| places.count.div_ceil(MAX_CELLS).max(1);
        let (across, down) = (each(self.columns), each(self.rows));
        let (columns, rows) = (self.columns.gathered(across), self.rows.gathered(down));
        if across * down == 1 {
            return Grid {
                values: Cow::Borrowed(&self.values),
                columns,
                rows,
            };
        }
        let width = self.columns.count;
        let mut values = vec![f64::NAN; columns.count * rows.count];
        for (index, &value) in self.values.iter().enumerate() {
            let (row, column) = (index / width / down, index % width / across);
            let kept = &mut values[row * columns.count + column];
            let larger = match map {
                ColorMap::Sequential => value > *kept,
                ColorMap::Diverging => value.abs() > kept.abs(),
                ColorMap::Cyclic => false,
            };
            if kept.is_nan() || larger {
                *kept = value;
            }
        }
        Grid {
            values: Cow::Owned(values),
            columns,
            rows,
        }
    }

    /// Returns the cells as an image at their position.
    fn image(&self, colors: &Colors<'_>, plane: &Plane) -> String {
        let raster = Raster {
            width: self.columns.count,
            height: self.rows.count,
            cells: self
                .rows
                .ordered(plane.y_down())
                .flat_map(|row| self.columns.ordered(true).map(move |column| (row, column)))
                .map(|(row, column)| colors.index(self.values[row * self.columns.count + column]))
                .collect(),
        };
        let ((left, right), (low, high)) = (self.columns.extent(), self.rows.extent());
        let (top, bottom) = if plane.y_down() {
            (low, high)
        } else {
            (high, low)
        };
        raster.image(
            &colors.table,
            plane.place((left, top)),
            plane.place((right, bottom)),
        )
    }
}

/// Returns the contour lines and, separately, their labels, which are drawn on top.
fn contours(grid: &Grid<'_>, levels: &[f64], plane: &Plane) -> (String, String) {
    let (mut lines, mut labels) = (String::new(), String::new());
    let mut taken: Vec<(f64, f64)> = Vec::new();
    for &level in levels {
        let found: Vec<Vec<(f64, f64)>> = contour(&grid.values, grid.columns.count, level)
            .into_iter()
            .map(|line| {
                line.into_iter()
                    .map(|(column, row)| plane.place((grid.columns.at(column), grid.rows.at(row))))
                    .collect()
            })
            .collect();
        if found.is_empty() {
            continue;
        }
        let path: String = found
            .iter()
            .map(|points| line(points.iter().copied()))
            .collect();
        lines.push_str(&format!(
            "<path class=\"wf-contour-rim\" d=\"{path}\"/><path class=\"wf-contour\" d=\"{path}\"/>\n"
        ));
        for line in &found {
            if let Some((x, y)) = label_place(line, &taken, plane) {
                taken.push((x, y));
                labels.push_str(&format!(
                    "<text class=\"wf-tick wf-halo\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                    coordinate(x),
                    coordinate(y + 4.0),
                    number_svg(level)
                ));
            }
        }
    }
    (lines, labels)
}

/// Returns a position on a line for its label, away from the frame and from other labels; `None` if the line is
/// too short.
fn label_place(line: &[(f64, f64)], taken: &[(f64, f64)], plane: &Plane) -> Option<(f64, f64)> {
    let length: f64 = line
        .windows(2)
        .map(|w| (w[1].0 - w[0].0).hypot(w[1].1 - w[0].1))
        .sum();
    if length < 4.0 * LABEL.0 {
        return None;
    }
    let free = |&&(x, y): &&(f64, f64)| {
        x - plane.left() > LABEL.0
            && plane.right() - x > LABEL.0
            && y - plane.top() > LABEL.1
            && plane.bottom() - y > LABEL.1
            && taken.iter().all(|other| {
                (x - other.0).abs() > 2.0 * LABEL.0 || (y - other.1).abs() > 2.0 * LABEL.1
            })
    };
    let middle = line.len() / 2;
    line[middle..]
        .iter()
        .chain(&line[..middle])
        .find(free)
        .copied()
}
