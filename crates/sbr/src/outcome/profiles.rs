//! Range profiles of a sweep: a line plot of one aspect, a waterfall plot of a cut.

use std::ops::Range;

use crate::image::RangeProfiles;
use wavefield_physics::quantity::Frequency;
use wavefield_solver::scene::aspects::Aspect;

use super::products::{
    DEPTH, MARGIN, Sweep, dbsm, decibel_colors, failed, meters, millimeters, span, tidy,
};
use wavefield_solver::Error;
use wavefield_solver::outcome::{
    Array, Check, Figure, FigureKind, KeyFigure, Map, Outcome, Series,
};

impl Sweep<'_> {
    /// Returns the minimum and maximum down-range of the body at every aspect, m: half the two-way path length.
    fn extents(&self) -> Vec<(f64, f64)> {
        let aspects = &self.solution.aspects[..self.aspects()];
        aspects
            .iter()
            .map(|aspect| {
                let (from, to) = (aspect.from.unit(), aspect.to.unit());
                let half = [0, 1, 2].map(|axis| 0.5 * (from[axis] + to[axis]));
                span(
                    self.mesh
                        .points
                        .iter()
                        .map(|p| -(half[0] * p[0] + half[1] * p[1] + half[2] * p[2])),
                )
            })
            .collect()
    }

    pub(super) fn range_profiles(&self, outcome: &mut Outcome) -> Result<(), Error> {
        let profiles =
            RangeProfiles::new(self.device, &self.band, self.asked.window, &self.samples)
                .map_err(failed)?;
        let extents = self.extents();
        let (count, aspects) = (profiles.ranges.len(), self.aspects());
        let decibels: Vec<f64> = profiles.amplitudes.iter().map(dbsm).collect();
        let (low, high) = span(extents.iter().flat_map(|(low, high)| [*low, *high]));
        let margin = MARGIN * (high - low);
        let shown = within(&profiles.ranges, low - margin, high + margin);
        let longest = extents
            .iter()
            .map(|(low, high)| high - low)
            .fold(0.0, f64::max);
        outcome.checks.push(Check {
            name: "down-range extent / unambiguous extent".to_owned(),
            value: longest / self.band.unambiguous(),
            limit: 1.0,
            against: format!("c/2δf = {}", meters(self.band.unambiguous())),
            remedy: "reduce the step of `frequency`".to_owned(),
        });
        if !self.asked.needs_image() {
            outcome.key_figures.push(KeyFigure::new(
                "down-range resolution c/2B",
                millimeters(self.band.resolution()),
                "mm",
            ));
        }
        let middle = aspects / 2;
        self.profile_figure(outcome, middle, count, &shown, extents[middle], &decibels);
        if let Some(turned) = self.cut() {
            self.waterfall(
                outcome,
                &turned,
                &profiles.ranges[shown.clone()],
                &extents,
                |aspect| &decibels[aspect * count..][shown.clone()],
            );
        }
        let angle = |value: fn(&Aspect) -> f64| {
            let all = self.solution.aspects[..aspects].iter();
            all.map(|a| value(a).to_degrees()).collect::<Vec<f64>>()
        };
        let shape = [aspects, count];
        outcome.add_coordinates("profile/down_range", "m", profiles.ranges);
        outcome.arrays.extend([
            Array::real("profile/theta", angle(|a| a.to.theta)),
            Array::real("profile/phi", angle(|a| a.to.phi)),
            Array::complex("profile/amplitude", profiles.amplitudes).reshaped(&shape),
            Array::real("profile/dbsm", decibels).reshaped(&shape),
        ]);
        outcome.label("profile/theta", "deg", &["aspect"]);
        outcome.label("profile/phi", "deg", &["aspect"]);
        for (array, unit) in [("profile/amplitude", "m"), ("profile/dbsm", "dBsm")] {
            outcome.label(array, unit, &["aspect", "profile/down_range"]);
        }
        Ok(())
    }

    /// Adds the profile of one aspect with dashed lines at the ends of the body.
    fn profile_figure(
        &self,
        outcome: &mut Outcome,
        aspect: usize,
        count: usize,
        shown: &Range<usize>,
        (nearest, farthest): (f64, f64),
        decibels: &[f64],
    ) {
        let seen = &self.solution.aspects[aspect];
        let line = &decibels[aspect * count..][shown.clone()];
        let peak = line.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let foot = [peak - DEPTH, peak];
        let ends: Vec<[[f64; 2]; 2]> = [nearest, farthest]
            .map(|range| [[range, foot[0]], [range, foot[1]]])
            .to_vec();
        let step = self.band.unambiguous() / count as f64;
        let first = (shown.start as f64 - (count / 2) as f64) * step;
        outcome.arrays.extend([
            Array::real(
                "profile/shown_range",
                (0..shown.len()).map(|n| first + step * n as f64).collect(),
            ),
            Array::real("profile/shown_dbsm", line.to_vec()),
        ]);
        let ends = Series {
            reference: true,
            name: "body extent".to_owned(),
            ..outcome.add_outline("profile/ends", ends.iter().map(|line| &line[..]))
        };
        let profile = Series::new(self.channel(), "profile/shown_range", "profile/shown_dbsm");
        outcome.figures.push(Figure {
            title: "Range profile".to_owned(),
            caption: format!(
                "{}, θ = {}°, φ = {}°, {} to {}. Down-range is half the two-way path length, zero at the origin of coordinates and positive away from the radar; an isolated point scatterer reads its σ.",
                self.channel(),
                tidy(seen.to.theta),
                tidy(seen.to.phi),
                Frequency(self.band.first),
                Frequency(self.band.highest()),
            ),
            kind: FigureKind::Cartesian,
            x_label: "down-range".to_owned(),
            x_unit: "m".to_owned(),
            y_label: "σ".to_owned(),
            y_unit: "dBsm".to_owned(),
            series: vec![profile, ends],
        });
    }

    /// Returns the uniformly sampled angle of the aspects, if there is one: its name, first value, and last value
    /// in degrees.
    fn cut(&self) -> Option<Cut> {
        let aspects = &self.solution.aspects[..self.aspects()];
        let even = |value: fn(&Aspect) -> f64| {
            let (first, last) = (value(aspects.first()?), value(aspects.last()?));
            let step = (last - first) / (aspects.len() - 1) as f64;
            let all = aspects.iter().enumerate();
            let off = all.map(|(n, a)| (value(a) - first - step * n as f64).abs());
            let worst = off.fold(0.0, f64::max);
            (step != 0.0 && worst < 1e-4 * step.abs())
                .then(|| (first.to_degrees(), last.to_degrees()))
        };
        if aspects.len() < 2 {
            return None;
        }
        let phi = even(|a| a.to.phi).map(|ends| Cut { name: "φ", ends });
        phi.or_else(|| even(|a| a.to.theta).map(|ends| Cut { name: "θ", ends }))
    }

    fn waterfall<'b>(
        &self,
        outcome: &mut Outcome,
        cut: &Cut,
        ranges: &[f64],
        extents: &[(f64, f64)],
        line: impl Fn(usize) -> &'b [f64],
    ) {
        let aspects = self.aspects();
        let values: Vec<f64> = (0..aspects).flat_map(|n| line(n).to_vec()).collect();
        let angle =
            |n: usize| cut.ends.0 + (cut.ends.1 - cut.ends.0) * n as f64 / (aspects - 1) as f64;
        let ends = [|e: &(f64, f64)| e.0, |e: &(f64, f64)| e.1].map(|end| {
            let places = extents.iter().enumerate();
            places
                .map(|(n, extent)| [end(extent), angle(n)])
                .collect::<Vec<_>>()
        });
        let peak = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let outline = Series {
            name: "body extent".to_owned(),
            ..outcome.add_outline("waterfall/ends", ends.iter().map(|line| &line[..]))
        };
        outcome
            .arrays
            .push(Array::real("waterfall/dbsm", values).reshaped(&[aspects, ranges.len()]));
        outcome.figures.push(Figure {
            title: "Range profiles versus angle".to_owned(),
            caption: format!(
                "{} range profiles versus {}; lines show the extent of the body.",
                self.channel(),
                cut.name
            ),
            kind: FigureKind::Map(Map {
                array: "waterfall/dbsm".to_owned(),
                x: (ranges[0], ranges[ranges.len() - 1]),
                y: cut.ends,
                equal_aspect: false,
                y_down: false,
                colors: decibel_colors(peak),
                contours: Vec::new(),
            }),
            x_label: "down-range".to_owned(),
            x_unit: "m".to_owned(),
            y_label: cut.name.to_owned(),
            y_unit: "deg".to_owned(),
            series: vec![outline],
        });
    }
}

/// Angle with uniform sampling over the aspects, degrees.
struct Cut {
    name: &'static str,
    ends: (f64, f64),
}

/// Returns the indices of the values between two bounds; the values must be ascending.
fn within(values: &[f64], low: f64, high: f64) -> Range<usize> {
    let start = values.partition_point(|value| *value < low);
    let end = values.partition_point(|value| *value <= high);
    if start < end {
        start..end
    } else {
        0..values.len()
    }
}
