//! ISAR image of a sweep with the outline of the body and its scattering centers.

use crate::image::{
    AngularAperture, Center, Frame, Grid, PolarFormat, ProductError, ScatteringCenters, centers,
    silhouette,
};
use num_complex::Complex64;
use wavefield_mesh::TriangleMesh;
use wavefield_physics::quantity::Frequency;

use super::products::{
    MARGIN, Sweep, dbsm, decibel_colors, failed, meters, millimeters, span, tidy,
};
use wavefield_solver::Error;
use wavefield_solver::outcome::{
    Array, Check, Data, Figure, FigureKind, KeyFigure, Map, Outcome, Series,
};

/// Pixels per resolution cell, and minimum number of pixels along the shorter side of an image.
const OVERSAMPLING: f64 = 4.0;
const FEWEST_CELLS: f64 = 200.0;

impl Sweep<'_> {
    pub(super) fn image(&self, outcome: &mut Outcome) -> Result<(), Error> {
        let directions: Vec<_> = self.solution.aspects[..self.aspects()]
            .iter()
            .map(|aspect| aspect.from)
            .collect();
        let turn = AngularAperture::new(&directions).map_err(failed)?;
        let frame = turn.frame();
        let resolution = [turn.resolution(&self.band), self.band.resolution()];
        let unambiguous = [turn.unambiguous(&self.band), self.band.unambiguous()];
        let extent = extent(self.mesh, &frame);
        let sides = extent.map(|(low, high)| high - low);
        for (axis, [words, against]) in [
            ["cross-range extent / unambiguous extent", "λ/2δφ"],
            ["down-range extent / unambiguous extent", "c/2δf"],
        ]
        .into_iter()
        .enumerate()
        {
            // Range profiles already check the down-range extent at every aspect.
            if axis == 0 || !self.asked.range_profile {
                outcome.checks.push(Check {
                    name: words.to_owned(),
                    value: sides[axis] / unambiguous[axis],
                    limit: 1.0,
                    against: format!("{against} = {}", meters(unambiguous[axis])),
                    remedy: "reduce the step of `excitation.phi` (cross-range) or of `frequency` (down-range)".to_owned(),
                });
            }
        }
        let grid = grid(extent, resolution).map_err(failed)?;
        let format = PolarFormat::new(&self.band, &turn, self.asked.window);
        let imager = format.imager(self.device, &grid).map_err(failed)?;
        let image = imager.image(&self.samples).map_err(failed)?;
        let found = match &self.asked.scattering_centers {
            Some(ScatteringCenters {
                count,
                dynamic_range_db,
            }) => {
                centers(&imager, &grid, &self.samples, *count, *dynamic_range_db).map_err(failed)?
            }
            None => Vec::new(),
        };
        let pair =
            |[across, down]: [f64; 2]| format!("{} × {}", millimeters(down), millimeters(across));
        outcome.key_figures.extend([
            KeyFigure::new(
                "resolution, down-range × cross-range",
                pair(resolution),
                "mm",
            ),
            KeyFigure::new(
                "unambiguous extent, down-range × cross-range",
                format!("{:.2} × {:.2}", unambiguous[1], unambiguous[0]),
                "m",
            ),
        ]);
        let mut series = vec![outline(outcome, "image", self.mesh, &frame)];
        if self.asked.scattering_centers.is_some() {
            add_centers(outcome, &frame, &found);
            let arm = 0.012 * sides[0].max(sides[1]);
            let marks: Vec<_> = found
                .iter()
                .flat_map(|center| cross(center.place, arm))
                .collect();
            series.push(Series {
                name: "scattering centers".to_owned(),
                ..outcome.add_outline("image/center_marks", marks.iter().map(|line| &line[..]))
            });
        }
        let middle = turn.middle();
        let caption = format!(
            "{}, {} to {}, angular aperture {:.1}° about θ = {}°, φ = {}°. {} An isolated point scatterer reads its σ.",
            self.channel(),
            Frequency(self.band.first),
            Frequency(self.band.highest()),
            turn.width().to_degrees(),
            tidy(middle.theta),
            tidy(middle.phi),
            legend(&grid),
        );
        draw(
            outcome,
            Picture {
                name: "image",
                title: "Image (ISAR)",
                caption,
                grid,
                cells: image,
                series,
            },
        );
        Ok(())
    }
}

/// Image of a figure. A body longer in down-range than in cross-range lies on its side, so that the image fills its frame:
/// down-range runs to the right and cross-range downward, as the same plane turned by a quarter.
pub(super) struct Picture {
    /// Prefix of the array names.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) caption: String,
    pub(super) grid: Grid,
    /// Complex amplitudes, row by row.
    pub(super) cells: Vec<Complex64>,
    /// Curves drawn over the image, cross-range and down-range.
    pub(super) series: Vec<Series>,
}

/// Returns whether the image of a grid lies on its side.
pub(super) fn on_its_side(grid: &Grid) -> bool {
    let [across, down] = [0, 1].map(|axis| grid.last()[axis] - grid.first[axis]);
    down > across
}

/// Describes the direction of the radar and the outline on an image.
pub(super) fn legend(grid: &Grid) -> String {
    let side = if on_its_side(grid) {
        "on the left of"
    } else {
        "below"
    };
    format!(
        "The radar is {side} the image; the outline is the silhouette of the body projected onto the image plane."
    )
}

/// Adds the arrays and the figure of an image.
pub(super) fn draw(outcome: &mut Outcome, picture: Picture) {
    let Picture {
        name,
        title,
        caption,
        grid,
        cells,
        series,
    } = picture;
    let decibels: Vec<f64> = cells.iter().map(dbsm).collect();
    let peak = decibels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let last = grid.last();
    let axis = |axis: usize| -> Vec<f64> {
        let places = 0..grid.count[axis];
        places
            .map(|n| grid.first[axis] + grid.step[axis] * n as f64)
            .collect()
    };
    let shape = [grid.count[1], grid.count[0]];
    outcome.add_coordinates(&format!("{name}/cross_range"), "m", axis(0));
    outcome.add_coordinates(&format!("{name}/down_range"), "m", axis(1));
    (outcome.arrays).push(Array::complex(format!("{name}/amplitude"), cells).reshaped(&shape));
    let axes = ["down_range", "cross_range"].map(|axis| format!("{name}/{axis}"));
    let axes = [axes[0].as_str(), axes[1].as_str()];
    outcome.label(&format!("{name}/amplitude"), "m", &axes);
    outcome.label(&format!("{name}/dbsm"), "dBsm", &axes);
    let side = on_its_side(&grid);
    let array = format!("{name}/dbsm");
    let (shown, x, y) = if side {
        let [columns, rows] = grid.count;
        let order =
            (0..columns).flat_map(|column| (0..rows).map(move |row| row * columns + column));
        let turned = order.map(|index| decibels[index]).collect();
        let shown = format!("{name}/turned_dbsm");
        (outcome.arrays).push(Array::real(&shown, turned).reshaped(&[columns, rows]));
        (shown, 1, 0)
    } else {
        (array.clone(), 0, 1)
    };
    (outcome.arrays).push(Array::real(&array, decibels).reshaped(&shape));
    let turned = |series: Series| Series {
        x: series.y.clone(),
        y: series.x.clone(),
        ..series
    };
    let labels = ["cross-range", "down-range"];
    outcome.figures.push(Figure {
        title: title.to_owned(),
        caption,
        kind: FigureKind::Map(Map {
            array: shown,
            x: (grid.first[x], last[x]),
            y: (grid.first[y], last[y]),
            equal_aspect: true,
            y_down: side,
            colors: decibel_colors(peak),
            contours: Vec::new(),
        }),
        x_label: labels[x].to_owned(),
        x_unit: "m".to_owned(),
        y_label: labels[y].to_owned(),
        y_unit: "m".to_owned(),
        series: if side {
            series.into_iter().map(turned).collect()
        } else {
            series
        },
    });
}

/// Adds the outline of the body over the named image.
pub(super) fn outline(
    outcome: &mut Outcome,
    name: &str,
    mesh: &TriangleMesh,
    frame: &Frame,
) -> Series {
    let lines = silhouette(mesh, frame);
    Series {
        name: "body outline".to_owned(),
        ..outcome.add_outline(
            &format!("{name}/outline"),
            lines.iter().map(|line| &line[..]),
        )
    }
}

/// Returns the extent of a body on the image plane, cross-range and down-range, m.
pub(super) fn extent(mesh: &TriangleMesh, frame: &Frame) -> [(f64, f64); 2] {
    [0, 1].map(|axis| span(mesh.points.iter().map(|point| frame.place(*point)[axis])))
}

/// Adds the table of scattering centers in order of decreasing amplitude.
fn add_centers(outcome: &mut Outcome, frame: &Frame, found: &[Center]) {
    let column = |value: &dyn Fn(&Center) -> f64| Data::Real(found.iter().map(value).collect());
    outcome.add_table(
        "centers",
        "Scattering centers in order of decreasing amplitude: cross-range and down-range, position in body coordinates (on the image plane through the origin), σ, and phase.",
        vec![
            ("cross_range", "m", column(&|c| c.place[0])),
            ("down_range", "m", column(&|c| c.place[1])),
            ("x", "m", column(&|c| frame.point(c.place)[0])),
            ("y", "m", column(&|c| frame.point(c.place)[1])),
            ("z", "m", column(&|c| frame.point(c.place)[2])),
            ("rcs", "dBsm", column(&|c| dbsm(&c.amplitude))),
            ("phase", "deg", column(&|c| c.amplitude.arg().to_degrees())),
        ],
    );
    outcome.show_table("centers");
}

/// Returns the image grid: the extent of the body with a margin.
pub(super) fn grid(extent: [(f64, f64); 2], resolution: [f64; 2]) -> Result<Grid, ProductError> {
    let longest = extent
        .iter()
        .map(|(low, high)| high - low)
        .fold(0.0, f64::max);
    // A margin of several resolution cells shows the full main lobe of a point at the boundary.
    let margin = (MARGIN * longest).max(3.0 * resolution[0].max(resolution[1]));
    let [low, high] = [
        extent.map(|(low, _)| low - margin),
        extent.map(|(_, high)| high + margin),
    ];
    let shortest = (high[0] - low[0]).min(high[1] - low[1]);
    let step = resolution.map(|cell| (cell / OVERSAMPLING).min(shortest / FEWEST_CELLS));
    Grid::over(low, high, step)
}

/// Returns a cross marker: two strokes through a position.
fn cross([x, y]: [f64; 2], arm: f64) -> [[[f64; 2]; 2]; 2] {
    [
        [[x - arm, y - arm], [x + arm, y + arm]],
        [[x - arm, y + arm], [x + arm, y - arm]],
    ]
}
